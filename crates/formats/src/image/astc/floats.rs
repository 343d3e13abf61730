//! Values of 16 bits as half floats.

/// One.
pub(super) const ONE: u16 = 0x3C00;

/// The largest finite number.
const LARGEST: u32 = 0x7BFF;

/// A half float of a fraction of 65,535. All but the whole is a fraction of 65,536, rounded towards zero.
pub(super) fn of_fraction(value: u32) -> u16 {
    let float = match value {
        0xFFFF.. => u32::from(ONE),
        // Too small for an exponent.
        0..4 => value << 8,
        _ => {
            let top = value.ilog2();
            let mantissa = if top > 10 { value >> (top - 10) } else { value << (10 - top) };
            (top - 1) << 10 | mantissa & 0x3FF
        }
    };
    u16::try_from(float).unwrap_or(0)
}

/// A half float of a logarithm: five bits of exponent, and eleven that stand for ten by three straight lines.
pub(super) fn of_logarithm(value: u32) -> u16 {
    let (exponent, mantissa) = (value >> 11, value & 0x7FF);
    let straight = match mantissa {
        0..512 => 3 * mantissa,
        512..1536 => 4 * mantissa - 512,
        _ => 5 * mantissa - 2048,
    };
    u16::try_from((exponent << 10 | straight >> 3).min(LARGEST)).unwrap_or(0)
}
