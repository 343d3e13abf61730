//! Folders of systems on which a path may start at a handle.

use super::entry::{Entry, Kind};
use crate::source::check_regular;
use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt as _, OpenOptionsSyncExt as _};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions, ReadDir};
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::path::Path;

/// A folder, by a handle.
#[derive(Debug)]
pub(in crate::sink) struct Folder(Dir);

impl Folder {
    /// Opens a user-supplied folder: links on the way are followed.
    pub(in crate::sink) fn open(path: &Path) -> io::Result<Self> {
        Dir::open_ambient_dir(path, ambient_authority()).map(Self)
    }

    pub(in crate::sink) fn try_clone(&self) -> io::Result<Self> {
        self.0.try_clone().map(Self)
    }

    pub(in crate::sink) fn open_folder(&self, name: &OsStr) -> io::Result<Self> {
        self.0.open_dir(name).map(Self)
    }

    pub(in crate::sink) fn make_folder(&self, name: &OsStr) -> io::Result<()> {
        self.0.create_dir(name)
    }

    pub(in crate::sink) fn entries(&self) -> io::Result<Entries> {
        self.0.entries().map(Entries)
    }

    /// Whether something other than a folder has this name.
    pub(in crate::sink) fn has(&self, name: &OsStr) -> bool {
        self.0.symlink_metadata(name).is_ok_and(|found| !found.is_dir())
    }

    /// Makes a file that is not there yet, to write to it. A link of that name is not followed.
    pub(in crate::sink) fn create(&self, name: &OsStr) -> io::Result<File> {
        #[cfg(unix)]
        {
            use rustix::fs::{Mode, OFlags, openat};
            let flags = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            Ok(openat(self, name, flags, Mode::from_raw_mode(0o666))?.into())
        }
        #[cfg(not(unix))]
        {
            let mut options = OpenOptions::new();
            self.0.open_with(name, options.write(true).create_new(true)).map(cap_std::fs::File::into_std)
        }
    }

    /// Opens a regular file for reading. A link is followed as far as it stays in the folder; a FIFO is not waited for.
    pub(in crate::sink) fn open_file(&self, name: &OsStr) -> io::Result<(File, u64)> {
        let mut options = OpenOptions::new();
        let file = self.0.open_with(name, options.read(true).nonblock(true))?.into_std();
        let metadata = file.metadata()?;
        check_regular(&metadata)?;
        Ok((file, metadata.len()))
    }

    /// Opens the lock of a run. A link is not followed, and a FIFO is not waited for.
    pub(in crate::sink) fn open_lock(&self, name: &OsStr) -> io::Result<File> {
        let mut options = OpenOptions::new();
        // Network drives lock for writing only what is open for writing.
        options.read(true).write(true).follow(FollowSymlinks::No).nonblock(true);
        let file = self.0.open_with(name, &options)?.into_std();
        check_regular(&file.metadata()?)?;
        Ok(file)
    }

    /// Gives a file another name, replacing what has it.
    pub(in crate::sink) fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        #[cfg(unix)]
        {
            Ok(rustix::fs::renameat(self, from, self, to)?)
        }
        #[cfg(not(unix))]
        {
            self.0.rename(from, &self.0, to)
        }
    }

    pub(in crate::sink) fn remove_file(&self, name: &OsStr) -> io::Result<()> {
        self.0.remove_file(name)
    }
}

#[cfg(unix)]
impl std::os::fd::AsFd for Folder {
    fn as_fd(&self) -> std::os::fd::BorrowedFd<'_> {
        self.0.as_fd()
    }
}

/// What is in a folder, in any order.
pub(in crate::sink) struct Entries(ReadDir);

impl Iterator for Entries {
    type Item = io::Result<Entry>;

    fn next(&mut self) -> Option<Self::Item> {
        let entry = self.0.next()?;
        Some(entry.and_then(|entry| Ok(Entry { name: entry.file_name(), kind: kind(entry.file_type()?) })))
    }
}

fn kind(found: cap_std::fs::FileType) -> Kind {
    match found {
        _ if found.is_dir() => Kind::Folder,
        _ if found.is_file() => Kind::File,
        _ => Kind::Other,
    }
}
