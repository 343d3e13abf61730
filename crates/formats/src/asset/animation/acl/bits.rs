//! Keys as a stream of big-endian bits: the first bit is the highest one of the first byte.

/// Bytes that hold keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct KeyBits<'a>(pub(super) &'a [u8]);

/// Bits of a loaded word that always belong to the stream: up to 7 are lost to the position inside the first
/// byte.
const SURE: u32 = 57;

impl<'a> KeyBits<'a> {
    /// Returns the bits from position `at`, shifted to the top; zeros follow the last byte.
    fn word(self, at: u64) -> u64 {
        let byte = usize::try_from(at >> 3).unwrap_or(usize::MAX);
        let rest: &'a [u8] = self.0.get(byte..).unwrap_or_default();
        // One unaligned load of eight bytes serves any start. Near the end fewer bytes are left: they are
        // gathered one by one, which is as if the stream were padded with zeros.
        let word = match rest.first_chunk() {
            Some(word) => u64::from_be_bytes(*word),
            None => {
                rest.iter().zip([56, 48, 40, 32, 24, 16, 8]).map(|(byte, up)| u64::from(*byte) << up).sum()
            }
        };
        // Drops the bits of the first byte that lie before `at`.
        word << (at & 7)
    }

    /// Returns three numbers of at most 32 bits each.
    #[inline]
    pub(super) fn three(self, at: u64, bits: u32) -> [u32; 3] {
        if 3 * bits <= SURE {
            // One load holds all three, which is so up to 19 bits each.
            let word = self.word(at);
            return [top(word, bits), top(word << bits, bits), top(word << (2 * bits), bits)];
        }
        // Wider numbers take a load each: 57 bits always hold one of 32.
        let bits_wide = u64::from(bits);
        [0, bits_wide, 2 * bits_wide].map(|on| top(self.word(at + on), bits))
    }

    /// Returns one number of 1 to 32 bits.
    pub(super) fn one(self, at: u64, bits: u32) -> u32 {
        top(self.word(at), bits)
    }

    /// Returns a float, which may start at any bit.
    pub(super) fn float(self, at: u64) -> f32 {
        f32::from_bits(self.one(at, 32))
    }
}

/// The highest bits of a word, 1 to 32 of them.
#[expect(clippy::cast_possible_truncation, reason = "at most 32 bits are left")]
const fn top(word: u64, bits: u32) -> u32 {
    (word >> (64 - bits)) as u32
}

/// Returns the factor that turns a number of 1 to 23 bits into a share of the largest one.
#[expect(clippy::cast_precision_loss, reason = "a float has room for 24 bits")]
pub(super) fn share_of(bits: u32) -> f32 {
    // The reciprocal is rounded to f32 before it is multiplied with anything, as the library does: a division
    // by the largest number would differ in the last bit.
    1.0 / ((1_u32 << bits) - 1) as f32
}

/// A number of at most 23 bits as a float.
#[expect(clippy::cast_precision_loss, reason = "a float has room for 24 bits")]
pub(super) const fn float_of(number: u32) -> f32 {
    number as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// First key of the worked example in the fact sheet.
    const KEY: [u8; 16] =
        [0xD6, 0x82, 0x89, 0x89, 0xA5, 0x44, 0x2B, 0x67, 0xFF, 0xE4, 0x0B, 0xB0, 0, 0, 0, 0];

    #[test]
    fn numbers_start_at_any_bit() {
        let bits = KeyBits(&KEY);
        assert_eq!(bits.three(0, 12), [3432, 649, 2202]);
        assert_eq!(bits.three(36, 4), [5, 4, 4]);
        assert_eq!(bits.three(48, 13), [1388, 8191, 4613]);
        assert_eq!(bits.three(4, 20), [0x6_8289, 0x8_9A54, 0x4_2B67], "one load is not enough");
    }

    #[test]
    fn what_lies_after_the_end_is_zero() {
        assert_eq!(KeyBits(&[0xFF]).three(4, 4), [15, 0, 0]);
        assert_eq!(KeyBits(&[0xFF, 0x80]).three(7, 3), [6, 0, 0]);
        assert_eq!(KeyBits(&[1]).three(u64::MAX - 100, 19), [0; 3]);
        assert_eq!(KeyBits(&[0x01, 0xFC, 0, 0, 0]).float(1).to_bits(), 0x03F8_0000);
        assert_eq!(KeyBits(&[]).one(0, 32), 0);
    }

    #[test]
    fn shares_are_rounded_once() {
        assert_eq!(share_of(1).to_bits(), 1.0_f32.to_bits());
        assert_eq!((float_of(4095) * share_of(12)).to_bits(), 1.0_f32.to_bits());
        assert_eq!(share_of(23).to_bits(), (1.0_f32 / 8_388_607.0).to_bits());
    }
}
