//! Parts of recipes.

use crate::values::edit::RuleChange;
use serde_json::Value as Json;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// JSON schema of recipes, for editors.
pub const RECIPE_SCHEMA: &str = include_str!("schema.json");

/// A mod as the changes that it makes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Recipe {
    /// Name of the mod.
    pub name: Option<String>,
    /// Changes of values, in their order.
    pub changes: Vec<RecipeChange>,
    /// New pictures of textures.
    pub pictures: Vec<RecipePicture>,
    /// New texts in localization files.
    pub texts: Vec<RecipeText>,
    /// Changes of functions.
    pub code: Vec<RecipeCode>,
    /// Folders with files that go into the mod as they are.
    pub files: Vec<PathBuf>,
}

/// A place in a recipe.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RecipePlace {
    /// The file.
    pub path: Arc<Path>,
    /// Line and column, from 1; `None` if the file is no TOML.
    pub at: Option<(usize, usize)>,
}

impl Default for RecipePlace {
    fn default() -> Self {
        Self { path: Arc::from(Path::new("")), at: None }
    }
}

impl fmt::Display for RecipePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.path.display().fmt(f)?;
        self.at.map_or(Ok(()), |(line, column)| write!(f, ":{line}:{column}"))
    }
}

/// A change of values.
#[derive(Debug, Clone, PartialEq)]
pub struct RecipeChange {
    /// Its place.
    pub place: RecipePlace,
    /// Names of packages, or patterns for them, in any letter case.
    pub packages: Vec<String>,
    /// Address of the values, with wildcards.
    pub property: String,
    /// Name of the class that their objects have.
    pub class: Option<String>,
    /// Paths of values beside the changed one, each with what it has to be: one of these texts.
    pub conditions: Vec<(String, Vec<String>)>,
    /// The expected old value.
    pub from: Option<Json>,
    /// The change.
    pub change: RuleChange,
    /// True if it may find nothing.
    pub is_optional: bool,
}

/// A new picture of a texture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecipePicture {
    /// Its place.
    pub place: RecipePlace,
    /// Name of the package.
    pub package: String,
    /// Name of the texture, if it is not that of the package.
    pub object: Option<String>,
    /// PNG, EXR or DDS file.
    pub file: PathBuf,
    /// True if the game may lack the package.
    pub is_optional: bool,
}

/// A new text in a localization file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecipeText {
    /// Its place.
    pub place: RecipePlace,
    /// Path of the file, with `{culture}` for the folder of the culture.
    pub file: String,
    /// The culture; empty for a file outside any folder of a culture.
    pub culture: String,
    /// Namespace of the text.
    pub namespace: String,
    /// Its key.
    pub key: String,
    /// The expected old text.
    pub from: Option<String>,
    /// The new text.
    pub set: String,
    /// True if the game may lack it.
    pub is_optional: bool,
}

/// A change of functions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecipeCode {
    /// Its place.
    pub place: RecipePlace,
    /// The change.
    pub change: CodeChangeOf,
    /// True if the game may lack it.
    pub is_optional: bool,
}

/// A change of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CodeChangeOf {
    /// A file with listings of functions of a package.
    Listing(PathBuf),
    /// A constant.
    Constant {
        /// Name of the package.
        package: String,
        /// Its place: `Open@0x01F3`.
        at: String,
        /// The expected old value.
        from: Option<String>,
        /// The new value.
        set: String,
    },
    /// A statement that loses its effect.
    NoOp {
        /// Name of the package.
        package: String,
        /// Its place.
        at: String,
    },
}

/// Name of the file in the folder of a recipe.
pub const RECIPE_FILE: &str = "mod.toml";
