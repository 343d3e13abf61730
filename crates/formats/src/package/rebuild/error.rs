use crate::wire::Fault;

/// Errors from rebuilding a package.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RebuildError {
    /// A part of it does not fit, or no longer fits.
    #[error("{0}")]
    Malformed(#[from] Fault),
    /// The header holds bytes that no table accounts for: it would not be restored even without changes.
    #[error("its header holds bytes that no table accounts for, so that it cannot be written again")]
    NotUnderstood,
    /// The export does not exist.
    #[error("export {export} is not in the package, which has {count}")]
    NoExport {
        /// Export index.
        export: usize,
        /// Number of exports.
        count: usize,
    },
    /// The data of an export cannot be replaced.
    #[error("the data of export {export} lies outside the file, or in that of another export")]
    Overlap {
        /// Export index.
        export: usize,
    },
    /// A name is longer than names can be.
    #[error("a name has {found} characters, expected at most {limit}")]
    NameTooLong {
        /// Length in UTF-16 units.
        found: usize,
        /// Limit of the engine.
        limit: usize,
    },
    /// A payload at the end of the file has an absolute offset; no real file is known to have one.
    #[error("payload {resource} lies at the end of the file by an absolute offset, which is not supported")]
    BulkAtEnd {
        /// Index in the data resource table.
        resource: usize,
    },
    /// Exports were to be added to, or removed from, a package other than one of the editor.
    #[error("exports can be added or removed only in a package that the editor saved")]
    RowsOfCooked,
    /// An export stays, and refers to one that is removed.
    #[error("export {export} refers to one that is removed")]
    RefersToRemoved {
        /// Export index.
        export: usize,
    },
    /// A package of a new import is not among those that the container header is to list.
    #[error("{package} is not among the imported packages that the container header lists")]
    ImportedPackageUnlisted {
        /// Name of the package.
        package: String,
    },
}
