//! Options for building mods, and what came of it.

use crate::changes::{RecipeError, RecipePlace};
use crate::error::Error;
use crate::game::JoinError;
use crate::job::Outcome;
use crate::objection::Finding;
use crate::pack::PackOptions;
use crate::texts::AppliedFile;
use crate::values::ValueOptions;
use crate::values::edit::Edited;

/// Options for building a mod.
#[derive(Debug, Clone, Default)]
pub struct BuildOptions {
    /// Options for reading values.
    pub values: ValueOptions,
    /// Options for packing the mod.
    pub packing: PackOptions,
    /// Write the mod although some changes cannot be made.
    pub keep_going: bool,
}

/// A built mod.
#[derive(Debug)]
pub struct Built {
    /// Packages that were changed. Of many changes only the first ones are listed.
    pub packages: Vec<Edited>,
    /// Localization files that were changed.
    pub texts: Vec<AppliedFile>,
    /// Number of values that each change of the recipe was applied to.
    pub values: Vec<usize>,
    /// Values that were not what the recipe expects.
    pub doubts: Vec<BuildDoubt>,
    /// Changes that could not be made.
    pub problems: Vec<BuildProblem>,
    /// Number of objects that changes may be for, but that cannot be read: nothing is changed in them.
    pub unread: u64,
    /// The files that were written; `None` if there were to be none, or nothing changed.
    pub written: Option<WrittenMod>,
    /// Outcome of reading and changing the packages.
    pub outcome: Outcome,
}

/// Files of a mod.
#[derive(Debug, Default)]
pub struct WrittenMod {
    /// Number of chunks, or of files.
    pub chunks: u64,
    /// Their length, in bytes.
    pub bytes: u64,
    /// Number of packages that could not be converted, and were left out.
    pub left_out: u64,
    /// Reasons why the game may reject it.
    pub warnings: Vec<Finding>,
}

/// A value that was not what a recipe expects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildDoubt {
    /// Place in the recipe.
    pub place: RecipePlace,
    /// The package or file.
    pub path: String,
    /// Address of the value, or key of the text.
    pub address: String,
    /// The expected value.
    pub expected: String,
    /// The value of the game.
    pub found: String,
}

/// A change that could not be made.
#[derive(Debug, thiserror::Error)]
#[error("{place}: {fault}")]
pub struct BuildProblem {
    /// Place in the recipe.
    pub place: RecipePlace,
    /// The fault.
    #[source]
    pub fault: BuildFault,
}

/// A reason that a change could not be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildFault {
    /// The game does not have a package.
    #[error("the game has no package {0}")]
    NoPackage(String),
    /// No value in any package is one of the change.
    #[error("no value to change")]
    Nothing,
    /// A value cannot be changed.
    #[error("{reason}: {package}")]
    Value {
        /// The package.
        package: String,
        /// The reason.
        reason: String,
    },
    /// A localization file of the game does not have the text.
    #[error("no culture has a text with the namespace {namespace:?} and the key {key:?}: {file}")]
    NoText {
        /// The file.
        file: String,
        /// The namespace.
        namespace: String,
        /// The key.
        key: String,
    },
    /// A listing cannot be read.
    #[error("not a listing: {0}")]
    Listing(String),
    /// A picture or function cannot be changed, or a file not be read.
    #[error(transparent)]
    Other(#[from] Error),
}

/// A reason that no mod was built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The recipe has an error.
    #[error(transparent)]
    Recipe(#[from] RecipeError),
    /// The texts of the game cannot be changed.
    #[error(transparent)]
    Texts(#[from] crate::texts::SheetError),
    /// The mod cannot be put together.
    #[error(transparent)]
    Join(#[from] JoinError),
    /// The game cannot be read, or the mod not be written.
    #[error(transparent)]
    Io(#[from] Error),
}
