//! Folders for intermediate files.
//!
//! ```text
//! .uncask-scratch-RANDOM/lock     locked as long as the folder is in use
//! .uncask-scratch-RANDOM/files/   content, such as an unpacked container
//! .uncask-scratch-RANDOM/new/     other content that must not mix with it
//! ```
//!
//! Such a folder is on the disk of the output, which has the space, but never below a `Paks` folder: a game would mount the
//! containers in it if a run was killed. The next run in the same place removes what a killed one has left.

use crate::error::{Error, Result};
use std::fs::File;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Beginning of the names of all scratch folders.
const PREFIX: &str = ".uncask-scratch-";
const LOCK: &str = "lock";

/// Folder that is removed when it is no longer needed.
pub(crate) struct ScratchFolder {
    lock: Option<File>,
    folder: TempDir,
}

impl ScratchFolder {
    /// Creates a folder for the work on an output file, and removes those of killed runs.
    pub(crate) fn for_output(output: &Path) -> Result<Self> {
        let parent = outside_paks(output);
        std::fs::create_dir_all(&parent).map_err(Error::io("create folder", &parent))?;
        remove_leftovers(&parent);
        let create = || {
            let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(&parent)?;
            let lock = File::create_new(folder.path().join(LOCK))?;
            // Without locks, nothing counts as left over.
            let _ = lock.try_lock();
            Ok(Self { lock: Some(lock), folder })
        };
        create().map_err(Error::io("create a folder for intermediate files in", &parent))
    }

    /// Creates a folder inside.
    pub(crate) fn inner(&self, name: &str) -> Result<PathBuf> {
        let path = self.folder.path().join(name);
        std::fs::create_dir_all(&path).map_err(Error::io("create folder", &path))?;
        Ok(path)
    }
}

impl Drop for ScratchFolder {
    fn drop(&mut self) {
        // Windows removes no open file.
        self.lock = None;
    }
}

/// The nearest folder of a file that no game searches for containers.
fn outside_paks(file: &Path) -> PathBuf {
    let folder = file.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Relative to `Paks` itself, nothing shows the folders above.
    let whole = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let is_paks = |folder: &&Path| folder.file_name().is_some_and(|name| name.eq_ignore_ascii_case("Paks"));
    match whole.ancestors().filter(is_paks).last().and_then(Path::parent) {
        Some(above) => above.to_owned(),
        None => folder.to_owned(),
    }
}

/// Removes the folders of runs that were killed. What cannot be removed stays, and its name shows what it is.
fn remove_leftovers(parent: &Path) {
    for entry in parent.read_dir().into_iter().flatten().flatten() {
        let is_ours = entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX));
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        // A folder without a lock may have been created a moment ago.
        let is_over = || File::open(entry.path().join(LOCK)).is_ok_and(|lock| lock.try_lock().is_ok());
        if is_ours && is_folder && is_over() {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> usize {
        folder.read_dir().unwrap().count()
    }

    #[test]
    fn a_folder_goes_when_it_is_dropped_or_when_its_run_was_killed() {
        let place = tempfile::tempdir().unwrap();
        let output = place.path().join("Mod_P.utoc");
        let scratch = ScratchFolder::for_output(&output).unwrap();
        std::fs::write(scratch.inner("files").unwrap().join("a"), "a").unwrap();
        let other = ScratchFolder::for_output(&output).unwrap();
        assert_eq!(names(place.path()), 2, "one that is in use stays");
        drop(other);
        // A killed run leaves its folder, and no lock that is held.
        let left = scratch.folder.path().to_owned();
        let mut scratch = std::mem::ManuallyDrop::new(scratch);
        drop(scratch.lock.take());
        assert!(left.join("files/a").exists());
        drop(ScratchFolder::for_output(&output).unwrap());
        assert_eq!(names(place.path()), 0);
    }

    #[test]
    fn no_game_finds_it() {
        let place = tempfile::tempdir().unwrap();
        for output in ["Content/Paks/~mods/A_P.utoc", "Content/paks/A_P.utoc", "Content/Paks/Paks/A_P.utoc"] {
            let scratch = ScratchFolder::for_output(&place.path().join(output)).unwrap();
            assert_eq!(scratch.folder.path().parent(), Some(&*place.path().join("Content")), "{output}");
        }
    }
}
