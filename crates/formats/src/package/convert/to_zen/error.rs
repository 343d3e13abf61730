//! Errors from converting to a zen package.

use crate::package::ObjectPath;
use crate::version::{PackageFileVersion, Release, ZenGeneration};
use crate::wire::Fault;

/// Errors from converting a legacy package to zen form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ToZenError {
    /// The package was saved by the editor, not cooked.
    #[error("it is not cooked ({0})")]
    NotCooked(&'static str),
    /// The release writes packages of another object version.
    #[error("its object version is {found}, which {release} does not write")]
    OtherEngine {
        /// Versions in the package, or those of its layout.
        found: PackageFileVersion,
        /// Requested release.
        release: &'static Release,
    },
    /// The kept header belongs to other releases.
    #[error("what was kept of the zen package is that of {found}, not of {release}")]
    OtherForm {
        /// Generation of the kept header.
        found: ZenGeneration,
        /// Requested release.
        release: &'static Release,
    },
    /// The release does not use containers.
    #[error("{0} has no zen packages")]
    NoZen(&'static Release),
    /// The package has Verse cells.
    #[error("it has Verse cells, which are not supported")]
    VerseCells,
    /// The `.uexp` does not fit the header.
    #[error(
        "its .uexp has {found} bytes, expected at least {expected} for its exports and the tag at the end"
    )]
    ExportsTooShort {
        /// Length of the file in bytes.
        found: u64,
        /// Length that the header requires, in bytes.
        expected: u64,
    },
    /// The data of an export does not start where the previous one ends.
    #[error("the data of export {export} begins at {found:#x}, expected {expected:#x}")]
    Gap {
        /// Export index.
        export: usize,
        /// Its offset.
        found: i64,
        /// End of the previous export.
        expected: i64,
    },
    /// Exports overlap or lie outside the `.uexp`.
    #[error("the data of export {export} lies outside the .uexp, or in that of another export")]
    Overlap {
        /// Export index.
        export: usize,
    },
    /// The outer objects of an import form a cycle, or do not lead to a package.
    #[error(
        "import {import} is in no package: its outer objects lead in a circle or to an object without one"
    )]
    ImportOuter {
        /// Import index.
        import: usize,
    },
    /// An import is a placeholder without a usable number.
    #[error("import {import} stands for an object that was not known, and does not say for which: {path}")]
    Placeholder {
        /// Import index.
        import: usize,
        /// Its path.
        path: ObjectPath,
    },
    /// The outer objects of an export form a cycle.
    #[error("the outer objects of export {export} lead in a circle")]
    ExportOuter {
        /// Export index.
        export: usize,
    },
    /// Preload dependencies of an export lie outside their table.
    #[error(
        "the preload dependencies of export {export} lie outside their table, or are those of another export"
    )]
    Preload {
        /// Export index.
        export: usize,
    },
    /// Exports wait for each other in a cycle.
    #[error("exports wait for each other, so that none of them can be loaded: {0}")]
    Circle(String),
    /// The given bundles do not consist of the package's steps.
    #[error("bundles that are not made of its {steps} steps of loading")]
    Bundles {
        /// Number of steps.
        steps: usize,
    },
    /// The remainder belongs to another package.
    #[error("what was kept of the zen package does not fit: {0}")]
    Remainder(Fault),
    /// The count of used names exceeds the name table.
    #[error("{found} names are said to be used by export data, of {count}")]
    NamesReferenced {
        /// Recorded count.
        found: i32,
        /// Number of names.
        count: usize,
    },
    /// Part of the header exceeds the limits of the format.
    #[error("{0}")]
    TooLarge(#[from] Fault),
}
