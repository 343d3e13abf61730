//! What the parts of a Kraken chunk cost, in bits, once they are Huffman-coded.
//!
//! The codes depend on how often each byte occurs in a list, and that on the parse which the costs are wanted for. So the
//! lists of a quick parse stand in for those of the good one: their most frequent bytes are the same ones.
#![expect(clippy::indexing_slicing, reason = "tables of 256, indexed by bytes")]

use core::array;

use super::counts::{Counts, FRACTION, log2};
use super::lists::{Lists, Packed, pack_distance};

/// The lengths that a command has of its own, and one for all that are longer.
pub(super) const COMMAND_LENS: usize = 16;

/// The length from which on it is in the list of lengths, less this number.
pub(super) const FIRST_LONG_LEN: usize = COMMAND_LENS + 1;

/// A cost: 256 for each bit.
pub(super) type Price = u32;

/// The cost of a bit.
pub(super) const BIT: Price = 256;

/// What the entries of each list cost.
pub(super) struct Prices {
    literals: [Price; 256],
    /// Whether literals are coded as differences.
    is_delta: bool,
    /// By literal run, recent distance, and length.
    commands: [[[Price; COMMAND_LENS]; 4]; 4],
    offsets: [Price; 256],
    lengths: [Price; 256],
}

impl Prices {
    /// The prices by which the given lists are coded.
    pub(super) fn new(lists: &Lists) -> Self {
        let (literals, _, is_delta) = lists.literals.coded();
        let commands = table(&lists.commands);
        Self {
            literals: table(literals),
            is_delta,
            commands: array::from_fn(|run| {
                array::from_fn(|index| array::from_fn(|len| commands[run | len << 2 | index << 6]))
            }),
            offsets: table(&lists.packed_distances()),
            lengths: table(&lists.lengths),
        }
    }

    /// A literal; `base` is the byte at the last distance.
    pub(super) fn literal(&self, byte: u8, base: u8) -> Price {
        let coded = if self.is_delta { byte.wrapping_sub(base) } else { byte };
        self.literals[usize::from(coded)]
    }

    /// The part of a long literal run that is no part of its command.
    pub(super) fn run(&self, run: usize) -> Price {
        run.checked_sub(3).map_or(0, |value| self.length(value))
    }

    /// Commands with a match after a literal run: by recent distance, the last one new, and by length from 2 on. Those of
    /// the last length still need the cost of [their length](Self::length).
    pub(super) fn commands(&self, run: usize) -> &[[Price; COMMAND_LENS]; 4] {
        &self.commands[run.min(3)]
    }

    /// A new distance.
    pub(super) fn distance(&self, distance: usize) -> Price {
        let Packed { byte, extra_bits, .. } = pack_distance(distance);
        self.offsets[usize::from(byte)] + extra_bits * BIT
    }

    /// A length in the list of lengths.
    pub(super) fn length(&self, value: usize) -> Price {
        match value.checked_sub(255) {
            None => self.lengths[value],
            // Exp-Golomb with 6 low bits.
            Some(more) => self.lengths[255] + (2 * (more + 64).ilog2() - 5) * BIT,
        }
    }
}

/// The cost of each byte by how often it occurs in a list. Those that do not occur might do so in a better parse.
fn table(list: &[u8]) -> [Price; 256] {
    /// The longest code.
    const MOST: Price = 11 * BIT;
    /// Lists that are shorter stay raw.
    const RAW: Price = 8 * BIT;
    if list.len() < 32 {
        return [RAW; 256];
    }
    let counts = Counts::of(list);
    let all = log2(u32::try_from(list.len()).unwrap_or(u32::MAX));
    counts.0.map(|count| match count {
        0 => MOST,
        _ => {
            let bits = all.saturating_sub(log2(count)) >> (FRACTION - 8);
            // No code is shorter than a bit.
            u32::try_from(bits).unwrap_or(MOST).clamp(BIT, MOST)
        }
    })
}
