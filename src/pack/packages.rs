//! What the packages in a folder say about themselves: what a container header needs to know, and whether a game would
//! take them at all.

use super::files::{by_chunk_name, by_extension, zen_name};
use super::objections::Objections;
use super::walk::LooseFile;
use crate::container::container_header::{ExportCounts, ShaderMapHash};
use crate::error::{Error, Result};
use crate::id::{ChunkKind, ObjectRef, PackageId, PackageObjectIndex};
use crate::identify::has_extension;
use crate::job::Cpu;
use crate::objection::Objection;
use crate::package::PackageKind;
use crate::package::zen::{self, Graph, Header};
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

/// A file that is named like a package.
pub(super) struct Named {
    /// The name that it gives itself, if it is a zen package. One whose header is damaged may have one, too.
    pub name: Option<String>,
    /// Facts in its header, or the reason why it is no package.
    pub package: Result<Package, Objection>,
}

/// Reads the headers of those of some files that are named like packages.
pub(super) fn read(files: &[LooseFile], cpu: &Cpu) -> Result<Vec<Option<Named>>> {
    let read = |file: &LooseFile| {
        if is_export_data(&file.source) {
            return Ok(Some(Named { name: None, package: Err(Objection::LegacyAsset) }));
        }
        is_named(&file.path).then(|| named(file)).transpose()
    };
    cpu.map(files, read).into_iter().collect()
}

/// True if a file becomes a package, whatever is in it: by its extension, or by the kind of chunk that it was.
fn is_named(path: &str) -> bool {
    let kind = match by_chunk_name(path) {
        Some(kind) => Some(kind),
        None => by_extension(path).map(|(kind, ..)| kind),
    };
    kind == Some(ChunkKind::ExportBundleData)
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

fn named(file: &LooseFile) -> Result<Named> {
    let bytes = read_header(&file.source).map_err(Error::io("read", &file.source))?;
    if matches!(PackageKind::sniff(&bytes), Some(PackageKind::Legacy(_) | PackageKind::Swapped)) {
        return Ok(Named { name: None, package: Err(Objection::LegacyAsset) });
    }
    let package = match Header::parse(&bytes) {
        Ok(header) => Ok(of_header(&header, &file.source, file.len)),
        Err(fault) => Err(Objection::NoPackage(fault)),
    };
    Ok(Named { name: zen::package_name(&bytes), package })
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

/// Reads the facts out of the header of a package in a file. Only its path says that it is an optional segment.
pub(super) fn of_header(header: &Header, source: &Path, len: u64) -> Package {
    let count = |len: usize| u32::try_from(len).unwrap_or(u32::MAX);
    Package {
        id: header.id(),
        optional: false,
        source: source.to_owned(),
        name: header.name().to_string(),
        generation: header.generation,
        objects: header.versioning.as_ref().map(|versioning| versioning.objects),
        counts: ExportCounts {
            package_len: header.generation.is_ue4().then_some(len),
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
