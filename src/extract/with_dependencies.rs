use crate::error::Result;
use crate::id::PackageId;
use crate::job::CancelToken;
use crate::store::Entry;
use crate::store::packages::{Direction, Packages, Presence};
use std::collections::HashSet;

/// A selection and everything that its packages depend on.
#[derive(Debug, Default)]
pub struct WithDependencies {
    /// The chunks of the selection, and all chunks of the packages that it depends on.
    pub entries: Vec<Entry>,
    /// Packages that are in none of the containers.
    pub missing: Vec<PackageId>,
}

/// Adds to a selection the packages that its packages depend on, and what they depend on in turn, each with its bulk
/// data. Imports of packages and of their optional segments are followed, soft references are not. Base containers are asked what depends on what, but nothing is taken from them.
pub fn with_dependencies(
    packages: &Packages,
    selection: &[Entry],
    cancel: &CancelToken,
) -> Result<WithDependencies> {
    let store = packages.store();
    let package_of = |entry: &Entry| store.chunk(*entry).package_id();
    let starts: HashSet<PackageId> = selection.iter().filter_map(package_of).collect();
    let walk = packages.walk(starts.iter().copied(), Direction::Dependencies, None, cancel)?;
    let needed =
        |entry: &Entry| package_of(entry).is_some_and(|id| walk.get(id).is_some_and(|node| node.depth > 0));
    let mut added: Vec<Entry> = store.entries().filter(needed).collect();
    store.retain_winners(&mut added);
    let mut entries: Vec<Entry> = selection.iter().copied().chain(added).collect();
    entries.sort_unstable();
    entries.dedup();
    let missing = walk.nodes.iter().filter(|node| node.presence == Presence::Missing).map(|node| node.id);
    Ok(WithDependencies { entries, missing: missing.collect() })
}
