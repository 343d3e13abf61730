use crate::error::Result;
use crate::id::PackageId;
use crate::job::CancelToken;
use crate::store::Entry;
use crate::store::packages::{Direction, Packages, Presence};
use std::collections::HashSet;

/// A selection with all dependencies of its packages.
#[derive(Debug, Default)]
pub struct WithDependencies {
    /// The chunks of the selection, and all chunks of its dependencies.
    pub entries: Vec<Entry>,
    /// Packages found in no container.
    pub missing: Vec<PackageId>,
}

/// Extends a selection by the packages that its packages depend on, directly or not, with their bulk data. Imports of
/// packages and of their optional segments are followed, soft references are not. Base containers are consulted for
/// dependencies, but nothing is selected from them.
pub fn with_dependencies(
    packages: &Packages,
    selection: &[Entry],
    cancel: &CancelToken,
) -> Result<WithDependencies> {
    let store = packages.store();
    let package_of = |entry: &Entry| store.chunk(*entry).package_id();
    let starts: HashSet<PackageId> = selection.iter().filter_map(package_of).collect();
    let walk = packages.walk(starts.iter().copied(), Direction::Dependencies, None, cancel)?;
    // Depth 0 is the selection itself, of which only the chosen chunks are wanted.
    let needed =
        |entry: &Entry| package_of(entry).is_some_and(|id| walk.get(id).is_some_and(|node| node.depth > 0));
    let mut added: Vec<Entry> = store.entries().filter(needed).collect();
    store.retain_winners(&mut added);
    let mut entries: Vec<Entry> = selection.iter().copied().chain(added).collect();
    entries.sort_unstable();
    // The selection may contain dependencies already.
    entries.dedup();
    let missing = walk.nodes.iter().filter(|node| node.presence == Presence::Missing).map(|node| node.id);
    Ok(WithDependencies { entries, missing: missing.collect() })
}
