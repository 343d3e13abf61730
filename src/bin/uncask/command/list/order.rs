//! The order of a listing.

use crate::args::SortKey;
use std::cmp::{Ordering, Reverse};
use std::collections::HashMap;
use std::ops::Range;
use uncask::store::{Entry, Store};

/// Sorts entries. Equal ones stay in the order of the containers and their tables.
pub(super) fn sort(store: &Store, entries: &mut Vec<Entry>, key: SortKey) {
    let toc = |entry: &Entry| store.container(*entry).map(|container| container.table());
    let place = |entry: &Entry| toc(entry).and_then(|toc| toc.storage(entry.chunk));
    match key {
        SortKey::None => {}
        SortKey::Path => by_path(store, entries),
        SortKey::Size => {
            entries
                .sort_by_cached_key(|entry| Reverse(toc(entry).map_or(0, |toc| toc.chunk_len(entry.chunk))));
        }
        SortKey::Stored => {
            let stored = |entry: &Entry| {
                let toc = toc(entry)?;
                Some(toc.stored_len(entry.chunk, &toc.blocks_of(entry.chunk).ok()?))
            };
            entries.sort_by_cached_key(|entry| Reverse(stored(entry).unwrap_or(0)));
        }
        SortKey::Offset => entries.sort_by_cached_key(|entry| {
            (entry.container, place(entry).map(|storage| (storage.partition, storage.offset)))
        }),
    }
}

/// Entries whose paths lie together in one text.
const PART: usize = 1 << 12;

/// A large game has a million paths: their folders and names lie in a few texts, each of them once in its text, and are
/// compared on all threads.
fn by_path(store: &Store, entries: &mut Vec<Entry>) {
    let parts: Vec<Paths> = store.cpu().map_init(entries.chunks(PART), String::new, |path, part| {
        let (mut paths, mut known) = (Paths::default(), HashMap::new());
        for entry in part {
            if !store.path_into(*entry, path) {
                *path = store.fallback_path(*entry);
            }
            paths.push(path, &mut known);
        }
        paths
    });
    let paths = parts.iter().flat_map(Paths::iter);
    let mut keyed: Vec<(SplitPath<'_>, Entry)> = paths.zip(entries.iter().copied()).collect();
    if !keyed.is_sorted_by(|(a, _), (b, _)| a.cmp(b).is_le()) {
        store.cpu().sort_by(&mut keyed, |(a, _), (b, _)| a.cmp(b));
    }
    *entries = keyed.into_iter().map(|(_, entry)| entry).collect();
}

/// Paths in one text, in which no folder and no name stands twice: a container may refer to the same long name a million
/// times, with a few bytes each.
#[derive(Default)]
struct Paths {
    text: String,
    /// Folder and name of each path.
    paths: Vec<(Range<usize>, Range<usize>)>,
}

/// Where folders and names are in a text.
type Places = HashMap<Box<str>, Range<usize>>;

impl Paths {
    fn push(&mut self, path: &str, known: &mut Places) {
        let (folder, name) = path.split_at(path.rfind('/').map_or(0, |at| at + 1));
        let place = (self.place(folder, known), self.place(name, known));
        self.paths.push(place);
    }

    fn place(&mut self, text: &str, known: &mut Places) -> Range<usize> {
        if let Some(place) = known.get(text) {
            return place.clone();
        }
        let place = self.text.len()..self.text.len() + text.len();
        self.text.push_str(text);
        known.insert(text.into(), place.clone());
        place
    }

    fn iter(&self) -> impl Iterator<Item = SplitPath<'_>> {
        let text = |place: &Range<usize>| self.text.get(place.clone()).unwrap_or_default();
        self.paths.iter().map(move |(folder, name)| SplitPath { folder: text(folder), name: text(name) })
    }
}

/// A path in two parts, which compares as the whole does.
#[derive(Debug, Clone, Copy)]
struct SplitPath<'a> {
    folder: &'a str,
    name: &'a str,
}

impl SplitPath<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        let common = self.folder.len().min(other.folder.len());
        let (own, others) = (self.folder.as_bytes(), other.folder.as_bytes());
        let ((front, rest), (other_front, other_rest)) = (own.split_at(common), others.split_at(common));
        front.cmp(other_front).then_with(|| {
            let (own, others) = (rest.iter().chain(self.name.as_bytes()), other_rest.iter());
            own.cmp(others.chain(other.name.as_bytes()))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_in_two_parts_compare_as_whole_ones() {
        let whole = ["", "a", "a/", "a/b", "a/b/c", "a-b", "a-b/c", "a.c", "ab/c", "b", "ü/a", "ü"];
        let (mut paths, mut known) = (Paths::default(), Places::new());
        for path in whole {
            paths.push(path, &mut known);
        }
        assert_eq!(paths.text.matches('c').count(), 2, "c of three folders, and a.c: {}", paths.text);
        for (a, left) in whole.iter().zip(paths.iter()) {
            for (b, right) in whole.iter().zip(paths.iter()) {
                assert_eq!(left.cmp(&right), a.cmp(b), "{a:?} and {b:?}");
            }
        }
    }
}
