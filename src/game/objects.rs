//! The values of objects.

use super::{Game, GameError};
use crate::values::{Objects, PackageInputs, ValueOptions, read_objects};
use std::sync::Arc;

impl Game {
    /// The objects of a package with the values of their properties. Most games since 4.25 need
    /// [mappings](super::GameOptions::mappings) for these.
    pub fn objects(&self, name: &str) -> Result<Objects, GameError> {
        let chunk = self.chunk(name)?;
        let inputs = PackageInputs::of_store(&self.store, &[chunk.entry()]);
        let options =
            ValueOptions { mappings: self.mappings.clone(), verify: true, ..ValueOptions::default() };
        let objects = read_objects(Arc::clone(&self.packages), inputs, options)?;
        let mut objects = objects.ok_or_else(|| GameError::NoPackage { path: chunk.display_path() })?;
        objects.take_mismatch().map_or(Ok(objects), |error| Err(error.into()))
    }
}
