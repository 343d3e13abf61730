//! The order of a listing.

use crate::args::SortKey;
use std::cmp::Reverse;
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

/// A large game has a million paths: they lie in a few texts, not in one each, and are compared on all threads.
fn by_path(store: &Store, entries: &mut Vec<Entry>) {
    let texts: Vec<(String, Vec<Range<usize>>)> =
        store.cpu().map_init(entries.chunks(PART), String::new, |path, part| {
            let mut all = String::new();
            let range = |entry: &Entry| {
                if !store.path_into(*entry, path) {
                    *path = store.fallback_path(*entry);
                }
                let start = all.len();
                all.push_str(path);
                start..all.len()
            };
            let ranges = part.iter().map(range).collect();
            (all, ranges)
        });
    let paths = texts
        .iter()
        .flat_map(|(text, ranges)| ranges.iter().map(|range| text.get(range.clone()).unwrap_or_default()));
    let mut keyed: Vec<(&str, Entry)> = paths.zip(entries.iter().copied()).collect();
    if !keyed.is_sorted_by(|(a, _), (b, _)| a <= b) {
        store.cpu().sort_by(&mut keyed, |(a, _), (b, _)| a.cmp(b));
    }
    *entries = keyed.into_iter().map(|(_, entry)| entry).collect();
}
