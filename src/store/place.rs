//! Location of a container's files: a file system, or a server.

use crate::error::{Error, Result};
use crate::source::{Files, Partitions, SingleFile, Source, is_url};
use crate::table::Table;
use bytes::Bytes;
use std::path::Path;
use std::sync::Arc;

/// Location of a container's files.
#[derive(Debug, Clone)]
pub(super) enum ContainerPlace {
    /// Side by side, on disk or supplied by the caller.
    Files(Files),
    /// On a server.
    #[cfg(feature = "remote")]
    Server(crate::source::Remote),
}

impl ContainerPlace {
    /// The location given by the path or URL of a `.utoc`.
    pub(super) fn of(path: &Path, files: &Files) -> Result<Self> {
        if is_url(path) { Self::on_server(path, files) } else { Ok(Self::Files(files.clone())) }
    }

    #[cfg(feature = "remote")]
    fn on_server(path: &Path, files: &Files) -> Result<Self> {
        let remote = crate::source::Remote::open(&path.to_string_lossy())?;
        Ok(Self::Server(remote.with_answers(files.answers().clone())))
    }

    #[cfg(not(feature = "remote"))]
    fn on_server(path: &Path, _files: &Files) -> Result<Self> {
        Err(no_network(path))
    }

    /// Reads a whole `.utoc`.
    pub(super) fn read_toc(&self, path: &Path) -> Result<Bytes> {
        match self {
            Self::Files(files) => {
                // A clone without LFS has a small text file in place of the table: say so, not "wrong magic".
                files.open(path).map_err(Error::io("open", path))?.refuse_lfs_pointer(path)?;
                files.read(path, u64::MAX).map(Bytes::from)
            }
            #[cfg(feature = "remote")]
            Self::Server(remote) => remote.read_toc(),
        }
    }

    /// Opens a file that holds all data, and returns its length.
    pub(super) fn single(path: &Path, files: &Files) -> Result<(Arc<dyn Source>, u64)> {
        if is_url(path) {
            return single_on_server(path, files);
        }
        let file = SingleFile::open(files, path)?;
        // A Git LFS pointer would otherwise be reported as a pak with a bad footer, which helps nobody.
        file.refuse_lfs_pointer()?;
        let len = file.len();
        Ok((Arc::new(file), len))
    }

    /// Opens the data that a table of contents describes. On disk, only partitions that hold blocks are opened.
    pub(super) fn data(&self, path: &Path, toc: &Table) -> Arc<dyn Source> {
        let size = toc.partition_size();
        let blocks = toc.iostore().map(crate::container::Toc::blocks).unwrap_or_default();
        match self {
            Self::Files(files) => {
                // The recorded partition count is unreliable (UE 4.27 to 5.0 wrote one too few), so it follows from the
                // block offsets.
                let mut used: Vec<u64> = blocks.iter().map(|block| block.offset() / size).collect();
                used.sort_unstable();
                used.dedup();
                Arc::new(Partitions::open(files, path, size, used))
            }
            #[cfg(feature = "remote")]
            Self::Server(remote) => Arc::new(remote.data(size)),
        }
    }
}

#[cfg(feature = "remote")]
fn single_on_server(path: &Path, files: &Files) -> Result<(Arc<dyn Source>, u64)> {
    let file = crate::source::RemoteFile::open(path, files.answers())?;
    let len = file.len();
    Ok((Arc::new(file), len))
}

#[cfg(not(feature = "remote"))]
fn single_on_server(path: &Path, _files: &Files) -> Result<(Arc<dyn Source>, u64)> {
    Err(no_network(path))
}

#[cfg(not(feature = "remote"))]
fn no_network(path: &Path) -> Error {
    let problem = crate::source::AddressProblem::NoNetwork;
    Error::io("open", path)(std::io::Error::new(std::io::ErrorKind::Unsupported, problem))
}
