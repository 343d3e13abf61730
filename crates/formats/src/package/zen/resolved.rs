//! Results of resolving object indices.

use crate::id::PackageObjectIndex;
use crate::package::ObjectPath;
use crate::wire::MAX_PATH_LEN;
use std::sync::Arc;

/// Meaning of an object index.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub enum Resolved {
    /// The null index; as an import, some package.
    Null,
    /// A known object.
    Object {
        /// Full path, such as `/Game/Maps/Level.Level:PersistentLevel`.
        path: ObjectPath,
        /// Source of the path.
        evidence: Evidence,
    },
    /// An object that was not found.
    Unresolved {
        /// Reason.
        reason: Unresolved,
        /// Package that should hold it, if known.
        #[serde(serialize_with = "text")]
        package: Option<Arc<str>>,
        /// Object index in the file.
        index: PackageObjectIndex,
    },
}

#[expect(clippy::ref_option, reason = "the form that serde calls")]
fn text<S: serde::Serializer>(text: &Option<Arc<str>>, serializer: S) -> Result<S::Ok, S::Error> {
    serde::Serialize::serialize(&text.as_deref(), serializer)
}

/// Source of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
pub enum Evidence {
    /// An export of the same package.
    Own,
    /// A script object.
    Script,
    /// An export of another available package.
    Package,
    /// A guess confirmed by its hash; the package is not available.
    Guess,
}

/// Reason for an unresolved object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, thiserror::Error)]
pub enum Unresolved {
    /// No script object has this index.
    #[error("no script object has this index")]
    NoScriptObject,
    /// The index of the imported package is too large.
    #[error("the index is past the end of the list of imported packages")]
    NoSuchPackage,
    /// The index of the public export hash is too large.
    #[error("the index is past the end of the list of public export hashes")]
    NoSuchHash,
    /// The other package is not available.
    #[error("the package is in none of the containers")]
    PackageMissing,
    /// The other package has no such export.
    #[error("the package has no such export")]
    ExportMissing,
    /// No available package has an export with this index.
    #[error("no available package has an export with this index")]
    OwnerMissing,
    /// Outer objects form a cycle, or lead out of the package.
    #[error("its outer objects form a cycle")]
    Cycle,
    /// The path is longer than the engine allows.
    #[error("its path is longer than {MAX_PATH_LEN} bytes")]
    TooLong,
    /// The number is not a valid index.
    #[error("the index refers to nothing")]
    Invalid,
}
