//! The literals of a chunk: as they are, and as differences from the bytes at the last distance.
#![expect(clippy::indexing_slicing, reason = "positions come from the parser, which stays in the input")]

use alloc::vec::Vec;

use super::array;
use super::counts::Counts;

/// The literal modes of a chunk.
const DELTA_LITERALS: usize = 0;
const RAW_LITERALS: usize = 1;

/// The literals of a chunk.
pub(super) struct Literals {
    raw: Vec<u8>,
    /// Empty if nobody asks for them.
    delta: Vec<u8>,
    wants_delta: bool,
}

impl Literals {
    /// None yet; there will be up to `most`. Differences are kept only if they are wanted.
    pub(super) fn new(most: usize, wants_delta: bool) -> Self {
        let delta = if wants_delta { Vec::with_capacity(most + WORD) } else { Vec::new() };
        Self { raw: Vec::with_capacity(most + WORD), delta, wants_delta }
    }

    /// Adds `history[at..at + len]`, after a match at distance `last`.
    pub(super) fn push(&mut self, history: &[u8], at: usize, len: usize, last: usize) {
        /// Runs that are longer are copied as a whole.
        const FEW: usize = 32;
        let bases_at = at - last;
        if len > FEW || at + len + WORD > history.len() {
            let literals = &history[at..at + len];
            self.raw.extend(literals);
            if self.wants_delta {
                let bases = &history[bases_at..];
                self.delta
                    .extend(literals.iter().zip(bases).map(|(literal, base)| literal.wrapping_sub(*base)));
            }
            return;
        }
        let end = self.raw.len() + len;
        let (literals, _) = history[at..at + len + WORD].as_chunks();
        for literal in literals.iter().take(len.div_ceil(WORD)) {
            self.raw.extend(literal);
        }
        self.raw.truncate(end);
        if self.wants_delta {
            let (bases, _) = history[bases_at..bases_at + len + WORD].as_chunks();
            for (literal, base) in literals.iter().zip(bases).take(len.div_ceil(WORD)) {
                self.delta.extend(differences(*literal, *base));
            }
            self.delta.truncate(end);
        }
    }

    /// The literals as they should be coded, how often each of them occurs, and whether they are differences.
    pub(super) fn coded(&self) -> (&[u8], Counts, bool) {
        let raw = Counts::of(&self.raw);
        if self.wants_delta {
            // Differences decode more slowly: they have to be worth it.
            let delta = Counts::of(&self.delta);
            if delta.least_bits() * 102 < raw.least_bits() * 100 {
                return (&self.delta, delta, true);
            }
        }
        (&self.raw, raw, false)
    }

    /// Appends the literals, raw or coded; returns the literal mode.
    pub(super) fn write(&self, out: &mut Vec<u8>, entropy: bool) -> usize {
        if !entropy {
            array::write_raw(out, &self.raw);
            return RAW_LITERALS;
        }
        let (literals, counts, is_delta) = self.coded();
        array::write_counted(out, literals, &counts);
        if is_delta { DELTA_LITERALS } else { RAW_LITERALS }
    }
}

/// Short runs are copied by words.
const WORD: usize = 8;

/// The differences of eight pairs of bytes.
fn differences(literals: [u8; WORD], bases: [u8; WORD]) -> [u8; WORD] {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let (a, b) = (u64::from_le_bytes(literals), u64::from_le_bytes(bases));
    // With its high bit set, no byte borrows from the next; then the high bits are put right.
    let low = (a | HIGH) - (b & !HIGH);
    (low ^ (a ^ !b) & HIGH).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::differences;

    #[test]
    fn all_differences_are_right() {
        for a in 0..=255u8 {
            for b in 0..=255u8 {
                let (literals, bases) = ([a, b, 0, 255, a, b, a, b], [b, a, a, b, 255, 0, b, b]);
                let expected: [u8; 8] = core::array::from_fn(|at| literals[at].wrapping_sub(bases[at]));
                assert_eq!(differences(literals, bases), expected);
            }
        }
    }
}
