//! Exports whose values could not be read, by what is in the way.

use serde::Serialize;
use std::path::PathBuf;

/// Exports whose values could not be read for one reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UnreadValues {
    /// The reason.
    #[serde(flatten)]
    pub cause: UnreadCause,
    /// Number of exports.
    pub exports: u64,
    /// Number of packages that have such exports.
    pub packages: u64,
    /// The path of the first of these packages.
    pub path: String,
    /// The first of its exports.
    pub object: String,
    /// Where that package is.
    #[serde(skip)]
    pub file: PathBuf,
}

/// Reasons why values cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(tag = "cause", rename_all = "snake_case")]
#[non_exhaustive]
pub enum UnreadCause {
    /// Their properties have no tags, and there are no mappings.
    NoMappings,
    /// The `.uexp` beside the header is not there.
    NoExports,
    /// A class lies in a package that is not there.
    NoPackage {
        /// The package.
        package: String,
        /// The class.
        class: String,
    },
    /// Neither the mappings nor a package describe a struct or class.
    NoSchema {
        /// Its name.
        schema: String,
    },
    /// The data is not that of a struct or class as the mappings or a package describe it.
    WrongSchema {
        /// Its name.
        schema: String,
    },
    /// A struct or class is stored in a form of its own, which is not known.
    OwnForm {
        /// Its name.
        schema: String,
    },
    /// The data is damaged, or in a form that is not known.
    Other {
        /// The problem that the reader met.
        problem: String,
    },
}
