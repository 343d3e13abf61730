//! The string type `FString`: a signed length, then bytes or UTF-16 units, NUL-terminated.

use super::{Fault, FaultKind, Reader};

/// The two encodings, distinguished by the sign of the length.
enum Encoded<'a> {
    Bytes(&'a [u8]),
    Utf16(&'a [u8]),
}

impl Reader<'_> {
    /// Reads an `FString`; see the module docs for its three forms.
    ///
    /// Text that is neither valid UTF-8 nor UTF-16 is decoded as Latin-1, or with replacement characters.
    pub fn string(&mut self, field: &'static str) -> Result<String, Fault> {
        Ok(match take(self, field)? {
            Encoded::Bytes(bytes) => match std::str::from_utf8(bytes) {
                // Writers emit ASCII; Latin-1 is the fallback for everything else.
                Ok(text) => text.to_owned(),
                Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
            },
            Encoded::Utf16(bytes) => {
                let (units, _) = bytes.as_chunks::<2>();
                char::decode_utf16(units.iter().map(|unit| u16::from_le_bytes(*unit)))
                    .map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER))
                    .collect()
            }
        })
    }

    /// Skips an `FString` without decoding it.
    pub fn skip_string(&mut self, field: &'static str) -> Result<(), Fault> {
        take(self, field).map(drop)
    }
}

/// Takes the bytes of a string without its terminator.
fn take<'a>(r: &mut Reader<'a>, field: &'static str) -> Result<Encoded<'a>, Fault> {
    let start = r.clone();
    let bad = || start.fault(field, FaultKind::BadString);
    let len = r.i32(field)?;
    // The magnitude is the length in bytes or units, terminator included.
    let count = u64::from(len.unsigned_abs());
    match len {
        0 => Ok(Encoded::Bytes(&[])),
        1.. => {
            // The terminator is counted, but is no part of the text.
            let (last, text) = r.bytes64(field, count)?.split_last().ok_or_else(bad)?;
            if *last == 0 { Ok(Encoded::Bytes(text)) } else { Err(bad()) }
        }
        _ => {
            // `i32::MIN` has no positive counterpart; its magnitude fails the length check like any other.
            let bytes = r.bytes64(field, count * 2)?;
            let (text, last) = bytes.split_last_chunk::<2>().ok_or_else(bad)?;
            if *last == [0, 0] { Ok(Encoded::Utf16(text)) } else { Err(bad()) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(bytes: &[u8]) -> Result<String, Fault> {
        let mut r = Reader::new(bytes);
        let text = r.string("text")?;
        r.finish("text")?;
        Ok(text)
    }

    #[test]
    fn all_forms() {
        assert_eq!(parse(b"\0\0\0\0").unwrap(), "");
        assert_eq!(parse(b"\x03\0\0\0ab\0").unwrap(), "ab");
        assert_eq!(parse(b"\x02\0\0\0\xE9\0").unwrap(), "é", "Latin-1 where it is not UTF-8");
        assert_eq!(parse(b"\xFD\xFF\xFF\xFF\xE9\0\x3D\xD8\0\0").unwrap(), "é\u{FFFD}", "a lone surrogate");
    }

    #[test]
    fn hostile_lengths() {
        assert_eq!(parse(b"\0\0\0\x80").unwrap_err().kind, FaultKind::Truncated { needed: 1 << 32, left: 0 });
        assert!(matches!(parse(b"\xFF\xFF\xFF\x7Fab").unwrap_err().kind, FaultKind::Truncated { .. }));
        assert_eq!(parse(b"\x02\0\0\0ab").unwrap_err().kind, FaultKind::BadString, "no NUL");
        assert_eq!(parse(b"\xFF\xFF\xFF\xFFab").unwrap_err().kind, FaultKind::BadString, "no UTF-16 NUL");
    }
}
