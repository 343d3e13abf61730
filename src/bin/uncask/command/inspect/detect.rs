//! What some bytes are, and how that can be told.

use super::view::View;
use super::{Finding, classic, containers, legacy, shaders, texts, types, zen};
use std::ffi::OsStr;
use std::path::Path;
use uncask::asset_registry::AssetRegistry;
use uncask::container::container_header::ContainerHeader;
use uncask::container::script_objects::ScriptObjects;
use uncask::container::toc::raw::MAGIC;
use uncask::error::Result;
use uncask::id::ChunkKind;
use uncask::package::{
    PackageKind,
    classic::is_classic,
    legacy::{SWAPPED_TAG, TAG},
    name_map::HASH_ALGORITHM,
};
use uncask::store::Entry;
use uncask::store::packages::Packages;
use uncask::version::{AssetRegistryVersion, ContainerHeaderVersion, ShaderLibraryForm};
use uncask::wire::{Fault, FaultKind};

/// What something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A `.utoc` or `.ucas`.
    Container,
    /// A container header.
    ContainerHeader,
    /// Script objects of UE5.
    ScriptObjects,
    /// One of the three chunks of the script objects of UE4.
    LoadMeta,
    /// A shader library.
    Shaders(ShaderLibraryForm),
    /// An asset registry.
    AssetRegistry,
    /// A `.locres`.
    Texts,
    /// A `.locmeta`.
    TextsMeta,
    /// A `.usmap`.
    Types,
    /// A zen package.
    Zen,
    /// A `.uasset` or `.umap`.
    Legacy,
    /// A package of Unreal Engine 1 to 3.
    Classic,
    /// A package with big-endian numbers.
    Swapped,
    /// A chunk that has no structure of its own here.
    Chunk(ChunkKind),
    /// None of these.
    Unknown,
}

/// Whether a file holds the data of a container.
pub(super) fn is_data(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("ucas"))
}

/// Whether a file may be a shader library: behind its tables it may have any amount of code, which says nothing.
pub(super) fn ends_in_code(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("ushaderbytecode"))
}

/// What a file is, by its content; its name counts only where the content is silent.
pub(super) fn file(bytes: &[u8], path: &Path) -> (Kind, String) {
    let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
    if bytes.starts_with(&MAGIC) {
        return (Kind::Container, "the magic of a table of contents".to_owned());
    }
    if is_data(path) {
        return (Kind::Container, "the extension .ucas; the .utoc beside it describes it".to_owned());
    }
    if let Some(found) = content(bytes, &extension) {
        return found;
    }
    if let Some((form, reason)) = shaders::detect(bytes, &extension) {
        return (Kind::Shaders(form), reason);
    }
    if ["uasset", "umap", "uzenasset"].iter().any(|known| extension == *known) {
        let reason = "without the tag of a legacy package it can only be a zen package";
        return (Kind::Zen, format!("the extension .{}; {reason}", extension.display()));
    }
    if ScriptObjects::is_load_meta(bytes) {
        return (Kind::LoadMeta, "it has no magic, but a table of script objects of UE4 fills it".to_owned());
    }
    if path.file_name().is_some_and(|name| name.eq_ignore_ascii_case("AssetRegistry.bin")) {
        return (Kind::AssetRegistry, "its name".to_owned());
    }
    match ContainerHeader::parse(bytes) {
        Ok(header) if header.layout.version.is_ue4() && !header.packages.is_empty() => {
            (Kind::ContainerHeader, "it has no magic, but the layout of UE4 fits".to_owned())
        }
        _ => (Kind::Unknown, "no magic, tag or layout fits".to_owned()),
    }
}

/// What a chunk is, by the type in its id, with as much of its content as is needed.
pub(super) fn chunk(packages: &Packages, entry: Entry, limit: u64) -> Result<(Kind, String, Vec<u8>)> {
    let Some(container) = packages.store().container(entry) else {
        return Ok((Kind::Unknown, String::new(), Vec::new()));
    };
    let chunk_kind = container.table().chunk_kind(entry.chunk);
    let by_type = format!("the chunk's type is {chunk_kind}");
    let whole = || container.read(entry.chunk, 0..u64::MAX, limit);
    Ok(match chunk_kind {
        ChunkKind::ExportBundleData => {
            let bytes = packages.header_bytes(entry)?;
            // Only the generation has to be told from the content.
            let by_form = package(&bytes).map_or_else(String::new, |(_, by)| format!("; {by}"));
            (Kind::Zen, by_type + &by_form, bytes)
        }
        ChunkKind::ContainerHeader => (Kind::ContainerHeader, by_type, whole()?),
        ChunkKind::ScriptObjects => (Kind::ScriptObjects, by_type, whole()?),
        ChunkKind::ShaderCodeLibrary => (Kind::Shaders(ShaderLibraryForm::IoStore), by_type, whole()?),
        ChunkKind::LoaderInitialLoadMeta
        | ChunkKind::LoaderGlobalNames
        | ChunkKind::LoaderGlobalNameHashes => (Kind::LoadMeta, by_type, Vec::new()),
        ChunkKind::ExternalFile => {
            let bytes = whole()?;
            let path = packages.store().display_path(entry);
            let extension = Path::new(&path).extension().unwrap_or_default().to_ascii_lowercase();
            let (kind, by) = content(&bytes, &extension).unwrap_or((Kind::Chunk(chunk_kind), by_type));
            (kind, by, bytes)
        }
        other => (Kind::Chunk(other), by_type, Vec::new()),
    })
}

/// What a file is, in a container or by itself.
fn content(bytes: &[u8], extension: &OsStr) -> Option<(Kind, String)> {
    texts::detect(bytes, extension)
        .or_else(|| types::detect(bytes, extension))
        .or_else(|| package(bytes))
        .or_else(|| chunk_content(bytes))
}

fn package(bytes: &[u8]) -> Option<(Kind, String)> {
    match PackageKind::sniff(bytes) {
        Some(PackageKind::Zen(generation)) => {
            Some((Kind::Zen, format!("its tables lie where {generation} puts them")))
        }
        Some(PackageKind::Legacy(version)) => {
            Some((Kind::Legacy, format!("tag {TAG:#x}, then legacy version {}", version.0)))
        }
        Some(PackageKind::Classic(version)) => {
            Some((Kind::Classic, format!("tag {TAG:#x}, then file version {}", version.file)))
        }
        Some(PackageKind::Swapped) => Some((Kind::Swapped, format!("tag {TAG:#x} in reverse order"))),
        None if bytes.starts_with(&TAG.to_le_bytes()) => {
            let kind = if is_classic(bytes) { Kind::Classic } else { Kind::Legacy };
            Some((kind, format!("tag {TAG:#x}")))
        }
        None => None,
    }
}

fn chunk_content(bytes: &[u8]) -> Option<(Kind, String)> {
    if AssetRegistry::sniff(bytes) {
        let has_guid = bytes.starts_with(&AssetRegistryVersion::GUID);
        let reason =
            if has_guid { "the GUID of asset registries" } else { "the path of an asset, and its folder" };
        return Some((Kind::AssetRegistry, reason.to_owned()));
    }
    if bytes.starts_with(&ContainerHeaderVersion::MAGIC) {
        return Some((Kind::ContainerHeader, "the magic of a container header".to_owned()));
    }
    let names = bytes.get(8..16) == Some(&HASH_ALGORITHM.to_le_bytes()[..]);
    names.then(|| (Kind::ScriptObjects, "it starts with a name batch, as script objects do".to_owned()))
}

impl Kind {
    /// Reads what it is from its first bytes, or all of its `len` bytes.
    pub(super) fn look(
        self,
        detected_by: String,
        bytes: &[u8],
        len: u64,
        packages: Option<&Packages>,
    ) -> Finding {
        let (kind, view, fault) = match self {
            Self::Zen => match packages {
                Some(packages) => zen::look(bytes, packages),
                None => zen::look(bytes, &()),
            },
            Self::Legacy => legacy::look(bytes),
            Self::Classic => classic::look(bytes),
            Self::ContainerHeader => containers::container_header(bytes, packages),
            Self::ScriptObjects => containers::script_objects(bytes),
            Self::Shaders(form) => shaders::look(form, bytes, len),
            Self::Texts => texts::look(bytes),
            Self::TextsMeta => texts::look_meta(bytes),
            Self::Types => types::look(bytes),
            Self::Chunk(kind) => (format!("chunk of type {kind}"), View::Opaque, None),
            Self::Swapped => {
                let kind = FaultKind::Unsupported { found: SWAPPED_TAG.into() };
                let fault = Fault { offset: 0, field: "byte order", kind };
                ("package with big-endian numbers".to_owned(), View::Unread, Some(("package", fault)))
            }
            Self::Container | Self::LoadMeta | Self::AssetRegistry | Self::Unknown => {
                ("unknown".to_owned(), View::unknown(bytes), None)
            }
        };
        Finding { kind, detected_by, view, fault, warning: None }
    }
}
