//! Chunks by their paths, as in a `dict`.

use crate::errors;
use crate::game::Shared;
use pyo3::prelude::*;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use uncask::game::{Chunk, FindError};
use uncask::{Game, GameError};

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

    fn find<'g>(&self, game: &'g Game, path: &str) -> Option<Chunk<'g>> {
        let path = path.to_lowercase();
        let at = self.places.get(&self.hasher.hash_one(path.as_str()))?;
        // Another path may have the same hash.
        let chunk = game.at(*game.entries().get(*at)?);
        Some(chunk).filter(|chunk| chunk.display_path().to_lowercase() == path)
    }
}

/// The chunk that a text means: the one with this path, or one of this name.
pub(crate) fn find<'g>(shared: &'g Shared, text: &str) -> Result<Chunk<'g>, GameError> {
    match shared.paths().find(&shared.game, text) {
        Some(chunk) => Ok(chunk),
        None => shared.game.chunk(text),
    }
}

/// True if a text names a chunk, or several.
pub(crate) fn contains(py: Python<'_>, shared: &Shared, text: &str) -> PyResult<bool> {
    match py.detach(|| find(shared, text).map(|_| ())) {
        Ok(()) | Err(GameError::Find(FindError::Ambiguous { .. })) => Ok(true),
        Err(GameError::NoSuchChunk { .. } | GameError::Find(_)) => Ok(false),
        Err(error) => Err(errors::raise(py, &error)),
    }
}
