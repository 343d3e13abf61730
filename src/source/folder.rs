//! Search below a folder.

use crate::error::Error;
use std::collections::{BTreeSet, HashSet};
use std::io;
use std::path::{Path, PathBuf};

/// Files found below a folder.
#[derive(Debug, Default)]
pub struct FolderFiles {
    /// Wanted files, sorted.
    pub files: Vec<PathBuf>,
    /// Folders that could not be read.
    pub problems: Vec<Error>,
}

/// Treatment of symlinks in a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Links {
    /// Links to files and folders count as their targets. Those that lead nowhere are ignored.
    Follow,
    /// Links are skipped.
    Ignore,
}

/// Finds the regular files below a folder that are `wanted`, by their paths.
///
/// Each folder is read once, however many links lead to it, so the time is linear in what really exists.
pub fn files_below(folder: &Path, links: Links, wanted: impl Fn(&Path) -> bool) -> FolderFiles {
    let mut search = Search {
        links,
        linked: BTreeSet::new(),
        folders: vec![in_one_style(folder)],
        wanted,
        found: FolderFiles::default(),
    };
    let mut seen = HashSet::new();
    // Links come last, so that a folder is listed under its own path if it has one here.
    while let Some(folder) = search.folders.pop().or_else(|| search.linked.pop_first()) {
        // Folders are recognised by identity: any number of paths may lead to one.
        let read =
            identity(&folder).and_then(|id| if seen.insert(id) { search.read(&folder) } else { Ok(()) });
        if let Err(source) = read {
            search.found.problems.push(Error::Io { action: "read folder", path: folder, source });
        }
    }
    search.found.files.sort();
    search.found
}

/// Returns a path with the system's separators: Windows accepts `/`, but `C:/Game\Paks` looks wrong.
#[must_use]
pub fn in_one_style(path: &Path) -> PathBuf {
    if cfg!(windows) { path.components().collect() } else { path.to_owned() }
}

struct Search<F> {
    links: Links,
    /// Folders still to read that links lead to.
    linked: BTreeSet<PathBuf>,
    /// Folders still to read.
    folders: Vec<PathBuf>,
    wanted: F,
    found: FolderFiles,
}

impl<F: Fn(&Path) -> bool> Search<F> {
    fn read(&mut self, folder: &Path) -> io::Result<()> {
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            let (path, kind) = (entry.path(), entry.file_type()?);
            // The kind of the entry itself, which for a link is not that of its target.
            if kind.is_dir() {
                self.folders.push(path);
            } else if kind.is_symlink() {
                self.follow(path);
            } else if kind.is_file() && (self.wanted)(&path) {
                self.found.files.push(path);
            }
        }
        Ok(())
    }

    fn follow(&mut self, link: PathBuf) {
        if self.links == Links::Ignore {
            return;
        }
        match std::fs::metadata(&link) {
            Ok(found) if found.is_dir() => drop(self.linked.insert(link)),
            Ok(found) if found.is_file() && (self.wanted)(&link) => self.found.files.push(link),
            // A link that must not be followed may hide wanted files, so it is reported.
            Err(source) if source.kind() == io::ErrorKind::PermissionDenied => {
                self.found.problems.push(Error::Io { action: "follow link", path: link, source });
            }
            // It leads nowhere, or to something unwanted.
            Ok(_) | Err(_) => {}
        }
    }
}

/// Returns the identity of a folder, the same for all paths to it.
#[cfg(unix)]
fn identity(folder: &Path) -> io::Result<(u64, u64)> {
    use std::os::unix::fs::MetadataExt as _;
    std::fs::metadata(folder).map(|found| (found.dev(), found.ino()))
}

/// Returns the identity of a folder, the same for all paths to it.
#[cfg(not(unix))]
fn identity(folder: &Path) -> io::Result<PathBuf> {
    real_path(folder)
}

/// Returns an existing path with its links resolved.
#[cfg(not(windows))]
pub(crate) fn real_path(path: &Path) -> io::Result<PathBuf> {
    path.canonicalize()
}

/// Returns an existing path with its links resolved. Some file systems, such as those in memory, cannot do that: there, it is
/// the absolute path. Never in the form `\\?\…`, which no user has written.
#[cfg(windows)]
pub(crate) fn real_path(path: &Path) -> io::Result<PathBuf> {
    dunce::canonicalize(path).or_else(|error| match path.try_exists() {
        Ok(true) => std::path::absolute(path),
        _ => Err(error),
    })
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn names(found: &FolderFiles, folder: &Path) -> Vec<String> {
        let relative = |path: &PathBuf| path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
        found.files.iter().map(relative).collect()
    }

    #[test]
    fn a_folder_is_read_once_and_goes_by_its_own_path() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let outside = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(path("z/deep")).unwrap();
        for name in [path("z/deep/a.pak"), path("z/b.txt"), outside.path().join("c.pak")] {
            std::fs::write(name, "").unwrap();
        }
        symlink("z", path("a")).unwrap();
        symlink("..", path("z/up")).unwrap();
        symlink(outside.path(), path("m")).unwrap();
        symlink(outside.path(), path("n")).unwrap();
        symlink(outside.path().join("c.pak"), path("d.pak")).unwrap();
        symlink("nowhere", path("broken.pak")).unwrap();
        symlink("round.pak", path("round.pak")).unwrap();
        let wanted = |path: &Path| path.extension().is_some_and(|end| end == "pak");
        let found = files_below(folder.path(), Links::Follow, wanted);
        assert_eq!(names(&found, folder.path()), ["d.pak", "m/c.pak", "z/deep/a.pak"]);
        assert!(found.problems.is_empty(), "{:?}", found.problems);
        let found = files_below(folder.path(), Links::Ignore, wanted);
        assert_eq!(names(&found, folder.path()), ["z/deep/a.pak"]);
    }

    /// Two links on each of 40 levels: a trillion paths to 41 folders.
    #[test]
    fn links_do_not_multiply() {
        let folder = tempfile::tempdir().unwrap();
        for level in 0..40 {
            let here = folder.path().join(format!("l{level}"));
            std::fs::create_dir(&here).unwrap();
            let next = folder.path().join(format!("l{}", level + 1));
            symlink(&next, here.join("a")).unwrap();
            symlink(&next, here.join("b")).unwrap();
        }
        std::fs::create_dir(folder.path().join("l40")).unwrap();
        std::fs::write(folder.path().join("l40/x.pak"), "").unwrap();
        let found = files_below(&folder.path().join("l0"), Links::Follow, |_| true);
        assert_eq!((found.files.len(), found.problems.len()), (1, 0));
    }

    #[test]
    fn a_folder_that_cannot_be_read_is_a_problem_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let gone = folder.path().join("gone");
        let found = files_below(&gone, Links::Follow, |_| true);
        let messages: Vec<String> = found.problems.iter().map(ToString::to_string).collect();
        assert!(messages.len() == 1 && messages[0].starts_with("cannot read folder: "), "{messages:?}");
        assert!(messages[0].ends_with(gone.to_str().unwrap()), "{messages:?}");
    }
}
