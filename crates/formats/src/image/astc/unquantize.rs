//! Numbers of sequences as shares: of 255 for colours, of 64 for weights.
//!
//! Bits alone are repeated. Numbers with a digit are scattered by a product, and mirrored by their lowest bit.

use super::sequence::{Digit, Number, Range};

/// Repeats bits until there are enough.
fn repeated(value: u32, bits: u32, wanted: u32) -> u32 {
    let (mut whole, mut len) = (0, 0);
    while len < wanted {
        whole = whole << bits | value;
        len += bits;
    }
    whole >> (len - wanted)
}

/// A value of a colour, of 255.
pub(super) fn color(range: Range, number: Number) -> u32 {
    let above = number.bits >> 1;
    let (scattered, factor) = match (range.digit, range.bits) {
        (Digit::None, bits) => return repeated(number.bits, bits, 8),
        (Digit::Trit, 1) => (0, 204),
        (Digit::Trit, 2) => (above * 0x116, 93),
        (Digit::Trit, 3) => (above << 7 | above << 2 | above, 44),
        (Digit::Trit, 4) => (above << 6 | above, 22),
        (Digit::Trit, 5) => (above << 5 | above >> 2, 11),
        (Digit::Trit, _) => (above << 4 | above >> 4, 5),
        (Digit::Quint, 1) => (0, 113),
        (Digit::Quint, 2) => (above * 0x10C, 54),
        (Digit::Quint, 3) => (above << 7 | above << 1 | above >> 1, 26),
        (Digit::Quint, 4) => (above << 6 | above >> 1, 13),
        (Digit::Quint, _) => (above << 5 | above >> 3, 6),
    };
    let mirror = if number.bits & 1 == 1 { 0x1FF } else { 0 };
    mirror & 0x80 | ((number.digit * factor + scattered) ^ mirror) >> 2
}

/// A weight, of 64.
pub(super) fn weight(range: Range, number: Number) -> u32 {
    let above = number.bits >> 1;
    let of_63 = match (range.digit, range.bits) {
        (Digit::None, bits) => repeated(number.bits, bits, 6),
        (Digit::Trit, 0) => [0, 32, 63].get(number.digit as usize).copied().unwrap_or(0),
        (Digit::Quint, 0) => [0, 16, 32, 47, 63].get(number.digit as usize).copied().unwrap_or(0),
        (digit, bits) => {
            let (scattered, factor) = match (digit, bits) {
                (Digit::Trit, 1) => (0, 50),
                (Digit::Trit, 2) => (above * 0x45, 23),
                (Digit::Trit, _) => (above << 5 | above, 11),
                (_, 1) => (0, 28),
                (_, _) => (above * 0x42, 13),
            };
            let mirror = if number.bits & 1 == 1 { 0x7F } else { 0 };
            mirror & 0x20 | ((number.digit * factor + scattered) ^ mirror) >> 2
        }
    };
    if of_63 > 32 { of_63 + 1 } else { of_63 }
}
