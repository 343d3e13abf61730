//! What the parts of a Kraken chunk cost, in bits, once they are Huffman-coded.
//!
//! The codes depend on how often each byte occurs in a list, and that on the parse which the costs are wanted for. So the
//! lists of a quick parse stand in for those of the good one: their most frequent bytes are the same ones.
#![expect(clippy::indexing_slicing, reason = "tables of 256, indexed by bytes")]

use super::array;
use super::huffman;
use super::lists::{Lists, Packed, pack_distance};

/// A cost: 256 for each bit.
pub(super) type Price = u32;

/// The cost of a bit.
pub(super) const BIT: Price = 256;

/// What the entries of each list cost.
pub(super) struct Prices {
    literals: [Price; 256],
    /// Whether literals are coded as differences.
    is_delta: bool,
    commands: [Price; 256],
    offsets: [Price; 256],
    lengths: [Price; 256],
}

impl Prices {
    /// The prices by which the given lists are coded.
    pub(super) fn new(lists: &Lists) -> Self {
        let is_delta = array::prefers_delta(&lists.raw_literals, &lists.delta_literals);
        Self {
            literals: table(if is_delta { &lists.delta_literals } else { &lists.raw_literals }),
            is_delta,
            commands: table(&lists.commands),
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

    /// A command with a match, at recent distance `index` or a new one (3), after a literal run.
    pub(super) fn command(&self, run: usize, len: usize, index: usize) -> Price {
        let long = len.checked_sub(17).map_or(0, |value| self.length(value));
        self.commands[run.min(3) | (len - 2).min(15) << 2 | index << 6] + long
    }

    /// A new distance.
    pub(super) fn distance(&self, distance: usize) -> Price {
        let Packed { byte, extra_bits, .. } = pack_distance(distance);
        self.offsets[usize::from(byte)] + extra_bits * BIT
    }

    fn length(&self, value: usize) -> Price {
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
    let counts = huffman::counts(list);
    let all = huffman::log2(u32::try_from(list.len()).unwrap_or(u32::MAX));
    counts.map(|count| match count {
        0 => MOST,
        _ => {
            let bits = all.saturating_sub(huffman::log2(count)) >> (huffman::FRACTION - 8);
            // No code is shorter than a bit.
            u32::try_from(bits).unwrap_or(MOST).clamp(BIT, MOST)
        }
    })
}
