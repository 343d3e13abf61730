use super::folder::Folder;
use super::handles::Handles;
use super::run::{self, Run};
use super::staged::StagedFile;
use super::{Existing, OutputPath, Sink, Staged, leftovers};
use crate::error::{Error, Result};
use crate::source::in_one_style;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Writes files below one folder, and nowhere else.
///
/// Every access goes through a handle of the folder, so that neither a path nor a symlink that lies in the folder
/// leads out of it. A small file has no name before it is whole; a large one, one that replaces
/// another, and all of them where the system has no files without a name, have a temporary name in their own directory, and are
/// then renamed. While there are such files, a locked file in the folder says that
/// they are not left over.
#[derive(Debug)]
pub struct DirectorySink {
    root: Arc<Folder>,
    root_path: PathBuf,
    /// Nothing was in the folder when it was opened.
    started_empty: bool,
    /// Nor was anything made in it since.
    is_empty: AtomicBool,
    handles: Handles,
    run: Arc<Run>,
}

impl DirectorySink {
    /// What the names of temporary files start with. No [`OutputPath`] has such a component.
    pub const TEMPORARY_PREFIX: &'static str = run::PREFIX;

    /// Opens the folder, making it if it does not exist.
    pub fn open(path: &Path) -> Result<Self> {
        std::fs::create_dir_all(path).map_err(Error::io("create folder", path))?;
        let root = Arc::new(Folder::open(path).map_err(Error::io("open folder", path))?);
        let started_empty = root.entries().is_ok_and(|mut entries| entries.next().is_none());
        let run = Run::new(Arc::clone(&root)).map_err(Error::io("choose temporary names in", path))?;
        Ok(Self {
            handles: Handles::new(Arc::clone(&root)),
            root,
            root_path: in_one_style(path),
            started_empty,
            is_empty: AtomicBool::new(started_empty),
            run: Arc::new(run),
        })
    }

    /// A file that is there already, and its length. FIFOs, devices and sockets are errors that say so.
    fn find(&self, path: &OutputPath) -> io::Result<(std::fs::File, u64)> {
        let folder = self.existing_directory(path)?;
        folder.as_ref().unwrap_or(&self.root).open_file(path.file_name().as_ref())
    }

    /// The directory of a path, which has to be there; `None` for the folder itself.
    fn existing_directory(&self, path: &OutputPath) -> io::Result<Option<Folder>> {
        let mut current: Option<Folder> = None;
        for component in path.directory().split('/').filter(|component| !component.is_empty()) {
            current = Some(current.as_ref().unwrap_or(&self.root).open_folder(component.as_ref())?);
        }
        Ok(current)
    }

    /// The path on disk of an output path, for messages.
    #[must_use]
    pub fn full_path(&self, path: &OutputPath) -> PathBuf {
        let mut full = PathBuf::with_capacity(self.root_path.as_os_str().len() + 1 + path.as_str().len());
        full.push(&self.root_path);
        if std::path::MAIN_SEPARATOR == '/' {
            full.push(path.as_str());
        } else {
            // Its components are separated by `\`.
            full.extend(path.as_str().split('/'));
        }
        full
    }

    /// Starts a file in the folder itself, whatever it is called. `full_path` is for messages.
    pub(super) fn stage_at_top(&self, name: &OsStr, full_path: &Path, len: u64) -> Result<StagedFile> {
        StagedFile::create(&self.run, Arc::clone(&self.root), name.to_owned(), full_path.to_owned(), len)
    }

    /// Removes what killed runs have left in the folder: files under temporary names whose run holds its lock no longer.
    /// Returns how many there were. Where files cannot be locked, it does nothing; where locks are not seen by other
    /// machines, call it only if none of them writes into the folder.
    #[must_use]
    pub fn remove_leftovers(&self) -> u64 {
        leftovers::remove(&self.root)
    }
}

impl Sink for DirectorySink {
    fn create(&self, path: &OutputPath, len: u64) -> Result<Box<dyn Staged>> {
        let full_path = self.full_path(path);
        self.is_empty.store(false, Ordering::Relaxed);
        let directory =
            self.handles.get(path.directory()).map_err(Error::io("create folder of", &full_path))?;
        let staged = StagedFile::create(&self.run, directory, path.file_name().into(), full_path, len)?;
        Ok(Box::new(staged))
    }

    fn started_empty(&self) -> bool {
        self.started_empty
    }

    fn exists(&self, path: &OutputPath) -> bool {
        let has =
            |folder: Option<Folder>| folder.as_ref().unwrap_or(&self.root).has(path.file_name().as_ref());
        !self.is_empty.load(Ordering::Relaxed) && self.existing_directory(path).is_ok_and(has)
    }

    fn existing(&self, path: &OutputPath) -> io::Result<Existing> {
        if self.is_empty.load(Ordering::Relaxed) {
            return Err(io::ErrorKind::NotFound.into());
        }
        let (file, len) = self.find(path)?;
        Ok(Existing { len, content: Box::new(file) })
    }
}

#[cfg(test)]
#[path = "directory_tests.rs"]
mod tests;
