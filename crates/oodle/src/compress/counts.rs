//! Byte frequencies, and the entropy that follows from them.
#![expect(clippy::indexing_slicing, reason = "tables of 256, indexed by bytes")]

/// Frequency of each byte.
pub(super) struct Counts(pub(super) [u32; 256]);

impl Counts {
    pub(super) fn of(bytes: &[u8]) -> Self {
        /// Length up to which one table of counts is faster than four: their sum costs time as well.
        const FEW: usize = 256;
        if bytes.len() <= FEW {
            let mut counts = [0; 256];
            for byte in bytes {
                counts[usize::from(*byte)] += 1;
            }
            return Self(counts);
        }
        // Four tables: with one, a repeated byte would have to wait for its own count to be stored.
        let mut counts = [[0u32; 256]; 4];
        let (quads, last) = bytes.as_chunks::<4>();
        for quad in quads {
            for (counts, byte) in counts.iter_mut().zip(quad) {
                counts[usize::from(*byte)] += 1;
            }
        }
        for byte in last {
            counts[0][usize::from(*byte)] += 1;
        }
        Self(core::array::from_fn(|byte| counts.iter().map(|counts| counts[byte]).sum()))
    }

    /// True if no other byte occurs.
    pub(super) fn are_all(&self, byte: u8) -> bool {
        (0..=255).zip(self.0).all(|(other, count)| other == byte || count == 0)
    }

    /// True if these counts, of differences, are better to code than those of the raw literals.
    pub(super) fn are_worth_it(&self, raw: &Self) -> bool {
        is_worth_it(self.least_bits(), raw.least_bits())
    }

    /// Returns the entropy: the fewest bits that any table needs for the counted bytes, without the table
    /// itself; in units of [`FRACTION`].
    pub(super) fn least_bits(&self) -> u64 {
        let all = log2(self.0.iter().sum());
        // Each byte takes log2(all / count) bits. Zero counts contribute nothing, whatever log2(0) is.
        self.0.iter().map(|count| u64::from(*count) * (all - log2(*count))).sum()
    }
}

/// Unit of entropies: 2 to the power of -24 bits.
pub(super) const FRACTION: u32 = 24;

/// Returns the binary logarithm of a number in units of [`FRACTION`]; 0 for zero. Integers only, so that
/// every machine makes the same choices.
pub(super) const fn log2(value: u32) -> u64 {
    let Some(whole) = value.checked_ilog2() else { return 0 };
    // The number is 1.x times a power of two. The top 8 bits of x select an entry, the other 23 interpolate
    // to the next one.
    let fraction = value << (31 - whole) & 0x7FFF_FFFF;
    let index = (fraction >> 23) as usize;
    let (low, high) = (LOGARITHMS[index] as u64, LOGARITHMS[index + 1] as u64);
    let share = (fraction & 0x7F_FFFF) as u64;
    ((whole as u64) << FRACTION) + low + (((high - low) * share) >> 23)
}

/// Logarithms of 256/256, 257/256, … 512/256.
const LOGARITHMS: [u32; 257] = {
    let mut logarithms = [0; 257];
    let mut index = 0;
    while index < 256 {
        logarithms[index] = fraction_of_log2(index as u64 + 256);
        index += 1;
    }
    logarithms[256] = 1 << FRACTION;
    logarithms
};

/// Returns the logarithm of a number of 256ths, from 1 to less than 2.
const fn fraction_of_log2(value: u64) -> u32 {
    // Squaring doubles the logarithm: whenever the number reaches 2, the next bit of the logarithm is 1.
    let mut mantissa = value << 23;
    let mut logarithm = 0;
    let mut bit = 0;
    while bit < FRACTION {
        mantissa = (mantissa * mantissa) >> 31;
        logarithm <<= 1;
        if mantissa >> 32 != 0 {
            mantissa >>= 1;
            logarithm |= 1;
        }
        bit += 1;
    }
    logarithm
}

/// True if differences that take this many bits are better to code than literals. They must save 2 %, since
/// they decode more slowly.
pub(super) fn is_worth_it(delta_bits: u64, raw_bits: u64) -> bool {
    delta_bits * 102 < raw_bits * 100
}

#[cfg(test)]
mod tests {
    use super::{Counts, FRACTION, log2};

    #[test]
    #[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
    fn logarithms_are_right_to_six_digits() {
        for value in (1..10_000).chain((10..31).flat_map(|log| [1 << log, (1 << log) + 1, (2 << log) - 1])) {
            let (own, exact) = (log2(value) as f64 / f64::from(1 << FRACTION), f64::from(value).log2());
            assert!((own - exact).abs() < 4e-6, "{value}: {own} against {exact}");
        }
        assert_eq!(log2(0), 0);
    }

    #[test]
    fn every_byte_is_counted() {
        for len in (0..11_u32).chain([256, 257, 1000]) {
            let bytes: alloc::vec::Vec<u8> = (0..=2).cycle().take(len as usize).collect();
            let counts = Counts::of(&bytes);
            assert_eq!(counts.0[..4], [len.div_ceil(3), (len + 1) / 3, len / 3, 0]);
        }
        // Two bytes, one bit each.
        assert_eq!(Counts::of(b"abab").least_bits(), 4 << FRACTION);
    }
}
