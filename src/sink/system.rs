//! Operations on open files that differ by system.

use std::fs::File;
use std::io;

/// Sets the length of a file, and reserves its disk space where the system can; so a full disk shows before
/// the work is done. Files in memory have no disk space to reserve, and would only be written twice.
pub(super) fn allocate(file: &File, len: u64) -> io::Result<()> {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    {
        use rustix::fs::{FallocateFlags, fallocate, fstatfs};
        use rustix::io::Errno;
        const TMPFS_MAGIC: u32 = 0x0102_1994;
        let in_memory = fstatfs(file).is_ok_and(|system| u32::try_from(system.f_type) == Ok(TMPFS_MAGIC));
        if !in_memory {
            match fallocate(file, FallocateFlags::empty(), 0, len) {
                // Only these errors mean that the file will not fit.
                Err(full @ (Errno::NOSPC | Errno::FBIG | Errno::DQUOT)) => return Err(full.into()),
                Ok(()) => return Ok(()),
                // Not every file system can reserve space.
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
    // One call may write less than all.
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

/// Unreachable on platforms without files, such as browsers.
#[cfg(not(any(unix, windows)))]
pub(super) fn write_all_at(_file: &File, _bytes: &[u8], _offset: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read as _, Seek as _};

    #[test]
    fn an_allocated_file_has_its_length_and_reads_as_zeros() {
        let mut file = tempfile::tempfile().unwrap();
        allocate(&file, 100_000).unwrap();
        write_all_at(&file, b"end", 99_997).unwrap();
        let mut content = Vec::new();
        // On systems where a file has one position, writing has moved it.
        file.rewind().unwrap();
        file.read_to_end(&mut content).unwrap();
        assert_eq!(content.len(), 100_000);
        assert!(content[..99_997].iter().all(|byte| *byte == 0) && content.ends_with(b"end"));
        assert!(allocate(&file, 1 << 62).is_err(), "no disk has room for that");
    }
}
