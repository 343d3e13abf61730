//! Order of a listing.

use crate::args::SortKey;
use std::cmp::{Ordering, Reverse};
use std::collections::HashMap;
use std::ops::Range;
use uncask::game::{Entry, Game};

/// Sorts entries. The sort is stable, so equal ones keep the order of containers and tables.
pub(super) fn sort(game: &Game, entries: &mut Vec<Entry>, key: SortKey) {
    let toc = |entry: &Entry| game.at(*entry).container().map(|container| container.table());
    let place = |entry: &Entry| toc(entry).and_then(|toc| toc.storage(entry.chunk));
    match key {
        // Selections come in the order of the tables.
        SortKey::None => {}
        SortKey::Path => by_path(game, entries),
        // Keys are cached: computing them is a look-up in the table.
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

/// Number of entries whose paths share one text.
const PART: usize = 1 << 12;

/// Sorts by path. A large game has a million paths: they are stored in a few texts, not in one each, and compared on
/// all threads.
fn by_path(game: &Game, entries: &mut Vec<Entry>) {
    let parts: Vec<Paths> = game.cpu().map_init(entries.chunks(PART), String::new, |path, part| {
        let (mut paths, mut known) = (Paths::default(), Known::default());
        for entry in part {
            if !game.at(*entry).path_into(path) {
                *path = game.at(*entry).fallback_path();
            }
            paths.push(path, &mut known);
        }
        paths
    });
    let paths = parts.iter().flat_map(Paths::iter);
    let mut keyed: Vec<(PathKey<'_>, Entry)> = paths.zip(entries.iter().copied()).collect();
    // Tables are often sorted already, and checking is a single pass.
    if !keyed.is_sorted_by(|(a, _), (b, _)| a.cmp(b).is_le()) {
        game.cpu().sort_by(&mut keyed, |(a, _), (b, _)| a.cmp(b));
    }
    *entries = keyed.into_iter().map(|(_, entry)| entry).collect();
}

/// Length from which paths are split into folder and name, each stored once: a container may refer to one long name a
/// million times, with a few bytes each.
const LONG: usize = 256;

/// Paths in a shared text.
#[derive(Default)]
struct Paths {
    text: String,
    /// Position of each path; for a long one that of its folder, and the index of its name.
    paths: Vec<(Place, Option<u32>)>,
    names: Vec<String>,
}

/// Range in a text of at most 4,096 paths.
type Place = Range<u32>;

/// Folders and names of long paths stored so far.
#[derive(Default)]
struct Known {
    folders: HashMap<Box<str>, Place>,
    names: HashMap<Box<str>, u32>,
}

impl Paths {
    fn push(&mut self, path: &str, known: &mut Known) {
        if path.len() < LONG {
            let place = self.append(path);
            return self.paths.push((place, None));
        }
        let (folder, name) = path.split_at(path.rfind('/').map_or(0, |at| at + 1));
        let place = known.folders.get(folder).cloned().unwrap_or_else(|| {
            let place = self.append(folder);
            known.folders.insert(folder.into(), place.clone());
            place
        });
        let name = known.names.get(name).copied().unwrap_or_else(|| {
            let index = short(self.names.len());
            self.names.push(name.to_owned());
            known.names.insert(name.into(), index);
            index
        });
        self.paths.push((place, Some(name)));
    }

    fn append(&mut self, text: &str) -> Place {
        let start = short(self.text.len());
        self.text.push_str(text);
        start..short(self.text.len())
    }

    fn iter(&self) -> impl Iterator<Item = PathKey<'_>> {
        self.paths.iter().map(|(place, name)| PathKey {
            start: self.text.get(place.start as usize..place.end as usize).unwrap_or_default(),
            name: name.and_then(|name| self.names.get(name as usize)),
        })
    }
}

/// Converts a position in a part's text, which is far below 4 GiB, because a path is shorter than a table.
fn short(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}

/// A path in one or two parts, which compares like the whole.
#[derive(Debug, Clone, Copy)]
struct PathKey<'a> {
    start: &'a str,
    name: Option<&'a String>,
}

impl PathKey<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        if self.name.is_none() && other.name.is_none() {
            return self.start.cmp(other.start);
        }
        // The common part is compared as a slice; only the rest has to be chained with the name.
        let common = self.start.len().min(other.start.len());
        let (own, others) = (self.start.as_bytes(), other.start.as_bytes());
        let ((front, rest), (other_front, other_rest)) = (own.split_at(common), others.split_at(common));
        front.cmp(other_front).then_with(|| {
            let (own, others) = (rest.iter().chain(self.name()), other_rest.iter().chain(other.name()));
            own.cmp(others)
        })
    }

    fn name(&self) -> &[u8] {
        self.name.map_or(&[], |name| name.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_in_parts_compare_as_whole_ones() {
        let whole = ["", "a", "a/", "a/b", "a/b/c", "a-b", "a-b/c", "a.c", "ab/c", "b", "ü/a", "ü"];
        let long = "l".repeat(LONG);
        let longer = whole
            .iter()
            .flat_map(|path| [format!("{path}{long}"), format!("{long}/{path}"), format!("{long}{path}")]);
        let whole: Vec<String> = whole.iter().map(ToString::to_string).chain(longer).collect();
        let (mut paths, mut known) = (Paths::default(), Known::default());
        for path in &whole {
            paths.push(path, &mut known);
        }
        for (a, left) in whole.iter().zip(paths.iter()) {
            for (b, right) in whole.iter().zip(paths.iter()) {
                assert_eq!(left.cmp(&right), a.cmp(b), "{a:?} and {b:?}");
            }
        }
    }

    #[test]
    fn what_is_long_stands_once() {
        let (mut paths, mut known) = (Paths::default(), Known::default());
        let (folder, name) = ("f".repeat(1000), "n".repeat(1000));
        for n in 0..100 {
            paths.push(&format!("{folder}/{name}"), &mut known);
            paths.push(&format!("{folder}/{n}"), &mut known);
            paths.push(&format!("{n}/{name}"), &mut known);
        }
        assert_eq!((paths.text.len(), paths.names.len()), (1001 + 290, 101));
    }
}
