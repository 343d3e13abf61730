//! Marks of files that nobody has changed since they were written.
//!
//! The fraction of a second in the modification time of a marked file is a hash of the rest of that time and of the file's
//! length. Whoever changes the file also changes the time. So no list of written files is needed, which two jobs could
//! not share, and which would be lost when a folder is moved. File systems with coarser times keep no marks: there, all
//! files count as changed.

use std::fs::{File, Metadata};
use std::io;
use std::time::{Duration, SystemTime};

/// Units of a fraction in a second. NTFS has units of 100 ns; finer ones would be lost there.
const UNITS: u64 = 10_000_000;

/// Marks a file of this length as unchanged since now.
pub(super) fn mark(file: &File) -> io::Result<()> {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_err(io::Error::other)?;
    let time = SystemTime::UNIX_EPOCH + marked(now.as_secs(), file.metadata()?.len());
    file.set_modified(time)
}

/// True if a file has not been changed since it was marked.
pub(super) fn is_marked(metadata: &Metadata) -> bool {
    let modified = metadata.modified().ok().and_then(|at| at.duration_since(SystemTime::UNIX_EPOCH).ok());
    modified.is_some_and(|at| at == marked(at.as_secs(), metadata.len()))
}

fn marked(seconds: u64, len: u64) -> Duration {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&seconds.to_le_bytes());
    bytes[8..].copy_from_slice(&len.to_le_bytes());
    let units = u32::try_from(crate::id::hash::city(&bytes) % UNITS).unwrap_or(0);
    Duration::new(seconds, units * 100)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn a_mark_lasts_until_the_file_is_changed() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"content").unwrap();
        assert!(!is_marked(&file.metadata().unwrap()));
        mark(&file).unwrap();
        assert!(is_marked(&file.metadata().unwrap()));
        file.write_all(b"!").unwrap();
        assert!(!is_marked(&file.metadata().unwrap()));
    }
}
