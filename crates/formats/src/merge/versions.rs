//! The versions of an asset, and what a merge makes of them.

use super::conflict::ConflictList;
use crate::package::rebuild::Changes;
use crate::property::Scope;

/// The versions of an asset. All have to be saved by the same release.
#[derive(Debug, Clone, Copy)]
pub struct MergeVersions<'s, 'a> {
    /// The version that both others come from; without one, both added the asset.
    pub base: Option<&'s Scope<'a>>,
    /// The version that gets the changes of the other.
    pub ours: &'s Scope<'a>,
    /// The version whose changes are taken.
    pub theirs: &'s Scope<'a>,
}

/// The result of a merge.
#[derive(Debug, Clone, Default)]
pub struct VersionMerge {
    /// Changes to the package of ours that make it the merged one; of no use if there are conflicts.
    pub changes: Changes,
    /// Parts that both versions change in different ways, and that nothing decides.
    pub conflicts: ConflictList,
    /// Such parts that were taken from the preferred version.
    pub settled: ConflictList,
    /// Number of parts taken from theirs: objects, properties, elements.
    pub taken: usize,
}
