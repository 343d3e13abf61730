//! Search below a folder.

use crate::error::{Error, Result};
use crate::wire::{count, counted};
use std::collections::{BTreeSet, HashSet};
use std::io;
use std::path::{Path, PathBuf};

/// Number of folders that a search reads: more than any game or project has, and few enough for a minute and some 100 MB.
const MAX_FOLDERS: u64 = 200_000;

/// Number of problems that a search lists: below a folder of somebody else, every subfolder is one.
const MAX_PROBLEMS: usize = 50;

/// Files found below a folder.
#[derive(Debug, Default)]
pub struct FolderFiles {
    /// Wanted files, sorted.
    pub files: Vec<PathBuf>,
    /// Folders that could not be read, the first few by name.
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
/// Each folder is read once, however many links lead to it, so the time is linear in what really exists; after
/// 200,000 folders, the rest is left out, and a problem says so.
pub fn files_below(folder: &Path, links: Links, wanted: impl Fn(&Path) -> bool) -> FolderFiles {
    search_below(folder, links, wanted, &|_| Ok(()))
}

/// Searches as [`files_below`] does, with a call for each folder, which gets the number of folders so far. The first error that
/// it returns ends the search, and is the last of the problems.
pub fn search_below(
    folder: &Path,
    links: Links,
    wanted: impl Fn(&Path) -> bool,
    on_folder: &dyn Fn(u64) -> Result<()>,
) -> FolderFiles {
    let mut search = Search::new(folder, links, wanted);
    if let Err(error) = search.run(on_folder) {
        search.found.problems.push(error);
    }
    if search.unlisted > 0 {
        let more = counted(search.unlisted, "more folder or link", "more folders and links");
        search.found.problems.push(search.incomplete(format!("{more} cannot be read")));
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
    root: PathBuf,
    links: Links,
    /// Folders still to read that links lead to.
    linked: BTreeSet<PathBuf>,
    /// Folders still to read.
    folders: Vec<PathBuf>,
    wanted: F,
    found: FolderFiles,
    /// Problems beyond the listed ones.
    unlisted: u64,
    max_folders: u64,
}

impl<F: Fn(&Path) -> bool> Search<F> {
    fn new(folder: &Path, links: Links, wanted: F) -> Self {
        let root = in_one_style(folder);
        let (linked, folders, found) = (BTreeSet::new(), vec![root.clone()], FolderFiles::default());
        Self { root, links, linked, folders, wanted, found, unlisted: 0, max_folders: MAX_FOLDERS }
    }

    fn run(&mut self, on_folder: &dyn Fn(u64) -> Result<()>) -> Result<()> {
        let (mut seen, mut number) = (HashSet::new(), 0);
        // Links come last, so that a folder is listed under its own path if it has one here.
        while let Some(folder) = self.folders.pop().or_else(|| self.linked.pop_first()) {
            if number == self.max_folders {
                let many = count(self.max_folders);
                return Err(self.incomplete(format!("it has more than {many} folders; name one below it")));
            }
            number += 1;
            on_folder(number)?;
            // Folders are recognised by identity: any number of paths may lead to one.
            let read =
                identity(&folder).and_then(|id| if seen.insert(id) { self.read(&folder) } else { Ok(()) });
            if let Err(source) = read {
                self.report("read folder", folder, source);
            }
        }
        Ok(())
    }

    fn incomplete(&self, reason: String) -> Error {
        Error::io("search all of folder", &self.root)(io::Error::other(reason))
    }

    fn report(&mut self, action: &'static str, path: PathBuf, source: io::Error) {
        if self.found.problems.len() < MAX_PROBLEMS {
            self.found.problems.push(Error::Io { action, path, source });
        } else {
            self.unlisted += 1;
        }
    }

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
            // A link to a folder around this one would bring in everything beside it.
            Ok(found) if found.is_dir() => {
                if !self.is_below(&link) {
                    self.linked.insert(link);
                }
            }
            Ok(found) if found.is_file() && (self.wanted)(&link) => self.found.files.push(link),
            // A link that must not be followed may hide wanted files, so it is reported.
            Err(source) if source.kind() == io::ErrorKind::PermissionDenied => {
                self.report("follow link", link, source);
            }
            // It leads nowhere, or to something unwanted.
            Ok(_) | Err(_) => {}
        }
    }

    /// True if the searched folder is below the target of a link.
    fn is_below(&self, link: &Path) -> bool {
        let (Ok(root), Ok(target)) = (real_path(&self.root), real_path(link)) else { return false };
        root != target && root.starts_with(target)
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
    fn links_to_folders_around_are_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::create_dir_all(path("game/deep")).unwrap();
        std::fs::create_dir_all(path("other")).unwrap();
        for name in ["game/a.pak", "other/b.pak"] {
            std::fs::write(path(name), "").unwrap();
        }
        symlink("..", path("game/up")).unwrap();
        symlink("/", path("game/deep/root")).unwrap();
        symlink("../other", path("game/beside")).unwrap();
        let found = files_below(&path("game"), Links::Follow, |path| path.extension().is_some());
        assert_eq!(names(&found, &path("game")), ["a.pak", "beside/b.pak"]);
    }

    #[test]
    fn searches_end_when_told_to() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a/b", "c/d", "e"] {
            std::fs::create_dir_all(folder.path().join(name)).unwrap();
        }
        let ended = |at: u64| move |number: u64| if number == at { Err(Error::Cancelled) } else { Ok(()) };
        let found = search_below(folder.path(), Links::Follow, |_| true, &ended(3));
        assert!(matches!(found.problems[..], [Error::Cancelled]), "{:?}", found.problems);
        let found = search_below(folder.path(), Links::Follow, |_| true, &ended(7));
        assert!(found.problems.is_empty(), "six folders: {:?}", found.problems);
    }

    #[test]
    fn searches_end_after_a_number_of_folders() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a/b", "c/d", "e"] {
            std::fs::create_dir_all(folder.path().join(name)).unwrap();
        }
        let run = |max_folders| {
            let mut search = Search::new(folder.path(), Links::Follow, |_: &Path| true);
            search.max_folders = max_folders;
            search.run(&|_| Ok(())).map_err(|error| error.to_string())
        };
        assert_eq!(run(6), Ok(()));
        let reason = "cannot search all of folder: it has more than 5 folders; name one below it";
        assert_eq!(run(5).unwrap_err(), format!("{reason}: {}", folder.path().display()));
    }

    #[test]
    fn problems_are_listed_up_to_a_number() {
        let folder = tempfile::tempdir().unwrap();
        let mut search = Search::new(folder.path(), Links::Follow, |_: &Path| true);
        for number in 0..MAX_PROBLEMS + 7 {
            search.report("read folder", number.to_string().into(), io::ErrorKind::PermissionDenied.into());
        }
        assert_eq!((search.found.problems.len(), search.unlisted), (MAX_PROBLEMS, 7));
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
