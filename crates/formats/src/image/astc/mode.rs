//! The mode of a block: the grid of its weights, and their range.

use super::sequence::{Digit, Range};

/// Layout of the weights of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mode {
    /// Weights along each side.
    pub(super) grid: [u32; 2],
    pub(super) range: Range,
    /// True if each place has two weights.
    pub(super) is_dual: bool,
}

/// Ranges of weights: the narrow ones, then those with the bit for more precision.
const RANGES: [Range; 12] = [
    Range::new(Digit::None, 1),
    Range::new(Digit::Trit, 0),
    Range::new(Digit::None, 2),
    Range::new(Digit::Quint, 0),
    Range::new(Digit::Trit, 1),
    Range::new(Digit::None, 3),
    Range::new(Digit::Quint, 1),
    Range::new(Digit::Trit, 2),
    Range::new(Digit::None, 4),
    Range::new(Digit::Quint, 2),
    Range::new(Digit::Trit, 3),
    Range::new(Digit::None, 5),
];

impl Mode {
    /// Reads the eleven bits of a mode; `None` for reserved ones.
    pub(super) fn parse(mode: u32) -> Option<Self> {
        let bit = |at: u32| mode >> at & 1;
        let (a, b) = (mode >> 5 & 3, mode >> 7 & 3);
        let mut precision = bit(9);
        let mut is_dual = bit(10) == 1;
        let (grid, range) = if mode & 3 != 0 {
            let grid = match mode >> 2 & 3 {
                0 => [b + 4, a + 2],
                1 => [b + 8, a + 2],
                2 => [a + 2, b + 8],
                _ if bit(8) == 0 => [a + 2, bit(7) + 6],
                _ => [bit(7) + 2, a + 2],
            };
            (grid, bit(4) | bit(0) << 1 | bit(1) << 2)
        } else {
            let grid = match (b, a) {
                (0, _) => [12, a + 2],
                (1, _) => [a + 2, 12],
                (2, _) => {
                    // What else these bits are belongs to the grid.
                    (precision, is_dual) = (0, false);
                    [a + 6, (mode >> 9 & 3) + 6]
                }
                (_, 0) => [6, 10],
                (_, 1) => [10, 6],
                _ => return None,
            };
            (grid, bit(4) | bit(2) << 1 | bit(3) << 2)
        };
        let place = range.checked_sub(2)? + 6 * precision;
        Some(Self { grid, range: *RANGES.get(usize::try_from(place).ok()?)?, is_dual })
    }

    /// Number of weights.
    pub(super) fn count(&self) -> u32 {
        let [width, height] = self.grid;
        width * height * if self.is_dual { 2 } else { 1 }
    }
}
