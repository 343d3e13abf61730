//! What the parts of a chunk cost, in bits, once they are Huffman-coded.
//!
//! The codes depend on how often each byte occurs in a list, and that on the parse which the costs are wanted for. So the
//! lists of a quick parse stand in for those of the good one: their most frequent bytes are the same ones.
#![expect(clippy::indexing_slicing, reason = "tables of 256, indexed by bytes")]

use core::array;

use super::counts::{Counts, FRACTION, log2};
use super::lists::{Lists, Packed, pack_distance};
use super::literals::Literals;
use super::step::{Price, Step};

/// The lengths that a command has of its own, and one for all that are longer.
pub(super) const COMMAND_LENS: usize = 16;

/// The length from which on it is in the list of lengths, less this number.
pub(super) const FIRST_LONG_LEN: usize = COMMAND_LENS + 1;

/// The cost of a bit.
pub(super) const BIT: Price = 1 << BIT_LOG;

const BIT_LOG: u32 = 6;

/// What commands cost, by length from 2 on, each as the [`Step`] that it adds to a way; the last one stands for all that are
/// longer, without their length and what that costs.
pub(super) type PriceRow = [Step; COMMAND_LENS];

/// What the entries of each list of a chunk cost.
pub(super) trait Prices {
    /// A literal; `base` is the byte at the last distance.
    fn literal(&self, byte: u8, base: u8) -> Price;

    /// Commands with a match after a literal run: by recent distance, the last one new. The price is that of the part of the
    /// run that is no part of its command.
    fn commands(&self, run: usize) -> (&[PriceRow; 4], Price);

    /// A new distance.
    fn distance(&self, distance: usize) -> Price;

    /// The length of a match that is longer than commands say.
    fn long(&self, len: usize) -> Price;
}

/// The row of the commands that cost so much, by length.
pub(super) fn row(cost: impl Fn(usize) -> Price) -> PriceRow {
    array::from_fn(|index| {
        let len = if index + 1 == COMMAND_LENS { 0 } else { index + 2 };
        Step::new(cost(index + 2), len, 0)
    })
}

/// Prices of Kraken.
pub(super) struct KrakenPrices {
    literals: [Price; 256],
    /// Whether literals are coded as differences.
    is_delta: bool,
    /// By literal run, recent distance, and length.
    commands: [[PriceRow; 4]; 4],
    offsets: [Price; 256],
    lengths: [Price; 256],
}

impl KrakenPrices {
    /// The prices by which the given lists are coded.
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

    /// A length in the list of lengths.
    fn length(&self, value: usize) -> Price {
        match value.checked_sub(255) {
            None => self.lengths[value],
            // Exp-Golomb with 6 low bits.
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

/// The cost of each byte by how often it occurs in a list. Those that do not occur might do so in a better parse.
pub(super) fn table(list: &[u8]) -> [Price; 256] {
    counted(list.len(), &Counts::of(list))
}

/// What each byte of a list costs, of which the length and the counts of its bytes are known.
pub(super) fn counted(len: usize, counts: &Counts) -> [Price; 256] {
    /// The longest code.
    const MOST: Price = 11 * BIT;
    /// Lists that are shorter stay raw.
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
