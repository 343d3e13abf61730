//! The closest match for a mistyped name.

/// Longest name that is compared, in characters: nobody types longer ones.
const MAX_LEN: usize = 64;
/// Upper bound on the names that are compared.
const MAX_NAMES: usize = 1 << 14;

/// The name closest to `wanted`, if one differs in only a few letters. Two swapped letters count as one difference.
pub(super) fn nearest<'n>(wanted: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let wanted: Vec<char> = wanted.chars().flat_map(char::to_lowercase).collect();
    // Of one or two letters, any name would be close.
    if !(3..=MAX_LEN).contains(&wanted.len()) {
        return None;
    }
    // One letter in four may differ.
    let most = (wanted.len() / 4).max(1);
    let mut best: Option<(usize, &str)> = None;
    for name in names.into_iter().take(MAX_NAMES) {
        let limit = best.map_or(most + 1, |(cost, _)| cost);
        let letters: Vec<char> = name.chars().take(MAX_LEN + 1).flat_map(char::to_lowercase).collect();
        // Names whose lengths differ by more cannot be closer: skip the quadratic comparison.
        if letters.len().abs_diff(wanted.len()) < limit {
            let differences = differences(&wanted, &letters);
            if differences < limit {
                best = Some((differences, name));
            }
        }
    }
    best.map(|(_, name)| name)
}

/// Number of letters to add, remove, replace or swap with a neighbour (optimal string alignment).
fn differences(one: &[char], other: &[char]) -> usize {
    // Three rows of the table of distances between prefixes are enough.
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=other.len()).collect();
    let mut previous = None;
    for (row, letter) in one.iter().enumerate() {
        let mut next = vec![row + 1];
        let mut left = None;
        for (column, found) in other.iter().enumerate() {
            let at = |row: &[usize], column: usize| row.get(column).copied().unwrap_or(usize::MAX / 2);
            let replaced = at(&last, column) + usize::from(letter != found);
            let mut cost = replaced.min(at(&last, column + 1) + 1).min(at(&next, column) + 1);
            // Two neighbouring letters are swapped: one difference instead of two.
            if previous == Some(found) && left == Some(letter) {
                cost = cost.min(at(&before, column.wrapping_sub(1)) + 1);
            }
            next.push(cost);
            left = Some(found);
        }
        previous = Some(letter);
        before = std::mem::replace(&mut last, next);
    }
    last.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typos_find_the_name_that_was_meant() {
        let names = ["Beta", "Alpha", "OpenAngle", "Byte"];
        for (typed, meant) in [
            ("Alhpa", Some("Alpha")),
            ("openangel", Some("OpenAngle")),
            ("Bite", Some("Byte")),
            ("Bet", Some("Beta")),
            ("Gamma", None),
            ("By", None),
        ] {
            assert_eq!(nearest(typed, names), meant, "{typed}");
        }
    }

    #[test]
    fn swapped_letters_are_one_difference() {
        let count = |one: &str, other: &str| {
            differences(&one.chars().collect::<Vec<_>>(), &other.chars().collect::<Vec<_>>())
        };
        assert_eq!(count("abcd", "abdc"), 1);
        assert_eq!(count("abcd", "abcd"), 0);
        assert_eq!(count("", "abc"), 3);
        assert_eq!(count("kitten", "sitting"), 3);
    }
}
