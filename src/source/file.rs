use super::{Buffer, ReadAt};
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// File that is read at positions, from blocking threads.
#[derive(Debug, Clone)]
pub struct FileSource {
    handle: Handle,
    len: u64,
}

#[derive(Debug, Clone)]
enum Handle {
    Disk(Arc<File>),
    Given(Arc<dyn ReadAt>),
}

impl FileSource {
    /// Opens a regular file for reading; anything else is an error.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = super::open_file(path)?;
        // Asked once: later checks of ranges need no system call.
        let len = file.metadata()?.len();
        Ok(Self { handle: Handle::Disk(Arc::new(file)), len })
    }

    /// Source over a file of the caller.
    pub(super) fn given(file: Arc<dyn ReadAt>) -> Self {
        let len = file.len();
        Self { handle: Handle::Given(file), len }
    }

    /// Returns the length of the file in bytes, as it was when opened.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "it is not a collection")]
    pub const fn len(&self) -> u64 {
        self.len
    }

    /// Fills `bytes` from `offset` on, and blocks until that is done.
    pub fn read_blocking(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        match &self.handle {
            Handle::Disk(file) => read_exact_at(file, bytes, offset),
            Handle::Given(file) => file.read_exact_at(offset, bytes),
        }
    }

    /// Tells the system that a range will be read soon, unless it is in memory. The system may ignore this.
    pub fn announce(&self, offset: u64, len: u64) {
        #[cfg(any(target_os = "linux", target_os = "android"))]
        {
            use rustix::fs::{Advice, fadvise};
            let Handle::Disk(file) = &self.handle else { return };
            // Checking both ends is cheaper than having the system walk through all pages of a range.
            if !(is_in_memory(file, offset) && is_in_memory(file, (offset + len).saturating_sub(1))) {
                // Only advice: a faulty range will show when it is read.
                let _ = fadvise(&**file, offset, std::num::NonZeroU64::new(len), Advice::WillNeed);
            }
        }
        #[cfg(not(any(target_os = "linux", target_os = "android")))]
        let _ = (offset, len);
    }

    /// Returns the file itself, if it is one of the system.
    #[must_use]
    pub fn file(&self) -> Option<&File> {
        match &self.handle {
            Handle::Disk(file) => Some(file),
            Handle::Given(_) => None,
        }
    }

    /// Fills `buffer` from `offset` on, on a thread that may block.
    pub async fn read_at(&self, offset: u64, mut buffer: Buffer) -> io::Result<Buffer> {
        // The read may outlive this future, so it owns its handle.
        let file = self.clone();
        let read = move || file.read_blocking(offset, &mut buffer).map(|()| buffer);
        tokio::task::spawn_blocking(read).await.unwrap_or_else(|error| Err(io::Error::other(error)))
    }
}

/// True if a byte can be read without waiting for the disk.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn is_in_memory(file: &File, offset: u64) -> bool {
    // NOWAIT fails instead of waiting for the disk; one byte stands for its page.
    let mut byte = [0];
    let mut to = [io::IoSliceMut::new(&mut byte)];
    rustix::io::preadv2(file, &mut to, offset, rustix::io::ReadWriteFlags::NOWAIT) == Ok(1)
}

#[cfg(unix)]
pub(crate) fn read_exact_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, offset)
}

#[cfg(windows)]
pub(crate) fn read_exact_at(file: &File, mut buffer: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !buffer.is_empty() {
        // One call may read less than all.
        match std::os::windows::fs::FileExt::seek_read(file, buffer, offset) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(read) => {
                buffer = buffer.get_mut(read..).unwrap_or_default();
                offset += read as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Unreachable on platforms without files, such as browsers.
#[cfg(not(any(unix, windows)))]
pub(crate) fn read_exact_at(_file: &File, _buffer: &mut [u8], _offset: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
