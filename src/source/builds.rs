//! Builds of a game by their paths: their names, and their order.

use std::cmp::Ordering;
use std::path::PathBuf;

/// Names of builds: the parts of their paths that not all of them share. A single one has the last part of its path.
///
/// ```
/// let paths = ["s3://builds/1.0/Paks", "s3://builds/1.1/Paks"].map(Into::into);
/// assert_eq!(uncask::source::build_names(&paths), ["1.0", "1.1"]);
/// ```
#[must_use]
pub fn build_names(paths: &[PathBuf]) -> Vec<String> {
    let texts: Vec<String> = paths.iter().map(|path| path.to_string_lossy().into_owned()).collect();
    let parts: Vec<Vec<&str>> = texts
        .iter()
        .map(|text| text.split(['/', '\\']).filter(|part| !part.is_empty() && *part != ".").collect())
        .collect();
    let Some((first, others)) = parts.split_first() else { return Vec::new() };
    if others.iter().all(|other| other == first) {
        return parts.iter().map(|parts| parts.last().copied().unwrap_or_default().to_owned()).collect();
    }
    let in_front = |(at, part): &(usize, &&str)| others.iter().all(|other| other.get(*at) == Some(*part));
    let front = first.iter().enumerate().take_while(in_front).count();
    let at_back =
        |(at, part): &(usize, &&str)| others.iter().all(|other| other.iter().rev().nth(*at) == Some(*part));
    let back = first.iter().rev().enumerate().take_while(at_back).count();
    let name = |parts: &Vec<&str>| {
        // A path that is the start of another one would have no name.
        let end = parts.len().saturating_sub(back).max(front + 1).min(parts.len());
        parts.get(front.min(end.saturating_sub(1))..end).unwrap_or_default().join("/")
    };
    parts.iter().map(name).collect()
}

/// The order of names with numbers in them: `1.9` comes before `1.10`.
#[must_use]
pub fn natural_order(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (a, b);
    loop {
        let [(digits_a, rest_a), (digits_b, rest_b)] = [a, b].map(|text| {
            let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
            text.split_at(end)
        });
        if !digits_a.is_empty() && !digits_b.is_empty() {
            let [x, y] = [digits_a, digits_b].map(|digits| digits.trim_start_matches('0'));
            match x.len().cmp(&y.len()).then_with(|| x.cmp(y)) {
                Ordering::Equal => (a, b) = (rest_a, rest_b),
                order => return order,
            }
            continue;
        }
        let (mut chars_a, mut chars_b) = (a.chars(), b.chars());
        match (chars_a.next(), chars_b.next()) {
            (Some(x), Some(y)) if x == y => (a, b) = (chars_a.as_str(), chars_b.as_str()),
            (x, y) => return x.cmp(&y),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builds_are_named_by_what_differs() {
        let names = |paths: &[&str]| build_names(&paths.iter().map(Into::into).collect::<Vec<_>>());
        assert_eq!(names(&["s3://b/1.0/Paks", "s3://b/1.1/Paks"]), ["1.0", "1.1"]);
        assert_eq!(names(&["a/x/1/P", "a/y/2/P"]), ["x/1", "y/2"]);
        assert_eq!(names(&[r"C:\G\1\Paks", r"C:\G\2\Paks"]), ["1", "2"]);
        assert_eq!(names(&["a/x.utoc", "a/y.utoc"]), ["x.utoc", "y.utoc"]);
        assert_eq!(names(&["games/One/"]), ["One"]);
        assert_eq!(names(&["a/b", "a/b/c"]), ["b", "c"]);
        assert_eq!(names(&["a", "a"]), ["a", "a"]);
        assert!(names(&[]).is_empty());
    }

    #[test]
    fn numbers_are_compared_as_numbers() {
        let mut names = ["1.10", "1.9", "1.0", "2", "1.9b", "a", "1.09"];
        names.sort_by(|a, b| natural_order(a, b).then_with(|| a.cmp(b)));
        assert_eq!(names, ["1.0", "1.09", "1.9", "1.9b", "1.10", "2", "a"]);
    }
}
