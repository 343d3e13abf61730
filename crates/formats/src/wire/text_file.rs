//! Decodes text files written by people: lists, keys, tables.

use std::borrow::Cow;

/// Error for bytes that are not text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not {encoding} at offset {offset:#x}")]
pub struct NotText {
    /// Encoding assumed from the first bytes: `UTF-8`, `UTF-16LE` or `UTF-16BE`.
    pub encoding: &'static str,
    /// Offset of the first invalid byte.
    pub offset: usize,
}

/// Decodes a file in UTF-8, or in UTF-16 with a byte-order mark, as `>` of Windows PowerShell writes it. The
/// byte-order mark is removed.
///
/// ```text
/// EF BB BF   UTF-8; the mark is optional
/// FF FE      UTF-16, little-endian
/// FE FF      UTF-16, big-endian
/// ```
///
/// ```
/// use uncask_formats::wire::decode_text;
///
/// assert_eq!(decode_text(b"\xEF\xBB\xBFkey")?, "key");
/// assert_eq!(decode_text(b"\xFF\xFEk\0e\0y\0")?, "key");
/// # Ok::<(), uncask_formats::wire::NotText>(())
/// ```
pub fn decode_text(bytes: &[u8]) -> Result<Cow<'_, str>, NotText> {
    match bytes {
        [0xFF, 0xFE, units @ ..] => utf16("UTF-16LE", units, u16::from_le_bytes).map(Cow::Owned),
        [0xFE, 0xFF, units @ ..] => utf16("UTF-16BE", units, u16::from_be_bytes).map(Cow::Owned),
        _ => {
            let not_text =
                |error: std::str::Utf8Error| NotText { encoding: "UTF-8", offset: error.valid_up_to() };
            let text = std::str::from_utf8(bytes).map_err(not_text)?;
            // The mark is no part of the text.
            Ok(text.strip_prefix('\u{FEFF}').unwrap_or(text).into())
        }
    }
}

/// Decodes the units after a byte-order mark.
fn utf16(encoding: &'static str, bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, NotText> {
    let (pairs, rest) = bytes.as_chunks();
    let mut text = String::with_capacity(bytes.len());
    // The mark is the first unit, so that offsets count from the start of the file.
    let mut units = 1;
    for c in char::decode_utf16(pairs.iter().copied().map(unit)) {
        let c = c.map_err(|_| NotText { encoding, offset: 2 * units })?;
        units += c.len_utf16();
        text.push(c);
    }
    // An odd number of bytes ends within a unit.
    if rest.is_empty() { Ok(text) } else { Err(NotText { encoding, offset: 2 * units }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_says_what_a_file_is() {
        for bytes in [
            &b"a\xC3\xA4\xF0\x9F\x98\x80\r\n"[..],
            b"\xEF\xBB\xBFa\xC3\xA4\xF0\x9F\x98\x80\r\n",
            b"\xFF\xFEa\0\xE4\0\x3D\xD8\x00\xDE\r\0\n\0",
            b"\xFE\xFF\0a\0\xE4\xD8\x3D\xDE\x00\0\r\0\n",
        ] {
            assert_eq!(decode_text(bytes).unwrap(), "aä😀\r\n", "{bytes:x?}");
        }
        assert_eq!(decode_text(b"").unwrap(), "");
        assert_eq!(decode_text(b"\xFF\xFE").unwrap(), "");
        assert!(matches!(decode_text(b"plain"), Ok(Cow::Borrowed("plain"))), "nothing is copied");
    }

    #[test]
    fn what_is_no_text_is_found() {
        for (bytes, encoding, offset) in [
            (&b"ab\xFFcd"[..], "UTF-8", 2),
            (b"\xFF\xFEa\0\x3D\xD8b\0", "UTF-16LE", 4),
            (b"\xFF\xFE\x3D\xD8", "UTF-16LE", 2),
            (b"\xFF\xFE\x3D\xD8\x00\xDEa\0\n", "UTF-16LE", 8),
            (b"\xFE\xFF\xDE\0", "UTF-16BE", 2),
        ] {
            assert_eq!(decode_text(bytes), Err(NotText { encoding, offset }), "{bytes:x?}");
        }
    }
}
