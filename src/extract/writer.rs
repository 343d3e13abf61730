//! Writes pieces on the worker that decoded them.

use super::inputs::Inputs;
use super::outputs::Outputs;
use crate::container::ChunkIndex;
use crate::error::Result;
use crate::pipeline::{Check, Piece, Tap};
use crate::sink::{Sink, Staged};
use crate::store::Store;
use std::collections::HashMap;
use std::fs::File;
use std::sync::{Arc, Mutex, PoisonError};

type LargeFiles = HashMap<(usize, ChunkIndex), Arc<dyn Staged>>;

/// Consumer of chunk pieces that is notified when a chunk in several pieces is complete.
pub(super) trait ChunkWriter: Tap {
    /// Ends a chunk in several pieces: commits its file, or discards it.
    fn finish(&self, input: usize, chunk: ChunkIndex, keep: bool) -> Result<()>;
}

/// Writes every chunk to its own file.
pub(super) struct Writer {
    store: Store,
    sink: Arc<dyn Sink>,
    outputs: Arc<Outputs>,
    /// Position in the store of each input's container.
    containers: Vec<usize>,
    strict: bool,
    /// Open files of chunks in several pieces.
    large: Mutex<LargeFiles>,
}

impl Writer {
    pub(super) fn new(
        store: &Store,
        inputs: &Inputs,
        sink: Arc<dyn Sink>,
        outputs: Arc<Outputs>,
        strict: bool,
    ) -> Self {
        let (store, containers) = (store.clone(), inputs.containers.clone());
        Self { store, sink, outputs, containers, strict, large: Mutex::default() }
    }

    // Pieces of one chunk come from several workers; the first one creates the file, under the lock so that only one
    // does.
    fn stage(&self, input: usize, chunk: ChunkIndex) -> Result<Arc<dyn Staged>> {
        let mut large = self.lock();
        if let Some(staged) = large.get(&(input, chunk)) {
            return Ok(Arc::clone(staged));
        }
        let staged: Arc<dyn Staged> = self.create(input, chunk, self.len(input, chunk))?.into();
        large.insert((input, chunk), Arc::clone(&staged));
        Ok(staged)
    }

    fn create(&self, input: usize, chunk: ChunkIndex, len: u64) -> Result<Box<dyn Staged>> {
        let container = self.containers.get(input).copied().unwrap_or(usize::MAX);
        self.sink.create(self.outputs.path(container, chunk), len)
    }

    fn len(&self, input: usize, chunk: ChunkIndex) -> u64 {
        let container = self.containers.get(input).and_then(|at| self.store.containers().get(*at));
        container.map_or(0, |container| container.table().chunk_len(chunk))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, LargeFiles> {
        self.large.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tap for Writer {
    fn piece(&self, input: usize, piece: &Piece, bytes: &[u8], check: Check) -> Result<()> {
        // Nearly all chunks are one piece: create, write and commit without a shared map.
        if piece.first && piece.last {
            if self.strict && check.is_wrong() {
                return Ok(());
            }
            let staged = self.create(input, piece.chunk, bytes.len() as u64)?;
            staged.write_at(0, bytes)?;
            return staged.commit();
        }
        // Position-based writes: pieces may arrive in any order.
        self.stage(input, piece.chunk)?.write_at(piece.offset, bytes)
    }

    // Stored blocks that need no decoding can go from file to file within the system.
    fn copies(&self) -> bool {
        true
    }

    fn copy(&self, input: usize, piece: &Piece, file: &File, position: u64) -> Result<()> {
        let len = piece.len as u64;
        if piece.first && piece.last {
            let staged = self.create(input, piece.chunk, len)?;
            staged.copy_from(file, position, 0, len)?;
            return staged.commit();
        }
        self.stage(input, piece.chunk)?.copy_from(file, position, piece.offset, len)
    }
}

impl ChunkWriter for Writer {
    fn finish(&self, input: usize, chunk: ChunkIndex, keep: bool) -> Result<()> {
        let staged = self.lock().remove(&(input, chunk));
        match staged {
            Some(staged) if keep => staged.commit(),
            // Dropping an uncommitted file removes it.
            _ => Ok(()),
        }
    }
}
