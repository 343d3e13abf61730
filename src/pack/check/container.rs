//! What concerns containers as such: their names, their tables, the list of their packages.

use crate::container::container_header::ContainerHeader;
use crate::container::script_objects::ScriptObjects;
use crate::id::{ChunkKind, PackageId, PackageObjectIndex, RawChunkId};
use crate::pack::objections::{Objection, Objections};
use crate::pack::target::{container_id_of, is_same_file};
use crate::pack::to_zen::BaseGame;
use crate::store::Container;
use crate::store::packages::Packages;
use crate::version::ChunkHashKind;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

/// Checks the containers of a mod.
pub(super) fn check(mods: &Packages, game: Option<&BaseGame>, objections: &mut Objections) {
    let mut ids = HashMap::new();
    for (at, container) in mods.store().containers().iter().enumerate() {
        if container.table().iostore().is_none() {
            continue;
        }
        table(container, game, objections);
        if !container.is_global() {
            name(container, game, &mut ids, objections);
            packages(mods.container_header(at), container, objections);
        }
    }
    if let Some(game) = game.and_then(|game| game.packages().scripts()) {
        scripts(mods, game, objections);
    }
}

/// A game finds a container by its `.pak`, and refuses to have two of one id. `ids` are those of the containers before it.
fn name(
    container: &Container,
    game: Option<&BaseGame>,
    ids: &mut HashMap<u64, PathBuf>,
    objections: &mut Objections,
) {
    let path = container.path();
    if !path.with_extension("pak").exists() {
        objections.add(Objection::NoCompanion, path);
    }
    let Some(id) = container.table().container_id() else { return };
    if id != container_id_of(path) {
        objections.add(Objection::OtherContainerId(id.to_string()), path);
    }
    let in_game = game.and_then(|game| game.container_with(id, |other| is_same_file(other, path)));
    if let Some(other) = ids.insert(id.0, path.to_owned()).or(in_game.map(PathBuf::from)) {
        objections.add(Objection::ContainerIdTaken(other), path);
    }
}

/// What no packer of the game's engine release writes.
fn table(container: &Container, game: Option<&BaseGame>, objections: &mut Objections) {
    let (path, table) = (container.path(), container.table());
    let Some(toc) = table.iostore() else { return };
    let of_game = game.and_then(BaseGame::toc_version);
    if let Some(game) = of_game.filter(|game| *game != toc.version()) {
        let (found, game) = (toc.version().to_string(), game.to_string());
        objections.add(Objection::OtherTocVersion { found, game }, path);
    }
    let mut seen = HashSet::new();
    for id in toc.chunk_ids().iter().filter(|id| !seen.insert(**id)) {
        objections.add(Objection::SharedChunkId(id.to_string()), path);
    }
    for id in toc.misplaced_chunks().into_iter().filter_map(|chunk| toc.chunk_id(chunk)) {
        objections.add(Objection::Misplaced(id.to_string()), path);
    }
    let (found, expected) = (container.hash_kind(), table.chunk_hash_kind());
    if container.locked().is_none() && found != expected {
        let [found, expected] = [found, expected].map(hash_name);
        objections.add(Objection::OtherHashes { found, expected }, path);
    }
}

const fn hash_name(kind: ChunkHashKind) -> &'static str {
    match kind {
        ChunkHashKind::Sha1 => "SHA-1",
        ChunkHashKind::Blake3 => "BLAKE3",
    }
}

/// The container header is how a game finds packages.
fn packages(header: Option<&ContainerHeader>, container: &Container, objections: &mut Objections) {
    let table = container.table();
    let packages: HashSet<PackageId> = table
        .chunks()
        .filter(|chunk| table.chunk_kind(*chunk) == ChunkKind::ExportBundleData)
        .filter_map(|chunk| table.chunk_id(chunk))
        .filter(|id| id.index() == 0)
        .map(RawChunkId::package)
        .collect();
    if packages.is_empty() || container.locked().is_some() {
        return;
    }
    let Some(header) = header else {
        return objections.add(Objection::NoHeader, container.path());
    };
    let listed: HashSet<PackageId> = header.packages.ids().iter().copied().collect();
    let (unlisted, gone) = (packages.difference(&listed).count(), listed.difference(&packages).count());
    if unlisted + gone > 0 || Some(header.container_id) != table.container_id() {
        objections.add(Objection::StaleHeader { unlisted, gone }, container.path());
    }
}

/// A mod that brings native objects replaces the list of those that the game's program has.
fn scripts(mods: &Packages, game: &ScriptObjects, objections: &mut Objections) {
    let is_list =
        |kind: ChunkKind| matches!(kind, ChunkKind::ScriptObjects | ChunkKind::LoaderInitialLoadMeta);
    let has_list = |container: &&std::sync::Arc<Container>| {
        let table = container.table();
        table.chunks().any(|chunk| is_list(table.chunk_kind(chunk)))
    };
    let Some(container) = mods.store().containers().iter().find(has_list) else { return };
    let Some(own) = mods.scripts() else { return };
    let indices = |scripts: &ScriptObjects| -> HashSet<PackageObjectIndex> {
        scripts.iter().map(|object| object.index).collect()
    };
    let (own, game) = (indices(own), indices(game));
    let (added, gone) = (own.difference(&game).count(), game.difference(&own).count());
    if added + gone > 0 {
        objections.add(Objection::OtherScripts { added, gone }, container.path());
    }
}
