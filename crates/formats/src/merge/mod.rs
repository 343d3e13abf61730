//! Two changed versions of an asset as one: a three-way merge of packages that the editor saved.
//!
//! ```text
//! base ──┐  names and references   objects, properties,        objects that stay,
//! ours ──┼─► of all three in one ─► elements, nodes, links ───► come and go ─────────► changes to the package of ours
//! theirs ┘  set of tables          taken from who changed them
//! ```
//!
//! A version *changes* a part if it differs from the base. A part that one version changes is taken from that one, a part that
//! both change alike from either, and a part that both change in different ways is a [conflict](MergeConflict). Parts are:
//! objects, by path (nodes of graphs, components and expressions of materials by their ids); properties of an object or struct,
//! by name; elements of lists that have ids or keys, and links of pins; everything else as a whole, such as a vector or a text.
//! Nothing is made up: each part of the result exists in one of the versions.
//!
//! What the editor computes from the rest when it loads an asset, such as compiled functions, and what only concerns its
//! windows, is no reason for a conflict: it is taken from ours.

mod conflict;
mod file;
mod finish;
mod key;
mod links;
mod lists;
mod objects;
mod relocate;
mod side;
mod slots;
mod unified;
mod values;

pub use conflict::{ConflictKind, ConflictList, MergeConflict, MergeRefusal, MergeSide};
pub use file::{MergedFile, merge_files};

use crate::package::rebuild::Changes;
use crate::property::Scope;
use objects::Merger;
use side::read_sides;

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

/// Merges the changes of theirs since the base into ours. Conflicts are taken from `prefer`, if given.
pub fn merge(
    versions: &MergeVersions<'_, '_>,
    prefer: Option<MergeSide>,
) -> Result<VersionMerge, MergeRefusal> {
    let (mut unified, sides) = read_sides(versions)?;
    let mut merger = Merger::new(&unified, &sides, prefer);
    let mut slots = merger.slots();
    // Further faults only follow from these.
    if merger.conflicts.is_empty() {
        links::check(&mut merger, &mut slots);
    }
    let Merger { mut conflicts, settled, taken, .. } = merger;
    if !conflicts.is_empty() {
        return Ok(VersionMerge { changes: Changes::default(), conflicts, settled, taken });
    }
    slots.rename(&mut unified);
    let changes = finish::changes(&unified, &slots, versions.ours, &mut conflicts)?;
    Ok(VersionMerge { changes, conflicts, settled, taken })
}
