//! Packages that wait for each other, up to 5.2: among those that are packed, and with those of the game.
//!
//! Who waits for whom is known of all packages; what exactly waits for what is read again, of those in a circle only.

use super::game::BaseGame;
use super::plan::Planned;
use super::world::Circles;
use crate::id::PackageId;
use crate::pack::load_order;
use crate::package::convert::to_zen::circles::{self, Loading};
use crate::package::zen::Neighbours;
use crate::pipeline::Cpu;
use crate::store::packages::Packages;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

/// Finds the packages in circles, and their bundles.
pub(super) fn find(planned: &[Planned], game: Option<&BaseGame>, cpu: &Cpu) -> Circles {
    let own: HashMap<PackageId, &Planned> =
        planned.iter().map(|package| (package.package.id, package)).collect();
    let awaited = own.iter().map(|(id, planned)| (*id, planned.awaited.clone())).collect();
    let read = |id: PackageId| {
        let planned = own.get(&id)?;
        Some((planned.package.name.clone(), planned.made.loading()?))
    };
    let circles::Circles { mut bundles, stuck } = find_among(&awaited, &read, game, cpu);
    bundles.retain(|id, bundles| bundles.len() > 1 && own.contains_key(id));
    let of_ue4 = bundles.iter().filter_map(|(id, bundles)| {
        let header = own.get(id)?.made.header_with(bundles)?;
        header.generation.is_ue4().then_some((*id, Arc::new(header)))
    });
    Circles { headers: of_ue4.collect(), bundles: bundles.into_iter().collect(), stuck }
}

/// The packages of a mod, up to 5.2, that wait for each other for ever, among themselves or with those of the game.
pub(in crate::pack) fn stuck(
    mods: &Packages,
    ids: &[PackageId],
    game: &BaseGame,
    cpu: &Cpu,
) -> BTreeSet<PackageId> {
    let read = |id: PackageId| of_container(mods, id);
    let awaited = |id: &PackageId| (*id, mods.imported_packages(*id).unwrap_or_default());
    let own = ids.iter().map(awaited).collect();
    let mut stuck = find_among(&own, &read, Some(game), cpu).stuck;
    stuck.retain(|id| own.contains_key(id));
    stuck
}

type Read<'a> = &'a (dyn Fn(PackageId) -> Option<(String, Loading)> + Sync);

/// Finds the circles in which packages of a mod are. Of these it is known whom they wait for, and what exactly can be read.
fn find_among(
    own: &HashMap<PackageId, Vec<PackageId>>,
    read: Read<'_>,
    game: Option<&BaseGame>,
    cpu: &Cpu,
) -> circles::Circles {
    let mut all = circles::Circles::default();
    for members in components(&graph(own, game)) {
        if members.iter().any(|id| own.contains_key(id)) {
            let found = circles::find(&in_turn(&members, own, read, game, cpu));
            all.stuck.extend(found.stuck);
            all.bundles.extend(found.bundles);
        }
    }
    all
}

/// What a package in a container waits for, with its name.
fn of_container(packages: &Packages, id: PackageId) -> Option<(String, Loading)> {
    let header = packages.package(id)?;
    let imported = packages.imported_packages(id).unwrap_or_default();
    Some((header.name().to_string(), Loading::of_header(&header, &imported)))
}

/// Each package with those that it waits for; of the game, with those that it imports, since nothing more is known without reading
/// it. Only packages of the game that the others lead to take part.
fn graph(
    own: &HashMap<PackageId, Vec<PackageId>>,
    game: Option<&BaseGame>,
) -> Vec<(PackageId, Vec<PackageId>)> {
    let (mut all, mut known) = (Vec::new(), HashSet::new());
    let mut next: Vec<PackageId> = own.keys().copied().collect();
    next.sort_unstable();
    known.extend(next.iter().copied());
    while let Some(id) = next.pop() {
        let others = match own.get(&id) {
            Some(awaited) => awaited.clone(),
            None => game.and_then(|game| game.packages().imported_packages(id)).unwrap_or_default(),
        };
        next.extend(others.iter().copied().filter(|other| known.insert(*other)));
        all.push((id, others));
    }
    all
}

/// Groups of packages each of which leads to all others. Packages that are in none by themselves are left out.
fn components(graph: &[(PackageId, Vec<PackageId>)]) -> Vec<Vec<PackageId>> {
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
    // Whoever leads to the last one of the order, and is led to from it, is in a group with it.
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

/// Reads what the packages of a circle wait for, and puts those first that others wait for.
fn in_turn(
    members: &[PackageId],
    own: &HashMap<PackageId, Vec<PackageId>>,
    read: Read<'_>,
    game: Option<&BaseGame>,
    cpu: &Cpu,
) -> Vec<Loading> {
    let read = |id: &PackageId| {
        if own.contains_key(id) { read(*id) } else { of_container(game?.packages(), *id) }
    };
    let mut all: Vec<(String, Loading)> = cpu.map(members, read).into_iter().flatten().collect();
    all.sort_by(|(a, _), (b, _)| a.cmp(b));
    let awaited: Vec<Vec<PackageId>> = all.iter().map(|(_, loading)| loading.awaited()).collect();
    let nodes: Vec<load_order::Node<'_>> = all
        .iter()
        .zip(&awaited)
        .map(|((_, loading), awaited)| (loading.package(), awaited.as_slice(), 1))
        .collect();
    let places = load_order::of(&nodes);
    all.sort_by_key(|(_, loading)| places.get(&loading.package()).copied());
    all.into_iter().map(|(_, loading)| loading).collect()
}
