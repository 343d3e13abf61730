use super::{Blocking, BoxFuture, Buffer, FileSource, Files, Source};
use crate::error::{Error, Result};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// File that holds all data: a `.pak`.
#[derive(Debug)]
pub struct SingleFile {
    path: PathBuf,
    file: FileSource,
}

impl SingleFile {
    /// Opens a file.
    pub fn open(files: &Files, path: &Path) -> Result<Self> {
        let file = files.open(path).map_err(Error::io("open", path))?;
        Ok(Self { path: path.to_owned(), file })
    }

    /// Returns the length of the file in bytes, as it was when opened.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "it is not a collection")]
    pub const fn len(&self) -> u64 {
        self.file.len()
    }

    /// Fails if it is a Git-LFS pointer, with an error that says so.
    pub fn refuse_lfs_pointer(&self) -> Result<()> {
        self.file.refuse_lfs_pointer(&self.path)
    }
}

impl Source for SingleFile {
    fn check(&self, range: &Range<u64>) -> Result<()> {
        let (len, needed) = (self.file.len(), range.end);
        if needed <= len {
            return Ok(());
        }
        Err(Error::TruncatedPartition { path: self.path.clone(), len, needed })
    }

    fn read_at(&self, offset: u64, buffer: Buffer) -> BoxFuture<'_, io::Result<Buffer>> {
        Box::pin(self.file.read_at(offset, buffer))
    }

    fn describe(&self, _offset: u64) -> PathBuf {
        self.path.clone()
    }

    fn blocking(&self) -> Option<&dyn Blocking> {
        Some(self)
    }
}

impl Blocking for SingleFile {
    fn read_now(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        self.file.read_blocking(offset, bytes)
    }

    fn announce(&self, range: &Range<u64>) {
        self.file.announce(range.start, range.end - range.start);
    }

    fn file(&self, offset: u64) -> Option<(&std::fs::File, u64)> {
        self.file.file().map(|file| (file, offset))
    }
}
