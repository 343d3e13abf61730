//! Quick check of a package's raw bytes for a searched value, so that most packages need no decoding.

use crate::package::legacy::Package;
use crate::package::zen;
use regex::bytes::{Regex, RegexBuilder};
use std::fmt::Write;

/// A byte pattern that occurs in every package that can match.
#[derive(Debug, Clone)]
pub(super) struct Needle {
    bytes: Regex,
    /// True for a text, which may be in the name of an object or an enum value as well.
    is_text: bool,
}

/// Texts that values are displayed as without storing them.
const MADE: &str = "true false None bytes that were not understood";

impl Needle {
    /// Builds the pattern for a text that is part of a value. `None` for a text that may be composed of several names
    /// or of numbers.
    pub(super) fn of_text(text: &str) -> Option<Self> {
        // Paths join names with `.`, `/` and `:`, and numbered names add `_`, so only plain words are stored as a
        // whole.
        let is_plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b' ');
        // GUIDs are displayed as hex digits, but stored as bytes.
        let is_hex = text.bytes().all(|byte| byte.is_ascii_hexdigit());
        // Short texts such as `al` are part of a displayed `false`.
        let is_made = MADE.to_ascii_lowercase().contains(&text.to_ascii_lowercase());
        if !is_plain || is_hex || is_made {
            return None;
        }
        Some(Self { bytes: regex(&texts(text))?, is_text: true })
    }

    /// Builds the pattern for a number, as typed and as values may store it.
    pub(super) fn of_number(text: &str, float: f64, whole: Option<i128>) -> Option<Self> {
        let mut patterns = texts(text);
        #[expect(clippy::cast_possible_truncation, reason = "values are compared in the same way")]
        let single = float as f32;
        // A zero is a run of zero bytes, which every package has, and unversioned properties store no zeros at all.
        if single == 0.0 {
            return None;
        }
        patterns.extend([exact(&single.to_le_bytes()), exact(&float.to_le_bytes())]);
        if let Some(whole) = whole {
            // The low bytes come first, so the bytes of a narrow integer also match in wider ones.
            let width = match whole {
                // One byte occurs in every package, so a search for it excludes nothing.
                -0x80..=0xFF => return None,
                -0x8000..=0xFFFF => 2,
                -0x8000_0000..=0xFFFF_FFFF => 4,
                _ => 8,
            };
            patterns.push(exact(whole.to_le_bytes().get(..width)?));
        }
        Some(Self { bytes: regex(&patterns)?, is_text: false })
    }

    /// True if a zen package can match. Its header has no names of the objects that it imports, which texts may be in.
    pub(super) fn can_be_in_zen(&self, header: &zen::Header, chunk: &[u8]) -> bool {
        self.is_text || self.is_in(header.names.iter(), chunk)
    }

    /// True if a package can match.
    pub(super) fn can_be_in(&self, package: &Package, name: &str, data: &[u8]) -> bool {
        // Without tags, names of enum values come from mappings.
        if self.is_text && package.form.unversioned_properties {
            return true;
        }
        let names = package.names.iter().map(|name| name.text.as_str());
        self.is_in(names.chain([name]), data)
    }

    fn is_in<'n>(&self, mut names: impl Iterator<Item = &'n str>, data: &[u8]) -> bool {
        names.any(|name| self.bytes.is_match(name.as_bytes())) || self.bytes.is_match(data)
    }
}

/// Patterns of a text in the strings of a file: 8 or 16 bits per character, in any letter case. Two letters have a
/// third form, which is not ASCII.
fn texts(text: &str) -> Vec<String> {
    let (mut narrow, mut wide) = (String::new(), String::new());
    for c in text.chars() {
        let plain = regex::escape(c.encode_utf8(&mut [0; 4]));
        let [more, more_wide] = match c.to_ascii_lowercase() {
            // U+017F (long s) and U+212A (kelvin sign) fold to `s` and `k` in the comparison of values, so the bytes
            // must match, too.
            's' => [r"|\xC5\xBF", r"|\x7F\x01"],
            'k' => [r"|\xE2\x84\xAA", r"|\x2A\x21"],
            _ => ["", ""],
        };
        // Writing to a string cannot fail.
        let _ = write!(narrow, "(?:{plain}{more})");
        let _ = write!(wide, r"(?:{plain}\x00{more_wide})");
    }
    vec![format!("(?i:{narrow})"), format!("(?i:{wide})")]
}

/// Pattern of exactly these bytes.
fn exact(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut pattern, byte| {
        let _ = write!(pattern, r"\x{byte:02X}");
        pattern
    })
}

fn regex(patterns: &[String]) -> Option<Regex> {
    // Not in Unicode mode: the data is arbitrary bytes, not UTF-8.
    RegexBuilder::new(&patterns.join("|")).unicode(false).dot_matches_new_line(true).build().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_found_however_they_are_written() {
        let needle = Needle::of_text("Sky rock").unwrap();
        let wide: Vec<u8> = "\u{17F}KY ROC\u{212A}".encode_utf16().flat_map(u16::to_le_bytes).collect();
        for bytes in [&b"a big sKy Rock!"[..], &wide, "\u{17F}ky roc\u{212A}".as_bytes()] {
            assert!(needle.bytes.is_match(bytes), "{bytes:?}");
        }
        assert!(!needle.bytes.is_match(b"Skyrock"));
    }

    #[test]
    fn numbers_are_found_however_they_are_written() {
        let needle = Needle::of_number("-70000", -70000.0, Some(-70000)).unwrap();
        for bytes in [
            &(-70000_i32).to_le_bytes()[..],
            &(-70000_i64).to_le_bytes(),
            &(-70000_f32).to_le_bytes(),
            &(-70000_f64).to_le_bytes(),
            b"x-70000",
            b"-\x007\x000\x000\x000\x000\x00",
        ] {
            assert!(needle.bytes.is_match(bytes), "{bytes:?}");
        }
        assert!(!needle.bytes.is_match(&70000_i32.to_le_bytes()));
        let needle = Needle::of_number("1000", 1000.0, Some(1000)).unwrap();
        assert!(needle.bytes.is_match(&1000_i16.to_le_bytes()));
    }

    #[test]
    fn what_may_be_put_together_is_not_searched_for() {
        for text in ["/Game/A", "A_1", "DEAD", "bytes", "rue", "Größe", ""] {
            assert!(Needle::of_text(text).is_none(), "{text}");
        }
        for number in [0_i16, -1, 255, -128] {
            let found = Needle::of_number(&number.to_string(), number.into(), Some(number.into()));
            assert!(found.is_none(), "{number}");
        }
    }
}
