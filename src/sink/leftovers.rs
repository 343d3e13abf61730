//! Removes what runs that were killed have left behind.

use super::run::{Name, is_unlocked, lock_name};
use cap_std::fs::{Dir, ReadDir};
use std::collections::HashMap;
use std::io;

/// Removes all unfinished files below a folder whose run has ended, and the locks of these runs; says how many files.
/// Symlinks are not followed. What cannot be listed or removed stays; it does no harm.
pub(super) fn remove(root: &Dir) -> u64 {
    let mut search = Search { open: Vec::new(), ended: HashMap::new(), removed: 0 };
    search.enter(root.try_clone());
    while let Some(folder) = search.open.last_mut() {
        match folder.entries.next() {
            Some(entry) => search.look_at(entry).unwrap_or_default(),
            None => search.leave(),
        }
    }
    search.removed
}

/// A search, depth first, so that no more folders are open at a time than lie in one another.
struct Search {
    open: Vec<Folder>,
    /// Whether the runs that were asked about have ended, and left nothing that could not be removed.
    ended: HashMap<String, bool>,
    removed: u64,
}

struct Folder {
    handle: Dir,
    entries: ReadDir,
    /// Runs whose locks are here.
    locks: Vec<String>,
}

impl Search {
    fn enter(&mut self, folder: io::Result<Dir>) {
        let open = |handle: Dir| Ok(Folder { entries: handle.entries()?, handle, locks: Vec::new() });
        self.open.extend(folder.and_then(open));
    }

    fn look_at(&mut self, entry: io::Result<cap_std::fs::DirEntry>) -> io::Result<()> {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() {
            self.enter(entry.open_dir());
            return Ok(());
        }
        let name = entry.file_name();
        match name.to_str().filter(|_| kind.is_file()).and_then(Name::parse) {
            Some(Name::Unfinished(id)) if self.has_ended(id) => {
                let removed = entry.remove_file().is_ok();
                self.removed += u64::from(removed);
                if !removed {
                    // The next attempt needs the lock.
                    self.ended.insert(id.to_owned(), false);
                }
            }
            Some(Name::Lock(id)) => {
                if let Some(folder) = self.open.last_mut() {
                    folder.locks.push(id.to_owned());
                }
            }
            // Its run may be about to lock it, and will have to make another one.
            Some(Name::New) if self.open.last().is_some_and(|folder| is_unlocked(&folder.handle, &name)) => {
                entry.remove_file()?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Whether a run has ended, by its lock in this folder or one above. It does not come back to life.
    fn has_ended(&mut self, id: &str) -> bool {
        if let Some(ended) = self.ended.get(id) {
            return *ended;
        }
        let ended = self.open.iter().rev().any(|folder| is_unlocked(&folder.handle, lock_name(id)));
        self.ended.insert(id.to_owned(), ended);
        ended
    }

    /// Leaves a folder. A run that has its lock here writes nowhere else, so the lock goes last.
    fn leave(&mut self) {
        let locks = self.open.last_mut().map(|folder| std::mem::take(&mut folder.locks));
        let ended: Vec<String> = locks.into_iter().flatten().filter(|id| self.has_ended(id)).collect();
        if let Some(folder) = self.open.pop() {
            for id in ended {
                // Another run may have been quicker.
                let _ = folder.handle.remove_file(lock_name(&id));
            }
        }
    }
}
