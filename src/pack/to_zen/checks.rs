//! Checks that concern several packages, or the game: faults that make it crash or ignore the mod.

use super::game::BaseGame;
use super::input::FoundInputs;
use super::made::Converter;
use super::plan::Planned;
use super::world::Circles;
use crate::id::PackageId;
use crate::objection::{Objection, Referent};
use crate::pack::objections::Objections;
use crate::pack::options::PackOptions;
use crate::pack::standing::Standing;
use crate::pack::target::{container_id, is_same_file};
use crate::package::zen::PublicId;
use crate::store::package_path;
use std::collections::{HashMap, HashSet};
use std::path::Path;

pub(super) fn check(
    planned: &[Planned],
    found: &FoundInputs,
    toc_path: &Path,
    options: &PackOptions,
    converter: &Converter,
    objections: &mut Objections,
) {
    let has_library = found.others.iter().any(|file| file.name().starts_with("ShaderArchive-"));
    for package in planned.iter().filter(|package| package.is_material && !has_library) {
        objections.add(Objection::MaterialWithoutShaders, &package.file.input.source);
    }
    let Some(game) = converter.game.as_deref() else { return };
    // A container of the game that the new one replaces, possibly at another path.
    let replaced = options.original.as_deref().and_then(|original| original.replaced_by(toc_path));
    let places = [Some(toc_path), replaced];
    let is_own = |path: &Path| places.iter().flatten().any(|place| is_same_file(place, path));
    if let Some(other) = game.container_with(container_id(toc_path, options), is_own) {
        objections.add(Objection::ContainerIdTaken(other.to_owned()), toc_path);
    }
    if let Some(found) = game
        .toc_version()
        .filter(|found| crate::version::TocVersion::of_release(converter.release) != Some(*found))
    {
        let objection = Objection::OtherThanGame { release: converter.release, game: found };
        objections.add(objection, toc_path);
    }
    check_imports(planned, game, objections);
    check_paths(planned, game, objections);
    let standing = Standing::new(game, toc_path);
    for package in planned {
        let winner = standing.winner_of_package(package.package.id);
        if let Some(winner) = winner.filter(|winner| !is_own(winner.path())) {
            objections.add(standing.objection(winner), toc_path);
        }
        if let Some(objection) = game.property_format(package.package.id, package.flags) {
            objections.add(objection, &package.file.input.source);
        }
    }
}

/// Objects to packages that wait for each other for ever, and to imports that leave this open.
pub(super) fn circles(
    planned: &[Planned],
    circles: &Circles,
    game: Option<&BaseGame>,
    objections: &mut Objections,
) {
    let own: HashSet<PackageId> = planned.iter().map(|package| package.package.id).collect();
    for package in planned {
        if circles.stuck.contains(&package.package.id) {
            objections.add(
                Objection::Stuck(Referent::Named(package.package.name.clone())),
                &package.file.input.source,
            );
        }
        let is_known = |id: &PackageId| own.contains(id) || game.is_some_and(|game| game.has(*id));
        // An unknown package may lead back to this one; without it, no cycle can be excluded.
        if let Some(id) = package.awaited.iter().find(|id| !is_known(id)) {
            objections.add(Objection::CirclesUnknown(package.called(*id)), &package.file.input.source);
        }
    }
}

/// Objects to packages at the path of a game's package under another name, which replace nothing. Plugins may
/// have another name than their folder.
fn check_paths(planned: &[Planned], game: &BaseGame, objections: &mut Objections) {
    let by_path = |package: &Planned| -> Vec<String> {
        let names = package_path::to_package_names(package.file.path.as_deref().unwrap_or_default());
        names.iter().map(|name| name.to_ascii_lowercase()).collect()
    };
    let new = planned.iter().filter(|package| !game.has(package.package.id));
    let new: Vec<(Vec<String>, &Planned)> = new.map(|package| (by_path(package), package)).collect();
    // Searching all paths of the game takes time, and mods often only replace packages.
    if new.is_empty() {
        return;
    }
    let names = new.iter().flat_map(|(names, _)| names.iter().map(String::as_str));
    let taken = game.names_by_path(&names.collect());
    let is_taken = |names: &[String]| names.iter().any(|name| taken.contains(name.as_str()));
    for (_, package) in new.iter().filter(|(names, _)| is_taken(names)) {
        let name = package.package.name.clone();
        objections.add(Objection::OtherNameThere(name), &package.file.input.source);
    }
}

/// Objects to imports that neither the mod nor the game contains: they are null when the game runs.
fn check_imports(planned: &[Planned], game: &BaseGame, objections: &mut Objections) {
    let own: HashMap<PackageId, HashSet<PublicId>> = planned
        .iter()
        .map(|package| (package.package.id, package.exports.iter().copied().collect()))
        .collect();
    for package in planned {
        for (id, export) in &package.imports {
            let is_there = match own.get(id) {
                // The mod's own package replaces the game's, so only its exports count.
                Some(exports) => exports.contains(export),
                None => {
                    let header = game.packages().find(game.packages().redirected(*id));
                    let header = header.and_then(|entry| game.packages().header(entry));
                    header.is_some_and(|header| header.find_public(*export).is_some())
                }
            };
            if !is_there {
                objections.add(Objection::ImportMissing(package.called(*id)), &package.file.input.source);
            }
        }
    }
}
