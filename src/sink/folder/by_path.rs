//! Folders on Windows, where every access needs a path.
//!
//! While a folder is open and others are not allowed to delete it, neither it nor a folder above it can be
//! renamed or removed. So its path keeps meaning this folder, and no one can put a link in its place. The
//! path is absolute and without links: Rust's library then handles those longer than 260 characters, on
//! drives and on shares (`\\?\C:\…`, `\\?\UNC\server\share\…`).

use super::entry::{Entry, Kind};
use crate::sink::patience::with_patience;
use crate::source::check_regular;
use std::ffi::OsStr;
use std::fs::{File, FileType, OpenOptions, ReadDir};
use std::io;
use std::os::windows::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

/// `FILE_FLAG_BACKUP_SEMANTICS`: allows opening folders.
const FOLDERS_TOO: u32 = 0x0200_0000;

/// `FILE_FLAG_OPEN_REPARSE_POINT`: opens a link itself, not its target.
const NO_LINKS: u32 = 0x0020_0000;

/// `FILE_SHARE_READ | FILE_SHARE_WRITE`, without `FILE_SHARE_DELETE`: others may read and write meanwhile,
/// but neither rename nor delete.
const SHARED_BUT_FIXED: u32 = 3;

/// Folder, held by a path that cannot change while it is open.
#[derive(Debug)]
pub(in crate::sink) struct Folder {
    path: PathBuf,
    /// Handle that keeps the path valid.
    handle: File,
}

impl Folder {
    /// Opens a user-supplied folder; links on the way are followed, once.
    pub(in crate::sink) fn open(path: &Path) -> io::Result<Self> {
        // Drivers of some RAM drives cannot resolve paths; such drives have no links.
        let path = crate::source::real_path(path)?;
        Self::open_with(path, FOLDERS_TOO)
    }

    fn open_with(path: PathBuf, flags: u32) -> io::Result<Self> {
        let handle =
            OpenOptions::new().read(true).custom_flags(flags).share_mode(SHARED_BUT_FIXED).open(&path)?;
        let found = handle.metadata()?;
        // With NO_LINKS, the opened object may be a link itself: it is refused, not followed.
        if found.is_symlink() {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "is a link, which may lead out of the folder",
            ));
        }
        if !found.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        Ok(Self { path, handle })
    }

    pub(in crate::sink) fn try_clone(&self) -> io::Result<Self> {
        Ok(Self { path: self.path.clone(), handle: self.handle.try_clone()? })
    }

    pub(in crate::sink) fn open_folder(&self, name: &OsStr) -> io::Result<Self> {
        Self::open_with(self.path.join(name), FOLDERS_TOO | NO_LINKS)
    }

    pub(in crate::sink) fn make_folder(&self, name: &OsStr) -> io::Result<()> {
        std::fs::create_dir(self.path.join(name))
    }

    pub(in crate::sink) fn entries(&self) -> io::Result<Entries> {
        std::fs::read_dir(&self.path).map(Entries)
    }

    /// True if something other than a folder has this name.
    pub(in crate::sink) fn has(&self, name: &OsStr) -> bool {
        // Metadata of the name itself: a link to a folder is not a folder.
        std::fs::symlink_metadata(self.path.join(name)).is_ok_and(|found| !found.is_dir())
    }

    /// Creates a new file for writing. A link with that name is not followed.
    pub(in crate::sink) fn create(&self, name: &OsStr) -> io::Result<File> {
        OpenOptions::new().write(true).create_new(true).open(self.path.join(name))
    }

    /// Opens a regular file for reading.
    pub(in crate::sink) fn open_file(&self, name: &OsStr) -> io::Result<(File, u64)> {
        let file =
            // Folders are opened as well, so that the check can say what was found instead of a file.
            OpenOptions::new().read(true).custom_flags(FOLDERS_TOO | NO_LINKS).open(self.path.join(name))?;
        let metadata = file.metadata()?;
        check_regular(&metadata)?;
        Ok((file, metadata.len()))
    }

    /// Opens the lock of a run.
    pub(in crate::sink) fn open_lock(&self, name: &OsStr) -> io::Result<File> {
        // Network drives grant write locks only for files that are open for writing.
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).custom_flags(NO_LINKS).open(self.path.join(name))?;
        check_regular(&file.metadata()?)?;
        Ok(file)
    }

    /// Renames a file, replacing any file with the new name.
    pub(in crate::sink) fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        let (from, to) = (self.path.join(from), self.path.join(to));
        // A virus scanner may hold either file for a moment.
        with_patience(|| match std::fs::rename(&from, &to) {
            // Windows reports the same error as for a file that another program has open, but waiting does
            // not help here.
            Err(_) if to.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            renamed => renamed,
        })
    }

    pub(in crate::sink) fn remove_file(&self, name: &OsStr) -> io::Result<()> {
        std::fs::remove_file(self.path.join(name))
    }
}

/// Iterator over the entries of a folder, in any order.
pub(in crate::sink) struct Entries(ReadDir);

impl Iterator for Entries {
    type Item = io::Result<Entry>;

    fn next(&mut self) -> Option<Self::Item> {
        let entry = self.0.next()?;
        Some(entry.and_then(|entry| Ok(Entry { name: entry.file_name(), kind: kind(entry.file_type()?) })))
    }
}

fn kind(found: FileType) -> Kind {
    match found {
        _ if found.is_dir() => Kind::Folder,
        _ if found.is_file() => Kind::File,
        _ => Kind::Other,
    }
}
