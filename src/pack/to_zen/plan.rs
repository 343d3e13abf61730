//! Plan for one cooked package: its chunks and its faults.

use super::game::BaseGame;
use super::input::Asset;
use super::made::{Converter, MadePackage};
use super::origin::CookedFile;
use crate::container::container_header::ShaderMapHash;
use crate::error::{Error, Result};
use crate::id::{ChunkKind, ObjectRef, PackageId, RawChunkId};
use crate::objection::{ConversionProblem, Objection, Referent};
use crate::pack::files::PackFile;
use crate::pack::input::{Input, Make};
use crate::pack::packages::{self, Imports};
use crate::package::PackageKind;
use crate::package::convert::to_zen::ZenPackage;
use crate::package::legacy::Package;
use crate::package::zen::PublicId;
use crate::store::package_path;
use crate::version::ChunkKindNumbering;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

/// Length of the start that identifies a file, in bytes.
const START_LEN: u64 = 64;

/// Planned package.
pub(super) struct Planned {
    /// Facts for the container header.
    pub package: packages::Package,
    /// Chunk of the package.
    pub file: PackFile,
    /// Generator of its content.
    pub made: Arc<MadePackage>,
    /// Packages that it waits for, up to 5.2.
    pub awaited: Vec<PackageId>,
    /// Chunks of its bulk data.
    pub bulk: Vec<PackFile>,
    /// Imported objects of other packages.
    pub imports: Vec<(PackageId, PublicId)>,
    /// Objects that other packages may import.
    pub exports: Vec<PublicId>,
    /// Names of its imported packages, by id.
    pub names: HashMap<PackageId, String>,
    /// Package flags.
    pub flags: u32,
    /// True if it contains a material.
    pub is_material: bool,
}

/// Plan or objections for a file.
#[derive(Default)]
pub(super) struct Verdict {
    pub planned: Option<Planned>,
    pub objections: Vec<(Objection, PathBuf)>,
}

/// Facts that all packages share.
pub(super) struct Plan<'a> {
    pub converter: &'a Arc<Converter>,
    pub numbering: ChunkKindNumbering,
    /// Folder that `/Game` stands for, for packages without a usable path.
    pub project: &'a str,
    pub shader_maps: &'a HashMap<PackageId, Vec<ShaderMapHash>>,
}

impl Plan<'_> {
    /// Plans a package. Objects to content that no game would accept; an unreadable file is an error.
    pub(super) fn asset(&self, asset: &Asset) -> Result<Verdict> {
        let mut verdict = Verdict::default();
        let start = asset.header.start(START_LEN)?;
        if !matches!(PackageKind::sniff(&start), Some(PackageKind::Legacy(_))) {
            let is_zen = matches!(PackageKind::sniff(&start), Some(PackageKind::Zen(_)));
            verdict.object(if is_zen { Objection::AlreadyZen } else { Objection::NotCooked }, &asset.header);
            return Ok(verdict);
        }
        // Assets without a `.uexp` come from old cooks, or lack half of their data.
        let Some(exports) = &asset.exports else {
            verdict.object(Objection::ExportsMissing, &asset.header);
            return Ok(verdict);
        };
        let cooked = match self.converter.read(&asset.header) {
            // A damaged package is an objection like any other fault, and does not end the job.
            Err(Error::Malformed { structure, source, .. }) => {
                let problem = ConversionProblem::Malformed { structure, source };
                verdict.object(Objection::NotConvertible(problem), &asset.header);
                return Ok(verdict);
            }
            cooked => cooked?,
        };
        let package = &cooked.package;
        let game = self.converter.game.as_deref();
        let Some(named) = name_package(package, stem(&asset.header.path), game, self.project) else {
            verdict.object(Objection::NoName, &asset.header);
            return Ok(verdict);
        };
        let zen = match self.converter.convert(&cooked, &named.name, exports.len) {
            Ok(zen) => zen,
            Err(error) => {
                verdict.object(Objection::NotConvertible(error.into()), &asset.header);
                return Ok(verdict);
            }
        };
        if named.is_elsewhere {
            verdict.object(Objection::NameElsewhere(named.name.clone()), &asset.header);
        }
        if cooked.is_stale {
            verdict.object(Objection::SidecarStale, &asset.header);
        }
        // None of the faults below prevents the conversion, so the package is planned all the same.
        self.check_scripts(package, &zen, asset, &mut verdict);
        verdict.object_to_values(&cooked, asset, exports, self.converter)?;
        check_bulk(package, asset, &mut verdict);
        verdict.planned = Some(self.planned(package, &zen, &named, asset, exports));
        Ok(verdict)
    }

    fn planned(
        &self,
        package: &Package,
        zen: &ZenPackage,
        named: &Named,
        asset: &Asset,
        exports: &CookedFile,
    ) -> Planned {
        let header = &asset.header;
        let made = Arc::new(MadePackage {
            converter: Arc::clone(self.converter),
            header: header.clone(),
            exports: exports.clone(),
            name: named.name.clone(),
            len: zen.chunk_len(),
        });
        let extension = header.path.rsplit_once('.').map_or("uasset", |(_, extension)| extension);
        let path = format!("{}.{extension}", named.stem);
        let content: Arc<dyn Make> = Arc::clone(&made) as _;
        let len = zen.chunk_len();
        let file = self.file(zen.id, ChunkKind::ExportBundleData, 0, header, path, len, Some(content));
        let bulk = asset.bulk.iter().map(|(bulk, kind, index)| {
            let path =
                format!("{}{}", named.stem, bulk.path.get(stem(&header.path).len()..).unwrap_or_default());
            self.file(zen.id, *kind, *index, bulk, path, bulk.len, bulk.content())
        });
        let mut of_store = packages::of_header(&zen.header, &file.input.source, file.input.len);
        // The conversion knows more than the header that it made: before 5.3, that lists no imported
        // packages.
        of_store.id = zen.id;
        of_store.imports = Imports::Known(zen.imported_packages.clone());
        of_store.name.clone_from(&named.name);
        of_store.shader_maps = self.shader_maps.get(&zen.id).cloned().unwrap_or_default();
        Planned {
            bulk: bulk.collect(),
            file,
            made,
            awaited: zen.awaited_packages(),
            package: of_store,
            imports: zen.imported_objects.clone(),
            exports: zen.header.exports.iter().map(|export| export.public).collect(),
            names: package.imported_packages().map(|name| (PackageId::from_name(&name), name)).collect(),
            flags: zen.header.package_flags,
            is_material: package
                .exports
                .iter()
                .any(|export| package.class_path(export) == "/Script/Engine.Material"),
        }
    }

    #[expect(clippy::too_many_arguments, reason = "each is a field of the chunk")]
    fn file(
        &self,
        id: PackageId,
        kind: ChunkKind,
        cooked_index: u8,
        source: &CookedFile,
        path: String,
        len: u64,
        made: Option<Arc<dyn Make>>,
    ) -> PackFile {
        let mut id = RawChunkId::new(id.0, 0, kind.to_wire(self.numbering).unwrap_or_default());
        let [.., extra, _] = &mut id.0;
        *extra = cooked_index;
        PackFile { input: Input { source: source.shown.clone(), len, made }, path: Some(path), id, kind }
    }

    /// Objects to imports of native objects that the game lacks: it ends with a fatal error.
    fn check_scripts(&self, package: &Package, zen: &ZenPackage, asset: &Asset, verdict: &mut Verdict) {
        let Some(scripts) = self.converter.game.as_ref().and_then(|game| game.packages().scripts()) else {
            return;
        };
        for (import, index) in (0..).zip(&zen.header.imports) {
            let is_missing = matches!(index.decode(), ObjectRef::Script(_)) && scripts.find(*index).is_none();
            if let Some(path) = is_missing.then(|| package.import_path(import)).flatten() {
                verdict.object(Objection::ScriptMissing(Referent::Named(path)), &asset.header);
            }
        }
    }
}

impl Planned {
    /// Returns an imported package, by name if known.
    pub(super) fn called(&self, id: PackageId) -> Referent {
        Referent::package(id, self.names.get(&id).cloned())
    }
}

impl Verdict {
    pub(super) fn object(&mut self, objection: Objection, file: &CookedFile) {
        self.objections.push((objection, file.shown().to_owned()));
    }
}

/// Checks that the bulk data in the header is in the files next to it.
fn check_bulk(package: &Package, asset: &Asset, verdict: &mut Verdict) {
    let (missing, used) = bulk(package, asset);
    if let Some(missing) = missing {
        verdict.object(missing, &asset.header);
        return;
    }
    // Before 5.2, the header has no list of bulk data, so no file can be called unused.
    if package.form.versions.has_data_resources() {
        for ((file, ..), _) in asset.bulk.iter().zip(used).filter(|(_, used)| !used) {
            verdict.object(Objection::BulkUnused, file);
        }
    }
}

/// Returns the first bulk data that is missing from the files of a package, and a flag for each file that is
/// used.
pub(in crate::pack) fn bulk(package: &Package, asset: &Asset) -> (Option<Objection>, Vec<bool>) {
    let mut used = vec![false; asset.bulk.len()];
    for record in package.bulk_records() {
        let Some(extension) = record.place.extension(record.cooked_index) else { continue };
        let end = u64::try_from(record.offset).unwrap_or(u64::MAX).saturating_add(record.len);
        let name = format!("{}.{extension}", stem(&asset.header.path));
        // Paths are compared without letter case, as the engine does.
        let found = asset.bulk.iter().position(|(file, ..)| file.path.eq_ignore_ascii_case(&name));
        let len = found.and_then(|at| asset.bulk.get(at)).map(|(file, ..)| file.len);
        if let Some(used) = found.and_then(|at| used.get_mut(at)) {
            *used = true;
        }
        if len.is_none_or(|len| len < end) {
            return (Some(Objection::BulkMissing { extension, end, found: len }), used);
        }
    }
    (None, used)
}

/// Name and path of a package.
struct Named {
    /// Name, such as `/Game/Maps/Level`.
    name: String,
    /// Path below the mount point, without extension.
    stem: String,
    /// True if the path stands for another name.
    is_elsewhere: bool,
}

/// Names a package. `stem` is the path of its file without extension. Returns `None` if neither the package
/// nor the path shows a name.
///
/// From 5.1 on, cooked packages contain their names. Before, only the folders show them:
/// `<Project>/Content/Maps/Level` is `/Game/Maps/Level`. A plugin may have another name than its folder, so of
/// several possible names, one that the game has is preferred.
fn name_package(package: &Package, stem: &str, game: Option<&BaseGame>, project: &str) -> Option<Named> {
    let by_path = package_path::to_package_names(stem);
    let own = package.name();
    if own.is_empty() {
        let of_game =
            by_path.iter().find(|name| game.is_some_and(|game| game.has(PackageId::from_name(name))));
        let name = of_game.or_else(|| by_path.first())?.clone();
        return Some(Named { name, stem: stem.to_owned(), is_elsewhere: false });
    }
    // The engine only uses the name in the header, so a different path is worth a warning, but no change.
    let is_there = by_path.iter().any(|name| name.eq_ignore_ascii_case(own));
    let stem =
        if by_path.is_empty() { package_path::from_package_name(own, project)? } else { stem.to_owned() };
    Some(Named { name: own.to_owned(), stem, is_elsewhere: !is_there && !by_path.is_empty() })
}

/// Returns a path without its extension.
fn stem(path: &str) -> &str {
    path.rsplit_once('.').map_or(path, |(stem, _)| stem)
}
