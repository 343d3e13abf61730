//! Compares the paths of chunks in two builds.

use crate::container::DirectoryEntryIndex;
use crate::store::{Entry, Store};
use foldhash::HashMap;

/// Whether chunks have other paths in a new build than in an old one; used for one chunk after the other.
///
/// Nearly all are where they were. So names are compared as they are stored, and which folders are the same is found out
/// once; paths are only made where that leaves a doubt.
#[derive(Default)]
pub(super) struct Paths {
    /// Whether folders of the two builds have the same path.
    same: HashMap<[Folder; 2], bool>,
    old: String,
    new: String,
}

/// A container, by its position in the store, and a folder of it.
type Folder = (usize, DirectoryEntryIndex);

impl Paths {
    /// Whether a chunk has a path in both builds, and another one in each.
    pub(super) fn differ(&mut self, (old, before): (&Store, Entry), (new, after): (&Store, Entry)) -> bool {
        if self.are_stored_alike((old, before), (new, after)) == Some(true) {
            return false;
        }
        old.path_into(before, &mut self.old) && new.path_into(after, &mut self.new) && self.old != self.new
    }

    /// Whether the paths are shown to be the same by how they are stored.
    fn are_stored_alike(
        &mut self,
        (old, before): (&Store, Entry),
        (new, after): (&Store, Entry),
    ) -> Option<bool> {
        let (old, new) = (old.container(before)?.index(), new.container(after)?.index());
        let ((old_folder, old_name), (new_folder, new_name)) =
            (old.stored_path(before.chunk)?, new.stored_path(after.chunk)?);
        if old_name != new_name {
            return None;
        }
        let folders = [(before.container, old_folder), (after.container, new_folder)];
        let compare = || old.has_same_directory(old_folder, new, new_folder);
        Some(*self.same.entry(folders).or_insert_with(compare))
    }
}
