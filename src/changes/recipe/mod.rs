//! Recipes: mods as text, in TOML.
//!
//! ```toml
//! name = "Better doors"
//! include = ["prices.toml"]                 # changes of other recipes, made before those of this one
//! files = ["files"]                         # folders with files that go into the mod as they are
//!
//! [[change]]
//! packages = "/Game/Weapons/*"              # a name, a pattern, or a list of these
//! property = "*.Damage"                     # an address as `set` takes it, with wildcards
//! where = { Tier = "Rare" }                 # values beside it
//! multiply = 1.5                            # or set, add, append, remove
//!
//! [[picture]]
//! package = "/Game/UI/T_Logo"
//! file = "pictures/T_Logo.png"
//!
//! [[text]]
//! file = "Game/Content/Localization/Game/{culture}/Game.locres"
//! culture = "de"
//! key = "Open"
//! set = "Öffnen"
//!
//! [[code]]
//! listing = "code/BP_Door.txt"
//! ```
//!
//! Paths are relative to the file that names them.

mod extract;
mod model;
mod patch;
mod plan;
mod problem;
mod read;
mod rows;
mod toml_value;
mod write;

pub(crate) use extract::{NamedChanges, changes_of};
pub use model::{
    CodeChangeOf, RECIPE_FILE, RECIPE_SCHEMA, Recipe, RecipeChange, RecipeCode, RecipePicture, RecipePlace,
    RecipeText,
};
pub(crate) use plan::RecipePlan;
pub use problem::{RecipeError, RecipeProblem};
pub(crate) use toml_value::set_text;
