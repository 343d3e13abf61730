//! Packages that wait for each other, up to 5.2: among the packed ones, and with those of the game.
//!
//! The packages that each one waits for are known; the exact steps are only read for packages in a cycle.

use super::game::BaseGame;
use super::plan::Planned;
use super::world::Circles;
use crate::id::PackageId;
use crate::job::Cpu;
use crate::pack::load_order;
use crate::pack::packages::Imports;
use crate::package::convert::to_zen::circles::{self, Loading};
use crate::package::zen::Neighbours;
use crate::store::packages::Packages;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

/// Package of a mod, with the facts that are known before it is read again.
struct Own {
    imported: Vec<PackageId>,
    awaited: Vec<PackageId>,
}

/// Finds the packages in cycles, and their bundles.
pub(super) fn find(planned: &[Planned], game: Option<&BaseGame>, cpu: &Cpu) -> Circles {
    let by_id: HashMap<PackageId, &Planned> =
        planned.iter().map(|package| (package.package.id, package)).collect();
    let own = by_id.iter().map(|(id, planned)| {
        let imported = match &planned.package.imports {
            Imports::Known(imported) => imported.clone(),
            Imports::Unknown { .. } => planned.awaited.clone(),
        };
        (*id, Own { imported, awaited: planned.awaited.clone() })
    });
    let own = own.collect();
    let read = |id: PackageId| by_id.get(&id)?.made.loading();
    let circles::Circles { mut bundles, stuck } = find_among(&own, &read, game, cpu);
    // One bundle is the usual form, and packages of the game are not written.
    bundles.retain(|id, bundles| bundles.len() > 1 && own.contains_key(id));
    // UE4 packages refer to bundles of others by number, so their headers are needed in advance.
    let of_ue4 = bundles.iter().filter_map(|(id, bundles)| {
        let header = by_id.get(id)?.made.header_with(bundles)?;
        header.generation.is_ue4().then_some((*id, Arc::new(header)))
    });
    Circles { headers: of_ue4.collect(), bundles: bundles.into_iter().collect(), stuck }
}

/// Returns the packages of a mod, up to 5.2, that wait for ever, for each other or for packages of the game.
pub(in crate::pack) fn stuck(
    mods: &Packages,
    ids: &[PackageId],
    game: &BaseGame,
    cpu: &Cpu,
) -> BTreeSet<PackageId> {
    let read = |id: PackageId| of_container(mods, id);
    let package = |id: &PackageId| {
        let imported = mods.imported_packages(*id).unwrap_or_default();
        (*id, Own { awaited: imported.clone(), imported })
    };
    let own = ids.iter().map(package).collect();
    let mut stuck = find_among(&own, &read, Some(game), cpu).stuck;
    stuck.retain(|id| own.contains_key(id));
    stuck
}

type Read<'a> = &'a (dyn Fn(PackageId) -> Option<Loading> + Sync);

/// Finds the cycles that contain packages of a mod.
///
/// Packages that wait for one in a cycle are included: they may be visited before it is complete.
fn find_among(
    own: &HashMap<PackageId, Own>,
    read: Read<'_>,
    game: Option<&BaseGame>,
    cpu: &Cpu,
) -> circles::Circles {
    let graph = graph(own, game);
    // Cycles without a package of the mod are the game's own.
    let circles =
        components(&graph).into_iter().filter(|members| members.iter().any(|id| own.contains_key(id)));
    let mut taking_part: HashSet<PackageId> = circles.flatten().collect();
    if taking_part.is_empty() {
        return circles::Circles::default();
    }
    let mut waiting: HashMap<PackageId, Vec<PackageId>> = HashMap::new();
    for (id, package) in own {
        package.awaited.iter().for_each(|other| waiting.entry(*other).or_default().push(*id));
    }
    // Everything that leads into a cycle, directly or through others.
    let mut next: Vec<PackageId> = taking_part.iter().copied().collect();
    while let Some(id) = next.pop() {
        let more = waiting.remove(&id).unwrap_or_default();
        next.extend(more.into_iter().filter(|id| taking_part.insert(*id)));
    }
    let in_turn: Vec<PackageId> =
        in_turn(&graph, own).into_iter().filter(|id| taking_part.contains(id)).collect();
    let read = |id: &PackageId| {
        if own.contains_key(id) { read(*id) } else { of_container(game?.packages(), *id) }
    };
    let is_known = |id| own.contains_key(&id) || game.is_some_and(|game| game.has(id));
    circles::find(&cpu.map(&in_turn, read).into_iter().flatten().collect::<Vec<_>>(), is_known)
}

/// Reads the steps that a package in a container waits for.
fn of_container(packages: &Packages, id: PackageId) -> Option<Loading> {
    let header = packages.package(id)?;
    Some(Loading::of_header(&header, &packages.imported_packages(id).unwrap_or_default()))
}

/// Returns each package with the ones that it waits for. For packages of the game, these are all imported
/// ones: more is not known without reading them. Only packages that the mod leads to are included.
fn graph(own: &HashMap<PackageId, Own>, game: Option<&BaseGame>) -> Vec<(PackageId, Vec<PackageId>)> {
    let (mut all, mut known) = (Vec::new(), HashSet::new());
    let mut next: Vec<PackageId> = own.keys().copied().collect();
    // Sorted, so that the result does not depend on the order of a hash map.
    next.sort_unstable();
    known.extend(next.iter().copied());
    while let Some(id) = next.pop() {
        let others = match own.get(&id) {
            Some(package) => package.awaited.clone(),
            None => game.and_then(|game| game.packages().imported_packages(id)).unwrap_or_default(),
        };
        next.extend(others.iter().copied().filter(|other| known.insert(*other)));
        all.push((id, others));
    }
    all
}

/// Returns the groups of packages that all lead to each other, without groups of a single one.
fn components(graph: &[(PackageId, Vec<PackageId>)]) -> Vec<Vec<PackageId>> {
    // Kosaraju's algorithm: one search in the order of finishing, a second one along the reversed edges.
    let nodes: Vec<load_order::Node<'_>> =
        graph.iter().map(|(id, others)| (*id, others.as_slice(), 1)).collect();
    let places = load_order::of(&nodes);
    let mut back: HashMap<PackageId, Vec<PackageId>> = HashMap::new();
    for (id, others) in graph {
        for other in others {
            back.entry(*other).or_default().push(*id);
        }
    }
    let mut ids: Vec<PackageId> = graph.iter().map(|(id, _)| *id).collect();
    ids.sort_unstable_by_key(|id| std::cmp::Reverse(places.get(id).copied()));
    let (mut seen, mut found) = (HashSet::new(), Vec::new());
    // A package that leads to the last one in the order, and is reached from it, is in the same group.
    for root in ids {
        let (mut group, mut next) = (Vec::new(), vec![root]);
        while let Some(id) = next.pop() {
            if places.contains_key(&id) && seen.insert(id) {
                group.push(id);
                next.extend(back.get(&id).into_iter().flatten());
            }
        }
        if group.len() > 1 {
            found.push(group);
        }
    }
    found
}

/// Returns all packages in the packager's order: imported ones before the ones that import them.
///
/// The search starts from each package, the smallest id first, follows its importers and theirs, and lists
/// each package when all of them are done; the list is then reversed. So in a cycle, the package with the
/// smallest id comes first, or one that a smaller one leads to. Three builds of 5.0, 5.2 and 5.4 have this
/// order in their `.ucas`.
fn in_turn(graph: &[(PackageId, Vec<PackageId>)], own: &HashMap<PackageId, Own>) -> Vec<PackageId> {
    let mut importers: HashMap<PackageId, Vec<PackageId>> = HashMap::new();
    let mut ids: Vec<PackageId> = graph.iter().map(|(id, _)| *id).collect();
    ids.sort_unstable();
    let others: HashMap<PackageId, &[PackageId]> =
        graph.iter().map(|(id, others)| (*id, others.as_slice())).collect();
    for id in &ids {
        let imported = own.get(id).map(|package| package.imported.as_slice());
        for other in imported.or_else(|| others.get(id).copied()).into_iter().flatten() {
            importers.entry(*other).or_default().push(*id);
        }
    }
    let of = |id: &PackageId| importers.get(id).map_or(&[][..], Vec::as_slice).iter();
    let (mut left, mut seen) = (Vec::with_capacity(ids.len()), HashSet::new());
    for root in &ids {
        // Not recursive: chains may be long.
        let mut open: Vec<_> = seen.insert(*root).then(|| (*root, of(root))).into_iter().collect();
        while let Some((id, importers)) = open.last_mut() {
            if let Some(importer) = importers.next() {
                if seen.insert(*importer) {
                    open.push((*importer, of(importer)));
                }
            } else {
                left.push(*id);
                open.pop();
            }
        }
    }
    left.reverse();
    left
}
