//! Removes what runs that were killed have left behind.

use super::folder::{Entries, Entry, Folder, Kind};
use super::run::{Name, is_unlocked, lock_name};
use std::collections::HashMap;
use std::ffi::OsStr;
use std::io;

/// Removes all unfinished files below a folder whose run has ended, and the locks of these runs; says how many files.
/// Symlinks are not followed. What cannot be listed or removed stays; it does no harm.
pub(super) fn remove(root: &Folder) -> u64 {
    let mut search = Search { open: Vec::new(), ended: HashMap::new(), removed: 0 };
    search.enter(root.try_clone());
    while let Some(opened) = search.open.last_mut() {
        match opened.entries.next() {
            Some(entry) => search.look_at(entry),
            None => search.leave(),
        }
    }
    search.removed
}

/// A search, depth first, so that no more folders are open at a time than lie in one another.
struct Search {
    open: Vec<Opened>,
    /// Whether the runs that were asked about have ended, and left nothing that could not be removed.
    ended: HashMap<String, bool>,
    removed: u64,
}

struct Opened {
    folder: Folder,
    entries: Entries,
    /// Runs whose locks are here.
    locks: Vec<String>,
}

impl Search {
    fn enter(&mut self, folder: io::Result<Folder>) {
        let open = |folder: Folder| Ok(Opened { entries: folder.entries()?, folder, locks: Vec::new() });
        self.open.extend(folder.and_then(open));
    }

    fn look_at(&mut self, entry: io::Result<Entry>) {
        let (Ok(Entry { name, kind }), Some(opened)) = (entry, self.open.last_mut()) else { return };
        match (kind, name.to_str().and_then(Name::parse)) {
            (Kind::Folder, _) => {
                let inner = opened.folder.open_folder(&name);
                self.enter(inner);
            }
            (Kind::File, Some(Name::Lock(id))) => opened.locks.push(id.to_owned()),
            // Its run may be about to lock it, and will have to make another one.
            (Kind::File, Some(Name::New)) if is_unlocked(&opened.folder, &name) => {
                let _ = opened.folder.remove_file(&name);
            }
            (Kind::File, Some(Name::Unfinished(id))) if self.has_ended(id) => self.remove(id, &name),
            _ => {}
        }
    }

    /// Removes an unfinished file from the folder that is looked at.
    fn remove(&mut self, id: &str, name: &OsStr) {
        if self.open.last().is_some_and(|opened| opened.folder.remove_file(name).is_ok()) {
            self.removed += 1;
        } else {
            // The next attempt needs the lock.
            self.ended.insert(id.to_owned(), false);
        }
    }

    /// Whether a run has ended, by its lock in this folder or one above. It does not come back to life.
    fn has_ended(&mut self, id: &str) -> bool {
        if let Some(ended) = self.ended.get(id) {
            return *ended;
        }
        let lock = lock_name(id);
        let ended = self.open.iter().rev().any(|opened| is_unlocked(&opened.folder, lock.as_ref()));
        self.ended.insert(id.to_owned(), ended);
        ended
    }

    /// Leaves a folder. A run that has its lock here writes nowhere else, so the lock goes last.
    fn leave(&mut self) {
        let locks = self.open.last_mut().map(|opened| std::mem::take(&mut opened.locks));
        let ended: Vec<String> = locks.into_iter().flatten().filter(|id| self.has_ended(id)).collect();
        if let Some(opened) = self.open.pop() {
            for id in ended {
                // Another run may have been quicker.
                let _ = opened.folder.remove_file(lock_name(&id).as_ref());
            }
        }
    }
}
