//! Observer of decoded bytes while they are in the caches of the worker that decoded them.

use super::batch::Piece;
use super::check::Check;
use crate::error::Result;
use std::fs::File;

/// Receives every piece on the worker that decoded it, while it is in its caches. Pieces of one chunk may
/// arrive in any order and at the same time.
pub trait Tap: Send + Sync {
    /// Receives a piece of a chunk of input `input`. `check` is set for whole chunks. An error fails the
    /// chunk.
    fn piece(&self, input: usize, piece: &Piece, bytes: &[u8], check: Check) -> Result<()>;

    /// True if [`copy`](Self::copy) may be called instead of [`piece`](Self::piece).
    fn copies(&self) -> bool {
        false
    }

    /// Receives a piece that is unchanged in a file, from `position` on. Nothing was checked.
    fn copy(&self, _input: usize, _piece: &Piece, _file: &File, _position: u64) -> Result<()> {
        Ok(())
    }
}
