//! Order of a listing.

use super::folders::{Folders, OtherPaths, PathKey};
use super::path_tables::PathTables;
use crate::args::SortKey;
use std::cmp::Reverse;
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

/// Sorts by path. A large game has a million paths in few folders: folders are put in order first, so that paths are compared by
/// the numbers of their folders, and nearly all names where they stand in the tables.
fn by_path(game: &Game, entries: &mut Vec<Entry>) {
    let tables = PathTables::new(game, entries);
    let others: Vec<OtherPaths> = game.cpu().map_init(entries.chunks(PART), String::new, |path, part| {
        let mut others = OtherPaths::default();
        for entry in part.iter().filter(|entry| tables.find(entry).is_none()) {
            tables.path_into(entry, path);
            others.push(path);
        }
        others
    });
    let folders = Folders::new(tables.folders().chain(others.iter().flat_map(OtherPaths::folders)));
    let numbers = tables.numbers(&folders);
    let parts = (0..).step_by(PART).zip(entries.chunks(PART).zip(&others));
    let parts: Vec<Vec<PathKey<'_>>> = game.cpu().map(parts, |(first, (part, others))| {
        let mut others = others.keys(&folders);
        let key = |(at, entry): (u32, &Entry)| match tables.find(entry) {
            Some((directory, name)) => PathKey { folder: numbers.of(entry, directory), at, name },
            None => PathKey { at, ..others.next().unwrap_or_default() },
        };
        (first..).zip(part).map(key).collect()
    });
    let mut keys = parts.concat();
    drop(parts);
    // Tables are often sorted already, and checking is a single pass.
    if !keys.is_sorted_by(|a, b| folders.compare(a, b).is_le()) {
        // Equal paths keep the order of the entries.
        game.cpu().sort_by(&mut keys, |a, b| folders.compare(a, b).then(a.at.cmp(&b.at)));
    }
    *entries = keys.iter().filter_map(|key| entries.get(key.at as usize).copied()).collect();
}

/// Number of entries in a unit of parallel work.
const PART: usize = 1 << 12;
