//! Folders on systems where a path may start at a handle.
//!
//! The system never follows a link here: a link in a folder is read, and walked component by component, each
//! from the handle of the one before. `..` returns to a handle that is already open, and never above the
//! folder. So nothing outside is opened, even if others change links meanwhile.

use super::entry::{Entry, Kind};
use crate::source::check_regular;
use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags};
use rustix::io::Errno;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Component, Path};

const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY);
// Opening a FIFO that has no writer would block for ever without NONBLOCK.
const READ: OFlags = OFlags::RDONLY.union(OFlags::NONBLOCK);

/// Limit of links on the way to one file, the same as Linux's.
const MAX_LINKS: usize = 40;

/// Folder, held by a handle.
#[derive(Debug)]
pub(in crate::sink) struct Folder(OwnedFd);

impl Folder {
    /// Opens a user-supplied folder; links on the way are followed.
    pub(in crate::sink) fn open(path: &Path) -> io::Result<Self> {
        Ok(Self(rustix::fs::open(path, FOLDER | OFlags::CLOEXEC, Mode::empty())?))
    }

    pub(in crate::sink) fn try_clone(&self) -> io::Result<Self> {
        self.0.try_clone().map(Self)
    }

    pub(in crate::sink) fn open_folder(&self, name: &OsStr) -> io::Result<Self> {
        self.open_inside(name, FOLDER).map(Self)
    }

    pub(in crate::sink) fn make_folder(&self, name: &OsStr) -> io::Result<()> {
        // The umask of the process removes bits from this mode, as for any program.
        Ok(rustix::fs::mkdirat(self, component(name)?, Mode::from_raw_mode(0o777))?)
    }

    pub(in crate::sink) fn entries(&self) -> io::Result<Entries> {
        // A separate handle: two listings at once would share one position.
        let folder = open_at(self.as_fd(), OsStr::new("."), FOLDER)?;
        Ok(Entries { listing: Dir::read_from(&folder)?, folder })
    }

    /// True if something other than a folder has this name.
    pub(in crate::sink) fn has(&self, name: &OsStr) -> bool {
        kind_of(self.as_fd(), name).is_ok_and(|found| found != FileType::Directory)
    }

    /// Creates a new file for writing. A link with that name is not followed.
    pub(in crate::sink) fn create(&self, name: &OsStr) -> io::Result<File> {
        // EXCL: an existing name is an error, even if it is a link that leads nowhere.
        let flags = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(rustix::fs::openat(self, component(name)?, flags, Mode::from_raw_mode(0o666))?.into())
    }

    /// Opens a regular file for reading. A link is followed as long as it stays in the folder; a FIFO does
    /// not block.
    pub(in crate::sink) fn open_file(&self, name: &OsStr) -> io::Result<(File, u64)> {
        let file = File::from(self.open_inside(name, READ)?);
        let metadata = file.metadata()?;
        check_regular(&metadata)?;
        Ok((file, metadata.len()))
    }

    /// Opens the lock of a run. A link is not followed, and a FIFO does not block.
    pub(in crate::sink) fn open_lock(&self, name: &OsStr) -> io::Result<File> {
        // Network drives grant write locks only for files that are open for writing.
        let file = File::from(open_at(self.as_fd(), name, OFlags::RDWR | OFlags::NONBLOCK)?);
        check_regular(&file.metadata()?)?;
        Ok(file)
    }

    /// Renames a file, replacing any file with the new name.
    pub(in crate::sink) fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::renameat(self, component(from)?, self, component(to)?)?)
    }

    pub(in crate::sink) fn remove_file(&self, name: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(self, component(name)?, AtFlags::empty())?)
    }

    /// Opens the target of a name in this folder: the entry itself, or the target of a link that does not
    /// leave the folder.
    fn open_inside(&self, name: &OsStr, flags: OFlags) -> io::Result<OwnedFd> {
        let mut links = 0;
        // Open folders below this one on the way, and components still to come, the next one last.
        let (mut below, mut ahead) = (Vec::<OwnedFd>::new(), vec![name.to_owned()]);
        // Going up from this folder itself would leave it.
        while let Some(next) = ahead.pop() {
            if next == ".." {
                below.pop().ok_or_else(leads_out)?;
                continue;
            }
            let here = below.last().map_or(self.as_fd(), AsFd::as_fd);
            let is_last = ahead.is_empty();
            // Only the last component may be a file; the way continues from all others.
            match open_at(here, &next, if is_last { flags } else { FOLDER }) {
                Ok(opened) if is_last => return Ok(opened),
                Ok(opened) => below.push(opened),
                Err(error) => {
                    // Systems report a link that is not followed by different errors, so it is recognised by
                    // reading it.
                    let Ok(link) = rustix::fs::readlinkat(here, &*next, Vec::new()) else {
                        return Err(error);
                    };
                    links += 1;
                    if links > MAX_LINKS {
                        return Err(Errno::LOOP.into());
                    }
                    // The target takes the place of the link: its first component comes next, at the end of
                    // the list.
                    ahead.extend(components(link.to_bytes())?.into_iter().rev());
                }
            }
        }
        // The last component was `..`, or there was none: the result is a folder that is open already.
        open_at(below.last().map_or(self.as_fd(), AsFd::as_fd), OsStr::new("."), flags)
    }
}

impl AsFd for Folder {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

/// Opens the entry with this name; fails if it is a link.
fn open_at(folder: BorrowedFd<'_>, name: &OsStr, flags: OFlags) -> io::Result<OwnedFd> {
    // NOFOLLOW only concerns the last component of a path, hence the check for a single one.
    Ok(rustix::fs::openat(
        folder,
        component(name)?,
        flags | OFlags::NOFOLLOW | OFlags::CLOEXEC,
        Mode::empty(),
    )?)
}

/// Checks that a name is a single component: the system would follow links in the middle of a path.
fn component(name: &OsStr) -> io::Result<&OsStr> {
    if name.as_bytes().contains(&b'/') { Err(leads_out()) } else { Ok(name) }
}

/// Splits a link's target, which must not start at the root, into components.
fn components(target: &[u8]) -> io::Result<Vec<OsString>> {
    let part = |part| match part {
        Component::Normal(name) => Some(Ok(name.to_owned())),
        Component::ParentDir => Some(Ok("..".into())),
        Component::CurDir => None,
        Component::RootDir | Component::Prefix(_) => Some(Err(leads_out())),
    };
    Path::new(OsStr::from_bytes(target)).components().filter_map(part).collect()
}

fn leads_out() -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, "the path leads out of the folder")
}

/// Returns the kind of the entry with this name, without following a link.
fn kind_of(folder: BorrowedFd<'_>, name: impl rustix::path::Arg) -> io::Result<FileType> {
    let found = rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?;
    Ok(FileType::from_raw_mode(found.st_mode))
}

/// Iterator over the entries of a folder, in any order.
pub(in crate::sink) struct Entries {
    listing: Dir,
    folder: OwnedFd,
}

impl Iterator for Entries {
    type Item = io::Result<Entry>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let entry = match self.listing.next()? {
                Ok(entry) => entry,
                Err(error) => return Some(Err(error.into())),
            };
            let name = OsStr::from_bytes(entry.file_name().to_bytes());
            if name == "." || name == ".." {
                continue;
            }
            let kind = match entry.file_type() {
                // Some file systems do not report the kind.
                FileType::Unknown => kind_of(self.folder.as_fd(), entry.file_name()),
                known => Ok(known),
            };
            return Some(kind.map(|found| Entry { name: name.to_owned(), kind: kind_named(found) }));
        }
    }
}

fn kind_named(found: FileType) -> Kind {
    match found {
        FileType::Directory => Kind::Folder,
        FileType::RegularFile => Kind::File,
        _ => Kind::Other,
    }
}
