//! Parts that cannot be merged.

use crate::package::rebuild::RebuildError;
use crate::wire::Fault;
use serde::Serialize;

/// A version of an asset that has changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MergeSide {
    /// The version that gets the changes of the other.
    Ours,
    /// The version whose changes are taken.
    Theirs,
}

/// A part that both versions change, in different ways.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct MergeConflict {
    /// Path of the object in its package.
    pub object: String,
    /// Class of the object.
    pub class: String,
    /// Path of the part in the object; empty for the whole object.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub part: String,
    /// Kind of conflict.
    pub kind: ConflictKind,
}

/// Conflicts, of which many are counted and not listed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ConflictList {
    /// The first conflicts.
    pub listed: Vec<MergeConflict>,
    /// Number of all.
    pub total: usize,
}

impl ConflictList {
    /// Number of conflicts that are listed: nobody decides about more, and each has a path as long as names allow.
    const LONGEST: usize = 1000;

    /// True if there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.total == 0
    }

    pub(super) fn push(&mut self, conflict: impl FnOnce() -> MergeConflict) {
        if self.listed.len() < Self::LONGEST {
            self.listed.push(conflict());
        }
        self.total += 1;
    }

    pub(super) fn truncate(&mut self, total: usize) {
        self.listed.truncate(total);
        self.total = total;
    }
}

/// Kind of a conflict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ConflictKind {
    /// Both versions change it, in different ways.
    BothChange,
    /// Ours removes what theirs changes.
    RemovedByOurs,
    /// Theirs removes what ours changes.
    RemovedByTheirs,
    /// A pin that takes one link gets one from each version.
    TwoLinks,
    /// A link has only one end.
    BrokenLink,
    /// The object holds data that is not understood, and that cannot be moved from one version to another.
    NotUnderstood,
    /// The object refers to one that is removed.
    RefersToRemoved,
}

/// Errors from merging versions that do not go together, or cannot be written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MergeRefusal {
    /// A version is cooked.
    #[error("it is cooked; only assets that the editor saved can be merged")]
    Cooked,
    /// The versions were saved by different releases, or by different versions of plugins.
    #[error("its versions were saved by different releases of the engine, and their data differs in form")]
    OtherRelease,
    /// Payloads after the objects, such as pixels, differ, and cannot be moved from one version to another.
    #[error("payloads outside of its objects, such as pixels, differ between the versions")]
    Payloads,
    /// An import lies in an export. No real asset is known to have that.
    #[error("it imports an object that lies in one of its own")]
    ImportInside,
    /// The merged package cannot be written.
    #[error("{0}")]
    Rebuild(#[from] RebuildError),
    /// The merged asset reads back otherwise than it was made.
    #[error("the merged asset does not read back as it should")]
    ReadBack,
    /// A version is no asset, or damaged.
    #[error("{0}")]
    Malformed(#[from] Fault),
}
