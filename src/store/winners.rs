//! Decides which of several containers supplies a chunk.

use super::container::{Container, Role};
use super::{ById, Entry, Store};
use std::sync::Arc;

/// Chunks per unit of parallel work.
const PART: usize = 4096;

impl Store {
    /// The container that supplies a chunk instead of the entry's own, if any.
    #[must_use]
    pub fn overridden_by(&self, entry: Entry) -> Option<&Arc<Container>> {
        let id = self.chunk_id(entry)?;
        // Containers are sorted by priority, so those before the entry's own are the higher ones.
        let higher = self.containers.get(..entry.container)?;
        let same_id =
            || higher.iter().find(|other| other.role == Role::Content && other.table.find(id).is_some());
        let twin = || if self.may_have_twins() { self.overridden_by_twin(entry) } else { None };
        same_id().or_else(twin)
    }

    /// Keeps only the entries that win.
    pub fn retain_winners(&self, entries: &mut Vec<Entry>) {
        let content = self.containers.iter().filter(|container| container.role == Role::Content);
        let total: usize = content.clone().map(|container| container.table.chunk_count() as usize).sum();
        // A delete record hides lower files but has no content of its own.
        entries.retain(|entry| !self.is_delete_record(*entry));
        if content.count() < 2 {
            return;
        }
        // Few entries: asking each container is cheaper than indexing every chunk of the game.
        if entries.len().saturating_mul(self.containers.len()) < total {
            entries.retain(|entry| self.overridden_by(*entry).is_none());
            return;
        }
        // Many entries: one index of all ids answers each in constant time.
        self.retain_first_of_ids(entries);
        if self.may_have_twins() {
            entries.retain(|entry| self.overridden_by_twin(*entry).is_none());
        }
    }

    /// Keeps the entries whose container is the first in mount order with their id.
    fn retain_first_of_ids(&self, entries: &mut Vec<Entry>) {
        let all: Vec<Entry> = self.entries().collect();
        let by_id = ById::new(self, &all);
        let is_first = |entry: &&Entry| {
            let Some(id) = self.chunk_id(**entry) else { return false };
            let first = by_id.find(id).and_then(|at| all.get(at));
            // Compare containers, not entries: chunks that share an id within one container all win.
            first.is_none_or(|first| first.container == entry.container)
        };
        let of_part = |part: &[Entry]| part.iter().filter(is_first).copied().collect::<Vec<_>>();
        *entries = self.cpu.map(entries.chunks(PART), of_part).concat();
    }
}
