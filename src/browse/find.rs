//! Finds the rows that match a search.

use super::paths::Paths;
use crate::game::{CancelToken, Cpu};
use memchr::memmem;
use std::ops::Range;

/// Rows searched between two checks for cancellation.
const PART: usize = 16_384;

/// Number of rows from which they stay in the order of their paths: ranking that many would take longer than finding them.
const RANKED: usize = 100_000;

/// Sort order of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Order {
    /// By path.
    #[default]
    Path,
    /// By size, smallest first.
    Size,
}

/// Rows that contain all words in their path and pass a filter, in path order. `None` if cancelled.
pub(super) fn find(
    paths: &Paths,
    cpu: &Cpu,
    rows: Range<usize>,
    words: &[String],
    takes: &(dyn Fn(usize) -> bool + Sync),
    cancel: &CancelToken,
) -> Option<Vec<u32>> {
    // Parts are fixed ranges of rows, so results stay in order when they are joined.
    let starts: Vec<usize> = rows.clone().step_by(PART).collect();
    let found = cpu.map(&starts, |start| {
        let part = *start..rows.end.min(start + PART);
        if cancel.is_cancelled() { Vec::new() } else { in_part(paths, part, words, takes) }
    });
    (!cancel.is_cancelled()).then(|| found.concat())
}

fn in_part(paths: &Paths, rows: Range<usize>, words: &[String], takes: &dyn Fn(usize) -> bool) -> Vec<u32> {
    let Some((first, others)) = words.split_first() else {
        return rows.filter(|row| takes(*row)).map(number).collect();
    };
    // All paths are one text, so the first word is searched in a single pass; the others only in its hits.
    let text = paths.text(&rows);
    let before = paths.start(rows.start);
    let finder = memmem::Finder::new(first);
    let (mut found, mut from, mut row) = (Vec::new(), 0, rows.start);
    while let Some(at) = text.get(from..).and_then(|rest| finder.find(rest.as_bytes())) {
        // Hits come in ascending order, so the search for the row starts at the last one.
        row = paths.row_at(before + from + at, row);
        let path = paths.path(row).as_bytes();
        if others.iter().all(|word| memmem::find(path, word.as_bytes()).is_some()) && takes(row) {
            found.push(number(row));
        }
        // One hit per path is enough: continue with the next path.
        row += 1;
        from = paths.start(row) - before;
    }
    found
}

/// Moves rows with a file of exactly this name to the front, then those whose file starts with it; both keep their order.
pub(super) fn best_first(paths: &Paths, cpu: &Cpu, rows: Vec<u32>, words: &[String]) -> Vec<u32> {
    let [word] = words else { return rows };
    if rows.len() > RANKED {
        return rows;
    }
    let ranked = cpu.map(rows.chunks(PART), |part| {
        let mut ranks = [Vec::new(), Vec::new(), Vec::new()];
        for row in part {
            let path = paths.path(*row as usize);
            let file = path.rsplit_once('/').map_or(path, |(_, file)| file);
            let [same, starting, others] = &mut ranks;
            match file.strip_prefix(word.as_str()) {
                Some(rest) if rest.is_empty() || rest.starts_with('.') => same.push(*row),
                Some(_) => starting.push(*row),
                None => others.push(*row),
            }
        }
        ranks
    });
    // Rank by rank, and within a rank in the order of the parts.
    (0..3)
        .flat_map(|rank| ranked.iter().filter_map(move |ranks| ranks.get(rank)))
        .flatten()
        .copied()
        .collect()
}

/// Sorts rows that are in path order.
pub(super) fn sort(paths: &Paths, rows: Vec<u32>, order: Order, is_reversed: bool) -> Vec<u32> {
    let mut rows = match order {
        Order::Path => rows,
        Order::Size => by_size(paths, rows),
    };
    if is_reversed {
        rows.reverse();
    }
    rows
}

fn by_size(paths: &Paths, mut rows: Vec<u32>) -> Vec<u32> {
    // The order of all rows by size is cached. For few rows sorting is faster than picking them out of it.
    if rows.len() < paths.len() / 8 {
        rows.sort_by_cached_key(|row| paths.bytes(*row as usize));
        return rows;
    }
    let mut is_wanted = vec![false; paths.len()];
    for row in rows {
        if let Some(is_wanted) = is_wanted.get_mut(row as usize) {
            *is_wanted = true;
        }
    }
    let is_wanted = |row: &&u32| is_wanted.get(**row as usize).copied().unwrap_or(false);
    paths.by_len().iter().filter(is_wanted).copied().collect()
}

/// Converts a row to its 32-bit number.
fn number(row: usize) -> u32 {
    u32::try_from(row).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::browse::paths::tests::paths_of;
    use crate::browse::query::Query;

    fn found(paths: &Paths, rows: Range<usize>, text: &str) -> Vec<u32> {
        let query = Query::parse(text).unwrap();
        let takes = |row| query.sizes.is_none_or(|(least, _)| paths.bytes(row) >= least);
        find(paths, &Cpu::default(), rows, &query.words, &takes, &CancelToken::default()).unwrap()
    }

    #[test]
    fn words_are_found_once_in_each_path_and_only_in_their_folder() {
        let index =
            paths_of(&[("A/rock_rock.txt", 1), ("A/tree.txt", 2), ("B/Rock.bin", 3), ("rock/c.txt", 4)]);
        assert_eq!(found(&index, 0..4, "rock"), [0, 2, 3]);
        assert_eq!(found(&index, 0..4, "TXT rock"), [0, 3]);
        assert_eq!(found(&index, index.folder("a/"), "rock"), [0]);
        assert_eq!(found(&index, 1..3, ""), [1, 2]);
        assert_eq!(found(&index, 0..4, "size:>=3"), [2, 3]);
        // A word is never found across two paths, because of the line feed between them.
        assert!(found(&index, 0..4, "txta").is_empty());
        assert_eq!(sort(&index, vec![0, 2, 3], Order::Size, true), [3, 2, 0]);
    }

    #[test]
    fn files_of_exactly_that_name_come_first() {
        let paths = [
            ("a/old_rock.txt", 1),
            ("b/rock/c.txt", 2),
            ("c/rocks.txt", 3),
            ("d/rock.txt", 4),
            ("e/rock", 5),
        ];
        let index = paths_of(&paths);
        let first = |text: &str| {
            let words = Query::parse(text).unwrap().words;
            best_first(&index, &Cpu::default(), found(&index, 0..5, text), &words)
        };
        assert_eq!(first("rock"), [3, 4, 2, 0, 1]);
        assert_eq!(first("rock.txt"), [3, 0]);
        assert_eq!(first("rock txt"), [0, 1, 2, 3], "two words are no name");
        assert_eq!(first(""), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn both_ways_to_sort_by_size_agree() {
        let paths: Vec<(String, u64)> = (0..64).map(|n| (format!("p{n:02}"), (n * 37) % 11)).collect();
        let paths: Vec<(&str, u64)> = paths.iter().map(|(path, len)| (path.as_str(), *len)).collect();
        let index = paths_of(&paths);
        let few: Vec<u32> = vec![3, 9, 20];
        let mut expected = few.clone();
        expected.sort_by_key(|row| index.bytes(*row as usize));
        assert_eq!(sort(&index, few, Order::Size, false), expected);
        let many: Vec<u32> = (0..40).collect();
        let mut expected = many.clone();
        expected.sort_by_key(|row| index.bytes(*row as usize));
        assert_eq!(sort(&index, many, Order::Size, false), expected);
    }

    #[test]
    fn a_search_that_nobody_waits_for_ends() {
        let paths: Vec<String> = (0..=PART).map(|n| format!("a{n}")).collect();
        let paths: Vec<(&str, u64)> = paths.iter().map(|path| (path.as_str(), 0)).collect();
        let index = paths_of(&paths);
        let find = |is_over: bool| {
            let words = ["a".to_owned()];
            let token = if is_over { CancelToken::after(0) } else { CancelToken::default() };
            find(&index, &Cpu::default(), 0..index.len(), &words, &|_| true, &token)
        };
        assert_eq!(find(true), None);
        assert_eq!(find(false).map(|rows| rows.len()), Some(paths.len()));
    }
}
