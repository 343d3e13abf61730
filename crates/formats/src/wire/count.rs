//! Numbers in messages, for people.

/// Formats a number with separators: `1,234,567`.
#[must_use]
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        // Counted from the right: a separator precedes every group of three except the first.
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a number and its unit: `1 chunk`, `1,234 chunks`. Every message with a count uses this.
#[must_use]
pub fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(number), if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_not_many() {
        for (number, shown) in
            [(0, "0 chunks"), (1, "1 chunk"), (2, "2 chunks"), (999, "999 chunks"), (1000, "1,000 chunks")]
        {
            assert_eq!(counted(number, "chunk", "chunks"), shown);
        }
        assert_eq!(count(u64::MAX), "18,446,744,073,709,551,615");
        assert_eq!(count(123_456), "123,456");
    }
}
