//! Names of unfinished files, and the lifetime of the run that writes them.
//!
//! ```text
//! .uncask-RUN-N.part     an unfinished file: its run, and a number
//! .uncask-RUN.lock       locked by that run until it ends; in the folder that it writes to
//! .uncask-RUN.new        the lock, before it is locked
//! ```
//!
//! RUN is 128 random bits, so no name can be guessed or occurs twice; and no chunk's file can have such a
//! name ([`is_reserved`]). The operating system releases a lock when its process ends, however that happens:
//! if a lock can be taken, the files of its run are left over. A process number would not do: inside a Docker
//! container, or on another machine, the same number means another process.
//!
//! On systems with unnamed files, small files need no temporary name unless they replace another file: then
//! they have one at the very end ([`unnamed`]).
//!
//! If files cannot be locked, or the lock is missing, no file counts as left over. On network drives where
//! machines do not see each other's locks, one may remove a file that another is writing. That file then
//! never gets its final name, and its run reports the failure.

use super::copy::Copies;
use super::fold::fold;
use super::folder::Folder;
use super::unnamed;
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// Prefix of all names.
pub(super) const PREFIX: &str = ".uncask-";

/// Suffix of the names of unfinished files.
const UNFINISHED: &str = ".part";

/// Suffix of the names of locks.
const LOCK: &str = ".lock";

/// Suffix of the names of locks that are not locked yet.
const NEW: &str = ".new";

/// Attempts of a run to create its lock: another run may remove it as left over before it is locked.
const ATTEMPTS: usize = 4;

/// Number of random bytes in the id of a run.
const ID_LEN: usize = 16;

/// Run that writes into a folder: from its first file to its last.
#[derive(Debug)]
pub(super) struct Run {
    root: Arc<Folder>,
    /// 32 hex digits.
    id: String,
    next: AtomicU64,
    /// True if unfinished files can do without a name; determined with the first file.
    goes_unnamed: OnceLock<bool>,
    pub(super) copies: Copies,
    /// Created with the first temporary name, so that a run without one leaves no trace.
    lock: OnceLock<Option<File>>,
}

impl Run {
    pub(super) fn new(root: Arc<Folder>) -> io::Result<Self> {
        let mut id = [0; ID_LEN];
        getrandom::fill(&mut id).map_err(io::Error::other)?;
        Ok(Self {
            root,
            id: hex::encode(id),
            next: AtomicU64::new(0),
            goes_unnamed: OnceLock::new(),
            copies: Copies::default(),
            lock: OnceLock::new(),
        })
    }

    /// True if unfinished files can do without a name.
    pub(super) fn goes_unnamed(&self) -> bool {
        *self.goes_unnamed.get_or_init(|| unnamed::works(&self.root))
    }

    /// Gives all files temporary names, as on systems without unnamed files.
    #[cfg(test)]
    pub(super) fn name_all(&self) {
        self.goes_unnamed.set(false).unwrap();
    }

    /// Returns a name for an unfinished file.
    pub(super) fn temporary_name(&self) -> String {
        // Work continues without a lock; after a kill, its unfinished files then have to be removed by hand.
        self.lock.get_or_init(|| (0..ATTEMPTS).find_map(|_| self.lock().ok()));
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        format!("{PREFIX}{}-{number}{UNFINISHED}", self.id)
    }

    /// Creates the lock. It gets its name once it is locked, so that no one finds it unlocked.
    fn lock(&self) -> io::Result<File> {
        let new = format!("{PREFIX}{}{NEW}", self.id);
        let file = self.root.create(new.as_ref())?;
        let locked = file.try_lock().map_err(io::Error::from);
        let named = locked.and_then(|()| self.root.rename(new.as_ref(), lock_name(&self.id).as_ref()));
        if named.is_err() {
            // It may be gone already.
            let _ = self.root.remove_file(new.as_ref());
        }
        named.map(|()| file)
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        // A failure here can no longer be reported. The file is still locked, so no other run removes it
        // first.
        if let Some(Some(_)) = self.lock.get()
            && self.root.remove_file(lock_name(&self.id).as_ref()).is_err()
        {
            // Not every system removes an open file.
            self.lock = OnceLock::new();
            let _ = self.root.remove_file(lock_name(&self.id).as_ref());
        }
    }
}

/// Meaning of a reserved name.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Name<'a> {
    /// An unfinished file of this run.
    Unfinished(&'a str),
    /// The lock of this run.
    Lock(&'a str),
    /// A lock before it is locked.
    New,
}

impl<'a> Name<'a> {
    /// Returns the meaning of a name, if a run has given it.
    pub(super) fn parse(name: &'a str) -> Option<Self> {
        let rest = name.strip_prefix(PREFIX)?;
        let (id, end) = rest.split_at_checked(2 * ID_LEN)?;
        if !id.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
            return None;
        }
        match end {
            LOCK => return Some(Self::Lock(id)),
            NEW => return Some(Self::New),
            _ => {}
        }
        let number = end.strip_prefix('-')?.strip_suffix(UNFINISHED)?;
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then_some(Self::Unfinished(id))
    }
}

/// Returns the name of the lock of a run.
pub(super) fn lock_name(id: &str) -> String {
    format!("{PREFIX}{id}{LOCK}")
}

/// True if a lock exists in the folder and no one holds it.
pub(super) fn is_unlocked(folder: &Folder, lock: &OsStr) -> bool {
    folder.open_lock(lock).is_ok_and(|lock| lock.try_lock().is_ok())
}

/// True if some file system may treat a name as that of a run's file: no file of a job may have it.
pub(super) fn is_reserved(name: &str) -> bool {
    // ASCII names only differ in case; others have to be normalised first.
    if name.is_ascii() {
        return name.get(..PREFIX.len()).is_some_and(|start| start.eq_ignore_ascii_case(PREFIX));
    }
    fold(name).starts_with(&*fold(PREFIX))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "0123456789abcdef0123456789abcdef";

    #[test]
    fn only_names_of_runs_have_a_meaning() {
        let name = |end: &str| format!("{PREFIX}{ID}{end}");
        assert_eq!(Name::parse(&name("-0.part")), Some(Name::Unfinished(ID)));
        assert_eq!(Name::parse(&name("-18446744073709551615.part")), Some(Name::Unfinished(ID)));
        assert_eq!(Name::parse(&name(".lock")), Some(Name::Lock(ID)));
        assert_eq!(Name::parse(&name(".new")), Some(Name::New));
        for other in ["-.part", "-x.part", "-0.parts", ".locks", "0.lock", ".part", ""] {
            assert_eq!(Name::parse(&name(other)), None, "{other}");
        }
        for other in [".uncask-12-0.part", ".uncask-.lock", "a.uncask-0-0.part"] {
            assert_eq!(Name::parse(other), None, "{other}");
        }
        assert_eq!(Name::parse(&name(".lock").to_uppercase()), None);
    }

    #[test]
    fn reserved_names_in_any_spelling() {
        for name in [".uncask-1-0.part", ".UNCASK-x", ".uncaſK-x", ".un\u{200b}cask-", "\u{feff}.uncask-"] {
            assert!(is_reserved(name), "{name:?}");
        }
        for name in [".uncask", "uncask-1-0.part", "..uncask-", ".unc\u{e1}sk-"] {
            assert!(!is_reserved(name), "{name:?}");
        }
    }

    #[test]
    fn names_are_never_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let root = Arc::new(Folder::open(folder.path()).unwrap());
        let runs: Vec<Run> = (0..100).map(|_| Run::new(Arc::clone(&root)).unwrap()).collect();
        let ids: std::collections::HashSet<&str> = runs.iter().map(|run| run.id.as_str()).collect();
        assert_eq!(ids.len(), 100);
        assert_ne!(runs[0].temporary_name(), runs[0].temporary_name());
        let bits = ids.iter().map(|id| u128::from_str_radix(id, 16).unwrap());
        assert_eq!(bits.clone().fold(0, |all, id| all | id), u128::MAX, "each bit is set in some of them");
        assert_eq!(bits.fold(u128::MAX, |all, id| all & id), 0, "and in none of them in all");
    }
}
