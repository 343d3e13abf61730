//! Converts packages on the worker that decoded them, and copies bulk data.

use super::convert::Converter;
use super::names::Names;
use crate::container::ChunkIndex;
use crate::error::Result;
use crate::extract::writer::{ChunkWriter, Writer};
use crate::pipeline::{Check, Piece, Tap};
use crate::store::Entry;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Writer of packages in legacy form.
pub(super) struct LegacyWriter {
    pub converter: Arc<Converter>,
    pub names: Arc<Names>,
    /// Writer of files copied unchanged.
    pub copies: Writer,
    /// Position in the store of each input's container.
    pub containers: Vec<usize>,
    pub strict: bool,
    /// Content of packages in several pieces. The pipeline handles such chunks one after the other, so only a few are
    /// in memory at a time.
    pub large: Mutex<HashMap<(usize, ChunkIndex), Vec<u8>>>,
}

impl LegacyWriter {
    fn entry(&self, input: usize, chunk: ChunkIndex) -> Entry {
        Entry { container: self.containers.get(input).copied().unwrap_or(usize::MAX), chunk }
    }

    fn collect(&self, input: usize, piece: &Piece, bytes: &[u8]) -> Result<()> {
        // Allocates after the limit check: the length comes from the table.
        let len = self.converter.chunk_len(self.entry(input, piece.chunk))?;
        let mut large = self.lock();
        let whole = large.entry((input, piece.chunk)).or_insert_with(|| vec![0; len]);
        let place = usize::try_from(piece.offset)
            .ok()
            .and_then(|start| whole.get_mut(start..)?.get_mut(..bytes.len()));
        // The plan has checked that every piece lies inside its chunk, so this always succeeds.
        if let Some(place) = place {
            place.copy_from_slice(bytes);
        }
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<(usize, ChunkIndex), Vec<u8>>> {
        self.large.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tap for LegacyWriter {
    fn piece(&self, input: usize, piece: &Piece, bytes: &[u8], check: Check) -> Result<()> {
        let entry = self.entry(input, piece.chunk);
        let Some(name) = self.names.asset(entry.container, entry.chunk) else {
            return self.copies.piece(input, piece, bytes, check);
        };
        if !(piece.first && piece.last) {
            return self.collect(input, piece, bytes);
        }
        if self.strict && check.is_wrong() {
            return Ok(());
        }
        self.converter.convert(entry, name, bytes)
    }
}

impl ChunkWriter for LegacyWriter {
    fn finish(&self, input: usize, chunk: ChunkIndex, keep: bool) -> Result<()> {
        let entry = self.entry(input, chunk);
        let Some(name) = self.names.asset(entry.container, entry.chunk) else {
            return self.copies.finish(input, chunk, keep);
        };
        let whole = self.lock().remove(&(input, chunk));
        match whole {
            Some(bytes) if keep => self.converter.convert(entry, name, &bytes),
            _ => Ok(()),
        }
    }
}
