//! Subject and options of a measurement.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use uncask::game::{Container, Entry, Game, GameOptions};
use uncask::pipeline::{Plan, Selection};

/// Options of a measurement.
#[derive(Debug, Clone)]
pub(crate) struct BenchOptions {
    /// Number of rounds, of which the medians are reported.
    pub(crate) rounds: u32,
    /// Numbers of threads for whole jobs.
    pub(crate) threads: Vec<usize>,
    /// Memory for data in flight, in bytes.
    pub(crate) memory: u64,
    /// Folder for files; each run writes into a new folder that is removed again.
    pub(crate) folder: PathBuf,
    /// Files to copy with `cp -r`, for comparison with unpacking.
    pub(crate) tree: Option<PathBuf>,
}

/// The chunks to measure with.
#[derive(Debug)]
pub(crate) struct Subject {
    pub(super) game: Game,
    /// Options for opening its containers once more.
    pub(super) reopening: GameOptions,
    pub(super) entries: Vec<Entry>,
    pub(super) plans: Vec<(Arc<Container>, Plan)>,
}

impl Subject {
    /// Selects the readable chunks of a game: all of them, or evenly chosen ones with about `limit` uncompressed bytes.
    #[must_use]
    pub(crate) fn new(game: Game, reopening: GameOptions, limit: u64) -> Self {
        let len = |entry: &Entry| game.at(*entry).len();
        let all = game.entries();
        let total = all.iter().map(len).fold(0_u64, u64::saturating_add);
        let (mut passed, mut taken) = (0_u128, 0_u128);
        // Takes a chunk if the share of bytes taken has fallen below `limit` / `total`. `u128`, since both are
        // multiplied.
        let wanted = |entry: &Entry| {
            passed += u128::from(len(entry));
            let due = taken * u128::from(total) < passed * u128::from(limit);
            taken += if due { u128::from(len(entry)) } else { 0 };
            due || total <= limit
        };
        let chosen: Vec<Entry> = all.iter().copied().filter(wanted).collect();
        let mut by_container: BTreeMap<usize, Vec<Selection>> = BTreeMap::new();
        for entry in &chosen {
            by_container.entry(entry.container).or_default().push(Selection::whole(entry.chunk));
        }
        let (mut entries, mut plans) = (Vec::new(), Vec::new());
        for (at, wanted) in by_container {
            // Locked containers cannot be decoded.
            let unlocked = game.containers().get(at).filter(|container| container.locked().is_none());
            let Some(container) = unlocked else { continue };
            let plan = Plan::new(container.table(), container.path(), &*container.source(), wanted);
            // Only planned chunks: rejected ones would end every job with an error.
            entries.extend(plan.chunks.iter().map(|planned| Entry { container: at, chunk: planned.chunk }));
            plans.push((Arc::clone(container), plan));
        }
        entries.sort_unstable();
        Self { game, reopening, entries, plans }
    }

    /// Number of containers with selected chunks.
    #[must_use]
    pub(crate) fn containers(&self) -> usize {
        self.plans.len()
    }

    /// Number of chunks.
    #[must_use]
    pub(crate) fn chunks(&self) -> u64 {
        self.entries.len() as u64
    }

    /// Their uncompressed bytes.
    #[must_use]
    pub(crate) fn raw_bytes(&self) -> u64 {
        self.plans.iter().map(|(_, plan)| plan.raw_len).sum()
    }

    /// Their stored bytes.
    #[must_use]
    pub(crate) fn stored_bytes(&self) -> u64 {
        self.plans.iter().map(|(_, plan)| plan.stored_len).sum()
    }
}
