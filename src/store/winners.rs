//! Which of several containers supplies a chunk.

use super::container::{Container, Role};
use super::{ById, Entry, Store};
use std::sync::Arc;

/// Chunks that a thread looks up in a row.
const PART: usize = 4096;

impl Store {
    /// The container that supplies a chunk instead of the entry's own, if one does.
    #[must_use]
    pub fn overridden_by(&self, entry: Entry) -> Option<&Arc<Container>> {
        let id = self.chunk_id(entry)?;
        let higher = self.containers.get(..entry.container)?;
        let same_id =
            || higher.iter().find(|other| other.role == Role::Content && other.table.find(id).is_some());
        let twin = || if self.may_have_twins() { self.overridden_by_twin(entry) } else { None };
        same_id().or_else(twin)
    }

    /// Keeps the entries that win.
    pub fn retain_winners(&self, entries: &mut Vec<Entry>) {
        let content = self.containers.iter().filter(|container| container.role == Role::Content);
        let total: usize = content.clone().map(|container| container.table.chunk_count() as usize).sum();
        entries.retain(|entry| !self.is_delete_record(*entry));
        if content.count() < 2 {
            return;
        }
        if entries.len().saturating_mul(self.containers.len()) < total {
            entries.retain(|entry| self.overridden_by(*entry).is_none());
            return;
        }
        self.retain_first_of_ids(entries);
        if self.may_have_twins() {
            entries.retain(|entry| self.overridden_by_twin(*entry).is_none());
        }
    }

    /// Keeps the entries in whose container a chunk of their id comes first in the mount order.
    fn retain_first_of_ids(&self, entries: &mut Vec<Entry>) {
        let all: Vec<Entry> = self.entries().collect();
        let by_id = ById::new(self, &all);
        let is_first = |entry: &&Entry| {
            let Some(id) = self.chunk_id(**entry) else { return false };
            let first = by_id.find(id).and_then(|at| all.get(at));
            first.is_none_or(|first| first.container == entry.container)
        };
        let of_part = |part: &[Entry]| part.iter().filter(is_first).copied().collect::<Vec<_>>();
        *entries = self.cpu.map(entries.chunks(PART), of_part).concat();
    }
}
