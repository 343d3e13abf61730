//! Mods as changes: what each does to its game, and where several of them do not go together.
//!
//! ```text
//! game ─► package ─┬─► that of mod A ─► values and functions that differ ─┐
//!                  └─► that of mod B ─► values and functions that differ ─┴─► by address: same, compatible, conflict
//! ```

mod conflict;
mod joined;
mod merge;
mod port;
#[cfg(feature = "recipes")]
mod recipe;
mod shared;
mod texts;

pub use conflict::{ChangedPart, ModChange, SharedChange, SharedItem, Verdict};
pub(crate) use conflict::{PackageChanges, judge, judge_file};
pub(crate) use joined::joined;
pub(crate) use merge::{JoinedProperty, MergePlan, MergedPackage, ROWS, TakenMip, TakenValue, plan};
pub use merge::{Unmerged, UnmergedReason};
pub use port::{PortReason, PortedDoubt};
pub(crate) use port::{PortedValue, Renames, split};
#[cfg(feature = "recipes")]
pub use recipe::{
    CodeChangeOf, RECIPE_FILE, RECIPE_SCHEMA, Recipe, RecipeChange, RecipeCode, RecipeError, RecipePicture,
    RecipePlace, RecipeProblem, RecipeText,
};
#[cfg(feature = "recipes")]
pub(crate) use recipe::{NamedChanges, RecipePlan, changes_of, set_text};
pub(crate) use shared::{ItemKey, SharedKeys, is_of_a_mod, own_key};
pub(crate) use texts::{MergedTexts, TakenText, TextChanges, by_key, judge_texts, with_texts};
