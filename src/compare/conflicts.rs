//! Which containers override which, chunk by chunk.

use crate::store::{ById, Entry, Store};
use foldhash::HashMap;

/// A chunk that more than one container has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The chunk in the container that wins.
    pub winner: Entry,
    /// The chunk in the others, in mount order.
    pub losers: Vec<Entry>,
}

/// Chunks among the entries that more than one container has and that win over the others. Every container has its own
/// container header, under its own id.
#[must_use]
pub fn conflicts(store: &Store, entries: &[Entry]) -> Vec<Conflict> {
    let all: Vec<Entry> = store.entries().collect();
    let by_id = ById::new(store, &all);
    let first = |entry: Entry| by_id.find(store.chunk(entry).id());
    let mut losers: HashMap<usize, Vec<Entry>> = HashMap::default();
    for (at, entry) in all.iter().enumerate() {
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
