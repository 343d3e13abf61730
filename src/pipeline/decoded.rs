//! Results of a run: batches with their bytes.

use super::batch::{Piece, StoredRun};
use super::check::Check;
use super::decode::bytes_of;
use super::input::Input;
use crate::error::Result;
use crate::id::tree_hash::PieceHash;
use crate::job::{Context, Lease};
use crate::source::Buffer;
use std::sync::Arc;

/// Result of a piece.
#[derive(Debug)]
pub struct PieceResult {
    /// The piece.
    pub piece: Piece,
    /// Success, or the reason that its bytes are missing.
    pub result: Result<()>,
    /// Result of checking: set for whole chunks, and for the last piece of a chunk in several.
    pub check: Check,
    /// Share of the hash of a chunk in several pieces.
    pub(super) hash: Option<PieceHash>,
    /// Stored bytes, if they are what the chunk's hash covers.
    pub(super) run: Option<StoredRun>,
}

/// Decoded batch. Dropping it returns its memory to the budget.
pub struct Decoded {
    /// Position of the input in the list given to [`run`](super::run()).
    pub input: usize,
    /// Result of each piece.
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

    /// Returns the bytes of a piece; empty if it failed, or if they only went to the tap of
    /// [`run_tapped`](super::run_tapped).
    #[must_use]
    pub fn bytes(&self, piece: &PieceResult) -> &[u8] {
        if piece.result.is_ok() { bytes_of(&piece.piece, &self.stored, &self.raw) } else { &[] }
    }

    /// Returns the stored bytes of a piece, if they are what the hash covers.
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
