//! What changed between two builds, by the hashes in their tables of contents.
//!
//! ```text
//! same id, same hash and length        the same      (at another path: moved)
//! same id, another hash or length      changed
//! only in the new one                  added     ┐ of one hash and length:
//! only in the old one                  removed   ┘ moved
//! ```
//!
//! Older tables record SHA-1, newer ones BLAKE3. Between the two only lengths can be compared; chunks of one length then
//! count as the same, and [`Diff::uncertain`] says how many did.

use crate::id::{ChunkHash, PackageId, RawChunkId};
use crate::store::{Entry, Store};
use crate::table::Table;
use crate::version::ChunkHashKind;
use std::collections::{HashMap, HashSet};

/// What became of a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// Its content is another.
    Changed,
    /// Its content is the same, its path or id is another.
    Moved,
}

/// A chunk that is not what or where it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// What became of it.
    pub change: Change,
    /// The chunk in the old build.
    pub old: Option<Entry>,
    /// The chunk in the new build.
    pub new: Option<Entry>,
}

/// Packages by what became of their chunks.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct PackageCounts {
    /// All chunks are new.
    pub added: u64,
    /// All chunks are gone.
    pub removed: u64,
    /// Some chunk is not what it was.
    pub changed: u64,
}

/// What changed.
#[derive(Debug, Default)]
pub struct Diff {
    /// In the order of the new build, then removed chunks in the order of the old one.
    pub changes: Vec<Changed>,
    /// Chunks that are the same.
    pub same: u64,
    /// Chunks among these that could only be compared by length.
    pub uncertain: u64,
    /// Packages that are not what they were.
    pub packages: PackageCounts,
}

/// Compares chunks of two builds: those that win in each of them.
#[must_use]
pub fn diff(old: &Store, old_entries: &[Entry], new: &Store, new_entries: &[Entry]) -> Diff {
    let by_id: HashMap<RawChunkId, Entry> =
        old_entries.iter().map(|entry| (old.chunk(*entry).id(), *entry)).collect();
    let mut diff = Diff::default();
    let mut seen = HashSet::with_capacity(new_entries.len());
    for entry in new_entries {
        let id = new.chunk(*entry).id();
        seen.insert(id);
        match by_id.get(&id) {
            None => diff.push(Change::Added, None, Some(*entry)),
            Some(before) => diff.compare(old, *before, new, *entry),
        }
    }
    for entry in old_entries.iter().filter(|entry| !seen.contains(&old.chunk(**entry).id())) {
        diff.push(Change::Removed, Some(*entry), None);
    }
    diff.join_moved(old, new);
    diff.count_packages(old, old_entries, new, new_entries);
    diff
}

/// Of some chunks, those that an old build does not have in this form: added, changed and moved ones.
#[must_use]
pub fn changed_since(old: &Store, new: &Store, entries: &[Entry]) -> Vec<Entry> {
    let mut before: Vec<Entry> = old.entries().collect();
    old.retain_winners(&mut before);
    diff(old, &before, new, entries).changes.iter().filter_map(|changed| changed.new).collect()
}

impl Diff {
    /// Whether nothing changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    fn push(&mut self, change: Change, old: Option<Entry>, new: Option<Entry>) {
        self.changes.push(Changed { change, old, new });
    }

    fn compare(&mut self, old: &Store, before: Entry, new: &Store, after: Entry) {
        let (a, b) = (Content::of(old, before), Content::of(new, after));
        if a.len != b.len || a.hash.zip(b.hash).is_some_and(|(a, b)| a.0 == b.0 && a.1 != b.1) {
            return self.push(Change::Changed, Some(before), Some(after));
        }
        let moved = old.path(before).zip(new.path(after)).is_some_and(|(a, b)| a != b);
        if moved {
            return self.push(Change::Moved, Some(before), Some(after));
        }
        self.same += 1;
        let certain = a.hash.zip(b.hash).is_some_and(|(a, b)| a.0 == b.0);
        self.uncertain += u64::from(!certain && a.len > 0);
    }

    /// Turns an added and a removed chunk of the same content into one that was moved.
    fn join_moved(&mut self, old: &Store, new: &Store) {
        let mut removed: HashMap<Content, Vec<Entry>> = HashMap::new();
        for change in self.changes.iter().rev().filter(|change| change.change == Change::Removed) {
            let Some(entry) = change.old else { continue };
            let content = Content::of(old, entry);
            if content.can_move() {
                removed.entry(content).or_default().push(entry);
            }
        }
        let mut moved = HashSet::new();
        for change in self.changes.iter_mut().filter(|change| change.change == Change::Added) {
            let Some(content) = change.new.map(|entry| Content::of(new, entry)) else { continue };
            if let Some(before) = removed.get_mut(&content).and_then(Vec::pop) {
                moved.insert(before);
                *change = Changed { change: Change::Moved, old: Some(before), new: change.new };
            }
        }
        let gone = |change: &Changed| change.old.is_some_and(|entry| moved.contains(&entry));
        self.changes.retain(|change| change.change != Change::Removed || !gone(change));
    }

    fn count_packages(&mut self, old: &Store, old_entries: &[Entry], new: &Store, new_entries: &[Entry]) {
        let packages = |store: &Store, entries: &[Entry]| -> HashSet<PackageId> {
            entries.iter().filter_map(|entry| store.chunk(*entry).package_id()).collect()
        };
        let (before, after) = (packages(old, old_entries), packages(new, new_entries));
        let touched: HashSet<PackageId> = self
            .changes
            .iter()
            .flat_map(|change| {
                let gone = change.old.and_then(|entry| old.chunk(entry).package_id());
                gone.into_iter().chain(change.new.and_then(|entry| new.chunk(entry).package_id()))
            })
            .collect();
        for id in touched {
            match (before.contains(&id), after.contains(&id)) {
                (false, _) => self.packages.added += 1,
                (true, false) => self.packages.removed += 1,
                (true, true) => self.packages.changed += 1,
            }
        }
    }
}

/// What a table of contents knows about the content of a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Content {
    len: u64,
    /// Which hash function, and the hash, if there is one.
    hash: Option<(ChunkHashKind, ChunkHash)>,
}

impl Content {
    fn of(store: &Store, entry: Entry) -> Self {
        let toc = store.container(entry).map(|container| container.table());
        let meta = |toc: &Table| toc.meta(entry.chunk).filter(|meta| !meta.hash.is_zero());
        let hash = toc.and_then(|toc| Some((toc.chunk_hash_kind(), meta(toc)?.hash)));
        Self { len: store.chunk(entry).len(), hash }
    }

    /// Whether equal content means that it is one chunk: not where it may be chance.
    const fn can_move(&self) -> bool {
        self.len > 0 && self.hash.is_some()
    }
}
