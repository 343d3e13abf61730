//! What comes out of a run: batches with their bytes.

use super::batch::{Piece, StoredRun};
use super::check::Check;
use super::decode::bytes_of;
use super::input::Input;
use crate::error::Result;
use crate::id::tree_hash::PieceHash;
use crate::job::{Context, Lease};
use crate::source::Buffer;
use std::sync::Arc;

/// What became of a piece.
#[derive(Debug)]
pub struct PieceResult {
    /// Which.
    pub piece: Piece,
    /// Whether its bytes are there.
    pub result: Result<()>,
    /// What checking gave: set for whole chunks, and for the last piece of a chunk that came in several.
    pub check: Check,
    /// Its share of the hash of a chunk that comes in several.
    pub(super) hash: Option<PieceHash>,
    /// Its stored bytes, if they are what the hash of its chunk is of.
    pub(super) run: Option<StoredRun>,
}

/// A decoded batch. Dropping it returns its memory to the budget.
pub struct Decoded {
    /// Position of the input in the list given to [`run`](super::run).
    pub input: usize,
    /// What became of each piece.
    pub pieces: Vec<PieceResult>,
    pub(super) stored: Vec<Buffer>,
    pub(super) raw: Buffer,
    pub(super) inputs: Arc<[Input]>,
    pub(super) context: Context,
    pub(super) _lease: Lease,
}

impl Decoded {
    pub(super) fn input(&self) -> Option<&Input> {
        self.inputs.get(self.input)
    }

    /// The bytes of a piece; empty if it failed, or if they went to the tap of [`run_tapped`](super::run_tapped) only.
    #[must_use]
    pub fn bytes(&self, piece: &PieceResult) -> &[u8] {
        if piece.result.is_ok() { bytes_of(&piece.piece, &self.stored, &self.raw) } else { &[] }
    }

    /// The stored bytes of a piece, where they are what the hash is of.
    pub(super) fn stored_bytes(&self, piece: &PieceResult) -> Option<&[u8]> {
        let (extent, run) = piece.run.clone()?;
        self.stored.get(extent)?.get(run)
    }
}

impl Drop for Decoded {
    fn drop(&mut self) {
        let raw = std::mem::take(&mut self.raw);
        self.context.recycle_all(self.stored.drain(..).chain([raw]));
    }
}
