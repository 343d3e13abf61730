//! Numbers: integers of each width, `float` and `double`.

use super::prelude::*;
use crate::property::edit::{float, number};

/// Makes the descriptions of integers.
macro_rules! whole_numbers {
    ($($form:ident($of:ty): $variant:ident $read:ident;)*) => {$(
        describe! {
            $form($of): leaf;
            write(number, w) { w.bytes(&number.to_le_bytes()); }
            text(number, _) { Some(number.to_string().into()) }
            key(number, _) { Some(number.to_string().into()) }
            shown(number, _, s) { number.serialize(s) }
            tree(number, _, tag, s) { one(s, tag, number) }
            from_tree(_, part, _) { part.number().map(Value::$variant) }
            assign(held, _, wish) { number(held, wish.given, wish.at)?; }
            is_zero(number, _) { *number == 0 }
            // Zeros of all widths look alike.
            property { size_of::<$of>(), d => d.$read(), Value::Int(0), (_, _) => true }
        }
    )*};
}

whole_numbers! {
    Int8Value(i8): Int8 int8;
    Int16Value(i16): Int16 int16;
    IntValue(i32): Int int;
    Int64Value(i64): Int64 int64;
    ByteValue(u8): Byte byte;
    UInt16Value(u16): UInt16 uint16;
    UInt32Value(u32): UInt32 uint32;
    UInt64Value(u64): UInt64 uint64;
}

/// Makes the descriptions of floating-point numbers. Documents hold NaN and infinity as their bits, in hex
/// digits.
macro_rules! floats {
    ($(
        $form:ident($of:ty): $variant:ident $read:ident $shown:ident $from:ident $digits:literal $what:literal;
    )*) => {$(
        describe! {
            $form($of): leaf;
            write(number, w) { w.bytes(&number.to_le_bytes()); }
            text(number, _) { Some(number.to_string().into()) }
            key(number, _) { Some(number.to_string().into()) }
            shown(number, _, s) { $shown(*number, s) }
            tree(number, _, tag, s) {
                // JSON has neither infinity nor NaN, and NaN has many bit patterns.
                if !number.is_finite() {
                    return one(s, tag, &format!($digits, number.to_bits()));
                }
                one(s, tag, number)
            }
            from_tree(_, part, _) { $from(part).map(Value::$variant) }
            assign(number, _, wish) { *number = float(wish.given).ok_or_else(|| wish.refused($what))?; }
            // Minus zero has the sign bit set, so it needs its bytes.
            is_zero(number, _) { number.to_bits() == 0 }
            property { size_of::<$of>(), d => d.$read(), Value::$variant(0.0), (_, _) => true }
        }
    )*};
}

floats! {
    FloatValue(f32): Float float float_shown float_from "{:08x}" "a float";
    DoubleValue(f64): Double double double_shown double_from "{:016x}" "a double";
}

/// Shows a float; a number that JSON lacks becomes a string.
fn float_shown<S: Serializer>(value: f32, s: S) -> Result<S::Ok, S::Error> {
    // Shown with the digits of a float, not those of the double it equals.
    if value.is_finite() { s.serialize_f32(value) } else { double_shown(value.into(), s) }
}

fn double_shown<S: Serializer>(value: f64, s: S) -> Result<S::Ok, S::Error> {
    match value {
        value if value.is_finite() => s.serialize_f64(value),
        value if value.is_nan() => s.serialize_str("NaN"),
        // Spelled as .NET spells them, as FModel's documents are written by it.
        value if value > 0.0 => s.serialize_str("Infinity"),
        _ => s.serialize_str("-Infinity"),
    }
}

/// Reads a number, or its bits as hex digits.
fn float_from(part: &SourcePart<'_>) -> Result<f32, JsonError> {
    if let Some(bits) = part.json.as_str() {
        let bits = u32::from_str_radix(bits, 16);
        return bits
            .map(f32::from_bits)
            .map_err(|_| part.expected("a number, or the bits of one as eight hex digits"));
    }
    let number = part.json.as_f64().ok_or_else(|| part.expected("a number"))?;
    #[expect(clippy::cast_possible_truncation, reason = "the digits are those of a float")]
    let float = number as f32;
    // A larger number would become infinite.
    if float.is_finite() { Ok(float) } else { Err(part.expected("a number that fits a float")) }
}

fn double_from(part: &SourcePart<'_>) -> Result<f64, JsonError> {
    if let Some(bits) = part.json.as_str() {
        let bits = u64::from_str_radix(bits, 16);
        return bits
            .map(f64::from_bits)
            .map_err(|_| part.expected("a number, or the bits of one as 16 hex digits"));
    }
    part.json.as_f64().ok_or_else(|| part.expected("a number"))
}
