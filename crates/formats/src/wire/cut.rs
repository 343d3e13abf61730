/// Returns the start of a text: at most `len` bytes, without splitting a character.
#[must_use]
pub fn start_of(text: &str, len: usize) -> &str {
    // A character has at most four bytes, so a boundary is found within four steps.
    let end = (0..=len.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
    text.get(..end.unwrap_or(0)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_stay_whole() {
        for (len, start) in
            [(0, ""), (1, "a"), (2, "a"), (3, "aé"), (4, "aé"), (6, "aé"), (7, "aé𝄞"), (99, "aé𝄞")]
        {
            assert_eq!(start_of("aé𝄞", len), start, "{len}");
        }
    }
}
