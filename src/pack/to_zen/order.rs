//! Order of packages in the container: imported ones before the ones that import them.

use super::plan::Planned;
use crate::id::RawChunkId;
use crate::objection::Objection;
use crate::pack::load_order;
use crate::pack::objections::Objections;
use crate::pack::packages::Imports;
use std::collections::HashSet;

/// Objects to packages with the same id: paths that only differ in letter case, or equal names. Only the
/// first of them is kept.
pub(super) fn distinct(planned: Vec<Planned>, objections: &mut Objections) -> Vec<Planned> {
    let mut seen: HashSet<RawChunkId> = HashSet::new();
    let mut is_first = |planned: &Planned| {
        let is_new = seen.insert(planned.file.id);
        if !is_new {
            objections.add(Objection::SameId(planned.package.name.clone()), &planned.file.input.source);
        }
        is_new
    };
    planned.into_iter().filter(|planned| is_first(planned)).collect()
}

/// Sorts packages depth first, from roots in the order of their ids.
pub(super) fn sort(mut planned: Vec<Planned>) -> Vec<Planned> {
    planned.sort_unstable_by_key(|planned| planned.package.id);
    let imports = |planned: &Planned| match &planned.package.imports {
        Imports::Known(imports) => imports.clone(),
        Imports::Unknown { .. } => Vec::new(),
    };
    let lists: Vec<_> = planned.iter().map(imports).collect();
    let nodes: Vec<load_order::Node<'_>> =
        planned.iter().zip(&lists).map(|(planned, list)| (planned.package.id, list.as_slice(), 1)).collect();
    // One place for each package: their bundles do not matter here.
    let places = load_order::of(&nodes);
    planned.sort_by_key(|planned| places.get(&planned.package.id).copied());
    planned
}
