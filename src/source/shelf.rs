//! Content that is kept until all of a job is known to be sound: in memory up to a limit, and beyond it in a temporary file
//! that has no name, so that the system removes it whatever happens.

use crate::error::{Error, Result};
use bytes::Bytes;
use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Keeps the content of a job.
#[derive(Debug)]
pub struct Shelf {
    /// Bytes of memory to take at most.
    limit: u64,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    in_memory: u64,
    file: Option<Arc<Mutex<File>>>,
    /// End of what was written to the file.
    end: u64,
}

/// Content that is kept. Clones share it.
#[derive(Debug, Clone)]
pub struct Shelved(Place);

#[derive(Debug, Clone)]
enum Place {
    Memory(Bytes),
    File(Piece),
}

/// Piece of the temporary file.
#[derive(Debug, Clone)]
struct Piece {
    file: Arc<Mutex<File>>,
    start: u64,
    len: u64,
}

impl Shelf {
    /// A shelf that takes up to `limit` bytes of memory.
    #[must_use]
    pub fn new(limit: u64) -> Self {
        Self { limit, state: Mutex::default() }
    }

    /// Keeps some content.
    pub fn keep(&self, bytes: Vec<u8>) -> Result<Shelved> {
        let mut state = lock(&self.state);
        let len = bytes.len() as u64;
        let in_memory = state.in_memory.saturating_add(len);
        if in_memory <= self.limit {
            state.in_memory = in_memory;
            return Ok(bytes.into());
        }
        let failed = |source| Error::io("write to a temporary file in", std::env::temp_dir())(source);
        let file = match &state.file {
            Some(file) => Arc::clone(file),
            None => match tempfile::tempfile() {
                Ok(file) => Arc::clone(state.file.insert(Arc::new(Mutex::new(file)))),
                // In browsers, for example, there is nothing but memory.
                Err(error) if error.kind() == io::ErrorKind::Unsupported => return Ok(bytes.into()),
                Err(error) => return Err(failed(error)),
            },
        };
        let start = state.end;
        let write = |mut file: MutexGuard<'_, File>| {
            file.seek(SeekFrom::Start(start))?;
            file.write_all(&bytes)
        };
        write(lock(&file)).map_err(failed)?;
        state.end += len;
        Ok(Shelved(Place::File(Piece { file, start, len })))
    }
}

impl Shelved {
    /// Its length in bytes.
    #[must_use]
    pub fn len(&self) -> u64 {
        match &self.0 {
            Place::Memory(bytes) => bytes.len() as u64,
            Place::File(piece) => piece.len,
        }
    }

    /// True if it has no bytes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Reads all of it into memory, unless it is there.
    pub fn bytes(&self) -> Result<Bytes> {
        match &self.0 {
            Place::Memory(bytes) => Ok(bytes.clone()),
            Place::File(piece) => {
                let mut bytes = Vec::with_capacity(usize::try_from(piece.len).unwrap_or_default());
                let failed = Error::io("read a temporary file in", std::env::temp_dir());
                piece.clone().read_to_end(&mut bytes).map_err(failed)?;
                Ok(bytes.into())
            }
        }
    }

    /// Opens it for reading piece by piece, from an offset on.
    #[must_use]
    pub fn open_at(&self, offset: u64) -> Box<dyn Read + Send> {
        match &self.0 {
            Place::Memory(bytes) => {
                let mut bytes = Cursor::new(bytes.clone());
                bytes.set_position(offset);
                Box::new(bytes)
            }
            Place::File(piece) => {
                let offset = offset.min(piece.len);
                let (start, len) = (piece.start + offset, piece.len - offset);
                Box::new(Piece { file: Arc::clone(&piece.file), start, len })
            }
        }
    }
}

impl From<Vec<u8>> for Shelved {
    /// Content that stays in memory.
    fn from(bytes: Vec<u8>) -> Self {
        Self(Place::Memory(bytes.into()))
    }
}

impl Read for Piece {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = {
            let mut file = lock(&self.file);
            file.seek(SeekFrom::Start(self.start))?;
            (&mut *file).take(self.len).read(buffer)?
        };
        self.start += read as u64;
        self.len -= read as u64;
        Ok(read)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_comes_back_from_memory_and_file() {
        let shelf = Shelf::new(10);
        let kept: Vec<Shelved> = [vec![1; 4], vec![2; 6], vec![3; 5], vec![4; 7], Vec::new()]
            .into_iter()
            .map(|bytes| shelf.keep(bytes).unwrap())
            .collect();
        let is_in_memory = |shelved: &Shelved| matches!(shelved.0, Place::Memory(_));
        assert_eq!(kept.iter().map(is_in_memory).collect::<Vec<_>>(), [true, true, false, false, true]);
        for (number, (shelved, len)) in kept.iter().zip([4_usize, 6, 5, 7, 0]).enumerate() {
            let wanted = vec![u8::try_from(number + 1).unwrap(); len];
            assert_eq!(shelved.bytes().unwrap(), wanted);
            assert_eq!(shelved.len(), len as u64);
            let mut rest = Vec::new();
            shelved.open_at(3).read_to_end(&mut rest).unwrap();
            assert_eq!(rest, wanted.get(3..).unwrap_or_default());
        }
    }
}
