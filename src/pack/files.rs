//! Assignment of the files in a folder to chunks.

use super::blocks::read_full;
use super::input::Input;
use super::options::PackOptions;
use super::walk::LooseFile;
use crate::container::shader_library::{Hashes, ShaderLibrary};
use crate::id::{ChunkKind, PackageId, RawChunkId, hash};
use crate::package::zen;
use crate::source::{open_file, read_file};
use crate::store::package_path;
use crate::version::{ChunkKindNumbering, ShaderLibraryForm};
use std::collections::HashMap;
use std::path::Path;

/// Limit for shader libraries that are read for their id, in bytes: only tables, since the code is in other
/// chunks.
const MAX_LIBRARY_LEN: u64 = 256 << 20;

/// File that becomes a chunk.
#[derive(Debug, Clone)]
pub(super) struct PackFile {
    pub input: Input,
    /// Path below the mount point; `None` for a file without an entry in the directory index.
    pub path: Option<String>,
    pub id: RawChunkId,
    pub kind: ChunkKind,
}

impl AsRef<Input> for PackFile {
    fn as_ref(&self) -> &Input {
        &self.input
    }
}

/// Names in the headers of packages, by path without extension. A plugin's folder does not always show its
/// mount point, and bulk data takes the name of the package with the same path.
#[derive(Default)]
pub(super) struct OwnNames(HashMap<String, String>);

impl OwnNames {
    /// Adds the name of the package in a file.
    pub(super) fn add(&mut self, path: &str, name: &str) {
        self.0.insert(stem(path).to_owned(), name.to_owned());
    }
}

/// True if a file is a container header in the form that `unpack` writes, for any engine release.
pub(super) fn is_container_header(relative: &str) -> bool {
    by_chunk_name(relative) == Some(ChunkKind::ContainerHeader)
}

pub(super) type Identity = (RawChunkId, ChunkKind, Option<String>);

/// Returns the id and kind of a file by its path below the mount point; `None` if this version has none for
/// it.
pub(super) fn identify(file: &LooseFile, names: &OwnNames, options: &PackOptions) -> Option<Identity> {
    let (relative, source) = file.place();
    let numbering = options.version().chunk_kind_numbering();
    // Names made from ids come first: they say exactly which chunk the file was.
    if let Some(found) = by_id(relative, numbering) {
        return Some(found);
    }
    let path = Some(relative.to_owned());
    let full = format!("{}/{relative}", options.mount_point.trim_end_matches('/'));
    // Hashed paths start below the engine's root, wherever the container is mounted.
    let full = full.trim_start_matches("../").trim_start_matches('/');
    if let Some((kind, index, cooked_index)) = by_extension(relative)
        && let Some(raw) = kind.to_wire(numbering)
    {
        // The name in the header beats the one derived from the path.
        let own = names.0.get(stem(relative)).cloned();
        let name = own.unwrap_or_else(|| package_name(full));
        let mut id = RawChunkId::new(PackageId::from_name(&name).0, index, raw);
        // Byte 10 of a chunk id holds the cooked index, as in `X.003.ubulk`.
        let [.., extra, _] = &mut id.0;
        *extra = cooked_index;
        return Some((id, kind, path));
    }
    // Other ids cannot be derived from a path, but the original may have the file under one.
    let of_original = options.original.as_deref().and_then(|original| original.id_of_file(full));
    if let Some(id) = of_original.filter(|id| id.kind(numbering) != ChunkKind::Invalid) {
        return Some((id, id.kind(numbering), path));
    }
    if let Some(id) = shader_library(relative, source) {
        let kind = ChunkKind::ShaderCodeLibrary;
        return Some((RawChunkId::new(id, 0, kind.to_wire(numbering)?), kind, path));
    }
    let kind = ChunkKind::ExternalFile;
    let raw = kind.to_wire(numbering)?;
    Some((RawChunkId::from_hash(hash::external_file(full), raw), kind, path))
}

/// Returns the kind of chunk in `chunks/<24 hex digits>.<type>`, whichever engine's number it has.
pub(super) fn by_chunk_name(relative: &str) -> Option<ChunkKind> {
    let (_, kind) = relative.strip_prefix("chunks/")?.split_once('.')?;
    ChunkKind::from_name(kind)
}

/// Parses `chunks/<24 hex digits>.<type>`, as `unpack` names chunks without a path.
fn by_id(relative: &str, numbering: ChunkKindNumbering) -> Option<Identity> {
    let (id, kind) = relative.strip_prefix("chunks/")?.split_once('.')?;
    let id: RawChunkId = id.parse().ok()?;
    // The last byte of an id must mean this kind in the new container, too: UE4 and UE5 number kinds
    // differently.
    let kind = ChunkKind::from_name(kind).filter(|kind| id.kind(numbering) == *kind)?;
    Some((id, kind, None))
}

/// Returns the id of a shader library in the form that containers use: a hash of its name. Others are
/// ordinary files.
fn shader_library(relative: &str, source: &Path) -> Option<u64> {
    let file = relative.rsplit('/').next()?.strip_suffix(".ushaderbytecode")?;
    let name = file.strip_prefix("ShaderArchive-")?;
    let bytes = read_file(source, MAX_LIBRARY_LEN).ok()?;
    if ShaderLibraryForm::sniff(&bytes) != Some(ShaderLibraryForm::IoStore) {
        return None;
    }
    let library = ShaderLibrary::parse(&bytes).ok()?;
    // Releases that shortened the hashes in libraries also changed the hash of their names.
    let is_short = library.shader_map_hashes.width() < Hashes::default().width();
    Some(if is_short { hash::lower_utf16_xxh3(name) } else { hash::lower_utf16(name) })
}

/// Returns kind, optional-segment index and cooked index, by the extensions of a file.
pub(super) fn by_extension(relative: &str) -> Option<(ChunkKind, u16, u8)> {
    let name = relative.rsplit_once('/').map_or(relative, |(_, name)| name).to_ascii_lowercase();
    let (stem, extension) = name.rsplit_once('.')?;
    let (stem, kind) = match extension {
        "uasset" | "umap" => (stem, ChunkKind::ExportBundleData),
        "uptnl" => (stem, ChunkKind::OptionalBulkData),
        "ubulk" => match stem.strip_suffix(".m") {
            Some(stem) => (stem, ChunkKind::MemoryMappedBulkData),
            None => (stem, ChunkKind::BulkData),
        },
        _ => return None,
    };
    // One inner extension: `.o` is an optional segment, three digits are a cooked index.
    let inner = stem.rsplit_once('.').map_or("", |(_, inner)| inner);
    let cooked = inner.parse().ok().filter(|_| inner.len() == 3).unwrap_or(0);
    Some((kind, u16::from(inner == "o"), cooked))
}

/// Returns the name of a zen package; `None` for any other file.
pub(super) fn zen_name(path: &Path) -> Option<String> {
    // Headers of 1 MiB are far beyond normal, and nearly all names are close to the start.
    const START: usize = 64;
    const MOST: u64 = 1 << 20;
    let mut file = open_file(path).ok()?;
    let mut header = vec![0; START];
    let found = read_full(&mut file, &mut header).ok()?;
    header.truncate(found);
    let len = zen::header_len(&header)?.min(MOST);
    let len = len.min(file.metadata().ok()?.len());
    header.resize(usize::try_from(len).ok()?.max(found), 0);
    let more = read_full(&mut file, header.get_mut(found..)?).ok()?;
    header.truncate(found + more);
    zen::package_name(&header)
}

/// Returns the package name for a path; outside of `Content` folders, the path itself is the name.
fn package_name(path: &str) -> String {
    let stem = stem(path);
    let known = package_path::to_package_names(stem).into_iter().next();
    known.unwrap_or_else(|| format!("/{stem}"))
}

/// Returns a path without chunk extensions, including a cooked index.
fn stem(path: &str) -> &str {
    let stem = package_path::strip_extensions(path);
    match stem.rsplit_once('.') {
        Some((front, inner)) if inner.len() == 3 && inner.bytes().all(|byte| byte.is_ascii_digit()) => front,
        _ => stem,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::version::TocVersion;

    fn id(relative: &str, mount: &str, numbering: ChunkKindNumbering) -> Option<(String, ChunkKind)> {
        let version = match numbering {
            ChunkKindNumbering::Ue4 => TocVersion::PartitionSize,
            ChunkKindNumbering::Ue5 => TocVersion::NEWEST,
        };
        let options =
            PackOptions { version: Some(version), mount_point: mount.to_owned(), ..PackOptions::default() };
        let file = LooseFile { source: "no such file".into(), path: relative.to_owned(), len: 0 };
        let found = identify(&file, &OwnNames::default(), &options);
        found.map(|(id, kind, _)| (id.to_string(), kind))
    }

    #[test]
    fn packages_get_the_ids_the_engine_looks_for() {
        let package = PackageId::from_name("/Game/Maps/L");
        for (path, mount, kind, tail) in [
            ("G/Content/Maps/L.umap", "../../../", ChunkKind::ExportBundleData, "00000001"),
            ("Maps/L.uasset", "../../../G/Content/", ChunkKind::ExportBundleData, "00000001"),
            ("Maps/L.o.uasset", "../../../G/Content", ChunkKind::ExportBundleData, "00010001"),
            ("Maps/L.ubulk", "../../../G/Content", ChunkKind::BulkData, "00000002"),
            ("Maps/L.003.ubulk", "../../../G/Content", ChunkKind::BulkData, "00000302"),
            ("Maps/L.m.ubulk", "../../../G/Content", ChunkKind::MemoryMappedBulkData, "00000004"),
            ("Maps/L.uptnl", "../../../G/Content", ChunkKind::OptionalBulkData, "00000003"),
        ] {
            let expected = hex::encode(package.0.to_le_bytes()) + tail;
            assert_eq!(id(path, mount, ChunkKindNumbering::Ue5), Some((expected, kind)), "{path}");
        }
    }

    #[test]
    fn names_by_id_keep_their_id() {
        let name = "chunks/915ddb99070a4f0400000002.bulk_data";
        let expected = Some(("915ddb99070a4f0400000002".to_owned(), ChunkKind::BulkData));
        assert_eq!(id(name, "../../../", ChunkKindNumbering::Ue5), expected);
        let other = id(name, "../../../", ChunkKindNumbering::Ue4);
        assert_eq!(
            other, None,
            "another generation numbers types differently, and UE4 has no external files"
        );
    }

    #[test]
    fn container_headers_are_told_by_name() {
        for (path, expected) in [
            ("chunks/915ddb99070a4f0400000006.container_header", true),
            ("chunks/915ddb99070a4f040000000a.container_header", true),
            ("chunks/915ddb99070a4f0400000002.bulk_data", false),
            ("Game/a.container_header", false),
        ] {
            assert_eq!(is_container_header(path), expected, "{path}");
        }
    }

    #[test]
    fn shader_libraries_are_told_by_their_form() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("l.ushaderbytecode");
        // The form, then no hashes, groups, maps, shaders or indices.
        for (form, expected) in [(1, Some(0xACBF_ABFD_207C_43EA_u64)), (2, None), (3, None)] {
            std::fs::write(&path, [&[form, 0, 0, 0][..], &[0; 28]].concat()).unwrap();
            let name = "G/Content/ShaderArchive-Global-PCD3D_SM6-PCD3D_SM6.ushaderbytecode";
            assert_eq!(shader_library(name, &path), expected, "{form}");
            assert_eq!(shader_library("G/Content/Other.ushaderbytecode", &path), None);
        }
    }

    #[test]
    fn other_files_are_external() {
        let (_, kind) = id("G/Config/a.ini", "../../../", ChunkKindNumbering::Ue5).unwrap();
        assert_eq!(kind, ChunkKind::ExternalFile);
        assert_eq!(id("G/Config/a.ini", "../../../", ChunkKindNumbering::Ue4), None);
    }
}
