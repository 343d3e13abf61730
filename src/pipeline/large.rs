//! Hashes of chunks that are larger than a batch.

use super::check::Check;
use super::decoded::{Decoded, PieceResult};
use super::input::Input;
use super::stored_hash::{self, StoredHash};
use crate::id::hash::ChunkHasher;
use crate::id::tree_hash::{LEAF_LEN, TreeHasher};
use crate::table::Hashed;
use crate::version::ChunkHashKind;

/// Whether the pieces of large chunks can be hashed each by itself, on any worker. SHA-1 has to see them in order.
pub(super) fn hashes_in_pieces(input: &Input) -> bool {
    // Pieces consist of whole blocks.
    input.hash_kind == ChunkHashKind::Blake3
        && input.table.iostore().is_some_and(|toc| u64::from(toc.block_size()).is_multiple_of(LEAF_LEN))
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
    /// Nothing can be said: there is none, or its bytes did not come as they should.
    #[default]
    Nothing,
    /// A piece of it could not be read.
    Failed,
    /// Its pieces were hashed by workers.
    Pieces(TreeHasher),
    /// It is hashed here, piece by piece.
    Sequence(ChunkHasher),
    /// So are its stored bytes.
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
        if result.piece.first {
            self.state = match decoded.input().map(|input| (input, input.table.hashed())) {
                Some((input, _)) if hashes_in_pieces(input) => State::Pieces(TreeHasher::default()),
                Some((_, Hashed::Stored(table))) => State::Stored(StoredHash::new(table, result.piece.chunk)),
                Some((input, _)) => State::Sequence(ChunkHasher::new(input.hash_kind)),
                None => State::Nothing,
            };
        }
        match (&mut self.state, &result.hash) {
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
