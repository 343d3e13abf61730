//! What is packed: files with their own content, and content that is made while it is written.

use crate::error::{Error, Result};
use crate::source::open_file;
use std::fmt;
use std::io::{self, Read};
use std::path::Path;

/// Content that is made while it is written, so that no more of it has to be in memory than a piece.
pub(super) trait Make: fmt::Debug + Send + Sync {
    /// The content, from its start.
    fn open(&self) -> Result<Box<dyn Read + '_>>;
}

/// A file that is packed.
pub(super) trait Input: Sync {
    /// Where it lies.
    fn source(&self) -> &Path;
    /// Length in bytes when it was found.
    fn raw_len(&self) -> u64;
    /// What its content is made from, if it is not the file's own.
    fn made(&self) -> Option<&dyn Make>;

    /// Its content, from its start.
    fn open(&self) -> Result<Box<dyn Read + '_>> {
        match self.made() {
            Some(made) => made.open(),
            None => Ok(Box::new(open_file(self.source()).map_err(Error::io("open", self.source()))?)),
        }
    }
}

/// A file has to have the length that was planned with.
pub(super) fn check_len(file: &impl Input, found: u64) -> Result<()> {
    if found == file.raw_len() { Ok(()) } else { Err(changed(file.source())) }
}

pub(super) fn changed(source: &Path) -> Error {
    Error::io("read", source)(io::Error::other("the file changed while it was read"))
}
