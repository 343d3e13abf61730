//! Files that Git LFS has not fetched: a short text stands in for each.

use super::FileSource;
use crate::error::{Error, Result};
use std::path::Path;

/// Such a text is not longer.
const LONGEST: u64 = 1024;

/// Refuses a file on disk that is a Git-LFS pointer, by what it is.
pub fn refuse_lfs_pointer(path: &Path, len: u64) -> Result<()> {
    match FileSource::open(path) {
        Ok(file) if len <= LONGEST => file.refuse_lfs_pointer(path),
        // What is wrong with it shows when it is read.
        _ => Ok(()),
    }
}

impl FileSource {
    /// Fails if it is a Git-LFS pointer, by what it is.
    pub(crate) fn refuse_lfs_pointer(&self, path: &Path) -> Result<()> {
        match self.lfs_pointer_size() {
            Some(size) => Err(Error::LfsPointer { path: path.to_owned(), size }),
            None => Ok(()),
        }
    }

    /// The size that it promises, if it is a Git-LFS pointer.
    pub(super) fn lfs_pointer_size(&self) -> Option<u64> {
        let len = usize::try_from(self.len().min(LONGEST + 1)).ok().filter(|len| *len as u64 <= LONGEST)?;
        let mut text = vec![0; len];
        self.read_blocking(0, &mut text).ok()?;
        let text = std::str::from_utf8(&text).ok()?;
        if !text.starts_with("version https://git-lfs") {
            return None;
        }
        text.lines()
            .find_map(|line| line.strip_prefix("size "))
            .map_or(Some(0), |size| size.trim().parse().ok())
    }
}
