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

/// Takes the pieces of chunks, and is notified when a chunk that came in several is complete.
pub(super) trait ChunkWriter: Tap {
    /// Ends a chunk that came in several pieces: under its name, or without a trace.
    fn finish(&self, input: usize, chunk: ChunkIndex, keep: bool) -> Result<()>;
}

/// Puts every chunk into a file of its own.
pub(super) struct Writer {
    store: Store,
    sink: Arc<dyn Sink>,
    outputs: Arc<Outputs>,
    /// For each input, the position of its container in the store.
    containers: Vec<usize>,
    strict: bool,
    /// Files of chunks that come in several pieces.
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
        if piece.first && piece.last {
            if self.strict && check.is_wrong() {
                return Ok(());
            }
            let staged = self.create(input, piece.chunk, bytes.len() as u64)?;
            staged.write_at(0, bytes)?;
            return staged.commit();
        }
        self.stage(input, piece.chunk)?.write_at(piece.offset, bytes)
    }

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
            _ => Ok(()),
        }
    }
}
