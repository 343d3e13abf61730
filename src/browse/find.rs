//! Which rows of the index a query is about.

use super::index::Index;
use super::query::Query;
use crate::game::Game;
use memchr::memmem;
use std::ops::Range;

/// Rows that one thread searches before it looks whether anybody still waits.
const PART: usize = 16_384;

/// The order of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Order {
    /// By path.
    #[default]
    Path,
    /// The smallest first.
    Size,
}

/// The rows of a folder that a query is about, in the order of their paths. `None` if it was given up.
pub(super) fn find(
    index: &Index,
    game: &Game,
    rows: Range<usize>,
    query: &Query,
    is_over: &(dyn Fn() -> bool + Sync),
) -> Option<Vec<u32>> {
    let filter = Filter::new(index, game, query);
    let starts: Vec<usize> = rows.clone().step_by(PART).collect();
    let found = game.store().cpu().map(&starts, |start| {
        let part = *start..rows.end.min(start + PART);
        if is_over() { Vec::new() } else { in_part(index, part, &filter) }
    });
    (!is_over()).then(|| found.concat())
}

/// Of some rows, those that a filter takes and in whose paths all words are.
fn in_part(index: &Index, rows: Range<usize>, filter: &Filter<'_>) -> Vec<u32> {
    let Some((first, others)) = filter.query.words.split_first() else {
        return rows.filter(|row| filter.takes(*row)).map(number).collect();
    };
    let text = index.text(&rows);
    let before = index.start(rows.start);
    let finder = memmem::Finder::new(first);
    let (mut found, mut from, mut row) = (Vec::new(), 0, rows.start);
    while let Some(at) = text.get(from..).and_then(|rest| finder.find(rest.as_bytes())) {
        row = index.row_at(before + from + at, row);
        let path = index.path(row);
        if others.iter().all(|word| memmem::find(path.as_bytes(), word.as_bytes()).is_some())
            && filter.takes(row)
        {
            found.push(number(row));
        }
        // One hit in a path is enough, however often the word is in it.
        row += 1;
        from = index.start(row) - before;
    }
    found
}

/// Puts rows that are in the order of their paths into another one.
pub(super) fn sort(index: &Index, rows: Vec<u32>, order: Order, is_reversed: bool) -> Vec<u32> {
    let mut rows = match order {
        Order::Path => rows,
        Order::Size => by_size(index, rows),
    };
    if is_reversed {
        rows.reverse();
    }
    rows
}

fn by_size(index: &Index, mut rows: Vec<u32>) -> Vec<u32> {
    // All rows are sorted once; a few are sorted sooner than they are picked out of all.
    if rows.len() < index.len() / 8 {
        rows.sort_by_cached_key(|row| index.bytes(*row as usize));
        return rows;
    }
    let mut is_wanted = vec![false; index.len()];
    for row in rows {
        if let Some(is_wanted) = is_wanted.get_mut(row as usize) {
            *is_wanted = true;
        }
    }
    let is_wanted = |row: &&u32| is_wanted.get(**row as usize).copied().unwrap_or(false);
    index.by_len().iter().filter(is_wanted).copied().collect()
}

/// What a query asks of chunks apart from the words in their paths.
struct Filter<'a> {
    index: &'a Index,
    game: &'a Game,
    query: &'a Query,
    /// Classes that are meant.
    classes: Vec<u32>,
    /// For each container whether it is meant.
    containers: Vec<bool>,
}

impl<'a> Filter<'a> {
    fn new(index: &'a Index, game: &'a Game, query: &'a Query) -> Self {
        let has_all = |name: &str, parts: &[String]| {
            let name = name.to_lowercase();
            parts.iter().all(|part| name.contains(part.as_str()))
        };
        let classes = match query.classes.as_slice() {
            [] => Vec::new(),
            parts => index.classes_like(|class| has_all(class, parts)),
        };
        let containers = game.store().containers().iter();
        let containers = containers.map(|container| has_all(&container.name(), &query.containers)).collect();
        Self { index, game, query, classes, containers }
    }

    const fn takes_all(&self) -> bool {
        let Query { classes, kinds, containers, sizes, .. } = self.query;
        classes.is_empty() && kinds.is_empty() && containers.is_empty() && sizes.is_none()
    }

    fn takes(&self, row: usize) -> bool {
        let Self { index, query, .. } = self;
        self.takes_all()
            || query.sizes.is_none_or(|(least, most)| (least..=most).contains(&index.bytes(row)))
                && (query.classes.is_empty() || index.has_class(row, &self.classes))
                && index.entry(row).is_some_and(|entry| {
                    let kind = || self.game.store().chunk(entry).kind().name();
                    self.containers.get(entry.container).copied().unwrap_or(false)
                        && (query.kinds.is_empty()
                            || query.kinds.iter().all(|part| kind().contains(part.as_str())))
                })
    }
}

/// Rows are numbered by 32 bits.
fn number(row: usize) -> u32 {
    u32::try_from(row).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::browse::index::tests::index_of;

    fn found(index: &Index, rows: Range<usize>, text: &str) -> Vec<u32> {
        let game = Game::open("testdata/demo").unwrap();
        find(index, &game, rows, &Query::parse(text).unwrap(), &|| false).unwrap()
    }

    #[test]
    fn words_are_found_once_in_each_path_and_only_in_their_folder() {
        let index =
            index_of(&[("A/rock_rock.txt", 1), ("A/tree.txt", 2), ("B/Rock.bin", 3), ("rock/c.txt", 4)]);
        assert_eq!(found(&index, 0..4, "rock"), [0, 2, 3]);
        assert_eq!(found(&index, 0..4, "TXT rock"), [0, 3]);
        assert_eq!(found(&index, index.folder("a/"), "rock"), [0]);
        assert_eq!(found(&index, 1..3, ""), [1, 2]);
        assert_eq!(found(&index, 0..4, "size:>=3"), [2, 3]);
        // A word is never found across two paths.
        assert!(found(&index, 0..4, "txta").is_empty());
        assert_eq!(sort(&index, vec![0, 2, 3], Order::Size, true), [3, 2, 0]);
    }

    #[test]
    fn both_ways_to_sort_by_size_agree() {
        let paths: Vec<(String, u64)> = (0..64).map(|n| (format!("p{n:02}"), (n * 37) % 11)).collect();
        let paths: Vec<(&str, u64)> = paths.iter().map(|(path, len)| (path.as_str(), *len)).collect();
        let index = index_of(&paths);
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
        let index = index_of(&paths);
        let game = Game::open("testdata/demo").unwrap();
        let query = Query::parse("a").unwrap();
        assert_eq!(find(&index, &game, 0..index.len(), &query, &|| true), None);
        assert_eq!(
            find(&index, &game, 0..index.len(), &query, &|| false).map(|rows| rows.len()),
            Some(paths.len())
        );
    }
}
