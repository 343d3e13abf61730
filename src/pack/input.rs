//! What is packed: files with their own content, and content that is made while it is written.

use crate::error::{Error, Result};
use crate::source::open_file;
use std::fmt;
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::Arc;

/// Content that is made while it is written, so that no more of it has to be in memory than a piece.
pub(super) trait Make: fmt::Debug + Send + Sync {
    /// The content, from its start.
    fn open(&self) -> Result<Box<dyn Read + Send + '_>>;
}

/// Where the content of a file comes from that is packed.
#[derive(Debug, Clone)]
pub(super) struct Input {
    /// Where it lies.
    pub source: PathBuf,
    /// Length in bytes when it was found.
    pub len: u64,
    /// What the content is made from while it is written; `None` where it is the file's own.
    pub made: Option<Arc<dyn Make>>,
}

impl Input {
    /// A file with its own content.
    pub(super) const fn file(source: PathBuf, len: u64) -> Self {
        Self { source, len, made: None }
    }

    /// The content, from its start.
    pub(super) fn open(&self) -> Result<Box<dyn Read + Send + '_>> {
        match &self.made {
            Some(made) => made.open(),
            None => Ok(Box::new(open_file(&self.source).map_err(Error::io("open", &self.source))?)),
        }
    }

    /// It has to have the length that was planned with.
    pub(super) fn check_len(&self, found: u64) -> Result<()> {
        if found == self.len { Ok(()) } else { Err(self.changed()) }
    }

    pub(super) fn changed(&self) -> Error {
        Error::io("read", &self.source)(io::Error::other("the file changed while it was read"))
    }
}
