//! The compact index: a signed number in one to five bytes.
//!
//! ```text
//! byte 0    sign │ more │ bits 0–5          bytes 1–3   more │ 7 bits          byte 4   5 bits
//! ```
//!
//! The magnitude is stored, not the two's complement; minus zero is zero, and forms longer than needed are legal.

use crate::wire::{Fault, FaultKind, Reader, Writer};

/// Reads a compact index.
///
/// ```
/// # use uncask_formats as uncask;
/// use uncask::{package::classic::compact, wire::Reader};
///
/// assert_eq!(compact::read(&mut Reader::new(&[0xE0, 0xEE, 0x02]), "index")?, -23456);
/// # Ok::<(), uncask::wire::Fault>(())
/// ```
pub fn read(r: &mut Reader<'_>, field: &'static str) -> Result<i32, Fault> {
    let at = r.clone();
    let first = r.u8(field)?;
    // Only the first byte spends a bit on the sign, so it carries six bits of the value and the others seven.
    let mut value = u64::from(first & 0x3F);
    let mut more = first & 0x40 != 0;
    let mut shift = 6;
    while more {
        let byte = r.u8(field)?;
        // The fifth byte has no room for a flag.
        let last = shift == 27;
        value |= u64::from(if last { byte } else { byte & 0x7F }) << shift;
        more = !last && byte & 0x80 != 0;
        shift += 7;
    }
    let kind = FaultKind::TooLarge { found: value, limit: i32::MAX.unsigned_abs().into() };
    // The magnitude is tested, not the signed value: five bytes can hold 35 bits.
    let magnitude = i32::try_from(value).map_err(|_| at.fault(field, kind))?;
    Ok(if first & 0x80 == 0 { magnitude } else { -magnitude })
}

/// Appends a compact index in as few bytes as it takes. `i32::MIN` has no compact form and becomes zero.
pub fn write(w: &mut Writer, value: i32) {
    let sign = if value < 0 { 0x80 } else { 0 };
    let mut rest = value.checked_abs().unwrap_or(0).unsigned_abs();
    // `rest` is reduced before each flag is computed, because the flag says if anything is left to write.
    let low = |rest: u32, bits: u32| u8::try_from(rest & ((1 << bits) - 1)).unwrap_or_default();
    let more = |rest: u32, flag: u8| if rest == 0 { 0 } else { flag };
    let first = low(rest, 6);
    rest >>= 6;
    w.u8(sign | more(rest, 0x40) | first);
    while rest != 0 {
        let byte = low(rest, 7);
        rest >>= 7;
        w.u8(more(rest, 0x80) | byte);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn published_vectors() {
        for (value, bytes) in [
            (0, &[0x00][..]),
            (1, &[0x01]),
            (-1, &[0x81]),
            (63, &[0x3F]),
            (64, &[0x40, 0x01]),
            (-64, &[0xC0, 0x01]),
            (127, &[0x7F, 0x01]),
            (128, &[0x40, 0x02]),
            (8191, &[0x7F, 0x7F]),
            (8192, &[0x40, 0x80, 0x01]),
            (1_048_575, &[0x7F, 0xFF, 0x7F]),
            (1_048_576, &[0x40, 0x80, 0x80, 0x01]),
            (134_217_727, &[0x7F, 0xFF, 0xFF, 0x7F]),
            (134_217_728, &[0x40, 0x80, 0x80, 0x80, 0x01]),
            (i32::MAX, &[0x7F, 0xFF, 0xFF, 0xFF, 0x0F]),
            (-23456, &[0xE0, 0xEE, 0x02]),
        ] {
            let mut r = Reader::new(bytes);
            assert_eq!(read(&mut r, "index").unwrap(), value);
            r.finish("index").unwrap();
            let mut w = Writer::new();
            write(&mut w, value);
            assert_eq!(w.into_bytes(), bytes, "{value}");
        }
    }

    #[test]
    fn odd_forms() {
        let read = |bytes: &[u8]| read(&mut Reader::new(bytes), "index");
        assert_eq!(read(&[0x80]), Ok(0), "minus zero");
        assert_eq!(read(&[0x41, 0x80, 0x00]), Ok(1), "longer than needed");
        assert!(matches!(read(&[0x40, 0x80]).unwrap_err().kind, FaultKind::Truncated { .. }));
        assert!(matches!(
            read(&[0x7F, 0xFF, 0xFF, 0xFF, 0xFF]).unwrap_err().kind,
            FaultKind::TooLarge { .. }
        ));
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(value in -i32::MAX..=i32::MAX) {
            let mut w = Writer::new();
            write(&mut w, value);
            let bytes = w.into_bytes();
            let mut r = Reader::new(&bytes);
            prop_assert_eq!(read(&mut r, "index"), Ok(value));
            prop_assert_eq!(r.remaining(), 0);
        }
    }
}
