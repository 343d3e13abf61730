//! Errors of recipes.

use super::model::RecipePlace;
use crate::error::Error;
use crate::values::edit::{AddressPatternError, ConditionError};

/// The most recipes that one may consist of.
pub(super) const MAX_FILES: usize = 1000;

/// An error in a recipe.
#[derive(Debug, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct RecipeError {
    /// Its place.
    pub place: RecipePlace,
    /// The problem.
    #[source]
    pub problem: Box<RecipeProblem>,
}

impl RecipePlace {
    /// An error at this place.
    pub(crate) fn error(&self, problem: impl Into<RecipeProblem>) -> RecipeError {
        RecipeError { place: self.clone(), problem: Box::new(problem.into()) }
    }
}

/// A problem of a recipe.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecipeProblem {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] Error),
    /// It is no text, or no TOML, or has a key that recipes do not have.
    #[error("{0}")]
    Syntax(String),
    /// A change has none or several of the keys of which it needs one.
    #[error("found {found}, expected one of {}", expected.join(", "))]
    OneOf {
        /// The keys that are there.
        found: String,
        /// The keys of which one is needed.
        expected: &'static [&'static str],
    },
    /// A value is of a kind that nothing in a game has.
    #[error(
        "found a date or a number without value, expected a number, a text, true, false, a list or a table"
    )]
    Value,
    /// Conditions are neither a table nor a list of these.
    #[error("found another value, expected a table of conditions, or a list of these")]
    Where,
    /// An address is none.
    #[error(transparent)]
    Address(#[from] AddressPatternError),
    /// A condition is none.
    #[error(transparent)]
    Condition(#[from] ConditionError),
    /// Recipes include each other, or there are too many.
    #[error("includes itself, or more than {MAX_FILES} recipes")]
    Include,
    /// A path leads out of the folder of the recipe.
    #[error("found a path that leads out of the folder of the recipe: {0}")]
    Outside(String),
}
