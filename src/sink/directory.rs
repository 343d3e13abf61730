use super::folder::Folder;
use super::handles::Handles;
use super::run::{self, Run};
use super::staged::StagedFile;
use super::{Existing, OutputPath, Sink, Spool, Staged, Withdrawn, leftovers, mark};
use crate::error::{Error, Result};
use crate::source::{AddressProblem, in_one_style, is_url};
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Writes files below one folder, and nowhere else.
///
/// Every access goes through a handle of the folder, so that neither a path nor a symlink in the folder leads
/// out of it. A small file has no name before it is whole. A large one, one that replaces another, and any
/// file on systems without unnamed files have a temporary name in their own directory, and are then renamed.
/// While such files exist, a locked file in the folder marks them as in use.
#[derive(Debug)]
pub struct DirectorySink {
    root: Arc<Folder>,
    root_path: PathBuf,
    /// True if the folder was empty when it was opened.
    started_empty: bool,
    /// True if it was empty, and nothing was created in it since.
    is_empty: AtomicBool,
    handles: Handles,
    run: Arc<Run>,
    /// True if files are marked, so that a later job sees whether they were changed.
    marks: bool,
    /// Files that stay because they were changed.
    edited: Mutex<BTreeSet<String>>,
}

impl DirectorySink {
    /// Prefix of the names of temporary files. No [`OutputPath`] has such a component.
    pub const TEMPORARY_PREFIX: &'static str = run::PREFIX;

    /// Opens the folder, and creates it if it does not exist.
    pub fn open(path: &Path) -> Result<Self> {
        refuse_address(path)?;
        std::fs::create_dir_all(path).map_err(Error::io("create folder", path))?;
        let root = Arc::new(Folder::open(path).map_err(Error::io("open folder", path))?);
        // A folder that cannot be listed counts as not empty: that only costs a look-up for each file.
        let started_empty = root.entries().is_ok_and(|mut entries| entries.next().is_none());
        let run = Run::new(Arc::clone(&root)).map_err(Error::io("choose temporary names in", path))?;
        Ok(Self {
            handles: Handles::new(Arc::clone(&root)),
            root,
            root_path: in_one_style(path),
            started_empty,
            is_empty: AtomicBool::new(started_empty),
            run: Arc::new(run),
            marks: false,
            edited: Mutex::default(),
        })
    }

    /// Marks the files, so that a later job with [`Overwrite::Untouched`](super::Overwrite::Untouched) sees which of them were
    /// changed.
    #[must_use]
    pub fn marking(self) -> Self {
        Self { marks: true, ..self }
    }

    /// Opens an existing file, and returns its length. FIFOs, devices and sockets are errors that say so.
    fn find(&self, path: &OutputPath) -> io::Result<(File, u64)> {
        let folder = self.existing_directory(path)?;
        // No directory means a file at the top, whose folder is open already.
        folder.as_ref().unwrap_or(&self.root).open_file(path.file_name().as_ref())
    }

    /// Opens the existing directory of a path; `None` for the folder itself.
    fn existing_directory(&self, path: &OutputPath) -> io::Result<Option<Folder>> {
        let mut current: Option<Folder> = None;
        // Component by component, each from the handle of the one before, as for writing.
        for component in path.directory().split('/').filter(|component| !component.is_empty()) {
            current = Some(current.as_ref().unwrap_or(&self.root).open_folder(component.as_ref())?);
        }
        Ok(current)
    }

    /// Returns the path on disk of an output path, for messages.
    #[must_use]
    pub fn full_path(&self, path: &OutputPath) -> PathBuf {
        let mut full = PathBuf::with_capacity(self.root_path.as_os_str().len() + 1 + path.as_str().len());
        full.push(&self.root_path);
        if std::path::MAIN_SEPARATOR == '/' {
            full.push(path.as_str());
        } else {
            // Windows separates components by `\`.
            full.extend(path.as_str().split('/'));
        }
        full
    }

    /// Starts a file in the folder itself, under any name. `full_path` is for messages.
    pub(super) fn stage_at_top(&self, name: &OsStr, full_path: &Path, len: u64) -> Result<StagedFile> {
        StagedFile::create(&self.run, Arc::clone(&self.root), name.to_owned(), full_path.to_owned(), len)
    }
}

/// Refuses an address, which the system would take for a folder of the name `s3:`.
pub(super) fn refuse_address(path: &Path) -> Result<()> {
    let refused = || io::Error::new(io::ErrorKind::Unsupported, AddressProblem::NotOnDisk);
    if is_url(path) { Err(Error::io("create", path)(refused())) } else { Ok(()) }
}

impl Sink for DirectorySink {
    fn create(&self, path: &OutputPath, len: u64) -> Result<Box<dyn Staged>> {
        let full_path = self.full_path(path);
        // Set before the file exists: a later look-up must not trust the empty start any more.
        self.is_empty.store(false, Ordering::Relaxed);
        let directory =
            self.handles.get(path.directory()).map_err(Error::io("create folder of", &full_path))?;
        let staged = StagedFile::create(&self.run, directory, path.file_name().into(), full_path, len)?;
        Ok(Box::new(if self.marks { staged.marked() } else { staged }))
    }

    fn started_empty(&self) -> bool {
        self.started_empty
    }

    fn spool(&self) -> Result<Spool> {
        // The disk of the output has the space.
        tempfile::tempfile_in(&self.root_path)
            .map(Spool::in_file)
            .map_err(Error::io("create a file for intermediate content in", &self.root_path))
    }

    fn exists(&self, path: &OutputPath) -> bool {
        let has =
            |folder: Option<Folder>| folder.as_ref().unwrap_or(&self.root).has(path.file_name().as_ref());
        // A new folder is answered for by one atomic read; without its directory, a file cannot exist either.
        !self.is_empty.load(Ordering::Relaxed) && self.existing_directory(path).is_ok_and(has)
    }

    fn withdraw(&self, path: &OutputPath) -> Result<Option<Box<dyn Withdrawn>>> {
        let full_path = self.full_path(path);
        // Open already: the new file is about to get its name in it.
        let folder = self.handles.get(path.directory()).map_err(Error::io("open folder of", &full_path))?;
        // A folder or a FIFO is no old header: it is left to the new one, which replaces it or fails.
        if !folder.has(path.file_name().as_ref()) || folder.open_file(path.file_name().as_ref()).is_err() {
            return Ok(None);
        }
        let (name, aside) = (OsString::from(path.file_name()), self.run.temporary_name());
        folder.rename(&name, aside.as_ref()).map_err(Error::io("rename", &full_path))?;
        Ok(Some(Box::new(WithdrawnFile { folder, name, aside, _run: Arc::clone(&self.run) })))
    }

    fn existing(&self, path: &OutputPath) -> io::Result<Existing> {
        // In a folder that started empty, no look-up on disk is needed.
        if self.is_empty.load(Ordering::Relaxed) {
            return Err(io::ErrorKind::NotFound.into());
        }
        let (file, len) = self.find(path)?;
        let is_untouched = file.metadata().is_ok_and(|metadata| mark::is_marked(&metadata));
        Ok(Existing { len, is_untouched, content: Box::new(file) })
    }

    fn note_edited(&self, path: &OutputPath) {
        self.edited.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_string());
    }

    fn edited(&self) -> Vec<String> {
        self.edited.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    /// Removes files under temporary names whose run no longer holds its lock. If files cannot be locked, it does
    /// nothing; if other machines do not see locks, call it only while none of them writes into the folder.
    fn remove_leftovers(&self) -> u64 {
        leftovers::remove(&self.root)
    }
}

/// File under a temporary name, which the next run removes if this one is killed.
struct WithdrawnFile {
    folder: Arc<Folder>,
    name: OsString,
    aside: String,
    /// Lasts as long as the name.
    _run: Arc<Run>,
}

impl Withdrawn for WithdrawnFile {
    fn restore(self: Box<Self>) -> io::Result<()> {
        self.folder.rename(self.aside.as_ref(), &self.name)
    }
}

impl Drop for WithdrawnFile {
    fn drop(&mut self) {
        // After a restore there is no such name any more.
        let _ = self.folder.remove_file(self.aside.as_ref());
    }
}

#[cfg(test)]
#[path = "directory_tests.rs"]
mod tests;
