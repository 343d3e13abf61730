//! Why a package cannot become a zen package.

use crate::package::ObjectPath;
use crate::version::{PackageFileVersion, Release, ZenGeneration};
use crate::wire::Fault;

/// Why a package cannot be converted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ToZenError {
    /// The editor saved it, and no cooker has been over it.
    #[error("it is not cooked ({0})")]
    NotCooked(&'static str),
    /// The release writes other packages.
    #[error("its object version is {found}, which {release} does not write")]
    OtherEngine {
        /// The versions in the package, or those that its layout has.
        found: PackageFileVersion,
        /// The release that was asked for.
        release: &'static Release,
    },
    /// The kept header is in the form of other releases.
    #[error("what was kept of the zen package is that of {found}, not of {release}")]
    OtherForm {
        /// Form of the kept header.
        found: ZenGeneration,
        /// The release that was asked for.
        release: &'static Release,
    },
    /// The release has no containers.
    #[error("{0} has no zen packages")]
    NoZen(&'static Release),
    /// It has Verse cells.
    #[error("it has Verse cells, which are not supported")]
    VerseCells,
    /// The `.uexp` does not fit the header.
    #[error(
        "its .uexp has {found} bytes, expected at least {expected} for its exports and the tag at the end"
    )]
    ExportsTooShort {
        /// Bytes that are there.
        found: u64,
        /// Bytes that the header asks for.
        expected: u64,
    },
    /// An export does not lie where the one before it ends.
    #[error("the data of export {export} begins at {found:#x}, expected {expected:#x}")]
    Gap {
        /// Which.
        export: usize,
        /// Its offset.
        found: i64,
        /// Where the one before it ends.
        expected: i64,
    },
    /// Its exports overlap each other or lie outside the `.uexp`.
    #[error("the data of export {export} lies outside the .uexp, or in that of another export")]
    Overlap {
        /// Which.
        export: usize,
    },
    /// The outer objects of an import lead in a circle, or not to a package.
    #[error(
        "import {import} is in no package: its outer objects lead in a circle or to an object without one"
    )]
    ImportOuter {
        /// Which.
        import: usize,
    },
    /// An import only stands for one whose name was not known when the package was made, and does not say for which.
    #[error("import {import} stands for an object that was not known, and does not say for which: {path}")]
    Placeholder {
        /// Which.
        import: usize,
        /// Its path.
        path: ObjectPath,
    },
    /// The outer objects of an export lead in a circle.
    #[error("the outer objects of export {export} lead in a circle")]
    ExportOuter {
        /// Which.
        export: usize,
    },
    /// An export refers to an entry that is not in the table of preload dependencies.
    #[error(
        "the preload dependencies of export {export} lie outside their table, or are those of another export"
    )]
    Preload {
        /// Which.
        export: usize,
    },
    /// Exports wait for each other.
    #[error("exports wait for each other, so that none of them can be loaded: {0}")]
    Circle(String),
    /// The bundles that it was to have are not made of its steps.
    #[error("bundles that are not made of its {steps} steps of loading")]
    Bundles {
        /// Number of its steps.
        steps: usize,
    },
    /// What was kept of the zen package is that of another one.
    #[error("what was kept of the zen package does not fit: {0}")]
    Remainder(Fault),
    /// A count says that there are more names than there are.
    #[error("{found} names are said to be used by export data, of {count}")]
    NamesReferenced {
        /// The number that is said.
        found: i32,
        /// Number of names.
        count: usize,
    },
    /// Some part of the header is larger than the format can say.
    #[error("{0}")]
    TooLarge(#[from] Fault),
}
