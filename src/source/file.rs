use super::Buffer;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// A file that is read at positions, from blocking threads.
#[derive(Debug, Clone)]
pub struct FileSource {
    file: Arc<File>,
    len: u64,
}

impl FileSource {
    /// Opens a regular file for reading; anything else is an error.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = super::open_file(path)?;
        let len = file.metadata()?.len();
        Ok(Self { file: Arc::new(file), len })
    }

    /// Length of the file in bytes, when it was opened.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "it is not a collection")]
    pub const fn len(&self) -> u64 {
        self.len
    }

    /// Fills `bytes` from `offset` on, blocking until it is done.
    pub fn read_blocking(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        read_exact_at(&self.file, bytes, offset)
    }

    /// Tells the system that a range is about to be read, unless it is in memory. It may take no notice.
    pub fn announce(&self, offset: u64, len: u64) {
        #[cfg(any(target_os = "linux", target_os = "android"))]
        {
            use rustix::fs::{Advice, fadvise};
            // Going through all pages of a range costs more than a look at its ends.
            if !(self.is_in_memory(offset) && self.is_in_memory((offset + len).saturating_sub(1))) {
                // Only advice: what is wrong with the range will show when it is read.
                let _ = fadvise(&*self.file, offset, std::num::NonZeroU64::new(len), Advice::WillNeed);
            }
        }
        #[cfg(not(any(target_os = "linux", target_os = "android")))]
        let _ = (offset, len);
    }

    /// Whether a byte can be read without waiting for the disk.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    fn is_in_memory(&self, offset: u64) -> bool {
        let mut byte = [0];
        let mut to = [io::IoSliceMut::new(&mut byte)];
        rustix::io::preadv2(&*self.file, &mut to, offset, rustix::io::ReadWriteFlags::NOWAIT) == Ok(1)
    }

    /// The file itself.
    #[must_use]
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Fills `buffer` from `offset` on, on a thread that may block.
    pub async fn read_at(&self, offset: u64, mut buffer: Buffer) -> io::Result<Buffer> {
        let file = Arc::clone(&self.file);
        let read = move || read_exact_at(&file, &mut buffer, offset).map(|()| buffer);
        tokio::task::spawn_blocking(read).await.unwrap_or_else(|error| Err(io::Error::other(error)))
    }
}

#[cfg(unix)]
pub(crate) fn read_exact_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, offset)
}

#[cfg(windows)]
pub(crate) fn read_exact_at(file: &File, mut buffer: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !buffer.is_empty() {
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
