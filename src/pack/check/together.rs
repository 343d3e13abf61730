//! Checks for packages that several mods of one input contain: only one of them is loaded.

use crate::container::ChunkIndex;
use crate::id::ChunkKind;
use crate::objection::Objection;
use crate::pack::objections::Objections;
use crate::store::packages::Packages;
use crate::store::{Container, Entry, package_path};
use std::collections::HashSet;
use std::path::Path;

/// Objects to packages that another mod overrides with different content.
pub(super) fn check(mods: &Packages, objections: &mut Objections) {
    let store = mods.store();
    if store.containers().len() < 2 {
        return;
    }
    let mut seen = HashSet::new();
    for entry in store.entries().filter(|entry| !store.is_delete_record(*entry)) {
        let Some(container) = store.container(entry) else { continue };
        // Bulk data is not reported separately: it belongs to a package that is.
        if container.table().chunk_kind(entry.chunk) != ChunkKind::ExportBundleData
            && container.table().pak().is_none()
        {
            continue;
        }
        let Some(path) = store.path(entry) else { continue };
        let Some((stem, ChunkKind::ExportBundleData)) = package_path::package_file(&path) else { continue };
        let Some(winner) = store.overridden_by(entry) else { continue };
        let is_meant = is_patch_of(winner.path(), container.path()) || is_same(mods, entry, winner);
        // A package may have several chunks; one objection is enough.
        if !is_meant && seen.insert((entry.container, stem.to_owned())) {
            let winner = winner.path().to_owned();
            objections.add(Objection::SharedPackage { winner, name: stem.to_owned() }, container.path());
        }
    }
}

/// True if the name of a container marks it as a patch of another.
fn is_patch_of(patch: &Path, of: &Path) -> bool {
    let stem = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
    let (patch, of) = (stem(patch), stem(of));
    // `NAME_P`, or `NAME_1_P` for patches with a number; letter case does not count.
    let number = patch.strip_prefix(&*of).and_then(|rest| rest.strip_suffix("_p"));
    number.is_some_and(|number| {
        number.is_empty() || number.strip_prefix('_').is_some_and(|digits| digits.parse::<u32>().is_ok())
    })
}

/// True if the winning container has the same content under the same id.
fn is_same(mods: &Packages, entry: Entry, winner: &Container) -> bool {
    let Some((container, id)) = mods.store().container(entry).zip(mods.store().chunk_id(entry)) else {
        return false;
    };
    let Some(other) = winner.table().find(id) else { return false };
    if container.table().chunk_len(entry.chunk) != winner.table().chunk_len(other) {
        return false;
    }
    let hash = |container: &Container, chunk| {
        let hash = container.table().meta(chunk).map(|meta| meta.hash)?;
        (hash.0 != [0; 20]).then_some(hash)
    };
    // Equal hashes mean equal content. Different ones may be of different kinds, so then the content is
    // compared.
    let is_known = container.table().pak().is_none() && hash(container, entry.chunk).is_some();
    if is_known && hash(container, entry.chunk) == hash(winner, other) {
        return true;
    }
    // Two contents are in memory at once, so each gets half of the limit.
    let read =
        |container: &Container, chunk: ChunkIndex| container.read(chunk, 0..u64::MAX, mods.limit() / 2).ok();
    let content = read(container, entry.chunk);
    content.is_some() && content == read(winner, other)
}
