//! Intermediate content: more than memory is meant to hold, where there is a disk.

use crate::error::{Error, Result};
use crate::source::read_exact_at;
use std::fs::File;
use std::io::{self, Cursor, Seek, SeekFrom, Write};
use std::path::Path;

/// Content without a name, written from its start to its end and read anywhere. It is gone when this is dropped.
#[derive(Debug)]
pub struct Spool {
    content: Content,
    len: u64,
}

#[derive(Debug)]
enum Content {
    File(File),
    /// For systems without files.
    Memory(Cursor<Vec<u8>>),
}

/// Its name in messages.
const NAME: &str = "a file for intermediate content";

impl Spool {
    /// Content in an empty file.
    #[must_use]
    pub const fn in_file(file: File) -> Self {
        Self { content: Content::File(file), len: 0 }
    }

    /// Content in memory.
    #[must_use]
    pub fn in_memory() -> Self {
        Self { content: Content::Memory(Cursor::new(Vec::new())), len: 0 }
    }

    /// Content where the system has its temporary files; in memory if there is no such place.
    pub fn temporary() -> Result<Self> {
        if cfg!(target_family = "wasm") {
            return Ok(Self::in_memory());
        }
        tempfile::tempfile().map(Self::in_file).map_err(Error::io("create", Path::new(NAME)))
    }

    /// Length in bytes.
    #[must_use]
    pub const fn len(&self) -> u64 {
        self.len
    }

    /// True if nothing was written.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds bytes at the end.
    pub fn append(&mut self, bytes: &[u8]) -> Result<()> {
        // Reading may have moved the file's own position.
        let written = self.seek(SeekFrom::Start(self.len)).and_then(|_| self.write_all(bytes));
        written.map_err(Error::io("write", Path::new(NAME)))
    }

    /// Copies all of it.
    pub fn copy_to(mut self, out: &mut dyn Write) -> io::Result<()> {
        self.seek(SeekFrom::Start(0))?;
        match self.content {
            Content::File(mut file) => io::copy(&mut file, out).map(drop),
            Content::Memory(content) => out.write_all(content.get_ref()),
        }
    }

    /// Fills a buffer with the bytes at an offset; fails where there are not that many.
    pub fn read_at(&self, offset: u64, bytes: &mut [u8]) -> Result<()> {
        let read = match &self.content {
            Content::File(file) => read_exact_at(file, bytes, offset),
            Content::Memory(content) => {
                let start = usize::try_from(offset).ok();
                let part =
                    start.and_then(|start| content.get_ref().get(start..start.checked_add(bytes.len())?));
                part.map(|part| bytes.copy_from_slice(part))
                    .ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
            }
        };
        read.map_err(Error::io("read", Path::new(NAME)))
    }
}

impl Write for Spool {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let (written, end) = match &mut self.content {
            Content::File(file) => (file.write(bytes)?, file.stream_position()?),
            Content::Memory(content) => (content.write(bytes)?, content.position()),
        };
        self.len = self.len.max(end);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for Spool {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match &mut self.content {
            Content::File(file) => file.seek(to),
            Content::Memory(content) => content.seek(to),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_is_read_anywhere_while_it_grows() {
        for mut spool in [Spool::in_memory(), Spool::temporary().unwrap()] {
            let mut found = [0; 3];
            spool.append(b"abc").unwrap();
            spool.read_at(0, &mut found).unwrap();
            spool.append(b"def").unwrap();
            spool.read_at(2, &mut found).unwrap();
            assert_eq!((&found, spool.len(), spool.is_empty()), (b"cde", 6, false));
            assert!(spool.read_at(4, &mut found).is_err() && spool.read_at(u64::MAX, &mut found).is_err());
        }
    }
}
