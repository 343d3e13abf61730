//! Removal of files that killed runs have left.

use super::folder::{Entries, Entry, Folder, Kind};
use super::run::{Name, is_unlocked, lock_name};
use std::collections::HashMap;
use std::ffi::OsStr;
use std::io;

/// Removes all unfinished files below a folder whose run has ended, and the locks of these runs; returns the
/// number of files. Symlinks are not followed. Files that cannot be listed or removed stay; they do no harm.
pub(super) fn remove(root: &Folder) -> u64 {
    let mut search = Search { open: Vec::new(), ended: HashMap::new(), removed: 0 };
    search.enter(root.try_clone());
    // A list instead of recursion: folders may be nested deeper than the call stack allows.
    while let Some(opened) = search.open.last_mut() {
        match opened.entries.next() {
            Some(entry) => search.look_at(entry),
            None => search.leave(),
        }
    }
    search.removed
}

/// Depth-first search, so that only nested folders are open at the same time.
struct Search {
    open: Vec<Opened>,
    /// Runs that were looked up: true if they have ended, and left nothing that could not be removed.
    ended: HashMap<String, bool>,
    removed: u64,
}

struct Opened {
    folder: Folder,
    entries: Entries,
    /// Runs whose locks are in this folder.
    locks: Vec<String>,
}

impl Search {
    fn enter(&mut self, folder: io::Result<Folder>) {
        let open = |folder: Folder| Ok(Opened { entries: folder.entries()?, folder, locks: Vec::new() });
        // A folder that cannot be opened or listed is skipped: cleaning up is no reason to fail.
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
            // Its run may be about to lock it, and will then have to create another one.
            (Kind::File, Some(Name::New)) if is_unlocked(&opened.folder, &name) => {
                let _ = opened.folder.remove_file(&name);
            }
            (Kind::File, Some(Name::Unfinished(id))) if self.has_ended(id) => self.remove(id, &name),
            _ => {}
        }
    }

    /// Removes an unfinished file from the current folder.
    fn remove(&mut self, id: &str, name: &OsStr) {
        if self.open.last().is_some_and(|opened| opened.folder.remove_file(name).is_ok()) {
            self.removed += 1;
        } else {
            // The next attempt needs the lock.
            self.ended.insert(id.to_owned(), false);
        }
    }

    /// True if a run has ended, by its lock in this folder or one above. Ended runs never resume.
    fn has_ended(&mut self, id: &str) -> bool {
        // A killed run may have left thousands of files, and its lock is looked for once.
        if let Some(ended) = self.ended.get(id) {
            return *ended;
        }
        let lock = lock_name(id);
        // From the inside out: the lock is in the folder that the run wrote to, which may be any of these.
        let ended = self.open.iter().rev().any(|opened| is_unlocked(&opened.folder, lock.as_ref()));
        self.ended.insert(id.to_owned(), ended);
        ended
    }

    /// Leaves a folder. A run whose lock is here writes nowhere else, so the lock is removed last.
    fn leave(&mut self) {
        let locks = self.open.last_mut().map(|opened| std::mem::take(&mut opened.locks));
        // Before the folder is removed from the list, since the search includes it.
        let ended: Vec<String> = locks.into_iter().flatten().filter(|id| self.has_ended(id)).collect();
        if let Some(opened) = self.open.pop() {
            for id in ended {
                // Another run may have removed it first.
                let _ = opened.folder.remove_file(lock_name(&id).as_ref());
            }
        }
    }
}
