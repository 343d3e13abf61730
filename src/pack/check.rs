//! Checks of existing mods, by any tool: faults that make a game crash or ignore them.

mod container;
mod pak;
mod together;

use super::objections::Objections;
use super::standing::{Standing, is_copy, is_earlier_build, own_containers, without_earlier};
use super::target::is_same_file;
use super::to_zen::{BaseGame, stuck};
use crate::error::{Error, ErrorKind};
use crate::id::{ChunkKind, ObjectRef, PackageId, PackageObjectIndex, RawChunkId};
use crate::job::{Cpu, Failure};
use crate::objection::{Finding, Objection, Referent};
use crate::package::PackageKind;
use crate::package::bulk::{BulkPlace, BulkRecord};
use crate::package::placeholder;
use crate::package::zen::{Header, Neighbours, PublicId, Resolved, Resolver};
use crate::store::packages::Packages;
use crate::store::{Chunk, Container, Entry};
use std::collections::{BTreeSet, HashSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// Result of a check.
#[derive(Debug, Default)]
pub struct Checked {
    /// Number of packages that were checked in containers.
    pub in_containers: u64,
    /// Number of packages that were checked in paks.
    pub in_paks: u64,
    /// Names of packages that the game has as well.
    pub replaced: Vec<String>,
    /// Reasons that a game would reject the containers, or ignore them.
    pub problems: Vec<Finding>,
    /// Findings that may be intended.
    pub warnings: Vec<Finding>,
}

/// Checks the containers and paks of a mod, by themselves and against the game that it is for. `damaged` are
/// chunks whose content does not match its hash, and paks with such an index.
#[must_use]
pub fn check(mods: &Packages, game: Option<&BaseGame>, damaged: Vec<Failure>, cpu: &Cpu) -> Checked {
    let mut objections = Objections::default();
    // A mod that is already installed must not be compared with itself.
    let others = game.and_then(|game| without_mods(game, mods, &mut objections));
    let game = others.as_ref().or(game);
    container::check(mods, game, &mut objections);
    let packages: Vec<Entry> = mods.store().entries().filter(|entry| is_package(mods, *entry)).collect();
    let check = Check { mods, game, has_library: has_library(mods), replaced: Mutex::default() };
    for (objection, path) in cpu.map(&packages, |entry| check.package(*entry)).into_iter().flatten() {
        objections.add(objection, &path);
    }
    // Cycles may lead through packages of the game, so they are only searched for with one.
    if let Some(game) = game {
        circles(mods, &packages, game, cpu, &mut objections);
    }
    let mut replaced = check.replaced.into_inner().unwrap_or_else(PoisonError::into_inner);
    let in_paks = pak::check(mods, game, cpu, &mut replaced, &mut objections);
    together::check(mods, &mut objections);
    add_damaged(mods, &packages, damaged, &mut objections);
    let (problems, warnings) = objections.findings();
    let replaced = replaced.into_iter().collect();
    Checked { in_containers: packages.len() as u64, in_paks, replaced, problems, warnings }
}

/// Returns the game without the mod itself, its copies and its earlier builds; `None` if it has none of them.
fn without_mods(game: &BaseGame, mods: &Packages, objections: &mut Objections) -> Option<BaseGame> {
    let is_own = |of_game: &Container| {
        let mut own = own_containers(mods).map(|(_, own)| own);
        own.any(|own| is_same_file(own.path(), of_game.path()) || is_copy(own, of_game))
    };
    let mut left = game.without(is_own);
    for (_, own) in own_containers(mods) {
        let base = left.as_ref().unwrap_or(game);
        let earlier =
            |container: &Arc<Container>| is_earlier_build(container, own.path()) && !is_own(container);
        // Copies are removed already, so that they are not reported as earlier builds.
        if base.packages().store().containers().iter().any(earlier) {
            left = without_earlier(base, own.path(), objections).or(left);
        }
    }
    left
}

/// Adds faults of content. Chunks whose header could not be read were reported before, and are left out.
fn add_damaged(mods: &Packages, packages: &[Entry], damaged: Vec<Failure>, objections: &mut Objections) {
    let ids: HashSet<RawChunkId> = damaged.iter().filter_map(|damage| damage.subject.chunk()).collect();
    let id = |entry: &Entry| mods.store().chunk(*entry).id();
    let suspect = packages.iter().filter(|entry| ids.contains(&id(entry)));
    let unread: HashSet<RawChunkId> =
        suspect.filter(|entry| mods.header_bytes(**entry).is_err()).map(id).collect();
    for Failure { subject, path, error } in damaged {
        match error {
            // A missing key is reported once for its container, not for each of its chunks.
            error if error.kind() == ErrorKind::Key => {}
            Error::HashMismatch { path: file, .. } => objections.add(Objection::Mismatch(path), &file),
            Error::IndexHash { path: file, .. } => {
                objections.add(Objection::Mismatch("index".to_owned()), &file);
            }
            _ if subject.chunk().is_some_and(|id| unread.contains(&id)) => {}
            error => objections.add(Objection::Unreadable(error.into()), path.as_ref()),
        }
    }
}

/// Finds packages that wait for each other. Up to 5.2, they need more than one export bundle, which not every
/// packer writes.
fn circles(mods: &Packages, packages: &[Entry], game: &BaseGame, cpu: &Cpu, objections: &mut Objections) {
    let has_bundles = |entry: &Entry| {
        let header = mods.header(*entry);
        header.is_some_and(|header| !header.generation.has_dependency_bundles())
    };
    // All packages of an engine release have the same form, so the first one stands for all.
    if !packages.first().is_some_and(has_bundles) {
        return;
    }
    let id = |entry: &Entry| mods.store().chunk(*entry).id().package();
    let ids: Vec<PackageId> = packages.iter().map(id).collect();
    for id in stuck(mods, &ids, game, cpu) {
        let package = Referent::package(id, mods.name(id));
        let container = mods.find(id).and_then(|entry| mods.store().container(entry));
        let path = container.map_or_else(PathBuf::new, |container| container.path().to_owned());
        objections.add(Objection::Stuck(package), &path);
    }
}

/// True if the mod has a shader library, in a container or in a pak.
fn has_library(mods: &Packages) -> bool {
    let mut path = String::new();
    mods.store().containers().iter().any(|container| {
        container.table().chunks().any(|chunk| {
            path.clear();
            let is_library =
                |path: &str| path.rsplit('/').next().is_some_and(|name| name.starts_with("ShaderArchive-"));
            container.table().chunk_kind(chunk) == ChunkKind::ShaderCodeLibrary
                || (container.table().pak().is_some()
                    && container.path_into(chunk, &mut path)
                    && is_library(&path))
        })
    })
}

/// Returns the objects of other packages that a package imports. `packages` are the ones that its import map
/// refers to.
fn imported_objects(header: &Header, packages: &[PackageId]) -> Vec<(PackageId, PublicId)> {
    let object = |index: &PackageObjectIndex| match index.decode() {
        // UE4 stores a hash of the whole path, which does not name the package.
        ObjectRef::Package(import) if !header.generation.is_ue4() => {
            let hash = header.imported_public_export_hashes.get(import.hash() as usize)?;
            Some((*packages.get(import.package() as usize)?, PublicId::Hash(*hash)))
        }
        _ => None,
    };
    header.imports.iter().filter_map(object).collect()
}

fn is_package(mods: &Packages, entry: Entry) -> bool {
    let chunk = mods.store().chunk(entry);
    let is_open =
        |container: &Container| container.table().iostore().is_some() && container.locked().is_none();
    chunk.container().is_some_and(|container| is_open(container))
        && chunk.is_package()
        && !chunk.is_optional_segment()
}

struct Check<'a> {
    mods: &'a Packages,
    game: Option<&'a BaseGame>,
    has_library: bool,
    /// Names of packages that the game has as well.
    replaced: Mutex<BTreeSet<String>>,
}

type FoundInputs = Vec<(Objection, PathBuf)>;

impl Check<'_> {
    fn package(&self, entry: Entry) -> FoundInputs {
        let chunk = self.mods.store().chunk(entry);
        let path = chunk.container().map_or_else(PathBuf::new, |container| {
            format!("{}:{}", container.path().display(), chunk.display_path()).into()
        });
        let found = match self.mods.header_bytes(entry) {
            Err(error) => vec![Objection::Unreadable(error.into())],
            // Loose cooked assets were packed without conversion: the engine reads their bytes as a zen
            // header.
            Ok(bytes) if matches!(PackageKind::sniff(&bytes), Some(PackageKind::Legacy(_))) => {
                vec![Objection::LegacyAsset]
            }
            Ok(bytes) => match Header::parse(&bytes) {
                Err(fault) => vec![Objection::NoPackage(fault)],
                Ok(header) => self.header(&header, chunk),
            },
        };
        found.into_iter().map(|objection| (objection, path.clone())).collect()
    }

    fn header(&self, header: &Header, chunk: Chunk<'_>) -> Vec<Objection> {
        let mut found = Vec::new();
        let (id, name) = (chunk.id().package(), header.name().to_string());
        if !name.starts_with('/') {
            found.push(Objection::NotAName(name));
        } else if header.id() != id {
            // The engine computes the id from the name: under another id, the package is never found.
            found.push(Objection::OtherName(name));
        }
        // The first gap stands for all records of the package.
        found.extend(header.bulk.iter().find_map(|record| self.bulk(record, chunk)));
        let imported = self.imported_packages(header, id);
        // Made-up imports of an incomplete conversion: their names are only placeholders.
        if header.imports.iter().any(|index| placeholder::is_import_of_text(*index, &imported)) {
            found.push(Objection::PlaceholderHashed(header.name().to_string()));
        }
        let Some(game) = self.game else { return found };
        let releases = game.releases();
        if let Some(releases) =
            releases.filter(|all| !all.iter().any(|release| release.zen == Some(header.generation)))
        {
            found.push(Objection::OtherEngine {
                package: header.generation,
                expected: releases,
                of_game: true,
            });
            // All that follows compares with the game, which makes no sense for another engine release.
            return found;
        }
        if game.has(id) {
            self.replaced.lock().unwrap_or_else(PoisonError::into_inner).insert(header.name().to_string());
        }
        if let Some(own) = chunk.container() {
            let standing = Standing::new(game, own.path());
            found.extend(standing.winner_of_package(id).map(|winner| standing.objection(winner)));
        }
        found.extend(game.property_format(id, header.package_flags));
        if let Some(scripts) = game.packages().scripts() {
            // Native objects are compiled into the game: a missing one is a fatal error while loading.
            let is_missing = |index: &&PackageObjectIndex| {
                matches!(index.decode(), ObjectRef::Script(_)) && scripts.find(**index).is_none()
            };
            let missing = header.imports.iter().filter(is_missing);
            found.extend(missing.map(|index| Objection::ScriptMissing(Referent::Object(*index))));
        }
        // A new material without its shaders is drawn with the default grey one.
        if !self.has_library && is_material(header, game) {
            found.push(Objection::MaterialWithoutShaders);
        }
        found.extend(self.imports(header, &imported, game));
        found
    }

    /// Returns the ids of the imported packages: from the header, or else from the container header.
    fn imported_packages(&self, header: &Header, id: PackageId) -> Vec<PackageId> {
        if header.generation.has_imported_package_names() {
            header.imported_packages()
        } else {
            self.mods.imported_packages(id).unwrap_or_default()
        }
    }

    fn imports(&self, header: &Header, packages: &[PackageId], game: &BaseGame) -> Vec<Objection> {
        if header.generation.is_ue4() {
            return self.objects(header, packages, game);
        }
        let mut unread = None;
        let mut is_there = |(id, export): &(PackageId, PublicId)| {
            let has = |header: std::sync::Arc<Header>| header.find_public(*export).is_some();
            // The mod's own package wins, so it is asked first.
            if self.mods.package(*id).is_some_and(has) {
                return true;
            }
            // A package of the game that cannot be read counts as complete: its error is reported once
            // instead.
            let problem = unread_of(game, *id);
            let is_there = problem.is_some() || game.packages().package(*id).is_some_and(has);
            unread = unread.take().or(problem);
            is_there
        };
        let mut missing = imported_objects(header, packages);
        missing.retain(|object| !is_there(object));
        let missing = missing.into_iter().map(|(id, _)| {
            let known = header.imported_package_names.iter().find(|name| PackageId::from_name(name) == id);
            Objection::ImportMissing(Referent::package(id, known.map(ToString::to_string)))
        });
        missing.chain(unread.map(|error| Objection::GameUnread(error.into()))).collect()
    }

    /// Finds missing objects of UE4 packages: their imports name no package, so all imported ones are
    /// searched.
    fn objects(&self, header: &Header, packages: &[PackageId], game: &BaseGame) -> Vec<Objection> {
        if let Some(problem) = packages.iter().find_map(|id| unread_of(game, *id)) {
            return vec![Objection::GameUnread(problem.into())];
        }
        let headers = packages.iter().flat_map(|id| [self.mods.package(*id), game.packages().package(*id)]);
        let public: HashSet<PublicId> = headers
            .flatten()
            .flat_map(|header| header.exports.iter().map(|export| export.public).collect::<Vec<_>>())
            .collect();
        let imports = header.imports.iter().filter(|index| matches!(index.decode(), ObjectRef::Package(_)));
        let missing = imports.filter(|index| !public.contains(&PublicId::GlobalImport(**index)));
        missing.map(|index| Objection::ImportMissing(Referent::Object(*index))).collect()
    }

    /// Returns the fault of a bulk data record whose bytes are not all in a container.
    fn bulk(&self, record: &BulkRecord, chunk: Chunk<'_>) -> Option<Objection> {
        let kind = match record.place {
            BulkPlace::Separate => ChunkKind::BulkData,
            BulkPlace::Optional => ChunkKind::OptionalBulkData,
            BulkPlace::MemoryMapped => ChunkKind::MemoryMappedBulkData,
            BulkPlace::Nowhere | BulkPlace::Inline | BulkPlace::EndOfFile => return None,
        };
        let numbering = chunk.container()?.table().chunk_kind_numbering();
        let mut id = RawChunkId::new(chunk.id().id(), 0, kind.to_wire(numbering)?);
        // Byte 10 of a chunk id, the last but one, holds the cooked index.
        let [.., extra, _] = &mut id.0;
        *extra = record.cooked_index;
        let own = self.mods.store().find(id).map(|entry| self.mods.store().chunk(entry).len());
        let of_game = || {
            let store = self.game?.packages().store();
            store.find(id).map(|entry| store.chunk(entry).len())
        };
        // A mod may replace a header only, and use the bulk data of the game.
        let found = own.or_else(of_game);
        let end = u64::try_from(record.offset).unwrap_or(u64::MAX).saturating_add(record.len);
        let extension = record.place.extension(record.cooked_index)?;
        // Any more bytes are harmless: several records share a chunk.
        found.is_none_or(|len| len < end).then_some(Objection::BulkMissing { extension, end, found })
    }
}

/// Returns the error of a package of the game that cannot be read.
fn unread_of(game: &BaseGame, id: PackageId) -> Option<Error> {
    let packages = game.packages();
    let entry = packages.find(packages.redirected(id))?;
    match packages.header(entry) {
        Some(_) => None,
        None => packages.header_bytes(entry).err(),
    }
}

fn is_material(header: &Header, game: &BaseGame) -> bool {
    let class = header.main_export().map(|export| Resolver::new(header, game).class_of(export));
    matches!(class, Some(Resolved::Object { path, .. }) if path.to_string() == "/Script/Engine.Material")
}
