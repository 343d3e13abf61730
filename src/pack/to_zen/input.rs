//! Inputs of a conversion: cooked packages with their files, and all other files.

use super::origin::{CookedFile, Origin};
use crate::error::{Error, Result, UnsupportedFeature};
use crate::id::ChunkKind;
use crate::pack::files::by_extension;
use crate::pack::mod_files::ModFile;
use crate::pack::packed::SkipReason;
use crate::pack::walk::{LeftOut, all_files};
use crate::package::convert::sidecar::SIDECAR_NAME;
use crate::source::real_path;
use crate::store::{Container, Store};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Source of cooked files.
#[derive(Debug)]
pub enum ToZenInput {
    /// A folder in the structure of the cooker's output.
    Folder(PathBuf),
    /// Paks.
    Paks(Store),
    /// Files in memory.
    Memory(Vec<ModFile>),
}

/// Cooked package.
#[derive(Debug)]
pub(in crate::pack) struct Asset {
    /// The `.uasset` or `.umap` file.
    pub header: CookedFile,
    /// The `.uexp` file.
    pub exports: Option<CookedFile>,
    /// Bulk data files, each with its kind of chunk and cooked index.
    pub bulk: Vec<(CookedFile, ChunkKind, u8)>,
}

/// Files of all inputs, by purpose.
#[derive(Debug, Default)]
pub(in crate::pack) struct FoundInputs {
    /// Packages, sorted by path without extension.
    pub assets: Vec<Asset>,
    /// Files that belong to no package.
    pub others: Vec<CookedFile>,
    /// Lists of the shader maps that materials need, from the cooker.
    pub shader_assets: Vec<CookedFile>,
    /// Facts that a conversion from zen packages has kept.
    pub sidecars: Vec<CookedFile>,
    /// Files of packages without a header.
    pub orphans: Vec<CookedFile>,
    /// Skipped files, with the reason.
    pub left_out: LeftOut,
}

/// Finds the files of all inputs.
pub(super) fn find(inputs: &[ToZenInput], mount_point: &str) -> Result<FoundInputs> {
    let (mut files, mut found) = (Vec::new(), FoundInputs::default());
    for input in inputs {
        match input {
            ToZenInput::Folder(folder) => {
                let (loose, left_out) = all_files(folder, mount_point)?;
                let above = above(folder);
                files.extend(loose.into_iter().map(|file| CookedFile {
                    path: format!("{above}{}", file.path),
                    shown: file.source,
                    len: file.len,
                    origin: Origin::File,
                }));
                found.left_out.extend(left_out);
            }
            ToZenInput::Paks(store) => in_paks(store, &mut files)?,
            ToZenInput::Memory(all) => files.extend(all.iter().map(|file| CookedFile {
                path: file.path.clone(),
                shown: file.path.clone().into(),
                len: file.content.len(),
                origin: Origin::Shelf(file.content.clone()),
            })),
        }
    }
    group(files, &mut found);
    // Parts without a header cannot be converted.
    found.left_out.extend(found.orphans.drain(..).map(|file| (file.shown, SkipReason::NoHeader)));
    Ok(found)
}

/// Returns the files of a pak, even those that another pak overrides.
pub(in crate::pack) fn in_pak(container: &Arc<Container>) -> FoundInputs {
    let (mut files, mut found) = (Vec::new(), FoundInputs::default());
    let table = container.table();
    // A delete record hides a file of another pak, and has no content.
    for chunk in table.chunks().filter(|chunk| !table.is_delete_record(*chunk)) {
        let mut path = String::new();
        if container.path_into(chunk, &mut path) {
            files.push(CookedFile::packed(container, chunk, path));
        }
    }
    group(files, &mut found);
    found
}

/// Collects the files of paks that no other pak overrides.
fn in_paks(store: &Store, files: &mut Vec<CookedFile>) -> Result<()> {
    let mut entries: Vec<_> = store.entries().collect();
    store.retain_winners(&mut entries);
    for entry in entries.into_iter().filter(|entry| !store.is_delete_record(*entry)) {
        let Some((container, path)) = store.container(entry).zip(store.path(entry)) else { continue };
        if container.table().pak().is_none() {
            let what = UnsupportedFeature::ContainerInput;
            return Err(Error::Unsupported { what, path: container.path().to_owned() });
        }
        // Checked before anything is read: a missing key would fail in the middle of the job.
        if let Some(locked) = container.locked_for(entry.chunk) {
            return Err(locked.same_key_problem());
        }
        files.push(CookedFile::packed(container, entry.chunk, path));
    }
    Ok(())
}

/// Returns the prefix for the paths of a folder's files, if the folder is inside a project's `Content`.
fn above(folder: &Path) -> String {
    let Ok(full) = real_path(folder) else { return String::new() };
    let parts: Vec<String> = full.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    let is = |name: &'static str| move |part: &String| part.eq_ignore_ascii_case(name);
    let Some(content) = parts.iter().rposition(is("Content")).filter(|at| *at > 0) else {
        return String::new();
    };
    // A plugin's `Content` is below a project or the engine, whose folder starts the path.
    let plugins = parts.iter().take(content).position(is("Plugins")).filter(|at| *at > 0);
    let root = plugins.unwrap_or(content) - 1;
    let below = parts.get(root..).unwrap_or_default();
    below.join("/") + "/"
}

/// Groups files by package.
fn group(files: Vec<CookedFile>, found: &mut FoundInputs) {
    let mut assets: BTreeMap<String, Asset> = BTreeMap::new();
    let mut parts = Vec::new();
    for file in files {
        match part(&file.path) {
            Part::Header(stem) => {
                let asset = Asset { header: file, exports: None, bulk: Vec::new() };
                // `X.uasset` and `X.umap` would become the same package.
                if let Some(second) = assets.insert(stem, asset) {
                    found.left_out.push((second.header.shown, SkipReason::SameName));
                }
            }
            Part::Segment => {
                found.left_out.push((file.shown, SkipReason::OptionalSegment));
            }
            Part::ShaderAssets => found.shader_assets.push(file),
            Part::Sidecar => found.sidecars.push(file),
            Part::Other => found.others.push(file),
            other => parts.push((file, other)),
        }
    }
    // A second pass: parts may come before their header.
    for (file, part) in parts {
        let (stem, bulk) = match part {
            Part::Exports(stem) => (stem, None),
            Part::Bulk(stem, kind, index) => (stem, Some((kind, index))),
            _ => continue,
        };
        match (assets.get_mut(&stem), bulk) {
            (None, _) => found.orphans.push(file),
            (Some(asset), None) => asset.exports = Some(file),
            (Some(asset), Some((kind, index))) => asset.bulk.push((file, kind, index)),
        }
    }
    found.assets = assets.into_values().collect();
}

/// Role of a file, by its name.
enum Part {
    Header(String),
    Exports(String),
    Bulk(String, ChunkKind, u8),
    /// File of an optional segment.
    Segment,
    ShaderAssets,
    Sidecar,
    Other,
}

fn part(path: &str) -> Part {
    let lower = path.to_ascii_lowercase();
    if lower.ends_with(".assetinfo.json") {
        return Part::ShaderAssets;
    }
    if path.rsplit('/').next() == Some(SIDECAR_NAME) {
        return Part::Sidecar;
    }
    let stem = |extension: &str| path.get(..path.len() - extension.len()).unwrap_or_default().to_owned();
    let ends = |extension: &str| lower.ends_with(extension);
    if ends(".uexp") {
        return if ends(".o.uexp") { Part::Segment } else { Part::Exports(stem(".uexp")) };
    }
    let Some((kind, segment, index)) = by_extension(path) else { return Part::Other };
    if segment != 0 {
        return Part::Segment;
    }
    let extension = match kind {
        ChunkKind::ExportBundleData if ends(".umap") => return Part::Header(stem(".umap")),
        ChunkKind::ExportBundleData => return Part::Header(stem(".uasset")),
        ChunkKind::OptionalBulkData => ".uptnl",
        ChunkKind::MemoryMappedBulkData => ".m.ubulk",
        _ => ".ubulk",
    };
    let stem = stem(extension);
    // `X.003.ubulk` belongs to `X`: the cooked index is not part of the name.
    let plain = if index == 0 { None } else { stem.rsplit_once('.').map(|(plain, _)| plain.to_owned()) };
    Part::Bulk(plain.unwrap_or(stem), kind, index)
}
