//! Cuts of an array where its statistics change, so that each part gets codes of its own.
//!
//! ```text
//!   pieces of 64 bytes   │ aa │ ab │ ba │ 07 │ 70 │ 77 │ 70 │ ab │
//!   neighbours joined    │ aa   ab   ba │ 07   70   77   70 │ ab │     where one table costs less than two
//! ```
//!
//! The array starts out in small pieces. Again and again, the two neighbours that gain most are joined, until none
//! gain anything. Costs are estimates: the entropy, and what a table of that many symbols usually takes.
#![expect(clippy::indexing_slicing, reason = "tables of 256, and neighbours in a list")]
#![expect(clippy::cast_possible_truncation, reason = "lengths are at most 256 KiB")]

use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::{array, iter};

use super::counts::{Counts, FRACTION, log2};

/// Most parts of an array: as many as real streams have been seen to have. The format has room for 127, which would save
/// another fiftieth of a per cent.
const MAX_PARTS: usize = 10;

/// Length of a piece, at least …
const PIECE_LEN: usize = 64;

/// … and the most pieces to start with, for which longer arrays have longer ones.
const MAX_PIECES: usize = 1024;

/// Unit of costs: 2 to the power of -16 bits.
const UNIT: u32 = 16;

/// Cost of the headers of a part and of its table, without symbols.
const TABLE: u64 = 112 << UNIT;

/// Cost of a symbol in a table.
const SYMBOL: u64 = 9 << (UNIT - 1);

/// Cost of a part that repeats one byte.
const FILL: u64 = 32 << UNIT;

/// Cost of the header of a part that is stored raw.
const RAW: u64 = 16 << UNIT;

/// Gain where there is nothing to join.
const NEVER: i64 = i64::MIN;

/// Neighbouring pieces that share a table.
struct Part {
    counts: Counts,
    sums: Sums,
    /// Gain of joining the next part; worst if there is none.
    gain: i64,
    before: usize,
    next: usize,
}

/// All of a part that its cost depends on.
#[derive(Clone, Copy, Default)]
struct Sums {
    /// Number of bytes; 0 once the part has joined the one before.
    len: usize,
    /// A bit for each byte that occurs.
    symbols: [u64; 4],
    /// Sum of the [products](product) of all counts.
    products: u64,
}

impl Sums {
    fn of(counts: &Counts, len: usize) -> Self {
        let mut sums = Self { len, ..Self::default() };
        for (byte, count) in counts.0.iter().enumerate().filter(|(_, count)| **count > 0) {
            sums.symbols[byte / 64] |= 1 << (byte % 64);
            sums.products += product(*count);
        }
        sums
    }

    fn symbol_count(&self) -> u32 {
        self.symbols.iter().map(|word| word.count_ones()).sum()
    }

    fn symbols(&self) -> impl Iterator<Item = usize> {
        let words = (0..).step_by(64).zip(self.symbols);
        words.flat_map(|(first, mut word)| {
            iter::from_fn(move || {
                let byte = first + word.trailing_zeros() as usize;
                (word != 0).then(|| {
                    word &= word - 1;
                    byte
                })
            })
        })
    }

    /// Returns the estimated cost of a part.
    fn cost(&self) -> u64 {
        let symbols = self.symbol_count();
        if symbols == 1 {
            return FILL;
        }
        // Each symbol takes log2(len / count) bits.
        let entropy = product(self.len as u32).saturating_sub(self.products);
        (entropy + TABLE + u64::from(symbols) * SYMBOL).min(RAW + ((8 * self.len as u64) << UNIT))
    }
}

impl Part {
    /// Returns the sums of this part and another one. Only the symbols of the one that has fewer are looked at.
    fn with(&self, other: &Self) -> Sums {
        let (more, fewer) =
            if self.sums.symbol_count() < other.sums.symbol_count() { (other, self) } else { (self, other) };
        let gains = fewer.sums.symbols().map(|byte| {
            let count = more.counts.0[byte];
            product(count + fewer.counts.0[byte]) - product(count)
        });
        Sums {
            len: self.sums.len + other.sums.len,
            symbols: array::from_fn(|word| self.sums.symbols[word] | other.sums.symbols[word]),
            products: more.sums.products + gains.sum::<u64>(),
        }
    }
}

/// Parts in order, in a list whose first entry never goes.
struct Parts {
    parts: Vec<Part>,
    count: usize,
    /// Gains of joining a part and the next one, the greatest first; those that have changed since are in it, too.
    gains: BinaryHeap<(i64, usize)>,
}

/// Returns the lengths of the parts into which `bytes` should be cut.
pub(super) fn lens(bytes: &[u8]) -> Vec<usize> {
    let mut parts = Parts::new(bytes);
    while let Some((gain, at)) = parts.gains.pop() {
        if gain <= 0 && parts.count <= MAX_PARTS {
            break;
        }
        if parts.parts[at].gain == gain {
            parts.join(at);
        }
    }
    parts.parts.iter().map(|part| part.sums.len).filter(|len| *len > 0).collect()
}

impl Parts {
    /// Cuts `bytes` into pieces.
    fn new(bytes: &[u8]) -> Self {
        let piece_len = PIECE_LEN.max(bytes.len().div_ceil(MAX_PIECES));
        let pieces = bytes.chunks(piece_len).enumerate().map(|(at, piece)| {
            let counts = Counts::of(piece);
            let sums = Sums::of(&counts, piece.len());
            Part { counts, sums, gain: NEVER, before: at.saturating_sub(1), next: at + 1 }
        });
        let parts: Vec<Part> = pieces.collect();
        let count = parts.len();
        let mut parts = Self { parts, count, gains: BinaryHeap::with_capacity(2 * count) };
        for at in 0..count {
            parts.meet(at);
        }
        parts
    }

    /// Finds out what is gained by joining a part and the next one.
    fn meet(&mut self, at: usize) {
        let part = &self.parts[at];
        let Some(next) = self.parts.get(part.next) else {
            self.parts[at].gain = NEVER;
            return;
        };
        let apart = part.sums.cost() + next.sums.cost();
        let gain = apart.cast_signed() - part.with(next).cost().cast_signed();
        self.parts[at].gain = gain;
        self.gains.push((gain, at));
    }

    /// Joins a part and the next one.
    fn join(&mut self, at: usize) {
        let next = self.parts[at].next;
        let Ok([part, joined]) = self.parts.get_disjoint_mut([at, next]) else { return };
        let sums = part.with(joined);
        for byte in joined.sums.symbols() {
            part.counts.0[byte] += joined.counts.0[byte];
        }
        (part.sums, part.next) = (sums, joined.next);
        (joined.sums.len, joined.gain) = (0, NEVER);
        let after = joined.next;
        if let Some(after) = self.parts.get_mut(after) {
            after.before = at;
        }
        self.count -= 1;
        self.meet(at);
        if at > 0 {
            self.meet(self.parts[at].before);
        }
    }
}

/// Returns a count times its logarithm.
fn product(count: u32) -> u64 {
    match PRODUCTS.get(count as usize) {
        Some(product) => u64::from(*product),
        None => (u64::from(count) * log2(count)) >> (FRACTION - UNIT),
    }
}

/// Products of small counts and their logarithms.
static PRODUCTS: [u32; 1024] = {
    let mut products = [0; 1024];
    let mut count = 1;
    while count < products.len() {
        products[count] = ((count as u64 * log2(count as u32)) >> (FRACTION - UNIT)) as u32;
        count += 1;
    }
    products
};

#[cfg(test)]
mod tests {
    use super::{MAX_PARTS, PIECE_LEN, Vec, lens};

    /// Bytes of a small alphabet that starts at `first`, without order.
    fn noise(first: u8, len: usize, mut state: u32) -> Vec<u8> {
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            first.wrapping_add((state >> 29).to_le_bytes()[0])
        };
        (0..len).map(|_| next()).collect()
    }

    #[test]
    fn an_array_is_cut_where_its_alphabet_changes() {
        let bytes = [noise(0, 64 * PIECE_LEN, 1), noise(100, 32 * PIECE_LEN, 2), noise(0, 48 * PIECE_LEN, 3)]
            .concat();
        assert_eq!(lens(&bytes), [64 * PIECE_LEN, 32 * PIECE_LEN, 48 * PIECE_LEN]);
    }

    #[test]
    fn an_array_of_one_kind_stays_whole() {
        for len in [1, PIECE_LEN, PIECE_LEN + 1, 5000, 0x2_0000] {
            assert_eq!(lens(&noise(0, len, 4)), [len]);
        }
    }

    #[test]
    fn there_are_never_more_parts_than_real_streams_have() {
        let change = |at: usize| (at * 16).to_le_bytes()[0];
        let bytes: Vec<u8> = (0..900).flat_map(|at| noise(change(at), 140, 5)).collect();
        let lens = lens(&bytes);
        assert!((2..=MAX_PARTS).contains(&lens.len()), "{} parts", lens.len());
        assert_eq!(lens.iter().sum::<usize>(), bytes.len());
    }
}
