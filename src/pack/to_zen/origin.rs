//! Sources of the bytes of cooked files: disk, paks, or memory.

use crate::container::ChunkIndex;
use crate::error::{Error, Result};
use crate::pack::input::{Input, Make};
use crate::pack::pak_entry::PakFile;
use crate::source::{Shelved, open_file, read_file};
use crate::store::Container;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Bytes of a file in a pak that are read at once.
const WINDOW: u64 = 1 << 20;

/// Cooked file.
#[derive(Debug, Clone)]
pub(in crate::pack) struct CookedFile {
    /// Path below the mount point.
    pub path: String,
    /// Path for messages.
    pub shown: PathBuf,
    /// Length in bytes.
    pub len: u64,
    pub origin: Origin,
}

/// Place of its content.
#[derive(Debug, Clone)]
pub(in crate::pack) enum Origin {
    /// A file on disk.
    File,
    /// A file in a pak.
    Packed(Arc<Container>, ChunkIndex),
    /// Content that was kept for this.
    Shelf(Shelved),
}

impl CookedFile {
    /// File in a pak.
    pub(super) fn packed(container: &Arc<Container>, chunk: ChunkIndex, path: String) -> Self {
        Self {
            shown: format!("{}:{path}", container.path().display()).into(),
            path,
            len: container.table().chunk_len(chunk),
            origin: Origin::Packed(Arc::clone(container), chunk),
        }
    }

    /// Reads the whole file. More than `limit` bytes are an error.
    pub(in crate::pack) fn read(&self, limit: u64) -> Result<Vec<u8>> {
        match &self.origin {
            Origin::File => read_file(&self.shown, limit),
            Origin::Packed(container, chunk) => container.read(*chunk, 0..self.len, limit),
            Origin::Shelf(content) => Ok(content.bytes()?.into()),
        }
    }

    /// Reads up to `len` bytes from the start.
    pub(in crate::pack) fn start(&self, len: u64) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let start = self.open(0..self.len.min(len))?;
        start.take(len).read_to_end(&mut bytes).map_err(Error::io("read", &self.shown))?;
        Ok(bytes)
    }

    /// Opens a range for reading piece by piece.
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
            Origin::Shelf(content) => Box::new(content.open_at(range.start).take(len)),
        })
    }

    /// Returns the generator of its content, unless it is a file on disk.
    pub(super) fn content(&self) -> Option<Arc<dyn Make>> {
        match self.origin {
            Origin::File => None,
            Origin::Packed(..) | Origin::Shelf(_) => Some(Arc::new(Copied(self.clone()))),
        }
    }

    /// Returns its name, such as `Level.umap`.
    pub(super) fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// True for a file on disk.
    pub(super) const fn is_file(&self) -> bool {
        matches!(self.origin, Origin::File)
    }

    /// Returns the path for messages.
    pub(in crate::pack) fn shown(&self) -> &Path {
        &self.shown
    }
}

/// File whose content becomes a chunk unchanged.
#[derive(Debug)]
struct Copied(CookedFile);

impl Make for Copied {
    fn open(&self) -> Result<Box<dyn Read + Send + '_>> {
        self.0.open(0..self.0.len)
    }
}

impl From<CookedFile> for PakFile {
    fn from(file: CookedFile) -> Self {
        let input = Input { source: file.shown.clone(), len: file.len, made: file.content() };
        Self { input, path: file.path }
    }
}

/// Reader of a file in a pak, one window at a time.
struct Windows {
    container: Arc<Container>,
    chunk: ChunkIndex,
    /// Remaining range.
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
        // An empty window would otherwise look like the end of the file.
        if bytes.is_empty() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.range.start = end;
        self.window = io::Cursor::new(bytes);
        self.window.read(buffer)
    }
}
