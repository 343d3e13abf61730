//! A game that is open, and its chunks by their paths.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use uncask::game::{Chunk, FilterSpec, RowKind, RowPlan};
use uncask::{Game, GameError};

/// A game that is open, shared by its entries.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) game: Game,
    paths: OnceLock<Paths>,
    /// The plan of rows that was made last: parts of a game are read one after the other.
    plan: Mutex<Option<Planned>>,
    /// The process that its threads are in.
    process: u32,
}

impl Shared {
    pub(crate) fn new(game: uncask::Game) -> Self {
        Self { game, paths: OnceLock::new(), plan: Mutex::default(), process: std::process::id() }
    }

    /// True in the process that has opened the game: another one does not have its threads.
    pub(crate) fn is_of_this_process(&self) -> bool {
        self.process == std::process::id()
    }

    /// The rows of a selection of patterns, planned once.
    pub(crate) fn plan(&self, kind: RowKind, patterns: [Vec<String>; 2]) -> Result<Arc<RowPlan>, GameError> {
        let mut last = self.plan.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = last.as_ref().filter(|known| known.kind == kind && known.patterns == patterns) {
            return Ok(Arc::clone(&known.plan));
        }
        let [chosen, exclude] = patterns.clone();
        let spec = FilterSpec { patterns: chosen, exclude, ..FilterSpec::default() };
        let plan = Arc::new(self.game.plan_rows(kind, &spec)?);
        *last = Some(Planned { kind, patterns, plan: Arc::clone(&plan) });
        Ok(plan)
    }

    pub(crate) fn paths(&self) -> &Paths {
        self.paths.get_or_init(|| Paths::new(&self.game))
    }
}

/// A plan, and what it was made for.
#[derive(Debug)]
struct Planned {
    kind: RowKind,
    /// Patterns of the chosen paths, and of those left out.
    patterns: [Vec<String>; 2],
    plan: Arc<RowPlan>,
}

/// Position of the chunk of each path, by a hash of the path: the paths themselves would take many times the memory.
#[derive(Debug)]
pub(crate) struct Paths {
    places: HashMap<u64, usize>,
    hasher: RandomState,
}

impl Paths {
    /// The paths of a game.
    pub(crate) fn new(game: &Game) -> Self {
        let (hasher, mut places) = (RandomState::new(), HashMap::with_capacity(game.chunks().len()));
        for (at, chunk) in game.chunks().enumerate() {
            let path = chunk.display_path().to_lowercase();
            places.entry(hasher.hash_one(path.as_str())).or_insert(at);
        }
        Self { places, hasher }
    }

    pub(crate) fn find<'g>(&self, game: &'g Game, path: &str) -> Option<Chunk<'g>> {
        let path = path.to_lowercase();
        let at = self.places.get(&self.hasher.hash_one(path.as_str()))?;
        // Another path may have the same hash.
        let chunk = game.at(*game.entries().get(*at)?);
        Some(chunk).filter(|chunk| chunk.display_path().to_lowercase() == path)
    }
}
