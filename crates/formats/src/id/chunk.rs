use super::PackageId;
use crate::version::ChunkKindNumbering;
use std::{fmt, str::FromStr};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

/// A chunk id (`FIoChunkId`), twelve bytes.
///
/// Its text form is 24 lower-case hex digits, in file order.
///
/// ```
/// # use uncask_formats as uncask;
/// use uncask::{id::{ChunkKind, RawChunkId}, version::ChunkKindNumbering};
///
/// let id: RawChunkId = "915ddb99070a4f0400000001".parse()?;
/// assert_eq!(id.id(), 0x044f_0a07_99db_5d91);
/// assert_eq!(id.kind(ChunkKindNumbering::Ue5), ChunkKind::ExportBundleData);
/// assert_eq!(id.to_string(), "915ddb99070a4f0400000001");
/// # Ok::<(), uncask::id::ParseChunkIdError>(())
/// ```
#[doc(alias = "FIoChunkId")]
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Default,
    FromBytes,
    IntoBytes,
    Immutable,
    KnownLayout,
    Unaligned,
)]
#[repr(transparent)]
pub struct RawChunkId(
    /// Stored bytes.
    pub [u8; 12],
);

/// Kind of chunk content (`EIoChunkType`), in one normal form for both numberings.
#[doc(alias = "EIoChunkType")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChunkKind {
    /// Type 0, or a number outside the table.
    Invalid,
    /// UE4: installation list.
    InstallManifest,
    /// A zen package: header and exports (`.uasset`, `.umap`).
    ExportBundleData,
    /// Bulk data (`.ubulk`).
    BulkData,
    /// Bulk data that is streamed only at high quality (`.uptnl`).
    OptionalBulkData,
    /// Bulk data that is memory-mapped (`.m.ubulk`).
    MemoryMappedBulkData,
    /// UE4: global loader data.
    LoaderGlobalMeta,
    /// UE4: script objects.
    LoaderInitialLoadMeta,
    /// UE4: global names.
    LoaderGlobalNames,
    /// UE4: hashes of the global names.
    LoaderGlobalNameHashes,
    /// UE5: script objects.
    ScriptObjects,
    /// List of the packages of a container.
    ContainerHeader,
    /// A file that is not a package.
    ExternalFile,
    /// Index of a shader library (`.ushaderbytecode`).
    ShaderCodeLibrary,
    /// A group of compiled shaders.
    ShaderCode,
    /// Editor data; opaque.
    PackageStoreEntry,
    /// Editor data; opaque.
    DerivedData,
    /// Editor data; opaque.
    EditorDerivedData,
    /// UE 5.2+: a file of a package; opaque.
    PackageResource,
}

/// Table row: kind, number in UE4, number in UE5, name in listings, file extension.
type Row = (ChunkKind, Option<u8>, Option<u8>, &'static str, Option<&'static str>);

const KINDS: &[Row] = {
    use ChunkKind as K;
    &[
        (K::Invalid, Some(0), Some(0), "invalid", None),
        (K::InstallManifest, Some(1), None, "install_manifest", None),
        (K::ExportBundleData, Some(2), Some(1), "package", Some("uasset")),
        (K::BulkData, Some(3), Some(2), "bulk", Some("ubulk")),
        (K::OptionalBulkData, Some(4), Some(3), "optional_bulk", Some("uptnl")),
        (K::MemoryMappedBulkData, Some(5), Some(4), "memory_mapped_bulk", Some("m.ubulk")),
        (K::LoaderGlobalMeta, Some(6), None, "loader_global_meta", None),
        (K::LoaderInitialLoadMeta, Some(7), None, "loader_initial_load_meta", None),
        (K::LoaderGlobalNames, Some(8), None, "loader_global_names", None),
        (K::LoaderGlobalNameHashes, Some(9), None, "loader_global_name_hashes", None),
        (K::ScriptObjects, None, Some(5), "script_objects", None),
        (K::ContainerHeader, Some(10), Some(6), "container_header", None),
        (K::ExternalFile, None, Some(7), "external_file", None),
        (K::ShaderCodeLibrary, Some(11), Some(8), "shader_library", Some("ushaderbytecode")),
        (K::ShaderCode, Some(12), Some(9), "shader_code", None),
        (K::PackageStoreEntry, None, Some(10), "package_store_entry", None),
        (K::DerivedData, None, Some(11), "derived_data", None),
        (K::EditorDerivedData, None, Some(12), "editor_derived_data", None),
        (K::PackageResource, None, Some(13), "package_resource", None),
    ]
};

impl ChunkKind {
    /// Iterates over all kinds, in the order of the table above.
    pub fn all() -> impl Iterator<Item = Self> {
        KINDS.iter().map(|row| row.0)
    }

    /// Decodes a type byte.
    #[must_use]
    pub fn from_wire(raw: u8, numbering: ChunkKindNumbering) -> Self {
        let number = |row: &Row| match numbering {
            ChunkKindNumbering::Ue4 => row.1,
            ChunkKindNumbering::Ue5 => row.2,
        };
        // Unknown numbers are not an error: the chunk can still be copied.
        KINDS.iter().find(|row| number(row) == Some(raw)).map_or(Self::Invalid, |row| row.0)
    }

    /// Returns the type byte, if this generation has one.
    #[must_use]
    pub fn to_wire(self, numbering: ChunkKindNumbering) -> Option<u8> {
        match numbering {
            ChunkKindNumbering::Ue4 => self.row().1,
            ChunkKindNumbering::Ue5 => self.row().2,
        }
    }

    /// Returns the name used in listings, file names and filters.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().3
    }

    /// Finds a kind by its [`name`](Self::name) or its name in Unreal's source, in any case.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        // Both spellings then differ in nothing but case.
        let plain: String = name.chars().filter(|c| *c != '_' && *c != '-').collect();
        KINDS
            .iter()
            .find(|row| {
                plain.eq_ignore_ascii_case(&row.3.replace('_', ""))
                    || plain.eq_ignore_ascii_case(&format!("{:?}", row.0))
            })
            .map(|row| row.0)
    }

    /// Returns the extension of the file that a chunk of this kind is cooked from.
    #[must_use]
    pub fn extension(self) -> Option<&'static str> {
        self.row().4
    }

    /// Returns true if the first eight bytes of the chunk id are a package id.
    #[must_use]
    pub const fn belongs_to_package(self) -> bool {
        matches!(
            self,
            Self::ExportBundleData | Self::BulkData | Self::OptionalBulkData | Self::MemoryMappedBulkData
        )
    }

    fn row(self) -> &'static Row {
        // Unreachable, since the table has a row for every kind.
        const NONE: Row = (ChunkKind::Invalid, None, None, "invalid", None);
        KINDS.iter().find(|row| row.0 == self).unwrap_or(&NONE)
    }
}

impl fmt::Display for ChunkKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl RawChunkId {
    /// Assembles an id from its parts.
    #[must_use]
    pub const fn new(id: u64, index: u16, kind: u8) -> Self {
        let [a, b, c, d, e, f, g, h] = id.to_le_bytes();
        // The index is the only big-endian part.
        let [hi, lo] = index.to_be_bytes();
        // Byte 10 is the cooked index, 0 for nearly every chunk.
        Self([a, b, c, d, e, f, g, h, hi, lo, 0, kind])
    }

    /// Assembles an id whose first eleven bytes are a hash: shader code and external files.
    #[must_use]
    pub const fn from_hash(hash: [u8; 11], kind: u8) -> Self {
        let [a, b, c, d, e, f, g, h, i, j, k] = hash;
        Self([a, b, c, d, e, f, g, h, i, j, k, kind])
    }

    /// Returns the package id, container id or part of a hash: bytes 0–7.
    #[must_use]
    pub const fn id(self) -> u64 {
        let [a, b, c, d, e, f, g, h, ..] = self.0;
        u64::from_le_bytes([a, b, c, d, e, f, g, h])
    }

    /// Returns the package id, if the chunk belongs to a package: bytes 0–7.
    #[must_use]
    pub const fn package(self) -> PackageId {
        PackageId(self.id())
    }

    /// Returns the index: 0, or 1 for the optional segment of a package; bytes 8–9, big-endian.
    #[must_use]
    pub const fn index(self) -> u16 {
        let [.., hi, lo, _, _] = self.0;
        u16::from_be_bytes([hi, lo])
    }

    /// Returns the cooked index of bulk data (newer UE5), otherwise 0: byte 10.
    #[must_use]
    pub const fn cooked_index(self) -> u8 {
        let [.., extra, _] = self.0;
        extra
    }

    /// Returns the type byte.
    #[must_use]
    pub const fn raw_kind(self) -> u8 {
        let [.., kind] = self.0;
        kind
    }

    /// Returns the kind of content.
    #[must_use]
    pub fn kind(self, numbering: ChunkKindNumbering) -> ChunkKind {
        ChunkKind::from_wire(self.raw_kind(), numbering)
    }
}

impl fmt::Display for RawChunkId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = [0; 24];
        match hex::encode_to_slice(self.0, &mut text) {
            Ok(()) => f.pad(std::str::from_utf8(&text).unwrap_or_default()),
            Err(_) => Err(fmt::Error),
        }
    }
}

impl fmt::Debug for RawChunkId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RawChunkId({self})")
    }
}

/// Error for a text that is not a chunk id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParseChunkIdError;

impl fmt::Display for ParseChunkIdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a chunk id is 24 hex digits, or 32 of which the last 8 are zero")
    }
}

impl std::error::Error for ParseChunkIdError {}

impl FromStr for RawChunkId {
    type Err = ParseChunkIdError;

    /// Parses 24 hex digits, or 32 (the id padded with zeros to the length of a GUID). A prefix `0x` is
    /// ignored.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")).unwrap_or(text);
        let digits = match digits.len() {
            // The id padded to the length of a GUID.
            32 => digits.strip_suffix("00000000").ok_or(ParseChunkIdError)?,
            _ => digits,
        };
        let mut id = [0; 12];
        hex::decode_to_slice(digits, &mut id).map_err(|_| ParseChunkIdError)?;
        Ok(Self(id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_numberings_round_trip() {
        for numbering in [ChunkKindNumbering::Ue4, ChunkKindNumbering::Ue5] {
            for kind in ChunkKind::all() {
                if let Some(raw) = kind.to_wire(numbering) {
                    assert_eq!(ChunkKind::from_wire(raw, numbering), kind);
                }
            }
        }
        assert_eq!(ChunkKind::from_wire(2, ChunkKindNumbering::Ue4), ChunkKind::ExportBundleData);
        assert_eq!(ChunkKind::from_wire(2, ChunkKindNumbering::Ue5), ChunkKind::BulkData);
        assert_eq!(ChunkKind::from_wire(200, ChunkKindNumbering::Ue5), ChunkKind::Invalid);
    }

    #[test]
    fn kinds_are_found_by_either_name() {
        for kind in ChunkKind::all() {
            assert_eq!(ChunkKind::from_name(kind.name()), Some(kind));
            assert_eq!(ChunkKind::from_name(&format!("{kind:?}").to_lowercase()), Some(kind));
        }
        assert_eq!(ChunkKind::from_name("container-header"), Some(ChunkKind::ContainerHeader));
        assert_eq!(ChunkKind::from_name("texture"), None);
    }

    #[test]
    fn fields_lie_where_the_format_says() {
        let id = RawChunkId::new(0x0807_0605_0403_0201, 1, 6);
        assert_eq!(id.to_string(), "010203040506070800010006");
        assert_eq!((id.id(), id.index(), id.cooked_index(), id.raw_kind()), (0x0807_0605_0403_0201, 1, 0, 6));
    }

    #[test]
    fn text_forms() {
        let id: RawChunkId = "0x010203040506070800010006".parse().unwrap();
        assert_eq!("01020304050607080001000600000000".parse(), Ok(id));
        for bad in ["", "0102", "01020304050607080001000600000001", "zz0203040506070800010006"] {
            assert_eq!(bad.parse::<RawChunkId>(), Err(ParseChunkIdError), "{bad}");
        }
    }
}
