//! What a directory sink asks of the system, by the shortest way there is.
//!
//! A name here is a single component that was checked, and the directory is a handle, so that no path is walked: a
//! symlink of that name is neither followed nor written through.

use crate::source::check_regular;
use cap_std::fs::Dir;
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::path::Path;

/// Makes a file that is not there yet.
pub(super) fn create(directory: &Dir, name: &str) -> io::Result<File> {
    #[cfg(unix)]
    {
        use rustix::fs::{Mode, OFlags, openat};
        let flags = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(openat(directory, name, flags, Mode::from_raw_mode(0o666))?.into())
    }
    #[cfg(not(unix))]
    {
        let mut options = cap_std::fs::OpenOptions::new();
        directory.open_with(name, options.write(true).create_new(true)).map(cap_std::fs::File::into_std)
    }
}

/// Opens the lock of a run. A symlink is not followed, and a FIFO is not waited for.
pub(super) fn open_lock(directory: &Dir, name: &Path) -> io::Result<File> {
    use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt as _, OpenOptionsSyncExt as _};
    let mut options = cap_std::fs::OpenOptions::new();
    // Network drives lock for writing only what is open for writing.
    options.read(true).write(true).follow(FollowSymlinks::No).nonblock(true);
    let file = directory.open_with(name, &options)?.into_std();
    check_regular(&file.metadata()?)?;
    Ok(file)
}

/// Opens a regular file for reading. A symlink is followed as far as it stays in the folder; a FIFO is not waited for.
pub(super) fn open(directory: &Dir, name: &str) -> io::Result<(File, u64)> {
    use cap_fs_ext::OpenOptionsSyncExt as _;
    let mut options = cap_std::fs::OpenOptions::new();
    let file = directory.open_with(name, options.read(true).nonblock(true))?.into_std();
    let metadata = file.metadata()?;
    check_regular(&metadata)?;
    Ok((file, metadata.len()))
}

/// Gives a file another name in its directory, replacing what has it.
pub(super) fn rename(directory: &Dir, from: &str, to: impl AsRef<OsStr>) -> io::Result<()> {
    let to = to.as_ref();
    #[cfg(unix)]
    {
        Ok(rustix::fs::renameat(directory, from, directory, to)?)
    }
    #[cfg(not(unix))]
    {
        directory.rename(from, directory, to)
    }
}

/// Gives a file its length, and its place on the disk in one piece where the system can do that; so a full disk shows
/// before the work is done. Files in memory have no place to keep, and would only be written twice.
pub(super) fn allocate(file: &File, len: u64) -> io::Result<()> {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    {
        use rustix::fs::{FallocateFlags, fallocate, fstatfs};
        use rustix::io::Errno;
        const TMPFS_MAGIC: u32 = 0x0102_1994;
        let in_memory = fstatfs(file).is_ok_and(|system| u32::try_from(system.f_type) == Ok(TMPFS_MAGIC));
        if !in_memory {
            match fallocate(file, FallocateFlags::empty(), 0, len) {
                Err(full @ (Errno::NOSPC | Errno::FBIG | Errno::DQUOT)) => return Err(full.into()),
                Ok(()) => return Ok(()),
                // Not every file system can.
                Err(_) => {}
            }
        }
    }
    file.set_len(len)
}

#[cfg(unix)]
pub(super) fn write_all_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, offset)
}

#[cfg(windows)]
pub(super) fn write_all_at(file: &File, mut bytes: &[u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_write(file, bytes, offset) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => {
                bytes = bytes.get(written..).unwrap_or_default();
                offset += written as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn an_allocated_file_has_its_length_and_reads_as_zeros() {
        let mut file = tempfile::tempfile().unwrap();
        allocate(&file, 100_000).unwrap();
        write_all_at(&file, b"end", 99_997).unwrap();
        let mut content = Vec::new();
        file.read_to_end(&mut content).unwrap();
        assert_eq!(content.len(), 100_000);
        assert!(content[..99_997].iter().all(|byte| *byte == 0) && content.ends_with(b"end"));
        assert!(allocate(&file, 1 << 62).is_err(), "no disk has room for that");
    }
}
