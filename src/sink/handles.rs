//! Handles of folders below one folder: the most recently used stay open, so that a file costs no search for
//! its folder.

use super::folder::Folder;
use foldhash::HashMap;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

/// Limit of open folders, if the system allows that many.
const MOST: usize = 2048;

/// Fraction of the process's file descriptors that folders may take: one in this many.
#[cfg(unix)]
const SHARE: u64 = 4;

/// Requested folders, and those directly above them.
#[derive(Debug)]
pub(super) struct Handles {
    root: Arc<Folder>,
    /// Limit of open folders.
    most: usize,
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    open: HashMap<String, Handle>,
    /// Number of uses so far.
    uses: u64,
}

#[derive(Debug)]
struct Handle {
    directory: Arc<Folder>,
    /// Number of its last use.
    used: u64,
}

impl Handles {
    pub(super) fn new(root: Arc<Folder>) -> Self {
        Self { root, most: most(), kept: Mutex::default() }
    }

    /// Returns a handle of a folder, creating missing parts of its path.
    pub(super) fn get(&self, path: &str) -> io::Result<Arc<Folder>> {
        if path.is_empty() {
            return Ok(Arc::clone(&self.root));
        }
        // Held until the folder is open: several threads would otherwise open it at the same time.
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = kept.find(path) {
            return Ok(found);
        }
        let (above, name) = path.rsplit_once('/').unwrap_or(("", path));
        // The folder above is probably needed again: siblings are written one after the other.
        let parent = match kept.find(above) {
            Some(found) => found,
            None => {
                let parent = self.walk(above)?;
                kept.keep(above, &parent, self.most);
                parent
            }
        };
        let directory = Arc::new(open_or_make(&parent, name)?);
        kept.keep(path, &directory, self.most);
        Ok(directory)
    }

    /// Opens each component in turn, so that paths of any length work.
    fn walk(&self, path: &str) -> io::Result<Arc<Folder>> {
        let mut current = Arc::clone(&self.root);
        for component in path.split('/').filter(|component| !component.is_empty()) {
            current = Arc::new(open_or_make(&current, component)?);
        }
        Ok(current)
    }
}

impl Kept {
    fn find(&mut self, path: &str) -> Option<Arc<Folder>> {
        self.uses += 1;
        let found = self.open.get_mut(path)?;
        found.used = self.uses;
        Some(Arc::clone(&found.directory))
    }

    fn keep(&mut self, path: &str, directory: &Arc<Folder>, most: usize) {
        // Closed handles are only dropped here. A file that still uses one keeps its folder open.
        if self.open.len() >= most {
            self.close_half();
        }
        self.open.insert(path.to_owned(), Handle { directory: Arc::clone(directory), used: self.uses });
    }

    /// Closes the least recently used half: in one go, so that the search for it is rare.
    fn close_half(&mut self) {
        let mut uses: Vec<u64> = self.open.values().map(|handle| handle.used).collect();
        let middle = uses.len() / 2;
        if middle < uses.len() {
            // Selection instead of sorting: its time is linear in the number of handles.
            let last = *uses.select_nth_unstable(middle).1;
            self.open.retain(|_, handle| handle.used > last);
        }
    }
}

fn open_or_make(parent: &Folder, name: &str) -> io::Result<Folder> {
    let name = name.as_ref();
    match parent.open_folder(name) {
        // Another thread or process may create the folder in between, which is just as good.
        Err(error) if error.kind() == io::ErrorKind::NotFound => match parent.make_folder(name) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
            _ => parent.open_folder(name),
        },
        opened => opened,
    }
}

/// Returns the limit of open folders: files need descriptors as well.
fn most() -> usize {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit};
        // `None` means that the system sets no limit.
        let descriptors = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
        usize::try_from(descriptors / SHARE).unwrap_or(MOST).clamp(1, MOST)
    }
    #[cfg(not(unix))]
    {
        MOST
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    fn handles(folder: &std::path::Path, most: usize) -> Handles {
        let root = Folder::open(folder).unwrap();
        Handles { root: Arc::new(root), most, kept: Mutex::default() }
    }

    fn is_open(handles: &Handles, path: &str) -> bool {
        handles.kept.lock().unwrap().open.contains_key(path)
    }

    #[test]
    fn the_folders_used_last_stay_open() {
        let folder = tempfile::tempdir().unwrap();
        let handles = handles(folder.path(), 8);
        for number in 0..100 {
            let first = handles.get("a/first").unwrap();
            let path = format!("a/{number}");
            handles.get(&path).unwrap();
            assert!(Arc::ptr_eq(&first, &handles.get("a/first").unwrap()), "{number}");
            assert!(is_open(&handles, &path));
            assert!(handles.kept.lock().unwrap().open.len() <= 8);
        }
        assert!(!is_open(&handles, "a/0"));
        assert!(folder.path().join("a/0").is_dir(), "closed is not removed");
        assert!(handles.get("a/0").is_ok());
    }

    #[test]
    fn one_handle_is_enough() {
        let folder = tempfile::tempdir().unwrap();
        let handles = handles(folder.path(), 1);
        for path in ["a/b/c", "a/b", "", "d"] {
            let folder = handles.get(path).unwrap();
            folder.create("x".as_ref()).unwrap().write_all(path.as_bytes()).unwrap();
        }
        assert!(handles.get("a/b/c").is_ok());
        assert_eq!(std::fs::read(folder.path().join("a/b/c/x")).unwrap(), b"a/b/c");
    }
}
