//! Statistics on exports with unreadable values.

use serde::Serialize;
use std::path::PathBuf;

/// Exports with values unreadable for one reason.
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
    /// File or chunk of that package.
    #[serde(skip)]
    pub file: PathBuf,
}

/// Reasons why values cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(tag = "cause", rename_all = "snake_case")]
#[non_exhaustive]
pub enum UnreadCause {
    /// Untagged properties without mappings.
    NoMappings,
    /// The `.uexp` of a split package is missing.
    NoExports,
    /// The package that defines a class was not found.
    NoPackage {
        /// The package.
        package: String,
        /// The class.
        class: String,
    },
    /// No mappings or package describe a struct or class.
    NoSchema {
        /// Its name.
        schema: String,
    },
    /// The data does not fit the schema of a struct or class in the mappings or in a package.
    WrongSchema {
        /// Its name.
        schema: String,
    },
    /// A struct or class is stored in an unknown native form.
    OwnForm {
        /// Its name.
        schema: String,
    },
    /// Damaged data, or an unknown form.
    Other {
        /// Error of the reader.
        problem: String,
    },
}
