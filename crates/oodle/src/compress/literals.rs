//! Literals of a chunk: raw, and as differences from the bytes at the last distance.
#![expect(clippy::indexing_slicing, reason = "positions come from the parser, which stays in the input")]

use alloc::vec::Vec;
use core::array::from_fn;

use super::array::{self, Forms};
use super::counts::Counts;

/// Literal modes of a chunk.
const DELTA_LITERALS: usize = 0;
const RAW_LITERALS: usize = 1;

/// Forms in which literals are collected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Kind {
    #[default]
    Raw,
    Delta,
    /// Both forms, until their sizes can be compared.
    Either,
}

/// Literals of a chunk.
#[derive(Debug, Default)]
pub(super) struct Literals {
    /// Buffer for all literals, with a word to spare, because whole words are written.
    raw: Vec<u8>,
    delta: Vec<u8>,
    kind: Kind,
    /// Number of literals.
    len: usize,
}

impl Literals {
    /// Clears the literals, and makes room for `most` of them.
    pub(super) fn start(&mut self, most: usize, kind: Kind) {
        let room = most + WORD;
        if self.raw.len() < room {
            self.raw.resize(room, 0);
            self.delta.resize(room, 0);
        }
        self.kind = kind;
        self.len = 0;
    }

    /// Adds `history[at..at + len]`, which follow a match at distance `last`.
    pub(super) fn push(&mut self, history: &[u8], at: usize, len: usize, last: usize) {
        let whole = len.next_multiple_of(WORD);
        // Most runs are shorter than a word, so whole words are copied. The excess is overwritten by the next
        // run.
        let taken = if at + whole <= history.len() { whole } else { len };
        let (literals, bases) = (&history[at..at + taken], &history[at - last..][..taken]);
        let room = self.len..self.len + taken;
        if self.kind != Kind::Delta {
            copy(&mut self.raw[room.clone()], literals);
        }
        if self.kind != Kind::Raw {
            subtract(&mut self.delta[room], literals, bases);
        }
        self.len += len;
    }

    /// Returns the literals in the form to be coded, their counts, and true if they are differences.
    pub(super) fn coded(&self) -> (&[u8], Counts, bool) {
        let (raw, delta) = (self.raw(), &self.delta[..self.len]);
        match self.kind {
            Kind::Raw => (raw, Counts::of(raw), false),
            Kind::Delta => (delta, Counts::of(delta), true),
            Kind::Either => {
                let (raw_counts, delta_counts) = (Counts::of(raw), Counts::of(delta));
                if delta_counts.are_worth_it(&raw_counts) {
                    (delta, delta_counts, true)
                } else {
                    (raw, raw_counts, false)
                }
            }
        }
    }

    fn raw(&self) -> &[u8] {
        &self.raw[..self.len]
    }

    /// Appends the literals, and returns the literal mode.
    pub(super) fn write(&self, out: &mut Vec<u8>, forms: Forms) -> usize {
        if forms == Forms::Raw {
            array::write(out, self.raw(), forms);
            return RAW_LITERALS;
        }
        let (literals, counts, is_delta) = self.coded();
        array::write_counted(out, literals, &counts, forms);
        if is_delta { DELTA_LITERALS } else { RAW_LITERALS }
    }
}

/// Bytes that are copied at once.
const WORD: usize = 16;

fn copy(to: &mut [u8], from: &[u8]) {
    let ((to, last), (from, from_last)) = (to.as_chunks_mut::<WORD>(), from.as_chunks::<WORD>());
    to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
    last.copy_from_slice(from_last);
}

fn subtract(to: &mut [u8], literals: &[u8], bases: &[u8]) {
    let (to, last) = to.as_chunks_mut::<WORD>();
    let ((literals, last_literals), (bases, last_bases)) =
        (literals.as_chunks::<WORD>(), bases.as_chunks::<WORD>());
    for ((to, literals), bases) in to.iter_mut().zip(literals).zip(bases) {
        *to = from_fn(|at| literals[at].wrapping_sub(bases[at]));
    }
    for ((to, literal), base) in last.iter_mut().zip(last_literals).zip(last_bases) {
        *to = literal.wrapping_sub(*base);
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, Literals, Vec};

    #[test]
    fn runs_of_any_length_are_added_whole() {
        let history: Vec<u8> = (0..=255u8).map(|at| at.wrapping_mul(at)).collect();
        let mut literals = Literals::default();
        literals.start(history.len(), Kind::Either);
        let (mut raw, mut delta, mut at) = (Vec::new(), Vec::new(), 8);
        for len in (0..20).chain([5, 1, 40, 0]) {
            literals.push(&history, at, len, 8);
            raw.extend(&history[at..at + len]);
            delta.extend((at..at + len).map(|at| history[at].wrapping_sub(history[at - 8])));
            at += len;
        }
        literals.push(&history, at, history.len() - at, 3);
        raw.extend(&history[at..]);
        delta.extend((at..history.len()).map(|at| history[at].wrapping_sub(history[at - 3])));
        assert_eq!((literals.raw(), &literals.delta[..literals.len]), (&raw[..], &delta[..]));
    }
}
