use bytes::Bytes;
use std::io;

/// File that can be read at any position: picked in a browser, inside an archive, or in memory.
#[expect(clippy::len_without_is_empty, reason = "it is not a collection")]
pub trait ReadAt: Send + Sync + std::fmt::Debug {
    /// Returns the length in bytes.
    fn len(&self) -> u64;

    /// Fills all of `bytes` from `offset` on, and blocks until that is done.
    fn read_exact_at(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()>;
}

impl ReadAt for Bytes {
    fn len(&self) -> u64 {
        Self::len(self) as u64
    }

    fn read_exact_at(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        let start = usize::try_from(offset).ok();
        let range = start.and_then(|start| Some(start..start.checked_add(bytes.len())?));
        let found = range.and_then(|range| self.get(range)).ok_or(io::ErrorKind::UnexpectedEof)?;
        bytes.copy_from_slice(found);
        Ok(())
    }
}
