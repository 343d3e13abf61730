//! What the packages in a folder say about themselves: what a container header needs to know, and whether a game would
//! take them at all.

use super::files::{PackFile, zen_name};
use super::objections::{Objection, Objections};
use crate::container::container_header::{ExportCounts, ShaderMapHash};
use crate::error::{Error, Result};
use crate::id::{ChunkKind, ObjectRef, PackageId, PackageObjectIndex};
use crate::identify::has_extension;
use crate::package::PackageKind;
use crate::package::zen::{self, Graph, Header};
use crate::pipeline::Cpu;
use crate::version::{PackageFileVersion, ZenGeneration};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A zen package that goes into a container.
#[derive(Debug, Clone)]
pub(super) struct Package {
    pub id: PackageId,
    /// Whether it is an optional segment.
    pub optional: bool,
    pub source: PathBuf,
    /// Its name, such as `/Game/Maps/Level`.
    pub name: String,
    pub generation: ZenGeneration,
    /// Object versions, if it was cooked with them.
    pub objects: Option<PackageFileVersion>,
    pub counts: ExportCounts,
    pub imports: Imports,
    /// The shader maps of its materials, where something but an old container header tells.
    pub shader_maps: Vec<ShaderMapHash>,
}

/// Which packages a package imports, as far as it says so itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Imports {
    /// All of them, in the order that its import map refers to (from 5.3, and where there are none).
    Known(Vec<PackageId>),
    /// Some, which only the container header names.
    Unknown {
        /// How many (5.0 to 5.2).
        count: Option<usize>,
    },
}

/// Reads the headers of all packages among some files; what is named like one, but is not one, is objected to.
pub(super) fn read(files: &[PackFile], cpu: &Cpu, objections: &mut Objections) -> Result<Vec<Package>> {
    let read = |file: &PackFile| -> Result<Option<Result<Package, Objection>>> {
        if is_export_data(&file.input.source) {
            return Ok(Some(Err(Objection::LegacyAsset)));
        }
        let is_package = file.kind == ChunkKind::ExportBundleData;
        is_package.then(|| package(file)).transpose()
    };
    let all = cpu.map(files, read).into_iter().collect::<Result<Vec<_>>>()?;
    let mut packages = Vec::new();
    for (file, result) in files.iter().zip(all) {
        match result {
            None => {}
            Some(Ok(package)) => packages.push(package),
            Some(Err(objection)) => objections.add(objection, &file.input.source),
        }
    }
    packages.sort_unstable_by_key(|package| package.id);
    Ok(packages)
}

/// Objects to the zen packages among files that go into a pak.
pub(super) fn object_to_zen<'a>(
    files: impl Iterator<Item = &'a Path>,
    cpu: &Cpu,
    objections: &mut Objections,
) {
    let named: Vec<&Path> = files.filter(|file| has_extension(file, &["uasset", "umap"])).collect();
    let is_zen = cpu.map(&named, |file| zen_name(file).is_some());
    for (file, _) in named.iter().zip(is_zen).filter(|(_, is_zen)| *is_zen) {
        objections.add(Objection::ZenInPak, file);
    }
}

fn is_export_data(path: &Path) -> bool {
    has_extension(path, &["uexp"])
}

fn package(file: &PackFile) -> Result<Result<Package, Objection>> {
    let header = read_header(&file.input.source).map_err(Error::io("read", &file.input.source))?;
    if matches!(PackageKind::sniff(&header), Some(PackageKind::Legacy(_) | PackageKind::Swapped)) {
        return Ok(Err(Objection::LegacyAsset));
    }
    Ok(match Header::parse(&header) {
        Ok(header) => Ok(of_header(file, &header)),
        Err(fault) => Err(Objection::NoPackage(fault.to_string())),
    })
}

/// The header of a zen package, or the start of something else.
fn read_header(path: &Path) -> std::io::Result<Vec<u8>> {
    const START: u64 = 64;
    let mut file = File::open(path)?;
    let mut bytes = Vec::new();
    file.by_ref().take(START).read_to_end(&mut bytes)?;
    if let Some(len) = zen::header_len(&bytes) {
        file.take(len.saturating_sub(START)).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// What the header of a package tells.
pub(super) fn of_header(file: &PackFile, header: &Header) -> Package {
    let count = |len: usize| u32::try_from(len).unwrap_or(u32::MAX);
    Package {
        id: file.id.package(),
        optional: file.id.index() != 0,
        source: file.input.source.clone(),
        name: header.name().to_string(),
        generation: header.generation,
        objects: header.versioning.as_ref().map(|versioning| versioning.objects),
        counts: ExportCounts {
            package_len: header.generation.is_ue4().then_some(file.input.len),
            exports: count(header.exports.len()),
            bundles: count(header.bundles.len()),
            load_order: None,
        },
        imports: imports(header),
        shader_maps: Vec::new(),
    }
}

fn imports(header: &Header) -> Imports {
    let is_of_package = |import: &PackageObjectIndex| matches!(import.decode(), ObjectRef::Package(_));
    match &header.graph {
        Graph::Dependencies(_) => Imports::Known(header.imported_packages()),
        _ if !header.imports.iter().any(is_of_package) => Imports::Known(Vec::new()),
        // It lists only those that something waits for.
        Graph::Packages(_) => Imports::Unknown { count: None },
        Graph::Arcs { external, .. } => Imports::Unknown { count: Some(external.len()) },
    }
}
