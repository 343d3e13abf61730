//! Files that get their final names together.
//!
//! ```text
//! written    NAME.utoc.0123456789abcdef.part     a random name, created by this run, and locked
//! published  1. the new files are flushed to disk
//!            2. existing files move aside:           .pak, .utoc, .ucas
//!               NAME.utoc → NAME.utoc.fedcba9876543210.old
//!            3. the new files get their names:       .ucas, .utoc, .pak
//!            4. the old files are removed, and the folder is flushed (Windows has no call for that)
//! ```
//!
//! A file under its final name is complete, even after a power cut: otherwise, the name could reach the disk
//! before the content. Games find a container by its `.pak`, and no program opens a container without its
//! `.utoc`. So old and new files never look like one container; a run killed in between leaves none at all,
//! and the next run replaces the remains. A failed step undoes the ones before it.

use crate::error::{Error, Result};
use crate::sink::with_patience;
use std::fs::{File, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};

/// Extension of unfinished files.
const UNFINISHED: &str = "part";
/// Extension of files that are being replaced.
const ASIDE: &str = "old";
/// Number of hex digits in the random part of a name.
const DIGITS: usize = 16;

/// File under a temporary name. Dropping it removes the file.
#[derive(Debug)]
pub(super) struct Staged {
    /// Final path.
    pub target: PathBuf,
    temporary: PathBuf,
    file: File,
}

impl Staged {
    /// Creates a new file next to `target`: never an existing one, nor the target of a link.
    pub(super) fn create(target: &Path) -> Result<Self> {
        let exclusive = |temporary: &Path| OpenOptions::new().write(true).create_new(true).open(temporary);
        let mut temporary = beside(target, UNFINISHED);
        let mut file = exclusive(&temporary);
        // Only by chance or by an attack: another random name is free.
        while file.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::AlreadyExists) {
            temporary = beside(target, UNFINISHED);
            file = exclusive(&temporary);
        }
        let file = file.map_err(Error::io("create", &temporary))?;
        // Other runs do not remove locked files. Without locks, they leave all such files alone.
        let _ = file.try_lock();
        Ok(Self { target: target.to_owned(), temporary, file })
    }

    /// Returns the open file.
    pub(super) const fn file(&self) -> &File {
        &self.file
    }
}

impl io::Write for Staged {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl io::Seek for Staged {
    fn seek(&mut self, position: io::SeekFrom) -> io::Result<u64> {
        self.file.seek(position)
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        // A failure can no longer be reported; the name shows what the file is. Published files have moved
        // already.
        let _ = std::fs::remove_file(&self.temporary);
    }
}

/// Gives files their names, the first one last. Of `existing`, which they replace, the first moves first.
pub(super) fn publish(staged: &[Staged], existing: &[PathBuf]) -> Result<()> {
    // Content before names: a name on disk must never stand for missing content.
    for file in staged {
        flush(&file.file).map_err(Error::io("write", &file.target))?;
    }
    let moves = moves(staged, existing);
    for (done, (from, to)) in moves.iter().enumerate() {
        if let Err(error) = rename(from, to) {
            for (from, to) in moves.iter().take(done).rev() {
                // A file that cannot be moved back keeps a name that shows where it belongs.
                let _ = rename(to, from);
            }
            return Err(Error::io("rename to", to)(error));
        }
    }
    for (_, aside) in moves.iter().take(existing.len()) {
        // Remaining old files are harmless, and the next run removes them.
        let _ = std::fs::remove_file(aside);
    }
    if let Some(file) = staged.first() {
        flush_folder(folder_of(&file.target));
    }
    Ok(())
}

/// Waits until the content of a file is on disk. Some network file systems do not support this.
fn flush(file: &File) -> io::Result<()> {
    use io::ErrorKind::{InvalidInput, Unsupported};
    match file.sync_all() {
        Err(error) if matches!(error.kind(), InvalidInput | Unsupported) => Ok(()),
        flushed => flushed,
    }
}

/// Waits until the names in a folder are on disk. Otherwise a power cut may bring back the old files.
#[cfg(unix)]
fn flush_folder(folder: &Path) {
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

#[cfg(not(unix))]
const fn flush_folder(_: &Path) {}

/// Returns all renames, in order.
fn moves(staged: &[Staged], existing: &[PathBuf]) -> Vec<(PathBuf, PathBuf)> {
    let away = existing.iter().map(|name| (name.clone(), beside(name, ASIDE)));
    let here = staged.iter().rev().map(|file| (file.temporary.clone(), file.target.clone()));
    away.chain(here).collect()
}

/// Renames a file, but never over an existing one, which must have appeared during this run.
fn rename(from: &Path, to: &Path) -> io::Result<()> {
    if to.symlink_metadata().is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    with_patience(|| std::fs::rename(from, to))
}

/// Removes files that killed runs have left of a container: unfinished files, and replaced ones if the new
/// file exists. `is_part` recognises the names of the container's files.
pub(super) fn remove_leftovers(target: &Path, is_part: impl Fn(&Path) -> bool) {
    for entry in folder_of(target).read_dir().into_iter().flatten().flatten() {
        let path = entry.path();
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        let Some((_, end)) = temporary(&path).filter(|(name, _)| is_file && is_part(name)) else { continue };
        // A replaced file may be the only copy, if the run was killed between two renames.
        let is_over = if end == ASIDE { target.is_file() } else { !is_being_written(&path) };
        if is_over {
            // A file that cannot be removed is harmless.
            let _ = std::fs::remove_file(path);
        }
    }
}

/// Returns the folder of a file.
pub(super) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Splits a temporary name into the final name and the extension.
fn temporary(path: &Path) -> Option<(PathBuf, String)> {
    let take = |path: &Path| Some((path.with_extension(""), path.extension()?.to_str()?.to_owned()));
    let (numbered, end) = take(path).filter(|(_, end)| end == ASIDE || end == UNFINISHED)?;
    let (name, random) = take(&numbered)?;
    let is_random = random.len() == DIGITS && random.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_random.then_some((name, end))
}

fn is_being_written(path: &Path) -> bool {
    File::open(path).is_ok_and(|file| file.try_lock().is_err())
}

/// Returns a name next to another, with a random part that cannot be guessed.
fn beside(path: &Path, end: &str) -> PathBuf {
    // The keys of the hasher are random numbers of the operating system.
    let random = RandomState::new().hash_one(path);
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{random:016x}.{end}"));
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn staged(target: &Path, content: &str) -> Staged {
        let mut staged = Staged::create(target).unwrap();
        staged.write_all(content.as_bytes()).unwrap();
        staged
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort_unstable();
        names
    }

    /// An old container of two partitions, and a new one of one.
    fn replacement(folder: &Path) -> (Vec<Staged>, Vec<PathBuf>) {
        let existing = ["a.utoc", "a.ucas", "a_s1.ucas"].map(|name| folder.join(name));
        for path in &existing {
            std::fs::write(path, "old").unwrap();
        }
        let staged = [&existing[0], &existing[1]].map(|path| staged(path, "new"));
        (staged.into(), existing.into())
    }

    #[test]
    fn a_replaced_container_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let (staged, existing) = replacement(folder.path());
        publish(&staged, &existing).unwrap();
        drop(staged);
        assert_eq!(names(folder.path()), ["a.ucas", "a.utoc"]);
        assert_eq!(std::fs::read(&existing[0]).unwrap(), b"new");
    }

    #[test]
    fn at_no_step_do_old_and_new_files_look_like_one_container() {
        let steps = 5;
        for step in 0..=steps {
            let folder = tempfile::tempdir().unwrap();
            let (staged, existing) = replacement(folder.path());
            let moves = moves(&staged, &existing);
            assert_eq!(moves.len(), steps);
            for (from, to) in moves.iter().take(step) {
                rename(from, to).unwrap();
            }
            let content = |path: &Path| std::fs::read_to_string(path).ok();
            if let Some(table) = content(&existing[0]) {
                assert_eq!(content(&existing[1]), Some(table), "{step}");
            }
        }
    }

    #[test]
    fn a_step_that_fails_takes_back_the_others() {
        for missing in 0..2 {
            let folder = tempfile::tempdir().unwrap();
            let (staged, existing) = replacement(folder.path());
            std::fs::remove_file(&staged[missing].temporary).unwrap();
            let error = publish(&staged, &existing).unwrap_err();
            assert!(error.to_string().starts_with("cannot rename to: "), "{error}");
            drop(staged);
            assert_eq!(names(folder.path()), ["a.ucas", "a.utoc", "a_s1.ucas"]);
            assert!(existing.iter().all(|path| std::fs::read(path).unwrap() == b"old"));
        }
    }

    #[test]
    fn what_came_meanwhile_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("a.utoc");
        let staged = staged(&target, "new");
        std::fs::write(&target, "of somebody else").unwrap();
        assert!(publish(&[staged], &[]).is_err());
        assert_eq!(std::fs::read(&target).unwrap(), b"of somebody else");
    }

    #[test]
    fn leftovers_go_unless_somebody_writes_them() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("a.utoc");
        let live = staged(&target, "");
        for name in ["a.utoc.0123456789abcdef.part", "a.utoc.0123456789abcdef.old", "a.utoc.1.part", "b.part"]
        {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let is_part = |name: &Path| name.ends_with("a.utoc");
        remove_leftovers(&target, is_part);
        let mut kept = vec!["a.utoc.0123456789abcdef.old", "a.utoc.1.part", "b.part"];
        let live_name = live.temporary.file_name().unwrap().to_str().unwrap();
        kept.push(live_name);
        kept.sort_unstable();
        assert_eq!(names(folder.path()), kept, "the old file may be the only one");
        std::fs::write(&target, "").unwrap();
        remove_leftovers(&target, is_part);
        assert!(!folder.path().join("a.utoc.0123456789abcdef.old").exists());
    }

    #[test]
    fn names_cannot_be_guessed() {
        let names: std::collections::HashSet<PathBuf> =
            (0..100).map(|_| beside(Path::new("a.utoc"), UNFINISHED)).collect();
        assert_eq!(names.len(), 100);
    }
}
