//! Options for making recipes, and what came of it.

use crate::changes::Recipe;
use crate::job::Outcome;
use crate::values::{ValueOptions, ValuesRead};

/// Options for making a recipe.
#[derive(Debug, Clone, Default)]
pub struct RecipeOptions {
    /// Options for reading values.
    pub values: ValueOptions,
    /// Replace the recipe in the folder.
    pub replace: bool,
}

/// A recipe that was made of a mod.
#[derive(Debug, Default)]
pub struct ExtractedRecipe {
    /// The recipe; its paths are relative to its folder.
    pub recipe: Recipe,
    /// Packages that it makes byte for byte as the mod has them.
    pub exact: Vec<String>,
    /// Packages that it makes with the same values, functions and data.
    pub alike: Vec<String>,
    /// Packages and files that it has as wholes.
    pub whole: Vec<String>,
    /// Packages and files that are those of the game.
    pub unchanged: Vec<String>,
    /// Outcomes of reading, one for each comparison of two sides.
    pub outcomes: Vec<Outcome<ValuesRead>>,
}
