//! Paths in two parts: in a table of a million chunks, folders are few.

use super::{DirectoryEntryIndex, DirectoryIndex, ROOT};
use crate::container::toc::ChunkIndex;
use crate::wire::MAX_PATH_LEN;

/// Paths of all directories of an index.
#[derive(Debug)]
pub struct FolderPaths<'i> {
    index: &'i DirectoryIndex,
    /// By directory; `None` where the paths of files are not simply that of the directory and a name.
    paths: Vec<Option<Box<str>>>,
}

impl DirectoryIndex {
    /// Builds the paths of all directories, each with its `/` at the end; that of the root may be empty.
    #[must_use]
    pub fn folder_paths(&self) -> FolderPaths<'_> {
        let has_root = self.mount_point.starts_with(ROOT);
        let path = |directory| {
            let path = self.directory_path(DirectoryEntryIndex(directory)).filter(|_| has_root)?;
            let path = String::from_utf8(path).ok()?;
            // Complete paths lose slashes at their start.
            (!path.starts_with('/')).then(|| path.into())
        };
        let count = u32::try_from(self.parents.len()).unwrap_or(u32::MAX);
        FolderPaths { index: self, paths: (0..count).map(path).collect() }
    }
}

impl<'i> FolderPaths<'i> {
    /// Returns the paths, by directory.
    pub fn iter(&self) -> impl Iterator<Item = Option<&str>> {
        self.paths.iter().map(Option::as_deref)
    }

    /// Returns the path of a directory.
    #[must_use]
    pub fn path(&self, directory: DirectoryEntryIndex) -> Option<&str> {
        self.paths.get(directory.0 as usize)?.as_deref()
    }

    /// Returns the directory and the name of a chunk's file; `None` if the chunk has no path, or one that is not simply the two
    /// together.
    #[must_use]
    pub fn find(&self, chunk: ChunkIndex) -> Option<(DirectoryEntryIndex, &'i str)> {
        let (directory, stored) = self.index.stored_path(chunk)?;
        let name = stored.get(size_of::<i32>()..)?.strip_suffix(&[0])?;
        let folder = self.path(directory)?;
        let is_plain = name.is_ascii() && !name.is_empty() && !name.starts_with(b"/");
        let fits = folder.len() + name.len() <= MAX_PATH_LEN;
        Some((directory, std::str::from_utf8(name).ok().filter(|_| is_plain && fits)?))
    }
}
