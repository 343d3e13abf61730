//! Where the bytes of a cooked file come from: a file, or a pak.

use crate::container::ChunkIndex;
use crate::error::{Error, Result};
use crate::source::{open_file, read_file};
use crate::store::Container;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Bytes of a file in a pak that are read at a time.
const WINDOW: u64 = 1 << 20;

/// A cooked file.
#[derive(Debug, Clone)]
pub(in crate::pack) struct CookedFile {
    /// Its path below the mount point.
    pub path: String,
    /// Where it lies, for messages.
    pub shown: PathBuf,
    /// Length in bytes.
    pub len: u64,
    pub origin: Origin,
}

/// What holds it.
#[derive(Debug, Clone)]
pub(in crate::pack) enum Origin {
    /// A file of its own.
    File,
    /// A pak.
    Packed(Arc<Container>, ChunkIndex),
    /// Memory.
    Memory(Arc<[u8]>),
}

impl CookedFile {
    /// A file in a pak.
    pub(super) fn packed(container: &Arc<Container>, chunk: ChunkIndex, path: String) -> Self {
        Self {
            shown: format!("{}:{path}", container.path().display()).into(),
            path,
            len: container.table().chunk_len(chunk),
            origin: Origin::Packed(Arc::clone(container), chunk),
        }
    }

    /// All of it. More than `limit` bytes are an error.
    pub(in crate::pack) fn read(&self, limit: u64) -> Result<Vec<u8>> {
        match &self.origin {
            Origin::File => read_file(&self.shown, limit),
            Origin::Packed(container, chunk) => container.read(*chunk, 0..self.len, limit),
            Origin::Memory(bytes) => Ok(bytes.to_vec()),
        }
    }

    /// Its first bytes; fewer if it is shorter.
    pub(in crate::pack) fn start(&self, len: u64) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let start = self.open(0..self.len.min(len))?;
        start.take(len).read_to_end(&mut bytes).map_err(Error::io("read", &self.shown))?;
        Ok(bytes)
    }

    /// A part of it, to be read piece by piece.
    pub(super) fn open(&self, range: Range<u64>) -> Result<Box<dyn Read + Send>> {
        let len = range.end.saturating_sub(range.start);
        Ok(match &self.origin {
            Origin::File => {
                let mut file = open_file(&self.shown).map_err(Error::io("open", &self.shown))?;
                file.seek(SeekFrom::Start(range.start)).map_err(Error::io("read", &self.shown))?;
                Box::new(file.take(len))
            }
            Origin::Packed(container, chunk) => Box::new(Windows {
                container: Arc::clone(container),
                chunk: *chunk,
                range,
                window: io::Cursor::new(Vec::new()),
            }),
            Origin::Memory(bytes) => {
                let mut bytes = io::Cursor::new(Arc::clone(bytes));
                bytes.set_position(range.start);
                Box::new(bytes.take(len))
            }
        })
    }

    /// Its name, such as `Level.umap`.
    pub(super) fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// True for a file of its own.
    pub(super) const fn is_file(&self) -> bool {
        matches!(self.origin, Origin::File)
    }

    /// Where it lies.
    pub(in crate::pack) fn shown(&self) -> &Path {
        &self.shown
    }
}

/// A file in a pak, a window at a time.
struct Windows {
    container: Arc<Container>,
    chunk: ChunkIndex,
    /// What is still to come.
    range: Range<u64>,
    window: io::Cursor<Vec<u8>>,
}

impl Read for Windows {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.window.read(buffer)?;
        if read > 0 || buffer.is_empty() || self.range.is_empty() {
            return Ok(read);
        }
        let end = self.range.end.min(self.range.start.saturating_add(WINDOW));
        let bytes =
            self.container.read(self.chunk, self.range.start..end, WINDOW).map_err(io::Error::other)?;
        if bytes.is_empty() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.range.start = end;
        self.window = io::Cursor::new(bytes);
        self.window.read(buffer)
    }
}
