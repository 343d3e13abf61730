//! Cells of a table. A listing may have millions: they are written in their places, with no text made for each.

use std::fmt::{self, Display, Formatter};
use std::io::{self, Write};

/// Appends a text, a space, and before that so many more that the text takes `width` characters.
pub(super) fn left(text: &str, width: usize, out: &mut Vec<u8>) {
    out.extend_from_slice(text.as_bytes());
    let len = if text.is_ascii() { text.len() } else { text.chars().count() };
    spaces(width.saturating_sub(len) + 1, out);
}

/// Appends a value of single-byte characters, and before it so many spaces that it takes `width`; then one more.
pub(super) fn right(value: impl Display, width: usize, out: &mut Vec<u8>) -> io::Result<()> {
    let start = out.len();
    write!(out, "{value}")?;
    let pad = width.saturating_sub(out.len() - start);
    spaces(pad, out);
    if let Some(cell) = out.get_mut(start..) {
        cell.rotate_right(pad);
    }
    out.push(b' ');
    Ok(())
}

fn spaces(count: usize, out: &mut Vec<u8>) {
    out.resize(out.len() + count, b' ');
}

/// A ratio that was rounded to three places, with two.
pub(super) struct Ratio(pub f64);

impl Display for Ratio {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a ratio of sizes, rounded"
        )]
        let thousandths = (self.0 * 1000.0).round() as u64;
        if thousandths % 10 == 5 {
            // Just between two: the next bits of the number tell which.
            return write!(f, "{:.2}", self.0);
        }
        let hundredths = (thousandths + 5) / 10;
        write!(f, "{}.{:02}", hundredths / 100, hundredths % 100)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_what_formatting_gives() {
        for text in ["", "a", "abc", "abcdef", "äöü"] {
            let mut out = Vec::new();
            left(text, 4, &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), format!("{text:<4} "));
        }
        for number in [0, 12, 1234, 123_456] {
            let mut out = b"before".to_vec();
            right(number, 4, &mut out).unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), format!("before{number:>4} "));
        }
        for n in (0..20_000).chain([123_456_789]) {
            let value = f64::from(n) / 1000.0;
            assert_eq!(Ratio(value).to_string(), format!("{value:.2}"));
        }
    }
}
