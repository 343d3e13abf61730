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

use super::paths::Paths;
use crate::id::{ChunkHash, PackageId, RawChunkId};
use crate::store::{ById, Entry, Store};
use crate::table::Table;
use crate::version::ChunkHashKind;
use foldhash::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Chunks that a thread compares at a time.
const PART: usize = 4096;

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
    diff_unless((old, old_entries), (new, new_entries), &|| false).unwrap_or_default()
}

/// Compares chunks of two builds, until `is_over` says that nobody waits for it; `None` then.
#[must_use]
pub fn diff_unless(
    (old, old_entries): (&Store, &[Entry]),
    (new, new_entries): (&Store, &[Entry]),
    is_over: &(dyn Fn() -> bool + Sync),
) -> Option<Diff> {
    let before = Before::new(old, old_entries);
    let kept = Mutex::new(Vec::<Paths>::new());
    let compare = |part: &[Entry]| {
        let mut diff = Diff::default();
        if is_over() {
            return diff;
        }
        // What paths are compared by is worth keeping for the next part.
        let mut paths = lock(&kept).pop().unwrap_or_default();
        // Nearly all of a look-up is waiting for memory, and many of them in a row wait together.
        let found: Vec<_> = part.iter().map(|entry| before.find(new.chunk(*entry).id())).collect();
        for (entry, found) in part.iter().zip(found) {
            match found {
                None => diff.push(Change::Added, None, Some(*entry)),
                Some(found) => diff.compare((old, found), (new, *entry), &mut paths),
            }
        }
        lock(&kept).push(paths);
        diff
    };
    let mut diff = Diff::default();
    for part in new.cpu().map(new_entries.chunks(PART), compare) {
        diff.changes.extend(part.changes);
        diff.same += part.same;
        diff.uncertain += part.uncertain;
    }
    if is_over() {
        return None;
    }
    for entry in before.not_found() {
        diff.push(Change::Removed, Some(entry), None);
    }
    drop(before);
    diff.join_moved(old, new);
    diff.count_packages((old, old_entries), (new, new_entries));
    (!is_over()).then_some(diff)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The chunks of the old build, by their ids.
struct Before<'a> {
    store: &'a Store,
    entries: &'a [Entry],
    by_id: ById<'a>,
    /// For each chunk that comes first of its id, whether the new build has that id.
    found: Vec<AtomicBool>,
}

impl<'a> Before<'a> {
    fn new(store: &'a Store, entries: &'a [Entry]) -> Self {
        let found = entries.iter().map(|_| AtomicBool::new(false)).collect();
        Self { store, entries, by_id: ById::new(store, entries), found }
    }

    /// The chunk of this id, and notes that it was found.
    fn find(&self, id: RawChunkId) -> Option<Entry> {
        let at = self.by_id.find(id)?;
        self.found.get(at)?.store(true, Ordering::Relaxed);
        self.entries.get(at).copied()
    }

    fn is_found(&self, at: usize) -> bool {
        self.found.get(at).is_some_and(|found| found.load(Ordering::Relaxed))
    }

    /// The chunks whose ids were not found.
    fn not_found(&self) -> impl Iterator<Item = Entry> {
        let is_found = |(at, entry): (usize, &Entry)| {
            let of_same_id = || self.by_id.find(self.store.chunk(*entry).id());
            self.is_found(at) || of_same_id().is_some_and(|at| self.is_found(at))
        };
        let entries = self.entries.iter().enumerate();
        entries.filter(move |entry| !is_found(*entry)).map(|(_, entry)| *entry)
    }
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

    fn compare(&mut self, old: (&Store, Entry), new: (&Store, Entry), paths: &mut Paths) {
        let (a, b) = (Content::of(old.0, old.1), Content::of(new.0, new.1));
        let (before, after) = (old.1, new.1);
        if a.len != b.len || a.hash.zip(b.hash).is_some_and(|(a, b)| a.0 == b.0 && a.1 != b.1) {
            return self.push(Change::Changed, Some(before), Some(after));
        }
        if paths.differ(old, new) {
            return self.push(Change::Moved, Some(before), Some(after));
        }
        self.same += 1;
        let certain = a.hash.zip(b.hash).is_some_and(|(a, b)| a.0 == b.0);
        self.uncertain += u64::from(!certain && a.len > 0);
    }

    /// Turns an added and a removed chunk of the same content into one that was moved.
    fn join_moved(&mut self, old: &Store, new: &Store) {
        let mut removed: HashMap<Content, Vec<Entry>> = HashMap::default();
        for change in self.changes.iter().rev().filter(|change| change.change == Change::Removed) {
            let Some(entry) = change.old else { continue };
            let content = Content::of(old, entry);
            if content.can_move() {
                removed.entry(content).or_default().push(entry);
            }
        }
        let mut moved = HashSet::default();
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

    fn count_packages(&mut self, old: (&Store, &[Entry]), new: (&Store, &[Entry])) {
        /// Whether a package has chunks in the old build, and in the new one.
        #[derive(Default)]
        struct Is {
            before: bool,
            after: bool,
        }
        let of = |store: &Store, entry: Option<Entry>| store.chunk(entry?).package_id();
        let touched = self.changes.iter().flat_map(|c| [of(old.0, c.old), of(new.0, c.new)]);
        let mut touched: HashMap<PackageId, Is> =
            touched.flatten().map(|package| (package, Is::default())).collect();
        if touched.is_empty() {
            return;
        }
        let mut note = |(store, entries): (&Store, &[Entry]), note: fn(&mut Is)| {
            let packages = entries.iter().filter_map(|entry| of(store, Some(*entry)));
            packages.for_each(|package| touched.get_mut(&package).into_iter().for_each(note));
        };
        note(old, |is| is.before = true);
        note(new, |is| is.after = true);
        for is in touched.values() {
            match (is.before, is.after) {
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
