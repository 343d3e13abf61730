//! Where the files of a container are: on disk, or on a server.

use crate::error::Result;
use crate::source::{Partitions, Source, is_url, read_file, refuse_lfs_pointer};
use crate::table::Table;
use bytes::Bytes;
use std::path::Path;
use std::sync::Arc;

/// Where the files of a container are.
#[derive(Debug, Clone)]
pub(super) enum Place {
    /// On disk, beside each other.
    Disk,
    /// On a server.
    #[cfg(feature = "remote")]
    Server(crate::source::Remote),
}

impl Place {
    /// The place that the path or address of a `.utoc` names.
    pub(super) fn of(path: &Path) -> Result<Self> {
        if is_url(path) { Self::on_server(path) } else { Ok(Self::Disk) }
    }

    #[cfg(feature = "remote")]
    fn on_server(path: &Path) -> Result<Self> {
        crate::source::Remote::open(&path.to_string_lossy()).map(Self::Server)
    }

    #[cfg(not(feature = "remote"))]
    fn on_server(path: &Path) -> Result<Self> {
        let problem = crate::source::AddressProblem::NoNetwork;
        Err(crate::error::Error::io("open", path)(std::io::Error::new(
            std::io::ErrorKind::Unsupported,
            problem,
        )))
    }

    /// Reads a `.utoc`, whole.
    pub(super) fn read_toc(&self, path: &Path) -> Result<Bytes> {
        match self {
            Self::Disk => {
                let bytes = read_file(path, u64::MAX)?;
                refuse_lfs_pointer(path, bytes.len() as u64).map(|()| bytes.into())
            }
            #[cfg(feature = "remote")]
            Self::Server(remote) => remote.read_toc(),
        }
    }

    /// The data that a table of contents describes. On disk, it opens the partitions that blocks lie in.
    pub(super) fn data(&self, path: &Path, toc: &Table) -> Arc<dyn Source> {
        let size = toc.partition_size();
        let blocks = toc.iostore().map(crate::container::Toc::blocks).unwrap_or_default();
        match self {
            Self::Disk => {
                let mut used: Vec<u64> = blocks.iter().map(|block| block.offset() / size).collect();
                used.sort_unstable();
                used.dedup();
                Arc::new(Partitions::open(path, size, used))
            }
            #[cfg(feature = "remote")]
            Self::Server(remote) => Arc::new(remote.data(size)),
        }
    }
}
