//! A step of a way through a chunk, and what it costs.

/// A cost: 64 for each bit.
pub(super) type Price = u32;

/// The last step of the cheapest way to a position, in one number, so that of two steps the cheaper one is the smaller one:
///
/// | bits | |
/// |---|---|
/// | 37 … 63 | what the whole way costs |
/// | 20 … 36 | the length of the match that ends here; 0 if a literal does |
/// | 0 … 19 | its distance |
///
/// Steps add up field by field: no way through a chunk of 128 KiB costs more than 11 bits for each byte, less than 2^27.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Step(u64);

impl Step {
    /// Where no way leads to yet.
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
