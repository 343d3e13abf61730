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

/// Bytes that are copied at a time where the system does not copy by itself.
const PIECE: usize = 256 << 10;

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

/// Copies `len` bytes at `position` of one file to `offset` of another: by the system, where it can, so that they need
/// not pass through memory of ours, or may even be shared on the disk.
pub(super) fn copy(from: &File, position: u64, to: &File, offset: u64, len: u64) -> io::Result<()> {
    let done = copy_by_system(from, position, to, offset, len);
    let (mut position, mut offset, mut left) = (position + done, offset + done, len - done);
    let mut buffer = vec![0; usize::try_from(left).unwrap_or(PIECE).min(PIECE)];
    while left > 0 {
        let piece = buffer.len().min(usize::try_from(left).unwrap_or(PIECE));
        let bytes = buffer.get_mut(..piece).unwrap_or_default();
        crate::source::read_exact_at(from, bytes, position)?;
        write_all_at(to, bytes, offset)?;
        (position, offset, left) = (position + piece as u64, offset + piece as u64, left - piece as u64);
    }
    Ok(())
}

/// How many bytes the system copied; the rest it cannot, for a reason that reading and writing will show.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn copy_by_system(from: &File, position: u64, to: &File, offset: u64, len: u64) -> u64 {
    let (mut position, mut offset, mut done) = (position, offset, 0);
    while done < len {
        // At most what fits a 32-bit `usize`.
        let piece = usize::try_from((len - done).min(1 << 30)).unwrap_or(0);
        match rustix::fs::copy_file_range(from, Some(&mut position), to, Some(&mut offset), piece) {
            Ok(copied @ 1..) => done += copied as u64,
            Err(rustix::io::Errno::INTR) => {}
            Ok(0) | Err(_) => break,
        }
    }
    done.min(len)
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
const fn copy_by_system(_from: &File, _position: u64, _to: &File, _offset: u64, _len: u64) -> u64 {
    0
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
    use std::io::{Read, Seek, Write};

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

    #[test]
    fn copying_takes_exactly_what_was_asked_for() {
        let (mut from, mut to) = (tempfile::tempfile().unwrap(), tempfile::tempfile().unwrap());
        let content: Vec<u8> = (0..600_000_u32).map(|n| u8::try_from(n % 251).unwrap()).collect();
        from.write_all(&content).unwrap();
        copy(&from, 7, &to, 3, 500_000).unwrap();
        let mut copied = Vec::new();
        to.rewind().unwrap();
        to.read_to_end(&mut copied).unwrap();
        assert_eq!(copied[3..], content[7..500_007]);
        assert_eq!(copied[..3], [0; 3]);
        let error = copy(&from, 599_999, &to, 0, 2).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
    }
}
