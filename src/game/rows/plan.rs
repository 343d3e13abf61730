use super::RowKind;
use crate::error::Result;
use crate::extract::{Filter, FilterSpec, sort_by_place};
use crate::game::{Game, GameError};
use crate::id::PackageId;
use crate::store::Entry;
use std::collections::HashMap;
use std::ops::Range;

/// Bytes that a chunk counts for beside its own.
const OVERHEAD: u64 = 4096;

/// Chunks or packages in an order that every process finds, each with its cost.
#[derive(Debug)]
pub struct RowPlan {
    kind: RowKind,
    entries: Vec<Entry>,
    costs: Vec<u64>,
}

impl Game {
    /// Plans the rows of a selection.
    pub fn plan_rows(&self, kind: RowKind, spec: &FilterSpec) -> Result<RowPlan, GameError> {
        let mut entries = Filter::new(spec)?.select(&self.store, false);
        sort_by_place(&self.store, &mut entries);
        let cost = |entry: &Entry| {
            let storage = self.at(*entry).storage();
            storage.map_or(0, |storage| storage.stored_len).saturating_add(OVERHEAD)
        };
        if kind == RowKind::Chunks {
            let costs = entries.iter().map(cost).collect();
            return Ok(RowPlan { kind, entries, costs });
        }
        // A package's bulk data are read with it, so they count for it.
        let mut of_packages: HashMap<PackageId, u64> = HashMap::new();
        for entry in &entries {
            if let Some(id) = self.at(*entry).package_id() {
                *of_packages.entry(id).or_default() += cost(entry);
            }
        }
        entries.retain(|entry| {
            let chunk = self.at(*entry);
            chunk.is_package() && !chunk.is_optional_segment() || chunk.is_cooked_header()
        });
        let whole = |entry: &Entry| {
            let known = self.at(*entry).package_id().and_then(|id| of_packages.get(&id).copied());
            known.unwrap_or_else(|| cost(entry))
        };
        let costs = entries.iter().map(whole).collect();
        Ok(RowPlan { kind, entries, costs })
    }
}

impl RowPlan {
    /// Number of chunks or packages.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.entries.len()
    }

    /// Kind of its rows.
    #[must_use]
    pub const fn kind(&self) -> RowKind {
        self.kind
    }

    pub(super) fn entries(&self, range: Range<usize>) -> &[Entry] {
        self.entries.get(range).unwrap_or_default()
    }

    /// True if nothing was selected.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Cost of a range: its stored bytes, and a bit for each chunk.
    #[must_use]
    pub fn cost(&self, range: Range<usize>) -> u64 {
        self.costs.get(range).unwrap_or_default().iter().sum()
    }

    /// Cuts the plan into ranges of about equal cost: `count`, or fewer if there is less to read. None is empty.
    #[must_use]
    pub fn cut(&self, count: usize) -> Vec<Range<usize>> {
        let total = u128::from(self.cost(0..self.len())).max(1);
        let (mut ranges, mut start, mut before, mut full) = (Vec::new(), 0, 0_u128, 0);
        for (at, cost) in self.costs.iter().enumerate() {
            before += u128::from(*cost);
            let filled = before * count.max(1) as u128 / total;
            // A chunk that fills several parts is one of them.
            if filled > full {
                ranges.push(start..at + 1);
                (start, full) = (at + 1, filled);
            }
        }
        if start < self.len() {
            ranges.push(start..self.len());
        }
        ranges
    }

    /// Cuts the plan into ranges that cost `bytes` each, or a little more.
    #[must_use]
    pub fn cut_by_cost(&self, bytes: u64) -> Vec<Range<usize>> {
        let count = self.cost(0..self.len()).div_ceil(bytes.max(1));
        self.cut(usize::try_from(count).unwrap_or(usize::MAX))
    }

    /// Fingerprint of a range: the ids, lengths and hashes of its chunks, as hex digits.
    #[must_use]
    pub fn fingerprint(&self, game: &Game, range: Range<usize>) -> String {
        let mut hasher = blake3::Hasher::new();
        hasher.update(self.kind.name().as_bytes());
        for entry in self.entries(range) {
            let chunk = game.at(*entry);
            let hash = chunk.hash().map(|hash| hash.to_string()).unwrap_or_default();
            hasher.update(format!("\n{} {} {hash}", chunk.id(), chunk.len()).as_bytes());
        }
        hasher.finalize().to_hex().as_str().get(..32).unwrap_or_default().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(costs: impl IntoIterator<Item = u64>) -> RowPlan {
        let costs: Vec<u64> = costs.into_iter().collect();
        let entry = |at| Entry { container: 0, chunk: crate::container::ChunkIndex(at) };
        let entries = (0..u32::try_from(costs.len()).unwrap()).map(entry).collect();
        RowPlan { kind: RowKind::Chunks, entries, costs }
    }

    #[test]
    fn parts_cover_everything_once_and_cost_about_the_same() {
        let even = plan((0..1000).map(|at| 1 + at % 17));
        for count in [1, 2, 3, 7, 64, 5000] {
            let parts = even.cut(count);
            assert!(parts.len() <= count && parts.iter().all(|part| !part.is_empty()));
            assert_eq!(parts.iter().cloned().flatten().collect::<Vec<_>>(), (0..1000).collect::<Vec<_>>());
            let share = even.cost(0..1000) / count as u64;
            assert!(parts.iter().all(|part| even.cost(part.clone()) <= share + 34), "{count}");
        }
        assert_eq!(even.cut_by_cost(even.cost(0..1000) / 4).len(), 5);
        assert!(plan([]).cut(3).is_empty());
        assert_eq!(plan([0, 0]).cut(3).first(), Some(&(0..2)));
    }

    #[test]
    fn a_large_chunk_takes_its_share_and_no_more() {
        let parts = plan([100].into_iter().chain([1; 100])).cut(4);
        let lens: Vec<usize> = parts.iter().map(ExactSizeIterator::len).collect();
        assert_eq!(lens, [1, 50, 50]);
    }
}
