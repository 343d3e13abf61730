//! Step of a way through a chunk, with its cost.

/// Cost: 64 per bit.
pub(super) type Price = u32;

/// Last step of the cheapest way to a position, packed so that the cheaper of two steps is the smaller
/// number:
///
/// | bits | |
/// |---|---|
/// | 37 … 63 | cost of the whole way |
/// | 20 … 36 | length of the match that ends here; 0 if a literal does |
/// | 0 … 19 | distance of the match |
///
/// Steps are added field by field: no way through a chunk of 128 KiB costs more than 11 bits per byte, less
/// than 2^27.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Step(u64);

impl Step {
    /// Step to a position that no way has reached.
    pub(super) const FAR: Self = Self(u64::MAX);

    pub(super) fn new(cost: Price, len: usize, distance: usize) -> Self {
        Self(u64::from(cost) << 37 | (len as u64) << 20 | distance as u64)
    }

    pub(super) fn cost(self) -> Price {
        (self.0 >> 37) as Price
    }

    pub(super) fn len(self) -> usize {
        (self.0 >> 20 & 0x1_FFFF) as usize
    }

    pub(super) fn distance(self) -> usize {
        (self.0 & 0xF_FFFF) as usize
    }

    pub(super) fn and(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}
