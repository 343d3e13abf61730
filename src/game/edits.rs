//! Changed packages as mods.

use super::{Game, GameError};
use crate::property::edit::Address;
use crate::values::PackageInputs;
use crate::values::edit::{EditOutput, Edited, SaveOptions, Saved, Wanted};
use std::sync::Arc;

impl Game {
    /// Changes values of a package, and writes it as a mod: into a container, a pak or a folder. If nothing changes, nothing is
    /// written.
    ///
    /// ```
    /// use uncask::Game;
    /// use uncask::game::{EditOutput, SaveOptions};
    ///
    /// let game = Game::open("testdata/demo")?;
    /// let folder = tempfile::tempdir().unwrap();
    /// let output = EditOutput::Container(folder.path().join("Doors_P.utoc"));
    /// let values = [("Default__BP_Door_C.OpenAngle".parse().unwrap(), "120".to_owned())];
    /// let (edited, saved) = game.set("/Game/Blueprints/BP_Door", &values, &output, SaveOptions::default())?;
    /// assert_eq!((edited.exports, saved.paths.len()), (1, 1));
    /// # Ok::<(), uncask::GameError>(())
    /// ```
    pub fn set(
        &self,
        package: &str,
        values: &[(Address, String)],
        output: &EditOutput,
        options: SaveOptions,
    ) -> Result<(Edited, Saved), GameError> {
        let inputs = PackageInputs::of_store(&self.store, &[self.chunk(package)?.entry()]);
        if inputs.is_empty() {
            return Err(GameError::NoPackage { path: package.to_owned() });
        }
        let editing = self.edit(inputs, self.value_options());
        let edited = editing.edit(0, &Wanted::Values(values.to_vec()))?;
        if edited.exports == 0 {
            return Ok((edited, Saved::default()));
        }
        let game = options.game.or_else(|| Some(Arc::new(self.as_base())));
        let options = SaveOptions { game, ..options };
        let saved = self.run(false, async |context| {
            editing.save(std::slice::from_ref(&edited), output, &options, context).await
        })??;
        Ok((edited, saved))
    }
}
