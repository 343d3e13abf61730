use super::{Existing, OutputPath, Sink, Staged};
use crate::error::{Error, Result};
use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

type Files = Arc<Mutex<BTreeMap<String, Vec<u8>>>>;

/// Sink that keeps files in memory, by their path.
#[derive(Debug, Clone, Default)]
pub struct MemorySink {
    files: Files,
}

impl MemorySink {
    /// Returns a copy of all committed files.
    #[must_use]
    pub fn files(&self) -> BTreeMap<String, Vec<u8>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Takes all committed files out.
    #[must_use]
    pub fn take_files(&self) -> BTreeMap<String, Vec<u8>> {
        std::mem::take(&mut self.files.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

struct MemoryFile {
    path: String,
    bytes: Mutex<Vec<u8>>,
    files: Files,
}

impl Sink for MemorySink {
    fn create(&self, path: &OutputPath, _len: u64) -> Result<Box<dyn Staged>> {
        let files = Arc::clone(&self.files);
        Ok(Box::new(MemoryFile { path: path.as_str().to_owned(), bytes: Mutex::default(), files }))
    }

    /// Opens a copy of a committed file.
    fn existing(&self, path: &OutputPath) -> io::Result<Existing> {
        let files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = files.get(path.as_str()).cloned().ok_or(io::ErrorKind::NotFound)?;
        Ok(Existing {
            len: bytes.len() as u64,
            is_untouched: true,
            content: Box::new(io::Cursor::new(bytes)),
        })
    }
}

impl Staged for MemoryFile {
    fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        let mut file = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        let end = start.saturating_add(bytes.len());
        // Pieces may arrive in any order; gaps are filled later.
        if file.len() < end {
            file.resize(end, 0);
        }
        if let Some(place) = file.get_mut(start..end) {
            place.copy_from_slice(bytes);
        }
        Ok(())
    }

    fn copy_from(&self, file: &std::fs::File, position: u64, offset: u64, len: u64) -> Result<()> {
        let mut bytes = vec![0; usize::try_from(len).unwrap_or(usize::MAX)];
        crate::source::read_exact_at(file, &mut bytes, position)
            .map_err(Error::io("copy to", PathBuf::from(&self.path)))?;
        self.write_at(offset, &bytes)
    }

    fn commit(&self) -> Result<()> {
        // The bytes are moved, not copied: no write comes after the commit.
        let bytes = std::mem::take(&mut *self.bytes.lock().unwrap_or_else(PoisonError::into_inner));
        self.files.lock().unwrap_or_else(PoisonError::into_inner).insert(self.path.clone(), bytes);
        Ok(())
    }
}
