use crate::wire::Fault;

/// Why a package cannot be rebuilt.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RebuildError {
    /// A part of it does not fit, or no longer fits.
    #[error("{0}")]
    Malformed(#[from] Fault),
    /// It would not come back as it is even without changes.
    #[error("its header holds bytes that no table accounts for, so that it cannot be written again")]
    NotUnderstood,
    /// There is no such export.
    #[error("export {export} is not in the package, which has {count}")]
    NoExport {
        /// Which.
        export: usize,
        /// Number of exports.
        count: usize,
    },
    /// An export's data cannot be replaced.
    #[error("the data of export {export} lies outside the file, or in that of another export")]
    Overlap {
        /// Which.
        export: usize,
    },
    /// A name is longer than names can be.
    #[error("a name has {found} characters, expected at most {limit}")]
    NameTooLong {
        /// Its length.
        found: usize,
        /// The longest that the engine takes.
        limit: usize,
    },
    /// An offset of bulk data is of a kind of which no file is known.
    #[error("payload {resource} lies at the end of the file by an absolute offset, which is not supported")]
    BulkAtEnd {
        /// Which entry of the data resource table.
        resource: usize,
    },
}
