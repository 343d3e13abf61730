//! The package file summary: the first record, and the map of everything else.
//!
//! ```text
//! tag │ legacy version │ UE3, UE4, (≤ −8) UE5, licensee version │ (≥ 1016) hash, header size │ custom versions
//! │ (< 1016) header size │ package name │ flags │ names │ soft paths │ localization │ text │ exports │ imports
//! │ cells │ metadata │ depends │ soft references │ searchable │ thumbnails │ hierarchies │ GUIDs │ generations
//! │ engine versions │ compression │ source │ registry │ bulk │ world tile │ chunks │ preload │ … │ data resources
//! ```
//!
//! One list of fields for 4.0 to 6.0; every gate is a predicate of [`crate::version`]. Verified on files of 4.10 to
//! 5.8; source: CUE4Parse `FPackageFileSummary.cs`, UAssetAPI `UAsset.cs`, retoc `legacy_asset.rs`.

use super::form::{Form, guid};
use crate::{
    id::{CustomVersion, Guid},
    version::{
        CustomVersionForm, CustomVersionKey, EngineVersion, LegacyFileVersion, PackageFileVersion, Releases,
    },
    wire::{Archive, Fault, FaultKind, WireString},
};

/// First four bytes of a package.
pub const TAG: u32 = 0x9E2A_83C1;
/// First four bytes of a package with big-endian numbers.
pub const SWAPPED_TAG: u32 = 0xC183_2A9E;

/// The package file summary (`FPackageFileSummary`). Fields absent in a version are `None`.
#[doc(alias = "FPackageFileSummary")]
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct Summary {
    /// Version of this record's format (`LegacyFileVersion`).
    pub legacy: LegacyFileVersion,
    /// Remnant of the UE3 version: 864, or 0 in unversioned packages.
    pub ue3_version: Option<i32>,
    /// Object versions in the file; zero in unversioned packages.
    pub file_versions: PackageFileVersion,
    /// Licensee version.
    pub licensee_version: i32,
    /// Versions of the cooker (138 to 142).
    pub cooker_versions: Option<[i32; 2]>,
    /// BLAKE3 of the package, cut to 20 bytes (1016).
    pub saved_hash: Option<[u8; 20]>,
    /// Length of the header in bytes.
    pub total_header_len: i32,
    /// Custom versions, in file order.
    pub custom_versions: Vec<CustomVersion>,
    /// Package name, or `None`; in old versions the folder in the editor's tree.
    pub package_name: WireString,
    /// Package flags (`EPackageFlags`).
    pub package_flags: u32,
    /// Name table.
    pub names: TableAt,
    /// Soft object paths (1008).
    pub soft_object_paths: Option<TableAt>,
    /// Identity of the package for translations (516, editor).
    pub localization_id: Option<WireString>,
    /// Gatherable text (459).
    pub gatherable_text: Option<TableAt>,
    /// Export table.
    pub exports: TableAt,
    /// Import table.
    pub imports: TableAt,
    /// Verse exports (1015).
    pub cell_exports: Option<TableAt>,
    /// Verse imports (1015).
    pub cell_imports: Option<TableAt>,
    /// Metadata (1014).
    pub metadata_offset: Option<i32>,
    /// Depends map.
    pub depends_offset: i32,
    /// Soft package references (384).
    pub soft_package_references: Option<TableAt>,
    /// Searchable names (510).
    pub searchable_names_offset: Option<i32>,
    /// Thumbnail table.
    pub thumbnail_table_offset: i32,
    /// Import type hierarchies (1018).
    pub import_type_hierarchies: Option<TableAt>,
    /// Identity of this saving of the package (before 1016).
    pub guid: Option<Guid>,
    /// Lasting identity of the package (518, editor).
    pub persistent_guid: Option<Guid>,
    /// Identity of the package's owner (518 and 519, editor).
    pub owner_guid: Option<Guid>,
    /// Sizes of the package at earlier savings; always one entry in cooked packages.
    pub generations: Vec<Generation>,
    /// Engine that saved the package.
    pub saved_by: EngineVersion,
    /// Oldest engine that can load it (444).
    pub compatible_with: Option<EngineVersion>,
    /// Compression of the whole package, unused.
    pub compression_flags: u32,
    /// Compressed chunks, unused.
    pub compressed_chunks: Vec<[i32; 4]>,
    /// Checksum of the base file name.
    pub package_source: u32,
    /// Unused.
    pub additional_packages: Vec<WireString>,
    /// Unused, 0 (legacy versions above −7).
    pub texture_allocations: Option<i32>,
    /// Asset registry data (112).
    pub asset_registry_offset: Option<i32>,
    /// End of the exports and start of bulk data (212).
    pub bulk_data_start: Option<i64>,
    /// World tile info (224).
    pub world_tile_offset: Option<i32>,
    /// Streaming install chunks (326; before, one number).
    pub chunk_ids: Vec<i32>,
    /// Preload dependencies (507).
    pub preload_dependencies: Option<TableAt>,
    /// Number of names used by export data (1001).
    pub names_referenced: Option<i32>,
    /// Package trailer (1002); −1 if there is none.
    pub payload_toc_offset: Option<i64>,
    /// Data resource table (1009); 0 or −1 if there is none.
    pub data_resource_offset: Option<i32>,
}

/// Count and file offset of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct TableAt {
    /// Number of entries.
    pub count: i32,
    /// File offset of the first entry.
    pub offset: i32,
}

/// Size of a package at one saving (`FGenerationInfo`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct Generation {
    /// Number of exports.
    pub exports: i32,
    /// Number of names.
    pub names: i32,
}

impl Summary {
    /// Returns the release that wrote the package, as far as its custom versions show (4.26 and later).
    #[must_use]
    pub fn release(&self) -> Option<&'static str> {
        CustomVersionKey::fingerprint(|key| CustomVersion::number_of(&self.custom_versions, key))
    }

    /// Returns the releases that may have written the package, if it has versions.
    #[must_use]
    pub fn releases(&self) -> Releases {
        Releases::of_versions(self.file_versions, |key| CustomVersion::number_of(&self.custom_versions, key))
    }

    /// Returns the object versions in effect: those of the file or, in an unversioned one, the assumed ones.
    #[must_use]
    pub fn versions(&self, assumed: Option<PackageFileVersion>) -> PackageFileVersion {
        match assumed {
            Some(assumed) if self.file_versions.is_unversioned() => assumed,
            _ => self.file_versions,
        }
    }
}

/// Name of the header length field.
pub(super) const TOTAL_HEADER_LEN: &str = "summary: total header size";

/// Archives the whole summary; returns the form of everything after it, and the offset of the header length.
pub(super) fn summary<A: Archive>(
    a: &mut A,
    s: &mut Summary,
    assumed: Option<PackageFileVersion>,
) -> Result<(Form, u64), Fault> {
    let v = versions(a, s, assumed)?;
    let mut header_len_at = 0;
    // 1016 moved the hash and the header length in front of the custom versions.
    a.optional(v.has_saved_hash(), &mut s.saved_hash, |a, hash| a.raw("summary: saved hash", hash))?;
    if v.has_saved_hash() {
        header_len_at = total_header_len(a, &mut s.total_header_len)?;
    }
    custom_versions(a, s)?;
    if !v.has_saved_hash() {
        header_len_at = total_header_len(a, &mut s.total_header_len)?;
    }
    a.string("summary: package name", &mut s.package_name)?;
    a.u32("summary: package flags", &mut s.package_flags)?;
    // The form depends on the flags, so the fields above cannot depend on it.
    let form = Form::new(s.legacy, v, s.package_flags, &s.custom_versions);
    first_tables(a, s, &form)?;
    later_tables(a, s, &form)?;
    identity(a, s, &form)?;
    ending(a, s, &form)?;
    Ok((form, header_len_at))
}

fn versions<A: Archive>(
    a: &mut A,
    s: &mut Summary,
    assumed: Option<PackageFileVersion>,
) -> Result<PackageFileVersion, Fault> {
    let (mut tag, at) = (TAG, a.offset());
    a.u32("summary: tag", &mut tag)?;
    if tag != TAG {
        return Err(Fault { offset: at, field: "summary: tag", kind: FaultKind::BadMagic });
    }
    let at = a.offset();
    a.i32("summary: legacy file version", &mut s.legacy.0)?;
    if !s.legacy.is_supported() {
        let kind = FaultKind::Unsupported { found: s.legacy.0.into() };
        return Err(Fault { offset: at, field: "summary: legacy file version", kind });
    }
    a.optional(s.legacy.has_ue3_version(), &mut s.ue3_version, |a, v| a.i32("summary: UE3 version", v))?;
    let at = a.offset();
    a.i32("summary: UE4 version", &mut s.file_versions.ue4)?;
    // Without the field the number stays 0, which means UE4.
    if s.legacy.has_ue5_version() {
        a.i32("summary: UE5 version", &mut s.file_versions.ue5)?;
    }
    a.i32("summary: licensee version", &mut s.licensee_version)?;
    let v = s.versions(assumed);
    if !v.is_supported() {
        // The UE4 number is at fault only if it alone is unsupported.
        let ue4 = PackageFileVersion::ue4(v.ue4).is_supported();
        let (found, field) =
            if ue4 { (v.ue5, "summary: UE5 version") } else { (v.ue4, "summary: UE4 version") };
        let kind = FaultKind::Unsupported { found: found.into() };
        return Err(Fault { offset: if ue4 { at + 4 } else { at }, field, kind });
    }
    a.optional(v.has_cooker_versions(), &mut s.cooker_versions, |a, [version, licensee]| {
        a.i32("summary: cooker version", version)?;
        a.i32("summary: cooker licensee version", licensee)
    })?;
    Ok(v)
}

/// Archives the header length and returns its offset; callers with the whole file compare it with the length.
fn total_header_len<A: Archive>(a: &mut A, len: &mut i32) -> Result<u64, Fault> {
    let at = a.offset();
    a.i32(TOTAL_HEADER_LEN, len)?;
    Ok(at)
}

fn custom_versions<A: Archive>(a: &mut A, s: &mut Summary) -> Result<(), Fault> {
    let form = s.legacy.custom_version_form();
    let min_len = if form == CustomVersionForm::Enum { 8 } else { 20 };
    a.list("summary: custom versions", &mut s.custom_versions, min_len, |a, version| {
        if form == CustomVersionForm::Enum {
            // The key is a 32-bit tag: its GUID is three zero words and the tag.
            let (zeros, tag) = version.key.0.split_at_mut(12);
            zeros.fill(0);
            a.raw("summary: custom version tag", tag)?;
        } else {
            guid(a, "summary: custom version key", &mut version.key)?;
        }
        a.i32("summary: custom version", &mut version.number)?;
        let named = form == CustomVersionForm::Guids;
        a.optional(named, &mut version.name, |a, name| a.string("summary: custom version name", name))
    })
}

fn table_at<A: Archive>(a: &mut A, field: &'static str, table: &mut TableAt) -> Result<(), Fault> {
    let at = a.offset();
    a.i32(field, &mut table.count)?;
    if table.count < 0 {
        return Err(Fault { offset: at, field, kind: FaultKind::Negative { found: table.count.into() } });
    }
    a.i32(field, &mut table.offset)
}

fn first_tables<A: Archive>(a: &mut A, s: &mut Summary, form: &Form) -> Result<(), Fault> {
    let v = form.versions;
    table_at(a, "summary: names", &mut s.names)?;
    a.optional(v.has_soft_object_paths(), &mut s.soft_object_paths, |a, t| {
        table_at(a, "summary: soft object paths", t)
    })?;
    a.optional(v.has_localization_id() && !form.cooked, &mut s.localization_id, |a, id| {
        a.string("summary: localization id", id)
    })?;
    a.optional(v.has_gatherable_text(), &mut s.gatherable_text, |a, t| {
        table_at(a, "summary: gatherable text", t)
    })?;
    table_at(a, "summary: exports", &mut s.exports)?;
    table_at(a, "summary: imports", &mut s.imports)?;
    // Cell exports come before cell imports, unlike in the file.
    a.optional(v.has_cells(), &mut s.cell_exports, |a, t| table_at(a, "summary: cell exports", t))?;
    a.optional(v.has_cells(), &mut s.cell_imports, |a, t| table_at(a, "summary: cell imports", t))?;
    a.optional(v.has_metadata(), &mut s.metadata_offset, |a, at| a.i32("summary: metadata offset", at))
}

fn later_tables<A: Archive>(a: &mut A, s: &mut Summary, form: &Form) -> Result<(), Fault> {
    let v = form.versions;
    a.i32("summary: depends offset", &mut s.depends_offset)?;
    a.optional(v.has_soft_package_references(), &mut s.soft_package_references, |a, t| {
        table_at(a, "summary: soft package references", t)
    })?;
    a.optional(v.has_searchable_names(), &mut s.searchable_names_offset, |a, at| {
        a.i32("summary: searchable names offset", at)
    })?;
    a.i32("summary: thumbnail table offset", &mut s.thumbnail_table_offset)?;
    a.optional(v.has_import_type_hierarchies(), &mut s.import_type_hierarchies, |a, t| {
        table_at(a, "summary: import type hierarchies", t)
    })
}

fn identity<A: Archive>(a: &mut A, s: &mut Summary, form: &Form) -> Result<(), Fault> {
    let v = form.versions;
    a.optional(!v.has_saved_hash(), &mut s.guid, |a, id| guid(a, "summary: GUID", id))?;
    a.optional(v.has_persistent_guid() && !form.cooked, &mut s.persistent_guid, |a, id| {
        guid(a, "summary: persistent GUID", id)
    })?;
    a.optional(v.has_owner_guid() && !form.cooked, &mut s.owner_guid, |a, id| {
        guid(a, "summary: owner's persistent GUID", id)
    })?;
    a.list("summary: generations", &mut s.generations, 8, |a, generation| {
        a.i32("summary: generation exports", &mut generation.exports)?;
        a.i32("summary: generation names", &mut generation.names)
    })?;
    if v.has_engine_version() {
        s.saved_by.archive(a)?;
    } else {
        // Before 336 only the changelist of the engine was stored.
        a.u32("summary: engine changelist", &mut s.saved_by.changelist)?;
    }
    a.optional(v.has_compatible_engine_version(), &mut s.compatible_with, |a, version| version.archive(a))
}

fn ending<A: Archive>(a: &mut A, s: &mut Summary, form: &Form) -> Result<(), Fault> {
    let v = form.versions;
    a.u32("summary: compression flags", &mut s.compression_flags)?;
    a.list("summary: compressed chunks", &mut s.compressed_chunks, 16, |a, chunk| {
        chunk.iter_mut().try_for_each(|number| a.i32("summary: compressed chunk", number))
    })?;
    a.u32("summary: package source", &mut s.package_source)?;
    a.list("summary: additional packages", &mut s.additional_packages, 4, |a, package| {
        a.string("summary: additional package", package)
    })?;
    a.optional(s.legacy.has_texture_allocations(), &mut s.texture_allocations, |a, n| {
        a.i32("summary: texture allocations", n)
    })?;
    a.optional(v.has_asset_registry_data(), &mut s.asset_registry_offset, |a, at| {
        a.i32("summary: asset registry data offset", at)
    })?;
    a.optional(v.has_bulk_data_start(), &mut s.bulk_data_start, |a, at| {
        a.i64("summary: bulk data start", at)
    })?;
    a.optional(v.has_world_tile_info(), &mut s.world_tile_offset, |a, at| {
        a.i32("summary: world tile info offset", at)
    })?;
    if v.has_single_chunk_id() {
        // A single id has no count before it.
        s.chunk_ids.resize(1, 0);
        s.chunk_ids.iter_mut().try_for_each(|id| a.i32("summary: chunk id", id))?;
    } else if v.has_chunk_ids() {
        a.list("summary: chunk ids", &mut s.chunk_ids, 4, |a, id| a.i32("summary: chunk id", id))?;
    }
    a.optional(v.has_preload_dependencies(), &mut s.preload_dependencies, |a, t| {
        // −1 without preload dependencies, so this count may be negative.
        a.i32("summary: preload dependencies", &mut t.count)?;
        a.i32("summary: preload dependencies", &mut t.offset)
    })?;
    a.optional(v.has_names_referenced_count(), &mut s.names_referenced, |a, n| {
        a.i32("summary: names referenced from export data", n)
    })?;
    a.optional(v.has_payload_toc(), &mut s.payload_toc_offset, |a, at| {
        a.i64("summary: payload toc offset", at)
    })?;
    a.optional(v.has_data_resources(), &mut s.data_resource_offset, |a, at| {
        a.i32("summary: data resource offset", at)
    })
}
