//! Checks of containers as a whole: names, tables, lists of packages.

use crate::container::script_objects::ScriptObjects;
use crate::id::{ChunkKind, Guid, PackageId, PackageObjectIndex, RawChunkId};
use crate::objection::{Objection, ProjectFile};
use crate::pack::objections::Objections;
use crate::pack::standing::own_containers;
use crate::pack::target::{container_id_of, is_of_game, is_same_file};
use crate::pack::to_zen::BaseGame;
use crate::store::Container;
use crate::store::packages::Packages;
use crate::table::Table;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

/// Checks the containers of a mod.
pub(super) fn check(mods: &Packages, game: Option<&BaseGame>, objections: &mut Objections) {
    let mut ids = HashMap::new();
    for (at, container) in own_containers(mods) {
        of_game(container, game, objections);
        project_files(container, objections);
        if container.table().iostore().is_none() {
            continue;
        }
        table(container, game, objections);
        if !container.is_global() {
            name(container, game, &mut ids, objections);
            packages(mods, at, container, game, objections);
        }
    }
    if let Some(game) = game.and_then(|game| game.packages().scripts()) {
        scripts(mods, game, objections);
    }
}

/// Checks keys and signatures, which depend on those of the game's containers.
fn of_game(container: &Container, game: Option<&BaseGame>, objections: &mut Objections) {
    let path = container.path();
    let Some(game) = game else {
        // Without the game, any key may be the wrong one.
        if let Some(key) = key_of(container) {
            objections.add(Objection::Encrypted(key), path);
        }
        return;
    };
    let all = || game.packages().store().containers().iter();
    let signature = |path: &Path| Some(path.with_extension("sig")).filter(|signature| signature.is_file());
    // A game whose containers are signed may refuse one without a signature.
    if let Some(of_game) =
        all().find_map(|other| signature(other.path())).filter(|_| signature(path).is_none())
    {
        objections.add(Objection::NoSignature(of_game), path);
    }
    if let Some(key) = key_of(container).filter(|key| !all().any(|other| key_of(other) == Some(*key))) {
        objections.add(Objection::OtherKey(key), path);
    }
}

/// Returns the GUID of the key that a container is encrypted with.
fn key_of(container: &Container) -> Option<Guid> {
    match &**container.table() {
        Table::IoStore(toc) => container.table().is_encrypted().then(|| toc.encryption_key_guid()),
        Table::Pak(pak) => {
            let footer = pak.index().footer();
            // The index and the files of a pak are encrypted separately; both use the same key.
            (footer.is_index_encrypted || pak.has_encrypted_files()).then_some(footer.key_guid)
        }
    }
}

/// Finds files that exist once in a project, which the engine's packager puts into the main pak or the first
/// pakchunk.
fn project_files(container: &Container, objections: &mut Objections) {
    if is_of_game(container.path()) {
        return;
    }
    let table = container.table();
    let mut path = String::new();
    for chunk in table.chunks().filter(|chunk| !table.chunk_kind(*chunk).belongs_to_package()) {
        path.clear();
        if !table.is_delete_record(chunk)
            && container.path_into(chunk, &mut path)
            && let Some(file) = ProjectFile::of(&path)
        {
            let shown = format!("{}:{path}", container.path().display());
            objections.add(Objection::ProjectFile(file), shown.as_ref());
        }
    }
}

/// Checks the `.pak`, by which a game finds a container, and the id, of which a game accepts only one. `ids`
/// are the ones of the containers before it.
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
    // Ids are made from file names, so another id shows that the container was renamed.
    if id != container_id_of(path) {
        objections.add(Objection::OtherContainerId(id), path);
    }
    let in_game = game.and_then(|game| game.container_with(id, |other| is_same_file(other, path)));
    if let Some(other) = ids.insert(id.0, path.to_owned()).or(in_game.map(PathBuf::from)) {
        objections.add(Objection::ContainerIdTaken(other), path);
    }
}

/// Checks the table of contents for features that no packer of the game's engine release writes.
fn table(container: &Container, game: Option<&BaseGame>, objections: &mut Objections) {
    let (path, table) = (container.path(), container.table());
    let Some(toc) = table.iostore() else { return };
    let of_game = game.and_then(BaseGame::toc_version);
    if let Some(game) = of_game.filter(|game| *game != toc.version()) {
        objections.add(Objection::OtherTocVersion { found: toc.version(), game }, path);
    }
    let mut seen = HashSet::new();
    // Only one of two chunks with the same id is ever found.
    for id in toc.chunk_ids().iter().filter(|id| !seen.insert(**id)) {
        objections.add(Objection::SharedChunkId(*id), path);
    }
    // The engine looks chunks up by their perfect hash, and never finds these.
    for id in toc.misplaced_chunks().into_iter().filter_map(|chunk| toc.chunk_id(chunk)) {
        objections.add(Objection::Misplaced(id), path);
    }
    let (found, expected) = (container.hash_kind(), table.chunk_hash_kind());
    // Containers of another engine release hash their chunks differently.
    if container.locked().is_none() && found != expected {
        objections.add(Objection::OtherHashes { found, expected }, path);
    }
}

/// Checks the container header, by which a game finds packages.
fn packages(
    mods: &Packages,
    at: usize,
    container: &Container,
    game: Option<&BaseGame>,
    objections: &mut Objections,
) {
    let table = container.table();
    let packages: HashSet<PackageId> = table
        .chunks()
        .filter(|chunk| table.chunk_kind(*chunk) == ChunkKind::ExportBundleData)
        .filter_map(|chunk| table.chunk_id(chunk))
        // Optional segments have index 1, and a separate list in the header.
        .filter(|id| id.index() == 0)
        .map(RawChunkId::package)
        .collect();
    if packages.is_empty() || container.locked().is_some() {
        return;
    }
    let path = container.path();
    let Some(header) = mods.container_header(at) else {
        let chunk = container.find_kind(ChunkKind::ContainerHeader);
        // An unreadable header says nothing about its content, and its own error is reported elsewhere.
        if chunk.is_none_or(|chunk| container.read(chunk, 0..1, mods.limit()).is_ok()) {
            objections.add(Objection::NoHeader, path);
        }
        return;
    };
    let listed: HashSet<PackageId> = header.packages.ids().iter().copied().collect();
    let unlisted = packages.difference(&listed).count();
    let gone: Vec<PackageId> = listed.difference(&packages).copied().collect();
    // The list belongs to another state of the container: typically, chunks were added or removed afterwards.
    if unlisted > 0 || Some(header.container_id) != table.container_id() {
        return objections.add(Objection::StaleHeader { unlisted, gone: gone.len() }, path);
    }
    // A patch lists all packages of its pakchunk, but contains only the changed ones.
    let is_elsewhere = |id: &PackageId| mods.find(*id).is_some() || game.is_some_and(|game| game.has(*id));
    match gone.iter().filter(|id| !is_elsewhere(id)).count() {
        0 => {}
        count if game.is_some() => objections.add(Objection::ListedNowhere(count), path),
        count => objections.add(Objection::ListedElsewhere(count), path),
    }
}

/// Checks a mod that replaces the list of the game's native objects.
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
