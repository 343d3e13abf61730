//! Output: files that appear whole or not at all.
//!
//! A [`Sink`] hands out [`Staged`] files. Nothing appears under the final name before [`Staged::commit`]; a
//! staged file that is dropped instead leaves no trace. Calls block, so they belong on worker threads.

#[cfg(feature = "remote")]
mod bucket;
#[cfg(feature = "remote")]
mod bucket_file;
mod copy;
mod directory;
mod fold;
mod folder;
mod handles;
mod leftovers;
mod mark;
mod memory;
mod names;
mod null;
mod open;
mod path;
mod patience;
mod pieces;
mod put;
mod run;
mod scratch;
mod single;
mod spool;
mod staged;
mod system;
mod unnamed;

#[cfg(feature = "remote")]
pub use bucket::BucketSink;
pub use directory::DirectorySink;
pub use memory::MemorySink;
pub use names::{HashTag, NameClash, OutputNames};
pub use null::NullSink;
pub use open::open_output;
pub use path::OutputPath;
pub(crate) use patience::with_patience;
pub use pieces::AppendingFile;
pub(crate) use pieces::Replacement;
pub use put::{Overwrite, PutOutcome, copy_file, put, put_together};
pub(crate) use scratch::ScratchFolder;
pub use single::create_file;
pub use spool::Spool;

use crate::error::Result;
use std::io;

/// Bytes of files that are compared at once.
const PIECE: usize = 64 << 10;

/// Destination of output files.
pub trait Sink: Send + Sync + std::fmt::Debug {
    /// Starts a file that will be `len` bytes long.
    fn create(&self, path: &OutputPath, len: u64) -> Result<Box<dyn Staged>>;

    /// True if it certainly held no file when it was opened, so that none has to be compared.
    fn started_empty(&self) -> bool {
        false
    }

    /// A place for intermediate content. By default, it is where the system has temporary files.
    fn spool(&self) -> Result<Spool> {
        Spool::temporary()
    }

    /// True if something has this name already, and would be replaced.
    fn exists(&self, path: &OutputPath) -> bool {
        self.existing(path).is_ok()
    }

    /// Takes the name from an existing file that is about to be replaced; `None` if there is none. By default, sinks have
    /// none, or nobody sees their files before all are there.
    fn withdraw(&self, _path: &OutputPath) -> Result<Option<Box<dyn Withdrawn>>> {
        Ok(None)
    }

    /// Notes a file that stays because somebody has changed it. By default, nobody asks for them.
    fn note_edited(&self, _path: &OutputPath) {}

    /// Paths of the files that stay because somebody has changed them, sorted.
    fn edited(&self) -> Vec<String> {
        Vec::new()
    }

    /// Removes what killed runs have left, and returns the number of files. By default, they leave nothing.
    fn remove_leftovers(&self) -> u64 {
        0
    }

    /// Opens an existing file, to compare it with its replacement. By default, sinks have none.
    fn existing(&self, _path: &OutputPath) -> io::Result<Existing> {
        Err(io::ErrorKind::NotFound.into())
    }
}

/// Existing file.
pub struct Existing {
    /// Its length in bytes.
    pub len: u64,
    /// True if it is certainly as a job has written it.
    pub is_untouched: bool,
    /// Its content, from the start.
    pub content: Box<dyn ExistingContent>,
}

impl Existing {
    /// True if it holds exactly these bytes.
    pub fn equals(&mut self, bytes: &[u8]) -> bool {
        self.len == bytes.len() as u64 && self.has(0, bytes)
    }

    /// True if it has these bytes at a position.
    pub fn has(&mut self, offset: u64, bytes: &[u8]) -> bool {
        if self.content.seek(io::SeekFrom::Start(offset)).is_err() {
            return false;
        }
        let mut buffer = vec![0; bytes.len().min(PIECE)];
        bytes.chunks(PIECE).all(|piece| {
            let own = buffer.get_mut(..piece.len()).unwrap_or_default();
            self.content.read_exact(own).is_ok() && own == piece
        })
    }
}

/// Existing file without its name. Dropping it removes the file.
pub trait Withdrawn {
    /// Gives it its name back.
    fn restore(self: Box<Self>) -> io::Result<()>;
}

/// Content that can be read from any position.
pub trait ExistingContent: io::Read + io::Seek + Send {}

impl<T: io::Read + io::Seek + Send> ExistingContent for T {}

/// File on its way to its final name.
pub trait Staged: Send + Sync {
    /// Writes at a position. Pieces may arrive in any order and from several threads.
    fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<()>;

    /// Copies `len` bytes at `position` of a file to `offset`. Pieces may arrive as for
    /// [`write_at`](Self::write_at).
    fn copy_from(&self, file: &std::fs::File, position: u64, offset: u64, len: u64) -> Result<()>;

    /// Gives the file its final name, replacing any existing file. Call it once, after the last write.
    fn commit(&self) -> Result<()>;
}
