//! A game that is open, and its chunks by their paths.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::OnceLock;
use uncask::Game;
use uncask::game::Chunk;

/// A game that is open, shared by its entries.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) game: Game,
    paths: OnceLock<Paths>,
    /// The process that its threads are in.
    process: u32,
}

impl Shared {
    pub(crate) fn new(game: uncask::Game) -> Self {
        Self { game, paths: OnceLock::new(), process: std::process::id() }
    }

    /// True in the process that has opened the game: another one does not have its threads.
    pub(crate) fn is_of_this_process(&self) -> bool {
        self.process == std::process::id()
    }

    pub(crate) fn paths(&self) -> &Paths {
        self.paths.get_or_init(|| Paths::new(&self.game))
    }
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
