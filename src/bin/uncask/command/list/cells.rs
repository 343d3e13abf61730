//! Cells of a table. A listing may have millions, and formatting by `write!` would take most of its time.

/// Appends a text, a space, and before that so many more that the text takes `width` characters.
pub(super) fn left(text: &str, width: usize, out: &mut Vec<u8>) {
    out.extend_from_slice(text.as_bytes());
    spaces(width.saturating_sub(len(text)) + 1, out);
}

/// The same with the text at the right end.
pub(super) fn right(text: &str, width: usize, out: &mut Vec<u8>) {
    spaces(width.saturating_sub(len(text)), out);
    out.extend_from_slice(text.as_bytes());
    out.push(b' ');
}

fn len(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().count() }
}

fn spaces(count: usize, out: &mut Vec<u8>) {
    out.resize(out.len() + count, b' ');
}

/// A ratio that was rounded to three places, with two.
pub(super) fn ratio(ratio: f64) -> String {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a ratio of sizes, rounded")]
    let thousandths = (ratio * 1000.0).round() as u64;
    if thousandths % 10 == 5 {
        // Just between two: the next bits of the number tell which.
        return format!("{ratio:.2}");
    }
    let hundredths = (thousandths + 5) / 10;
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_what_formatting_gives() {
        for text in ["", "a", "abc", "abcdef", "äöü"] {
            let mut out = Vec::new();
            left(text, 4, &mut out);
            right(text, 4, &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), format!("{text:<4} {text:>4} "));
        }
        for n in (0..20_000).chain([123_456_789]) {
            let value = f64::from(n) / 1000.0;
            assert_eq!(ratio(value), format!("{value:.2}"));
        }
    }
}
