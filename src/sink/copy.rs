//! Copies from file to file: by the system if it can, else through a buffer.

use super::system::write_all_at;
use std::fs::File;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Bytes that are copied at once through a buffer: they stay in the caches of a core.
const PIECE: usize = 128 << 10;

/// State shared by the copies into one folder.
#[derive(Debug, Default)]
pub(super) struct Copies {
    /// True if the system does not copy between these file systems, and is not asked again.
    is_refused: AtomicBool,
    /// Unused buffers.
    buffers: Mutex<Vec<Box<[u8]>>>,
}

impl Copies {
    /// Copies `len` bytes at `position` of one file to `offset` of another: by the system if it can, so that
    /// they need not pass through this process, or may even be shared on the disk.
    pub(super) fn copy(
        &self,
        from: &File,
        position: u64,
        to: &File,
        offset: u64,
        len: u64,
    ) -> io::Result<()> {
        let mut done = 0;
        // A refusal holds for all files between the same two file systems, so it is asked for once.
        if !self.is_refused.load(Ordering::Relaxed) {
            let by_system = by_system(from, position, to, offset, len);
            self.is_refused.fetch_or(by_system.is_refused, Ordering::Relaxed);
            done = by_system.done;
        }
        // Whatever the system did not copy goes through a buffer.
        if done == len {
            return Ok(());
        }
        // Buffers go from copy to copy: there are never more than copies at the same time.
        let mut buffer = self.lock().pop().unwrap_or_else(|| vec![0; PIECE].into());
        let mut result = Ok(());
        while done < len && result.is_ok() {
            let piece = buffer.len().min(usize::try_from(len - done).unwrap_or(PIECE));
            let bytes = buffer.get_mut(..piece).unwrap_or_default();
            result = crate::source::read_exact_at(from, bytes, position + done)
                .and_then(|()| write_all_at(to, bytes, offset + done));
            done += piece as u64;
        }
        // Kept after an error as well: the buffer is not the cause.
        self.lock().push(buffer);
        result
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Box<[u8]>>> {
        self.buffers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Result of a copy by the system.
#[derive(Default)]
struct BySystem {
    /// Number of bytes that it copied. Reading and writing the rest will show why it stopped.
    done: u64,
    /// True if it does not copy between such files at all.
    is_refused: bool,
}

#[cfg(any(target_os = "linux", target_os = "android"))]
fn by_system(from: &File, position: u64, to: &File, offset: u64, len: u64) -> BySystem {
    use rustix::io::Errno;
    let (mut position, mut offset, mut done) = (position, offset, 0);
    let mut is_refused = false;
    while done < len {
        // At most 1 GiB, which fits into a 32-bit `usize`.
        let piece = usize::try_from((len - done).min(1 << 30)).unwrap_or(0);
        match rustix::fs::copy_file_range(from, Some(&mut position), to, Some(&mut offset), piece) {
            Ok(copied @ 1..) => done += copied as u64,
            // A signal came first, and nothing was copied: the same piece again.
            Err(Errno::INTR) => {}
            // Different file systems, no system call, or forbidden in a sandbox: the same for all files here.
            Err(Errno::XDEV | Errno::NOSYS | Errno::OPNOTSUPP | Errno::INVAL | Errno::PERM) => {
                is_refused = true;
                break;
            }
            // The end of the source, or an error such as a full disk. The buffered copy of the rest reports
            // it.
            Ok(0) | Err(_) => break,
        }
    }
    BySystem { done: done.min(len), is_refused }
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn by_system(_from: &File, _position: u64, _to: &File, _offset: u64, _len: u64) -> BySystem {
    BySystem { done: 0, is_refused: true }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Seek, Write};

    #[test]
    fn copying_takes_exactly_what_was_asked_for() {
        let content: Vec<u8> = (0..600_000_u32).map(|n| u8::try_from(n % 251).unwrap()).collect();
        for is_refused in [false, true] {
            let (mut from, mut to) = (tempfile::tempfile().unwrap(), tempfile::tempfile().unwrap());
            from.write_all(&content).unwrap();
            let copies = Copies { is_refused: is_refused.into(), buffers: Mutex::default() };
            copies.copy(&from, 7, &to, 3, 500_000).unwrap();
            let mut result = Vec::new();
            to.rewind().unwrap();
            to.read_to_end(&mut result).unwrap();
            assert_eq!(result[3..], content[7..500_007]);
            assert_eq!(result[..3], [0; 3]);
            let error = copies.copy(&from, 599_999, &to, 0, 2).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
            copies.copy(&from, 0, &to, 0, 100).unwrap();
            let kept = copies.lock().len();
            assert!(kept <= 1, "a buffer is used again, also after an error");
            assert!(kept == 1 || !is_refused);
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_the_system_refuses_it_is_not_asked_again() {
        let Ok(other) = tempfile::tempfile_in("/dev/shm") else { return };
        let (mut from, mut other) = (tempfile::tempfile().unwrap(), other);
        from.write_all(b"content").unwrap();
        let by_system = by_system(&from, 0, &other, 0, 7);
        let copies = Copies::default();
        copies.copy(&from, 0, &other, 0, 7).unwrap();
        assert_eq!(copies.is_refused.load(Ordering::Relaxed), by_system.is_refused);
        let mut result = String::new();
        other.rewind().unwrap();
        other.read_to_string(&mut result).unwrap();
        assert_eq!(result, "content");
    }
}
