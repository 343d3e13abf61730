//! Integer sequences: numbers of a range that is a power of two, or three or five times one.
//!
//! ```text
//! five trits     m₀ T₀₁ m₁ T₂₃ m₂ T₄ m₃ T₅₆ m₄ T₇       8 bits for 3⁵ = 243 of 256
//! three quints   m₀ Q₀₁₂ m₁ Q₃₄ m₂ Q₅₆                  7 bits for 5³ = 125 of 128
//! ```
//!
//! `m` are the lower bits of a number, which are stored as they are.

use super::bits::field;

/// Digits in front of the bits of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Digit {
    None,
    Trit,
    Quint,
}

/// A range of numbers: a digit, and some bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) digit: Digit,
    pub(super) bits: u32,
}

/// A number of a range.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Number {
    pub(super) digit: u32,
    pub(super) bits: u32,
}

/// The most numbers of a sequence.
pub(super) const MOST: usize = 64;

/// Widths of the parts of the trits' bits, and of the quints'.
const TRITS: [u32; 5] = [2, 2, 1, 2, 1];
const QUINTS: [u32; 3] = [3, 2, 2];

impl Range {
    pub(super) const fn new(digit: Digit, bits: u32) -> Self {
        Self { digit, bits }
    }

    /// Bits that some numbers take.
    pub(super) const fn len(self, count: u32) -> u32 {
        let digits = match self.digit {
            Digit::None => 0,
            Digit::Trit => (8 * count).div_ceil(5),
            Digit::Quint => (7 * count).div_ceil(3),
        };
        digits + self.bits * count
    }

    /// Reads numbers. What is missing of the last group is zero.
    pub(super) fn read(self, bits: u128, count: u32) -> [Number; MOST] {
        let len = self.len(count);
        let bits = if len < 128 { bits & ((1 << len) - 1) } else { bits };
        let mut numbers = [Number::default(); MOST];
        let wanted = numbers.get_mut(..usize::try_from(count).unwrap_or(MOST)).unwrap_or_default();
        let mut at = 0;
        let mut take = |len: u32| {
            at += len;
            field(bits, at - len, len)
        };
        match self.digit {
            Digit::None => wanted.iter_mut().for_each(|number| number.bits = take(self.bits)),
            Digit::Trit => groups(wanted, TRITS, take, self.bits, trits),
            Digit::Quint => groups(wanted, QUINTS, take, self.bits, quints),
        }
        numbers
    }
}

/// Reads groups of numbers, whose digits share bits.
fn groups<const N: usize>(
    numbers: &mut [Number],
    widths: [u32; N],
    mut take: impl FnMut(u32) -> u32,
    bits: u32,
    digits: impl Fn(u32) -> [u32; N],
) {
    for group in numbers.chunks_mut(N) {
        let (mut packed, mut at, mut low) = (0, 0, [0; N]);
        for (low, width) in low.iter_mut().zip(widths) {
            *low = take(bits);
            packed |= take(width) << at;
            at += width;
        }
        for ((number, low), digit) in group.iter_mut().zip(low).zip(digits(packed)) {
            *number = Number { digit, bits: low };
        }
    }
}

/// Five trits of eight bits.
fn trits(packed: u32) -> [u32; 5] {
    let bit = |at: u32| packed >> at & 1;
    let (c, t3, t4) = if packed >> 2 & 7 == 7 {
        (packed >> 5 << 2 | packed & 3, 2, 2)
    } else if packed >> 5 & 3 == 3 {
        (packed & 31, bit(7), 2)
    } else {
        (packed & 31, packed >> 5 & 3, bit(7))
    };
    let of = |at: u32| c >> at & 1;
    let (t0, t1, t2) = if c & 3 == 3 {
        (of(3) << 1 | of(2) & !of(3), of(4), 2)
    } else if c >> 2 & 3 == 3 {
        (c & 3, 2, 2)
    } else {
        (of(1) << 1 | of(0) & !of(1), c >> 2 & 3, of(4))
    };
    [t0, t1, t2, t3, t4]
}

/// Three quints of seven bits.
fn quints(packed: u32) -> [u32; 3] {
    let bit = |at: u32| packed >> at & 1;
    let (high, low) = (packed >> 5 & 3, packed >> 1 & 3);
    if low == 3 && high == 0 {
        let q2 = bit(0) << 2 | (bit(4) & !bit(0)) << 1 | bit(3) & !bit(0);
        return [4, 4, q2];
    }
    let (c, q2) =
        if low == 3 { ((packed >> 3 & 3) << 3 | (!high & 3) << 1 | bit(0), 4) } else { (packed & 31, high) };
    let (q0, q1) = if c & 7 == 5 { (c >> 3 & 3, 4) } else { (c & 7, c >> 3 & 3) };
    [q0, q1, q2]
}
