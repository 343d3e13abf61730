use super::{Existing, OutputPath, Sink, Staged, leftovers, system};
use crate::error::{Error, Result};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, File};
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Directory handles kept open; files come in directory order, so few are in use at a time.
const MAX_OPEN_DIRECTORIES: usize = 128;

/// Writes files below one folder, and nowhere else.
///
/// Every access goes through a handle of the folder, so that neither a path nor a symlink that lies in the folder
/// leads out of it. A file is written under a temporary name in its own directory, then renamed.
#[derive(Debug)]
pub struct DirectorySink {
    root: Arc<Dir>,
    root_path: PathBuf,
    /// Nothing was in the folder when it was opened, and nothing was made in it since.
    is_empty: AtomicBool,
    directories: Mutex<HashMap<String, Arc<Dir>>>,
    /// What temporary names of this process start with.
    prefix: String,
    next_name: AtomicU64,
}

impl DirectorySink {
    /// Prefix of temporary files.
    pub const TEMPORARY_PREFIX: &'static str = leftovers::PREFIX;

    /// Opens the folder, making it if it does not exist.
    pub fn open(path: &Path) -> Result<Self> {
        std::fs::create_dir_all(path).map_err(Error::io("create folder", path))?;
        let root =
            Dir::open_ambient_dir(path, ambient_authority()).map_err(Error::io("open folder", path))?;
        let is_empty = root.entries().is_ok_and(|mut entries| entries.next().is_none());
        Ok(Self {
            root: Arc::new(root),
            root_path: path.to_owned(),
            is_empty: AtomicBool::new(is_empty),
            directories: Mutex::default(),
            prefix: format!("{}{}", Self::TEMPORARY_PREFIX, std::process::id()),
            next_name: AtomicU64::new(0),
        })
    }

    /// Opens a file that is there already, if it is.
    pub fn open_existing(&self, path: &OutputPath) -> io::Result<std::fs::File> {
        let mut current: Option<Dir> = None;
        for component in path.directory().split('/').filter(|component| !component.is_empty()) {
            current = Some(current.as_ref().unwrap_or(&self.root).open_dir(component)?);
        }
        current.as_ref().unwrap_or(&self.root).open(path.file_name()).map(File::into_std)
    }

    /// The path on disk of an output path, for messages.
    #[must_use]
    pub fn full_path(&self, path: &OutputPath) -> PathBuf {
        self.root_path.join(path.as_str())
    }

    /// Makes a file under a temporary name.
    fn create_temporary(&self, directory: &Dir) -> io::Result<(std::fs::File, String)> {
        loop {
            let number = self.next_name.fetch_add(1, Ordering::Relaxed);
            let temporary = format!("{}-{number}{}", self.prefix, leftovers::SUFFIX);
            match system::create(directory, &temporary) {
                // An earlier process of this number left it. There are only so many.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                created => return Ok((created?, temporary)),
            }
        }
    }

    /// Removes what killed runs have left in the folder: files under temporary names whose process has ended. Call it
    /// before the first file is written, and only if no other machine writes into the folder, whose processes cannot be
    /// seen from here. Returns how many there were. Where processes cannot be asked for, it does nothing.
    #[must_use]
    pub fn remove_leftovers(&self) -> u64 {
        leftovers::remove(&self.root)
    }

    /// A handle of a directory below the root; it is made if it does not exist.
    fn directory(&self, path: &str) -> io::Result<Arc<Dir>> {
        if path.is_empty() {
            return Ok(Arc::clone(&self.root));
        }
        let mut open = self.directories.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(directory) = open.get(path) {
            return Ok(Arc::clone(directory));
        }
        let directory = Arc::new(self.make_directory(path)?);
        if open.len() >= MAX_OPEN_DIRECTORIES {
            open.clear();
        }
        open.insert(path.to_owned(), Arc::clone(&directory));
        Ok(directory)
    }

    /// Opens each component in turn, so that paths of any length work.
    fn make_directory(&self, path: &str) -> io::Result<Dir> {
        let mut current: Option<Dir> = None;
        for component in path.split('/') {
            let parent = current.as_ref().unwrap_or(&self.root);
            let next = match parent.open_dir(component) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => match parent.create_dir(component) {
                    Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                    _ => parent.open_dir(component)?,
                },
                opened => opened?,
            };
            current = Some(next);
        }
        current.map_or_else(|| self.root.try_clone(), Ok)
    }
}

impl Sink for DirectorySink {
    fn create(&self, path: &OutputPath, len: u64) -> Result<Box<dyn Staged>> {
        let full_path = self.full_path(path);
        self.is_empty.store(false, Ordering::Relaxed);
        let directory =
            self.directory(path.directory()).map_err(Error::io("create folder of", &full_path))?;
        let (file, temporary) = self.create_temporary(&directory).map_err(Error::io("create", &full_path))?;
        let staged = StagedFile {
            file,
            directory,
            temporary,
            committed: AtomicBool::new(false),
            name: path.file_name().to_owned(),
            full_path,
        };
        if len >= PREALLOCATE_FROM {
            // Its pieces may come from several threads, and not in order.
            system::allocate(&staged.file, len).map_err(Error::io("allocate", &staged.full_path))?;
        }
        Ok(Box::new(staged))
    }

    fn is_empty(&self) -> bool {
        self.is_empty.load(Ordering::Relaxed)
    }

    fn existing(&self, path: &OutputPath) -> io::Result<Existing> {
        if self.is_empty() {
            return Err(io::ErrorKind::NotFound.into());
        }
        let file = self.open_existing(path)?;
        Ok(Existing { len: file.metadata()?.len(), content: Box::new(file) })
    }
}

/// Files from this size on get their length and place at once.
const PREALLOCATE_FROM: u64 = 8 << 20;

struct StagedFile {
    file: std::fs::File,
    directory: Arc<Dir>,
    temporary: String,
    committed: AtomicBool,
    name: String,
    full_path: PathBuf,
}

impl Staged for StagedFile {
    fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        system::write_all_at(&self.file, bytes, offset).map_err(Error::io("write", &self.full_path))
    }

    fn copy_from(&self, file: &std::fs::File, position: u64, offset: u64, len: u64) -> Result<()> {
        system::copy(file, position, &self.file, offset, len).map_err(Error::io("copy to", &self.full_path))
    }

    fn commit(&self) -> Result<()> {
        system::rename(&self.directory, &self.temporary, &self.name)
            .map_err(Error::io("rename to", &self.full_path))?;
        self.committed.store(true, Ordering::Relaxed);
        Ok(())
    }
}

impl Drop for StagedFile {
    fn drop(&mut self) {
        if !self.committed.load(Ordering::Relaxed) {
            // Nobody is left to tell; the name says what the file is.
            let _ = self.directory.remove_file(&self.temporary);
        }
    }
}

#[cfg(test)]
#[path = "directory_tests.rs"]
mod tests;
