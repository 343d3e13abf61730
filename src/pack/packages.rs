//! Facts from package headers: the input of a container header, and reasons that a game would reject a
//! package.

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

/// Zen package that goes into a container.
#[derive(Debug, Clone)]
pub(super) struct Package {
    pub id: PackageId,
    /// True if it is an optional segment.
    pub optional: bool,
    pub source: PathBuf,
    /// Name, such as `/Game/Maps/Level`.
    pub name: String,
    pub generation: ZenGeneration,
    /// Object versions, if it was cooked with them.
    pub objects: Option<PackageFileVersion>,
    pub counts: ExportCounts,
    pub imports: Imports,
    /// Shader maps of its materials, if known from elsewhere than an old container header.
    pub shader_maps: Vec<ShaderMapHash>,
}

/// Imported packages, as far as the package itself lists them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Imports {
    /// All of them, in the order that its import map refers to (from 5.3, and without any import).
    Known(Vec<PackageId>),
    /// An unlisted set: only the container header has it.
    Unknown {
        /// Their number, if known (5.0 to 5.2).
        count: Option<usize>,
    },
}

/// File with the name of a package.
pub(super) struct Named {
    /// Name in its header, if it is a zen package. Even a damaged header may have one.
    pub name: Option<String>,
    /// Facts from its header, or the reason that it is no package.
    pub package: Result<Package, Objection>,
}

/// Reads the headers of all files with the name of a package.
pub(super) fn read(files: &[LooseFile], cpu: &Cpu) -> Result<Vec<Option<Named>>> {
    let read = |file: &LooseFile| {
        // A `.uexp` only exists for cooked assets that were not converted.
        if is_export_data(&file.source) {
            return Ok(Some(Named { name: None, package: Err(Objection::LegacyAsset) }));
        }
        is_named(&file.path).then(|| named(file)).transpose()
    };
    cpu.map(files, read).into_iter().collect()
}

/// True if a file becomes a package, by its extension or by the kind of chunk in its name.
fn is_named(path: &str) -> bool {
    let kind = match by_chunk_name(path) {
        Some(kind) => Some(kind),
        None => by_extension(path).map(|(kind, ..)| kind),
    };
    kind == Some(ChunkKind::ExportBundleData)
}

/// Objects to zen packages among files that go into a pak.
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
    // A swapped magic also means a cooked asset, in the other byte order.
    if matches!(PackageKind::sniff(&bytes), Some(PackageKind::Legacy(_) | PackageKind::Swapped)) {
        return Ok(Named { name: None, package: Err(Objection::LegacyAsset) });
    }
    let package = match Header::parse(&bytes) {
        Ok(header) => Ok(of_header(&header, &file.source, file.len)),
        Err(fault) => Err(Objection::NoPackage(fault)),
    };
    Ok(Named { name: zen::package_name(&bytes), package })
}

/// Reads the header of a zen package, or the start of any other file.
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

/// Extracts the facts from a header. Optional segments are only recognised by path, so none is assumed here.
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
            // Only UE4's container headers record the length of a package.
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
        // It only lists packages that some bundle waits for.
        Graph::Packages(_) => Imports::Unknown { count: None },
        // Since 5.0, every imported package has a list of arcs, even an empty one, so the count is right.
        Graph::Arcs { external, .. } => Imports::Unknown { count: Some(external.len()) },
    }
}
