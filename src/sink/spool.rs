//! Intermediate content: more than memory is meant to hold, where there is a disk.

use crate::error::{Error, Result};
use crate::source::read_exact_at;
use std::fs::File;
use std::io::{self, Seek as _, SeekFrom, Write as _};
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
    Memory(Vec<u8>),
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
    pub const fn in_memory() -> Self {
        Self { content: Content::Memory(Vec::new()), len: 0 }
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
        let written = match &mut self.content {
            // Reading may have moved the file's own position.
            Content::File(file) => file.seek(SeekFrom::Start(self.len)).and_then(|_| file.write_all(bytes)),
            Content::Memory(content) => {
                content.extend_from_slice(bytes);
                Ok(())
            }
        };
        written.map_err(Error::io("write", Path::new(NAME)))?;
        self.len += bytes.len() as u64;
        Ok(())
    }

    /// Fills a buffer with the bytes at an offset; fails where there are not that many.
    pub fn read_at(&self, offset: u64, bytes: &mut [u8]) -> Result<()> {
        let read = match &self.content {
            Content::File(file) => read_exact_at(file, bytes, offset),
            Content::Memory(content) => {
                let start = usize::try_from(offset).ok();
                let part = start.and_then(|start| content.get(start..start.checked_add(bytes.len())?));
                part.map(|part| bytes.copy_from_slice(part))
                    .ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
            }
        };
        read.map_err(Error::io("read", Path::new(NAME)))
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
