//! Differences between two builds, by the hashes in their tables of contents.
//!
//! ```text
//! same id, same hash and length        the same      (at another path: moved)
//! same id, another hash or length      changed
//! only in the new one                  added     ┐ of one hash and length:
//! only in the old one                  removed   ┘ moved
//! ```
//!
//! Older tables record SHA-1, newer ones BLAKE3. Between the two only lengths can be compared; chunks of equal length
//! then count as the same, and [`Diff::uncertain`] is their number.

use super::join::{Joined, Side};
use super::paths::{self, Elsewhere};
use crate::error::Result;
use crate::id::{ChunkHash, PackageId};
use crate::job::CancelToken;
use crate::store::{Entry, Store};
use crate::table::Table;
use crate::version::ChunkHashKind;
use foldhash::{HashMap, HashSet};

/// Chunks per unit of parallel work.
const PART: usize = 4096;

/// Kind of change to a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// Its content differs.
    Changed,
    /// Its content is the same, but its path or id differs.
    Moved,
}

/// A changed or moved chunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// Kind of change.
    pub change: Change,
    /// The chunk in the old build.
    pub old: Option<Entry>,
    /// The chunk in the new build.
    pub new: Option<Entry>,
}

/// Number of changed packages, by kind of change.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct PackageCounts {
    /// Packages with only new chunks.
    pub added: u64,
    /// Packages with only removed chunks.
    pub removed: u64,
    /// Packages with any other change.
    pub changed: u64,
}

/// The differences between two builds.
#[derive(Debug, Default)]
pub struct Diff {
    /// In the order of the new build, then removed chunks in the order of the old one.
    pub changes: Vec<Changed>,
    /// Number of unchanged chunks.
    pub same: u64,
    /// Number of these that could only be compared by length.
    pub uncertain: u64,
    /// Changed packages.
    pub packages: PackageCounts,
}

/// Compares the winning chunks of two builds.
pub fn diff(old: (&Store, &[Entry]), new: (&Store, &[Entry]), cancel: &CancelToken) -> Result<Diff> {
    // Three passes over ids, paths and contents, each in the order in which its data lies in memory.
    let joined = Joined::new(old, new, cancel);
    let elsewhere = paths::elsewhere(old, new, &joined, cancel);
    let comparison = Comparison { old, new, joined: &joined, elsewhere: &elsewhere };
    let compare =
        |(first, part)| if cancel.is_cancelled() { Diff::default() } else { comparison.part(first, part) };
    let mut diff = Diff::default();
    for part in new.0.cpu().map((0..).step_by(PART).zip(new.1.chunks(PART)), compare) {
        diff.changes.extend(part.changes);
        diff.same += part.same;
        diff.uncertain += part.uncertain;
    }
    cancel.check()?;
    let removed = joined.removed.iter().filter_map(|at| old.1.get(usize::try_from(*at).ok()?));
    removed.for_each(|entry| diff.push(Change::Removed, Some(*entry), None));
    drop((joined, elsewhere));
    // The joined tables are as large as the builds; free them before the next maps are built.
    diff.join_moved(old.0, new.0);
    diff.count_packages(old, new);
    cancel.check()?;
    Ok(diff)
}

/// Two builds with joined chunks.
struct Comparison<'a> {
    old: Side<'a>,
    new: Side<'a>,
    joined: &'a Joined,
    elsewhere: &'a Elsewhere,
}

impl Comparison<'_> {
    /// Compares some chunks of the new build; `first` is the position of the first of them.
    fn part(&self, first: usize, part: &[Entry]) -> Diff {
        let Self { old, new, joined, elsewhere } = self;
        // Nearly all the time is spent waiting for memory, and look-ups made in a row wait at the same time. So first
        // all look-ups, then all comparisons.
        let found = (first..).take(part.len()).map(|at| old.1.get(joined.before(at)?).copied());
        let found: Vec<Option<Entry>> = found.collect();
        let content = |entry: &Option<Entry>| entry.map(|entry| Content::of(old.0, entry));
        let contents: Vec<Option<Content>> = found.iter().map(content).collect();
        let mut diff = Diff::default();
        for ((at, after), (before, content)) in (first..).zip(part).zip(found.into_iter().zip(contents)) {
            let now = Content::of(new.0, *after);
            let change = content.map_or(Some(Change::Added), |then| then.change(&now, elsewhere.has(at)));
            match change {
                Some(change) => diff.push(change, before, Some(*after)),
                None => {
                    diff.same += 1;
                    diff.uncertain += u64::from(content.is_some_and(|then| then.is_uncertain(&now)));
                }
            }
        }
        diff
    }
}

/// The chunks among some that an old build does not have in this form: added, changed and moved ones.
pub fn changed_since(
    old: &Store,
    new: &Store,
    entries: &[Entry],
    cancel: &CancelToken,
) -> Result<Vec<Entry>> {
    let mut before: Vec<Entry> = old.entries().collect();
    // The old build counts as its game would load it: with patches applied.
    old.retain_winners(&mut before);
    let diff = diff((old, &before), (new, entries), cancel)?;
    Ok(diff.changes.iter().filter_map(|changed| changed.new).collect())
}

impl Diff {
    /// True if nothing changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    fn push(&mut self, change: Change, old: Option<Entry>, new: Option<Entry>) {
        self.changes.push(Changed { change, old, new });
    }

    /// Merges an added and a removed chunk of the same content into a moved one.
    fn join_moved(&mut self, old: &Store, new: &Store) {
        let mut removed: HashMap<Content, Vec<Entry>> = HashMap::default();
        // In reverse, so that `pop` below takes the first removed chunk of a content first.
        for change in self.changes.iter().rev().filter(|change| change.change == Change::Removed) {
            let Some(entry) = change.old else { continue };
            // Without a hash, equal lengths would pair unrelated chunks.
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

    fn count_packages(&mut self, old: Side<'_>, new: Side<'_>) {
        /// Builds in which a package has chunks.
        #[derive(Default)]
        struct Is {
            before: bool,
            after: bool,
        }
        let mut touched: HashMap<PackageId, Is> = HashMap::default();
        for change in &self.changes {
            if let Some(package) = package(old.0, change.old) {
                touched.entry(package).or_default().before = true;
            }
            if let Some(package) = package(new.0, change.new) {
                touched.entry(package).or_default().after = true;
            }
        }
        // For most packages the changes show both; only for the others all chunks are searched.
        let left = touched.iter().filter(|(_, is)| !is.before || !is.after).map(|(package, _)| *package);
        let left: HashSet<PackageId> = left.collect();
        if !left.is_empty() {
            for package in of_packages(old, &left) {
                touched.entry(package).or_default().before = true;
            }
            for package in of_packages(new, &left) {
                touched.entry(package).or_default().after = true;
            }
        }
        for is in touched.values() {
            // A package counts as added or removed only if no chunk of it existed before or exists now.
            match (is.before, is.after) {
                (false, _) => self.packages.added += 1,
                (true, false) => self.packages.removed += 1,
                (true, true) => self.packages.changed += 1,
            }
        }
    }
}

fn package(store: &Store, entry: Option<Entry>) -> Option<PackageId> {
    store.chunk(entry?).package_id()
}

/// The packages among some that have chunks; one with many chunks may occur repeatedly.
fn of_packages((store, entries): Side<'_>, packages: &HashSet<PackageId>) -> Vec<PackageId> {
    let of_part = |part: &[Entry]| {
        let found = part.iter().filter_map(|entry| package(store, Some(*entry)));
        found.filter(|package| packages.contains(package)).collect::<Vec<_>>()
    };
    store.cpu().map(entries.chunks(PART), of_part).concat()
}

/// Content of a chunk as recorded in a table of contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Content {
    len: u64,
    /// Hash function and hash, if recorded.
    hash: Option<(ChunkHashKind, ChunkHash)>,
}

impl Content {
    fn of(store: &Store, entry: Entry) -> Self {
        let toc = store.container(entry).map(|container| container.table());
        // A writer that computes no hashes leaves them zero.
        let meta = |toc: &Table| toc.meta(entry.chunk).filter(|meta| !meta.hash.is_zero());
        let hash = toc.and_then(|toc| Some((toc.chunk_hash_kind(), meta(toc)?.hash)));
        Self { len: store.chunk(entry).len(), hash }
    }

    /// The kind of change from this content to another, if any.
    fn change(&self, now: &Self, is_elsewhere: bool) -> Option<Change> {
        // Hashes of different functions say nothing about each other.
        let is_other = self.hash.zip(now.hash).is_some_and(|(a, b)| a.0 == b.0 && a.1 != b.1);
        if self.len != now.len || is_other {
            return Some(Change::Changed);
        }
        // Equal content at another path.
        is_elsewhere.then_some(Change::Moved)
    }

    /// True if only lengths can be compared.
    fn is_uncertain(&self, now: &Self) -> bool {
        self.len > 0 && !self.hash.zip(now.hash).is_some_and(|(a, b)| a.0 == b.0)
    }

    /// True if equal content identifies a chunk: without a hash, equal lengths may be chance.
    const fn can_move(&self) -> bool {
        self.len > 0 && self.hash.is_some()
    }
}
