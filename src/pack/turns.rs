//! A hash that sees the pieces of a file in their order, whichever threads have them.

use crate::id::ChunkHash;
use crate::id::hash::ChunkHasher;
use crate::version::ChunkHashKind;
use std::ops::Range;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Hashes pieces that are on several threads at a time. A thread that has a piece waits for those that have the pieces before
/// it. Pieces are given out in their order, so those threads are at work.
#[derive(Debug)]
pub(super) struct TurnHasher {
    state: Mutex<State>,
    passed: Condvar,
}

#[derive(Debug)]
struct State {
    /// Where the piece starts whose turn it is.
    offset: u64,
    hasher: ChunkHasher,
}

/// The turn of a piece. When it is dropped, that of the next one comes, even if this one failed.
#[derive(Debug)]
pub(super) struct Turn<'a> {
    of: &'a TurnHasher,
    range: Range<u64>,
}

impl TurnHasher {
    pub(super) fn new(kind: ChunkHashKind) -> Self {
        let state = State { offset: 0, hasher: ChunkHasher::new(kind) };
        Self { state: Mutex::new(state), passed: Condvar::new() }
    }

    /// The turn of the piece in this range. It has to be taken before anything that can fail.
    pub(super) const fn turn(&self, range: Range<u64>) -> Turn<'_> {
        Turn { of: self, range }
    }
}

impl Turn<'_> {
    /// Waits for the pieces before, and hashes some bytes of this one.
    pub(super) fn update<'b>(&self, parts: impl IntoIterator<Item = &'b [u8]>) {
        let mut state = self.wait();
        parts.into_iter().for_each(|part| state.hasher.update(part));
    }

    /// The hash of everything up to here.
    pub(super) fn hash(&self) -> ChunkHash {
        self.wait().hasher.clone().finish()
    }

    fn wait(&self) -> MutexGuard<'_, State> {
        let state = self.of.state.lock().unwrap_or_else(PoisonError::into_inner);
        let is_early = |state: &mut State| state.offset != self.range.start;
        self.of.passed.wait_while(state, is_early).unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.wait().offset = self.range.end;
        self.of.passed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_hashed_in_their_order() {
        let content: Vec<u8> = (0..=255).collect();
        let hasher = TurnHasher::new(ChunkHashKind::Sha1);
        let hash = |at: u64| {
            let turn = hasher.turn(at * 64..(at + 1) * 64);
            let start = usize::try_from(at).unwrap() * 64;
            turn.update(content[start..start + 64].chunks(13));
            turn.hash()
        };
        let last = std::thread::scope(|scope| {
            let last = scope.spawn(|| hash(3));
            for at in [2, 1, 0] {
                scope.spawn(move || hash(at));
            }
            last.join().unwrap()
        });
        assert_eq!(last, ChunkHash::of(ChunkHashKind::Sha1, &content));
    }

    #[test]
    fn a_piece_that_failed_holds_up_nobody() {
        let hasher = TurnHasher::new(ChunkHashKind::Sha1);
        std::thread::scope(|scope| {
            let second = scope.spawn(|| {
                let turn = hasher.turn(10..20);
                turn.update([&b"second"[..]]);
                turn.hash()
            });
            drop(hasher.turn(0..10));
            assert_eq!(second.join().unwrap(), ChunkHash::of(ChunkHashKind::Sha1, b"second"));
        });
    }
}
