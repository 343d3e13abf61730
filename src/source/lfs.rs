//! Files that Git LFS has not fetched: a short text stands in for each.

use super::FileSource;
use crate::error::{Error, Result};
use std::path::Path;

/// Longest such text, in bytes.
const LONGEST: u64 = 1024;

/// Start of every such text: the address of the specification that it follows.
const START: &[u8] = b"version https://git-lfs";

/// True for the whole contents of such a file.
#[must_use]
pub fn is_lfs_pointer(contents: &[u8]) -> bool {
    contents.len() as u64 <= LONGEST && contents.starts_with(START)
}

/// Rejects a file on disk that is a Git-LFS pointer, with an error that says so.
pub fn refuse_lfs_pointer(path: &Path, len: u64) -> Result<()> {
    match FileSource::open(path) {
        Ok(file) if len <= LONGEST => file.refuse_lfs_pointer(path),
        // Any other fault shows when the file is read.
        _ => Ok(()),
    }
}

impl FileSource {
    /// Fails if it is a Git-LFS pointer, with an error that says so.
    pub(crate) fn refuse_lfs_pointer(&self, path: &Path) -> Result<()> {
        match self.lfs_pointer_size() {
            Some(size) => Err(Error::LfsPointer { path: path.to_owned(), size }),
            None => Ok(()),
        }
    }

    /// Returns the size of the real file, if this is a Git-LFS pointer.
    pub(super) fn lfs_pointer_size(&self) -> Option<u64> {
        // Pointers are short, so long files are never read for this.
        let len = usize::try_from(self.len().min(LONGEST + 1)).ok().filter(|len| *len as u64 <= LONGEST)?;
        let mut text = vec![0; len];
        self.read_blocking(0, &mut text).ok()?;
        if !is_lfs_pointer(&text) {
            return None;
        }
        let text = std::str::from_utf8(&text).ok()?;
        // Without a size, it still is a pointer: 0 stands for the unknown size.
        text.lines()
            .find_map(|line| line.strip_prefix("size "))
            .map_or(Some(0), |size| size.trim().parse().ok())
    }
}
