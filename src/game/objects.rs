//! The values of objects.

use super::{Game, GameError};
use crate::job::CancelToken;
use crate::store::Chunk;
use crate::values::{Objects, PackageInputs, ValueOptions, read_objects};
use std::sync::Arc;

impl Game {
    /// How packages of this game are read for their values.
    pub(super) fn value_options(&self) -> ValueOptions {
        ValueOptions {
            mappings: self.mappings.clone(),
            release: self.release,
            verify: true,
            ..ValueOptions::default()
        }
    }

    /// The objects of a package with the values of their properties. Most games since 4.25 need
    /// [mappings](super::GameOptions::mappings) for these.
    pub fn objects(&self, name: &str) -> Result<Objects, GameError> {
        self.objects_of(self.chunk(name)?)
    }

    /// The objects of a package that is a chunk of this game.
    pub fn objects_of(&self, chunk: Chunk<'_>) -> Result<Objects, GameError> {
        let inputs = PackageInputs::of_store(&self.store, &[chunk.entry()]);
        let options = self.value_options();
        let objects = read_objects(Arc::clone(&self.packages), inputs, options, &CancelToken::default())?;
        let mut objects = objects.ok_or_else(|| GameError::NoPackage { path: chunk.display_path() })?;
        objects.take_mismatch().map_or(Ok(objects), |error| Err(error.into()))
    }
}
