//! Hashes of chunks that are larger than a batch.

use super::check::Check;
use super::decoded::{Decoded, PieceResult};
use super::input::Input;
use super::stored_hash::{self, StoredHash};
use crate::id::hash::ChunkHasher;
use crate::id::tree_hash::{LEAF_LEN, TreeHasher};
use crate::table::Hashed;
use crate::version::ChunkHashKind;

/// True if the pieces of large chunks can be hashed independently, on any worker. SHA-1 has to see them in
/// order.
pub(super) fn hashes_in_pieces(input: &Input) -> bool {
    // Pieces consist of whole blocks, so they start at leaves of the tree if blocks do.
    input.hash_kind == ChunkHashKind::Blake3
        && input.table.iostore().is_some_and(|toc| u64::from(toc.block_size()).is_multiple_of(LEAF_LEN))
}

/// Follows the pieces of a chunk that is larger than a batch, and checks its hash. Pieces arrive in order, so
/// there is only one such chunk at a time.
#[derive(Default)]
pub(super) struct LargeChunk {
    state: State,
}

/// State of the current chunk.
#[derive(Default)]
enum State {
    /// No chunk, or bytes that did not arrive as expected.
    #[default]
    Nothing,
    /// A piece could not be read.
    Failed,
    /// Pieces hashed by workers, as parts of a tree.
    Pieces(TreeHasher),
    /// Content hashed here, piece by piece.
    Sequence(ChunkHasher),
    /// Stored bytes hashed here, piece by piece.
    Stored(StoredHash),
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
        // A first piece always starts a new hash, even if the chunk before it broke off.
        if result.piece.first {
            self.state = match decoded.input().map(|input| (input, input.table.hashed())) {
                Some((input, _)) if hashes_in_pieces(input) => State::Pieces(TreeHasher::default()),
                Some((_, Hashed::Stored(table))) => State::Stored(StoredHash::new(table, result.piece.chunk)),
                Some((input, _)) => State::Sequence(ChunkHasher::new(input.hash_kind)),
                None => State::Nothing,
            };
        }
        match (&mut self.state, &result.hash) {
            // One lost piece makes the hash meaningless, and its own error is the better report.
            _ if result.result.is_err() => self.state = State::Failed,
            (State::Pieces(tree), Some(hash)) => tree.push(hash),
            (State::Pieces(_), None) => self.state = State::Nothing,
            (State::Sequence(hasher), _) => hasher.update(decoded.bytes(result)),
            (State::Stored(hash), _) => match decoded.stored_bytes(result) {
                Some(bytes) => hash.update(bytes),
                None => self.state = State::Nothing,
            },
            (State::Nothing | State::Failed, _) => {}
        }
    }

    fn finish(&mut self, decoded: &Decoded, result: &PieceResult) -> Check {
        let found = match std::mem::take(&mut self.state) {
            State::Failed => return Check::Skipped,
            State::Nothing => None,
            State::Pieces(tree) => tree.finish(),
            State::Sequence(hasher) => Some(hasher.finish()),
            State::Stored(hash) => hash.finish(),
        };
        let Some(input) = decoded.input() else { return Check::NotCompared };
        let chunk = result.piece.chunk;
        if let Hashed::Stored(table) = input.table.hashed() {
            return stored_hash::settle(&*input.source, table, chunk, found);
        }
        let expected = input.table.meta(chunk).map(|meta| meta.hash).filter(|hash| !hash.is_zero());
        match (found, expected) {
            (Some(found), Some(expected)) => Check::compare(found, expected),
            (_, None) => Check::NotRecorded,
            (None, Some(_)) => Check::NotCompared,
        }
    }
}
