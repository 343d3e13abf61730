//! Inputs of packing: files, and content that is generated while it is written.

use crate::error::{Error, Result};
use crate::source::open_file;
use std::fmt;
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::Arc;

/// Content that is generated while it is written, so that only a piece at a time is in memory.
pub(super) trait Make: fmt::Debug + Send + Sync {
    /// Opens the content at its start.
    fn open(&self) -> Result<Box<dyn Read + Send + '_>>;
}

/// Source of a file's content.
#[derive(Debug, Clone)]
pub(super) struct Input {
    /// Path on disk, also for messages.
    pub source: PathBuf,
    /// Expected length in bytes.
    pub len: u64,
    /// Generator of the content; `None` for the file's own content.
    pub made: Option<Arc<dyn Make>>,
}

impl Input {
    /// Input with the content of a file.
    pub(super) const fn file(source: PathBuf, len: u64) -> Self {
        Self { source, len, made: None }
    }

    /// Opens the content at its start.
    pub(super) fn open(&self) -> Result<Box<dyn Read + Send + '_>> {
        match &self.made {
            Some(made) => made.open(),
            None => Ok(Box::new(open_file(&self.source).map_err(Error::io("open", &self.source))?)),
        }
    }

    /// Fails if the content does not have the expected length.
    pub(super) fn check_len(&self, found: u64) -> Result<()> {
        if found == self.len { Ok(()) } else { Err(self.changed()) }
    }

    pub(super) fn changed(&self) -> Error {
        Error::io("read", &self.source)(io::Error::other("the file changed while it was read"))
    }
}
