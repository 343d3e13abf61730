//! Chunks by their paths, as in a `dict`.

use crate::errors;
use crate::shared::Shared;
use pyo3::prelude::*;
use uncask::GameError;
use uncask::game::{Chunk, FindError};

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
