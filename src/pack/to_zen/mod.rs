//! Conversion of cooked assets to containers.
//!
//! ```text
//! folders, paks ─► packages with their files ─► plan: name, chunk ids, objections ─► container header
//!                  │                                                                 │
//!                  │                       each converted again while it is written ─► .ucas, .utoc
//!                  └► all other files ───────────────────────────────────────────────► .pak
//! ```
//!
//! A package is converted twice: for its place among the others, and to be written; once more if packages of
//! 5.2 and older wait for each other. In between, only the facts that others need are kept, so the memory is
//! one header per thread and a few numbers per package.

mod checks;
mod circles;
mod game;
mod input;
mod made;
mod origin;
mod plan;
mod release;
mod shader_maps;
mod values;
mod world;

pub(super) use circles::stuck;
pub use game::BaseGame;
pub use input::ToZenInput;
pub(super) use input::{Asset, in_pak};
pub(super) use origin::CookedFile;
pub(super) use plan::bulk;

use super::engine;
use super::files::PackFile;
use super::job::{Beside, PackJob};
use super::load_order;
use super::objections::Objections;
use super::old_headers::OldHeaders;
use super::options::PackOptions;
use super::original::Original;
use super::packages::Imports;
use super::packed::Packed;
use super::pak;
use super::pak_entry::PakFile;
use super::standing::without_earlier;
use super::target::{container_id, object_to_existing};
use super::walk::object_to_containers;
use crate::error::{Bound, Error, Result, UnsupportedFeature};
use crate::id::RawChunkId;
use crate::job::{Context, Cpu};
use crate::objection::{Finding, Objection, ProjectFile};
use crate::package::convert::sidecar::{Kept, Sidecar};
use crate::release::Verdict;
use crate::version::{Release, TocVersion};
use input::FoundInputs;
use made::Converter;
use plan::{Plan, Planned};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use world::Circles;

/// Result of a conversion.
#[derive(Debug)]
pub struct Zenned {
    /// The container.
    pub packed: Packed,
    /// Release whose layout was written.
    pub release: &'static Release,
    /// Evidence for the release, unless it was specified.
    pub verdict: Option<Verdict>,
    /// Number of packages in the container.
    pub packages: u64,
    /// Number of cooked packages that could not be converted, and were left out: none unless the options
    /// force it.
    pub left_out: u64,
    /// Number of files in the `.pak`.
    pub loose: u64,
}

/// Converts the cooked assets of `inputs`, and writes `toc_path` with its `.ucas` files and `.pak`. The
/// release determines the version, and takes precedence over the options. Headers of more than `limit` bytes
/// are an error.
pub async fn to_zen(
    inputs: &[ToZenInput],
    toc_path: &Path,
    options: &PackOptions,
    game: Option<Arc<BaseGame>>,
    limit: u64,
    context: &Context,
) -> Result<Zenned> {
    let mut objections = Objections::default();
    let mut found = input::find(inputs, &options.mount_point)?;
    if found.assets.is_empty() {
        return Err(Error::NothingToPack { path: toc_path.to_owned() });
    }
    let earlier = game.as_ref().and_then(|game| without_earlier(game, toc_path, &mut objections));
    let game = earlier.map(Arc::new).or(game);
    let of_game = game.as_ref().and_then(|game| game.releases());
    let of_original = options.original.as_deref().and_then(Original::releases);
    // If they contradict each other, the original is the better evidence: the new container replaces it.
    let releases = of_original.into_iter().chain(of_game).reduce(|original, game| match original.and(game) {
        both if both.is_empty() => original,
        both => both,
    });
    let verdict = options.engine.is_none().then(|| release::find(&found, releases, limit, context.cpu()));
    // Only now: an asset registry is evidence for the release, even if it is not packed.
    object_to_containers(found.others.iter().map(CookedFile::shown), &mut objections);
    let project_files = leave_out_project_files(&mut found, options, &mut objections);
    let release = verdict.as_ref().map_or(options.engine, |verdict| Some(verdict.release));
    let release = release.unwrap_or_else(|| Release::newest());
    let version = TocVersion::of_release(release).ok_or_else(|| Error::Unsupported {
        what: UnsupportedFeature::ContainerFor(release),
        path: toc_path.to_owned(),
    })?;
    let options = PackOptions { version: Some(version), engine: Some(release), ..options.clone() };
    let mut job = PackJob::begin(toc_path, &options, context)?;
    job.objections.append(objections);
    object_to_existing(&pak::existing(&toc_path.with_extension("pak")), &mut job.objections)?;

    let sidecars = Arc::new(read_sidecars(&found.sidecars, limit, &mut job.objections)?);
    let converter = Arc::new(Converter { release, game, limit, sidecars, circles: Circles::default() });
    let (planned, converter) = plan(&found, converter, &options, context.cpu(), &mut job.objections)?;
    checks::check(&planned, &found, toc_path, &options, &converter, &mut job.objections);
    // After the checks, so that packages with the same id are all checked.
    let planned = distinct(planned, &mut job.objections);
    let uncertain = verdict.as_ref().and_then(release::warning);
    job.warnings.extend(uncertain.map(|uncertain| Finding::new(uncertain, toc_path)));
    let packages = planned.len() as u64;
    let left_out = found.assets.len() as u64 - packages;
    let (files, header) = content(planned, &mut job);
    let others: Vec<PakFile> = found.others.into_iter().map(PakFile::from).collect();
    let loose = others.len() as u64;
    let packed = job.finish(files, Some(header), Beside::Pak(others)).await?;
    let packed = Packed { skipped: found.left_out, project_files, ..packed };
    Ok(Zenned { packed, release, verdict, packages, left_out, loose })
}

/// Reads the facts that a conversion to legacy packages has kept of each package, by the path of its header.
/// Objects to unreadable files. All files together may have `limit` bytes.
fn read_sidecars(
    files: &[CookedFile],
    limit: u64,
    objections: &mut Objections,
) -> Result<HashMap<String, Kept>> {
    let (mut all, mut len) = (HashMap::new(), 0_u64);
    for file in files {
        len = len.saturating_add(file.len);
        if len > limit {
            let (what, path) = ("size of the .uncask.json files so far", file.shown.clone());
            return Err(Error::Limit { what, found: len, limit, bound: Bound::Memory, path });
        }
        match Sidecar::parse(&file.read(limit)?) {
            Ok(sidecar) => {
                // Names in a sidecar are relative to its own folder.
                let folder = file.path.strip_suffix(file.name()).unwrap_or_default();
                let packages = sidecar.packages.into_iter();
                all.extend(packages.map(|(name, kept)| (format!("{folder}{name}"), kept)));
            }
            Err(error) => objections.add(Objection::SidecarUnreadable(error), file.shown()),
        }
    }
    Ok(all)
}

/// Removes files that exist once in a project from the input, unless they are wanted.
fn leave_out_project_files(
    found: &mut FoundInputs,
    options: &PackOptions,
    objections: &mut Objections,
) -> Vec<(PathBuf, ProjectFile)> {
    if options.project_files {
        return Vec::new();
    }
    let mut left_out = Vec::new();
    for file in std::mem::take(&mut found.others) {
        match ProjectFile::of(&file.path) {
            None => found.others.push(file),
            Some(kind) => {
                objections.add(Objection::ProjectFileLeftOut(kind), file.shown());
                left_out.push((file.shown, kind));
            }
        }
    }
    left_out
}

/// Plans all packages, and plans again if some of them need several bundles.
fn plan(
    found: &FoundInputs,
    converter: Arc<Converter>,
    options: &PackOptions,
    cpu: &Cpu,
    objections: &mut Objections,
) -> Result<(Vec<Planned>, Arc<Converter>)> {
    let shader_maps = shader_maps::read(&found.shader_assets, converter.limit)?;
    let project = converter.game.as_ref().and_then(|game| game.project());
    let plan = |converter: &Arc<Converter>| -> Result<(Vec<Planned>, Vec<_>)> {
        let plan = Plan {
            converter,
            numbering: options.version().chunk_kind_numbering(),
            project: project.as_deref().unwrap_or("Game"),
            shader_maps: &shader_maps,
        };
        let verdicts = cpu.map(&found.assets, |asset| plan.asset(asset)).into_iter();
        let verdicts = verdicts.collect::<Result<Vec<_>>>()?;
        let (planned, objected): (Vec<_>, Vec<_>) =
            verdicts.into_iter().map(|verdict| (verdict.planned, verdict.objections)).unzip();
        Ok((planned.into_iter().flatten().collect(), objected.into_iter().flatten().collect()))
    };
    // Cycles are only visible when all packages are known.
    let (mut planned, mut objected) = plan(&converter)?;
    let circles = circles::find(&planned, converter.game.as_deref(), cpu);
    checks::circles(&planned, &circles, converter.game.as_deref(), objections);
    let converter = if circles.is_empty() {
        converter
    } else {
        let Converter { release, limit, .. } = *converter;
        let (game, sidecars) = (converter.game.clone(), Arc::clone(&converter.sidecars));
        let converter = Arc::new(Converter { release, game, sidecars, circles, limit });
        // Bundles change the length of packages, so all of them are planned again.
        (planned, objected) = plan(&converter)?;
        converter
    };
    for (objection, path) in objected {
        objections.add(objection, &path);
    }
    Ok((planned, converter))
}

/// Returns the chunks in the order of their data, and the container header.
fn content(planned: Vec<Planned>, job: &mut PackJob<'_>) -> (Vec<PackFile>, Vec<u8>) {
    let mut packages = Vec::with_capacity(planned.len());
    let (mut files, mut bulk) = (Vec::new(), Vec::new());
    for package in sort(planned) {
        packages.push(package.package);
        files.push(package.file);
        bulk.extend(package.bulk);
    }
    // Bulk data follows all packages, in their order, as the engine's packager writes it.
    files.extend(bulk);
    packages.sort_unstable_by_key(|package| package.id);
    let container = container_id(job.toc_path, job.options);
    let old = OldHeaders::read(&[], container, job.options.original.as_deref(), &mut job.warnings);
    let verdict = engine::of_packages(job.options, packages.iter(), &old);
    let header = job.header(&packages, &old, &verdict);
    (files, header)
}

/// Objects to packages with the same id: paths that only differ in letter case, or equal names. Only the
/// first of them is kept.
fn distinct(planned: Vec<Planned>, objections: &mut Objections) -> Vec<Planned> {
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

/// Sorts packages for the container: imported ones before the ones that import them. The search is depth
/// first, from roots in the order of their ids.
fn sort(mut planned: Vec<Planned>) -> Vec<Planned> {
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
