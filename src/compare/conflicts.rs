//! Which containers override which, chunk by chunk.

use crate::id::RawChunkId;
use crate::store::{Entry, Role, Store};
use std::collections::HashMap;

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
    let mut by_id: HashMap<RawChunkId, Vec<Entry>> = HashMap::new();
    for (at, container) in store.containers().iter().enumerate() {
        if container.role() != Role::Content {
            continue;
        }
        for chunk in container.table().chunks() {
            if let Some(id) = container.table().chunk_id(chunk) {
                by_id.entry(id).or_default().push(Entry { container: at, chunk });
            }
        }
    }
    let wins = |entry: &&Entry| {
        let id = store.chunk_id(**entry).unwrap_or_default();
        by_id.get(&id).is_some_and(|found| found.len() > 1 && found.first() == Some(*entry))
    };
    let conflict = |entry: &Entry| {
        let found = by_id.get(&store.chunk_id(*entry).unwrap_or_default());
        let losers = found.map_or_else(Vec::new, |found| found.iter().skip(1).copied().collect());
        Conflict { winner: *entry, losers }
    };
    entries.iter().filter(wins).map(conflict).collect()
}
