//! Recipes, tried on one package.

use super::{BuildError, BuildFault, BuildOptions, Building, Built};
use crate::changes::{Recipe, RecipePlan};
use crate::error::Result;
use crate::game::{Game, GameError};
use crate::values::ValueOptions;
use crate::values::edit::{EditFields, Editing};
use std::ops::Range;
use std::sync::Arc;

/// A package as a recipe changes it.
pub struct Preview {
    /// The changes, and those that cannot be made. Changes that are not for this package are not among these.
    pub built: Built,
    editing: Arc<Editing>,
}

impl std::fmt::Debug for Preview {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Preview").field("built", &self.built).finish_non_exhaustive()
    }
}

impl Preview {
    /// The values directly inside the object or value at an address; the objects themselves for an empty one.
    pub fn fields(&self, at: &str, range: Range<usize>) -> Result<EditFields> {
        self.editing.fields(0, self.built.packages.first(), (at, range))
    }

    /// The value at an address as JSON; `None` if there is none.
    pub fn value_json(&self, at: &str) -> Result<Option<String>> {
        self.editing.value_json(0, self.built.packages.first(), at)
    }
}

impl Game {
    /// Makes the changes of a recipe in one package of this game, in memory. All of the game counts, also its mods.
    pub fn preview(
        &self,
        recipe: &Recipe,
        package: &str,
        options: &BuildOptions,
    ) -> std::result::Result<Preview, PreviewError> {
        let inputs = self.package_inputs(&[self.chunk(package)?.entry()]);
        let values = ValueOptions { verify: true, ..options.values.clone() };
        let editing = Arc::new(self.edit(inputs, values));
        let plan = RecipePlan::new(recipe).map_err(BuildError::from)?;
        let mut building = Building::new(recipe);
        let packages = building.packages(&editing, &plan, self.cpu());
        // Packages that are not this one are not missing.
        building.built.problems.retain(|problem| !matches!(problem.fault, BuildFault::NoPackage(_)));
        building.edit(self, &editing, packages).map_err(BuildError::from)?;
        let Building { built, .. } = building;
        Ok(Preview { built, editing })
    }
}

/// A reason that a recipe cannot be tried on a package.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PreviewError {
    /// The game does not have the package.
    #[error(transparent)]
    Game(#[from] GameError),
    /// The changes cannot be made.
    #[error(transparent)]
    Build(#[from] BuildError),
}
