//! Prices of the parts of a chunk, in bits, once they are Huffman-coded.
//!
//! The codes depend on the frequency of bytes in each list, and those on the parse for which prices are
//! needed. So the lists of a quick parse stand in for the final ones: their most frequent bytes are the same.
#![expect(clippy::indexing_slicing, reason = "tables of 256, indexed by bytes")]

use core::array;

use super::counts::{Counts, FRACTION, log2};
use super::lists::{Lists, Packed, pack_distance};
use super::literals::Literals;
use super::step::{Price, Step};

/// Number of lengths that a command expresses itself, plus one for all longer ones.
pub(super) const COMMAND_LENS: usize = 16;

/// First length that is stored in the list of lengths, less this number.
pub(super) const FIRST_LONG_LEN: usize = COMMAND_LENS + 1;

/// Price of a bit.
pub(super) const BIT: Price = 1 << BIT_LOG;

const BIT_LOG: u32 = 6;

/// Prices of commands by length, from 2 on, each as the [`Step`] that it adds to a way; the last one stands
/// for all longer matches, without their length and its price.
pub(super) type PriceRow = [Step; COMMAND_LENS];

/// Prices of the entries of each list of a chunk.
pub(super) trait Prices {
    /// Price of a literal; `base` is the byte at the last distance.
    fn literal(&self, byte: u8, base: u8) -> Price;

    /// Prices of commands with a match after a literal run, by recent distance, the last one new; and the
    /// price of the part of the run that does not fit into the command.
    fn commands(&self, run: usize) -> (&[PriceRow; 4], Price);

    /// Price of a new distance.
    fn distance(&self, distance: usize) -> Price;

    /// Price of the length of a match that is longer than a command can express.
    fn long(&self, len: usize) -> Price;
}

/// Returns the row of commands with these prices by length.
pub(super) fn row(cost: impl Fn(usize) -> Price) -> PriceRow {
    array::from_fn(|index| {
        let len = if index + 1 == COMMAND_LENS { 0 } else { index + 2 };
        Step::new(cost(index + 2), len, 0)
    })
}

/// Prices of Kraken.
pub(super) struct KrakenPrices {
    literals: [Price; 256],
    /// True if literals are coded as differences.
    is_delta: bool,
    /// Prices of commands by literal run, recent distance, and length.
    commands: [[PriceRow; 4]; 4],
    offsets: [Price; 256],
    lengths: [Price; 256],
}

impl KrakenPrices {
    /// Prices at which the given lists are coded.
    pub(super) fn new(lists: &Lists, literals: &Literals) -> Self {
        let (literals, counts, is_delta) = literals.coded();
        let commands = table(&lists.commands);
        Self {
            literals: counted(literals.len(), &counts),
            is_delta,
            commands: array::from_fn(|run| {
                array::from_fn(|index| row(|len| commands[run | (len - 2) << 2 | index << 6]))
            }),
            offsets: table(&lists.offsets),
            lengths: table(&lists.lengths),
        }
    }

    /// Returns the price of a length in the list of lengths.
    fn length(&self, value: usize) -> Price {
        match value.checked_sub(255) {
            None => self.lengths[value],
            // Exp-Golomb with 6 low bits: as many zeros as there are bits above the low ones, then all bits.
            Some(more) => self.lengths[255] + (2 * (more + 64).ilog2() - 5) * BIT,
        }
    }
}

impl Prices for KrakenPrices {
    fn literal(&self, byte: u8, base: u8) -> Price {
        let coded = if self.is_delta { byte.wrapping_sub(base) } else { byte };
        self.literals[usize::from(coded)]
    }

    fn commands(&self, run: usize) -> (&[PriceRow; 4], Price) {
        (&self.commands[run.min(3)], run.checked_sub(3).map_or(0, |value| self.length(value)))
    }

    fn distance(&self, distance: usize) -> Price {
        let Packed { byte, extra_bits, .. } = pack_distance(distance);
        self.offsets[usize::from(byte)] + extra_bits * BIT
    }

    fn long(&self, len: usize) -> Price {
        self.length(len - FIRST_LONG_LEN)
    }
}

/// Returns the price of each byte by its frequency in a list.
pub(super) fn table(list: &[u8]) -> [Price; 256] {
    counted(list.len(), &Counts::of(list))
}

/// Returns the price of each byte of a list with this length and these counts.
pub(super) fn counted(len: usize, counts: &Counts) -> [Price; 256] {
    /// Longest code. Bytes that do not occur get it as well: they might occur in a better parse.
    const MOST: Price = 11 * BIT;
    /// Price in lists that are too short to be coded.
    const RAW: Price = 8 * BIT;
    if len < 32 {
        return [RAW; 256];
    }
    let all = log2(u32::try_from(len).unwrap_or(u32::MAX));
    counts.0.map(|count| match count {
        0 => MOST,
        _ => {
            let bits = all.saturating_sub(log2(count)) >> (FRACTION - BIT_LOG);
            // No code is shorter than a bit.
            u32::try_from(bits).unwrap_or(MOST).clamp(BIT, MOST)
        }
    })
}
