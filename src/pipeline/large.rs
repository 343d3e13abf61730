//! Hashes of chunks that are larger than a batch.

use super::run::{Check, Decoded, Input, PieceResult};
use crate::id::hash::ChunkHasher;
use crate::id::tree_hash::{LEAF_LEN, TreeHasher};
use crate::version::ChunkHashKind;

/// Whether the pieces of large chunks can be hashed each by itself, on any worker. SHA-1 has to see them in order.
pub(super) fn hashes_in_pieces(input: &Input) -> bool {
    // Pieces consist of whole blocks.
    input.hash_kind == ChunkHashKind::Blake3 && u64::from(input.toc.block_size()).is_multiple_of(LEAF_LEN)
}

/// Follows the pieces of a chunk that is larger than a batch, to check its hash. They come in order, so there is
/// only one such chunk at a time.
#[derive(Default)]
pub(super) struct LargeChunk {
    state: State,
}

/// What is known of the chunk so far.
#[derive(Default)]
enum State {
    /// Nothing can be said: there is none, or a piece of it is missing.
    #[default]
    Nothing,
    /// Its pieces were hashed by workers.
    Pieces(TreeHasher),
    /// It is hashed here, piece by piece.
    Sequence(ChunkHasher),
}

impl LargeChunk {
    /// Takes the pieces of a batch, and sets the check of those that end a chunk.
    pub(super) fn follow(&mut self, decoded: &mut Decoded) {
        let mut pieces = std::mem::take(&mut decoded.pieces);
        for result in pieces.iter_mut().filter(|result| result.piece.entire && !result.piece.is_whole()) {
            self.take(decoded, result);
            if result.piece.last {
                result.check = self.finish(decoded, result);
            }
        }
        decoded.pieces = pieces;
    }

    fn take(&mut self, decoded: &Decoded, result: &PieceResult) {
        if result.piece.first {
            self.state = match decoded.input() {
                Some(input) if hashes_in_pieces(input) => State::Pieces(TreeHasher::default()),
                Some(input) => State::Sequence(ChunkHasher::new(input.hash_kind)),
                None => State::Nothing,
            };
        }
        match (&mut self.state, &result.hash) {
            _ if result.result.is_err() => self.state = State::Nothing,
            (State::Pieces(tree), Some(hash)) => tree.push(hash),
            (State::Pieces(_), None) => self.state = State::Nothing,
            (State::Sequence(hasher), _) => hasher.update(decoded.bytes(result)),
            (State::Nothing, _) => {}
        }
    }

    fn finish(&mut self, decoded: &Decoded, result: &PieceResult) -> Check {
        let found = match std::mem::take(&mut self.state) {
            State::Nothing => None,
            State::Pieces(tree) => tree.finish(),
            State::Sequence(hasher) => Some(hasher.finish()),
        };
        let expected = decoded.input().and_then(|input| input.toc.meta(result.piece.chunk));
        match (found, expected) {
            (Some(found), Some(meta)) if !meta.hash.is_zero() => Check::compare(found, meta.hash),
            (Some(_), _) => Check::NotRecorded,
            (None, _) => Check::Skipped,
        }
    }
}
