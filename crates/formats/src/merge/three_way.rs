//! The merge, step by step.

use super::conflict::{MergeRefusal, MergeSide};
use super::objects::Merger;
use super::side::read_sides;
use super::versions::{MergeVersions, VersionMerge};
use super::{finish, links};

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
        return Ok(VersionMerge { conflicts, settled, taken, ..VersionMerge::default() });
    }
    slots.rename(&mut unified);
    let changes = finish::changes(&unified, &slots, versions.ours, &mut conflicts)?;
    Ok(VersionMerge { changes, conflicts, settled, taken })
}
