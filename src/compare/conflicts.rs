//! Finds containers that override others, chunk by chunk.

use crate::store::{ById, Entry, Store};
use foldhash::HashMap;

/// A chunk in more than one container.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The chunk in the winning container.
    pub winner: Entry,
    /// The chunk in the others, in mount order.
    pub losers: Vec<Entry>,
}

/// Finds chunks among the entries that exist in several containers and win. Container headers are no conflict, since
/// each has its own id.
#[must_use]
pub fn conflicts(store: &Store, entries: &[Entry]) -> Vec<Conflict> {
    // All entries, not just the selected ones: a selected winner may override an unselected chunk.
    let all: Vec<Entry> = store.entries().collect();
    let by_id = ById::new(store, &all);
    let first = |entry: Entry| by_id.find(store.chunk(entry).id());
    let mut losers: HashMap<usize, Vec<Entry>> = HashMap::default();
    for (at, entry) in all.iter().enumerate() {
        // The index keeps the first entry of each id; any other entry of that id is overridden by it.
        if let Some(winner) = first(*entry).filter(|first| *first != at) {
            losers.entry(winner).or_default().push(*entry);
        }
    }
    let conflict = |entry: &Entry| {
        let at = first(*entry).filter(|at| all.get(*at) == Some(entry))?;
        Some(Conflict { winner: *entry, losers: losers.get(&at)?.clone() })
    };
    entries.iter().filter_map(conflict).collect()
}
