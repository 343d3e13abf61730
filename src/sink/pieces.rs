//! Files that are written piece by piece, and have no name before they are whole.

use super::{Existing, OutputPath, Overwrite, PutOutcome, Sink, Staged};
use crate::error::Result;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// File that is written from start to end.
pub struct AppendingFile {
    staged: Box<dyn Staged>,
    len: u64,
    /// Existing file, as long as it has the same bytes.
    same: Option<Existing>,
    /// True if the existing file stays if it has other bytes.
    is_edited: bool,
}

impl AppendingFile {
    /// Starts at the beginning of a staged file.
    #[must_use]
    pub const fn new(staged: Box<dyn Staged>) -> Self {
        Self { staged, len: 0, same: None, is_edited: false }
    }

    /// Starts a file that may replace an existing one; `None` if that stays in any case.
    pub(crate) fn replacing(
        sink: &dyn Sink,
        path: &OutputPath,
        overwrite: Overwrite,
    ) -> Result<Option<Self>> {
        if overwrite.forbids(sink, [path]) {
            return Ok(None);
        }
        let compares = overwrite != Overwrite::Always && !sink.started_empty();
        let same = compares.then(|| sink.existing(path).ok()).flatten();
        let is_edited =
            overwrite == Overwrite::Untouched && same.as_ref().is_some_and(|existing| !existing.is_untouched);
        Ok(Some(Self { staged: sink.create(path, 0)?, len: 0, same, is_edited }))
    }

    /// Bytes written so far.
    pub(crate) const fn len(&self) -> u64 {
        self.len
    }

    /// Gives the file its name, unless the existing one may stay. `path` is its name in the sink.
    pub(crate) fn finish(self, sink: &dyn Sink, path: &OutputPath) -> Result<PutOutcome> {
        if self.same.as_ref().is_some_and(|existing| existing.len == self.len) {
            return Ok(PutOutcome::Unchanged);
        }
        if self.is_edited {
            sink.note_edited(path);
            return Ok(PutOutcome::Kept);
        }
        // Closed before it is replaced: Windows does not replace an open file.
        drop(self.same);
        self.staged.commit()?;
        Ok(PutOutcome::Written)
    }

    /// Appends bytes.
    pub fn append(&mut self, bytes: &[u8]) -> Result<()> {
        if self.same.as_mut().is_some_and(|existing| !existing.has(self.len, bytes)) {
            self.same = None;
        }
        self.staged.write_at(self.len, bytes)?;
        self.len += bytes.len() as u64;
        Ok(())
    }

    /// Gives the file its name, and returns its length.
    pub fn commit(self) -> Result<u64> {
        self.staged.commit()?;
        Ok(self.len)
    }
}

impl io::Write for AppendingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.append(bytes).map_err(io::Error::other)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// File that is compared with the existing one while it is written. Only the last piece shows whether the
/// existing one may stay, and files of this size are not kept in memory.
pub(crate) struct Replacement {
    staged: Box<dyn Staged>,
    len: u64,
    /// Existing file, if it has the same length.
    existing: Mutex<Option<Existing>>,
    /// Number of bytes that are equal in the existing file.
    same: AtomicU64,
}

impl Replacement {
    /// Starts a file; `None` if the existing one stays in any case.
    pub(crate) fn create(
        sink: &dyn Sink,
        path: &OutputPath,
        len: u64,
        overwrite: Overwrite,
    ) -> Result<Option<Self>> {
        let mut existing = None;
        let note = |found: Existing| {
            // Another length is another content: no need to compare.
            existing = Some(found).filter(|found| found.len == len);
            false
        };
        if overwrite.keeps(sink, path, note).is_some() {
            return Ok(None);
        }
        let (staged, existing) = (sink.create(path, len)?, Mutex::new(existing));
        Ok(Some(Self { staged, len, existing, same: AtomicU64::new(0) }))
    }

    /// Writes a piece, each exactly once. Pieces may arrive in any order and from several threads.
    pub(crate) fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        // Compared while locked: the existing file has one position for all threads.
        let mut existing = self.existing.lock().unwrap_or_else(PoisonError::into_inner);
        if existing.as_mut().is_some_and(|existing| existing.has(offset, bytes)) {
            self.same.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        }
        drop(existing);
        self.staged.write_at(offset, bytes)
    }

    /// Gives the file its name, unless an equal file has it. Call it once, after the last write.
    pub(crate) fn commit(&self) -> Result<PutOutcome> {
        // Closed before it is replaced: Windows does not replace an open file.
        let existing = self.existing.lock().unwrap_or_else(PoisonError::into_inner).take();
        if existing.is_some() && self.same.load(Ordering::Relaxed) == self.len {
            return Ok(PutOutcome::Unchanged);
        }
        drop(existing);
        self.staged.commit()?;
        Ok(PutOutcome::Written)
    }
}
