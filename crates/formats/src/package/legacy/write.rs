//! Writing: every record at the offset in the summary, and the layout of a cooked header.

use super::{
    package::{Package, Tables},
    summary::{self, TableAt},
};
use crate::{
    package::Section,
    version::PackageFileVersion,
    wire::{Fault, FaultKind, Writer},
};

/// Offset of the saved hash in a summary that has one: after the tag and five versions.
const SAVED_HASH_AT: usize = 24;

/// Last four bytes of export data.
pub const END_TAG: [u8; 4] = summary::TAG.to_le_bytes();

impl Package {
    /// Writes the header: each table at the offset that the summary gives it, with zeros in the gaps.
    ///
    /// A header that was read is written back byte for byte.
    ///
    /// Fields that are missing although the package's versions have them get their defaults, also in the
    /// package.
    pub fn write_header(&mut self) -> Result<Vec<u8>, Fault> {
        let mut out = Write::default();
        self.write_tables(&mut out)?;
        let len = usize::try_from(self.summary.total_header_len).unwrap_or(0);
        // Editor headers and padded ones are longer than their last table.
        if out.bytes.len() < len {
            out.bytes.resize(len, 0);
        }
        Ok(out.bytes)
    }

    /// Places every table in the order of the cooker, without gaps, and sets the dependent fields: counts,
    /// sections, offsets of export data, the single generation.
    ///
    /// The header is padded with zeros to at least `least_len` bytes: export data up to 5.1 contains absolute
    /// offsets that rely on its original length.
    ///
    /// Afterwards the package equals the result of reading its written header, unless it has fields that its
    /// versions lack. The saved hash (see [`saved_hash`]), the count of referenced names and the preload
    /// slices of exports are left alone.
    pub fn lay_out_cooked(&mut self, least_len: u32) -> Result<(), Fault> {
        self.set_counts()?;
        // Any positive offset marks a record as present, so that it is measured.
        self.place_all(1);
        let mut sizes = Measure::default();
        self.write_tables(&mut sizes)?;
        let len =
            |name: &str| sizes.found.iter().filter(|(found, _)| *found == name).map(|(_, len)| len).sum();
        self.assign(len, least_len)
    }

    /// Length of a table in bytes, as it is now.
    pub(in crate::package) fn table_len(&mut self, name: &str) -> Result<u64, Fault> {
        let mut sizes = Measure::default();
        self.write_tables(&mut sizes)?;
        Ok(sizes.found.iter().filter(|(found, _)| *found == name).map(|(_, len)| len).sum())
    }

    fn write_tables<T: Tables>(&mut self, t: &mut T) -> Result<(), Fault> {
        let assumed = self.assumed();
        let mut form = self.form;
        t.at("summary", 0, |a| {
            summary::summary(a, &mut self.summary, assumed).map(|(found, _)| form = found)
        })?;
        // The summary cannot show this fact, so it is carried over.
        form.cooked_import_names = self.form.cooked_import_names;
        self.form = form;
        self.tables(t)
    }

    fn assumed(&self) -> Option<PackageFileVersion> {
        self.summary.file_versions.is_unversioned().then_some(self.form.versions)
    }

    fn set_counts(&mut self) -> Result<(), Fault> {
        let s = &mut self.summary;
        s.names.count = count(self.names.len(), "names")?;
        s.imports.count = count(self.imports.len(), "imports")?;
        s.exports.count = count(self.exports.len(), "exports")?;
        let v = self.form.versions;
        let table = |present: bool, len: usize, field| {
            present.then(|| count(len, field).map(|count| TableAt { count, offset: 0 })).transpose()
        };
        s.soft_object_paths =
            table(v.has_soft_object_paths(), self.soft_object_paths.len(), "soft object paths")?;
        s.gatherable_text = table(v.has_gatherable_text(), self.gatherable_text.len(), "gatherable text")?;
        s.cell_exports = table(v.has_cells(), self.cell_exports.len(), "cell exports")?;
        s.cell_imports = table(v.has_cells(), self.cell_imports.len(), "cell imports")?;
        let references = self.soft_package_references.len();
        s.soft_package_references =
            table(v.has_soft_package_references(), references, "soft package references")?;
        let hierarchies = self.import_type_hierarchies.len();
        s.import_type_hierarchies =
            table(v.has_import_type_hierarchies(), hierarchies, "import type hierarchies")?;
        let preload = self.preload_dependencies.len();
        s.preload_dependencies = table(v.has_preload_dependencies(), preload, "preload dependencies")?;
        // Cooked packages store an empty list of dependencies for each export.
        self.depends.resize(self.exports.len(), Vec::new());
        // Cooked packages store an empty registry, four zero bytes.
        if v.has_asset_registry_data() {
            self.asset_registry.get_or_insert_default();
        }
        // Cooked packages have exactly one generation, the present one.
        s.generations = vec![summary::Generation { exports: s.exports.count, names: s.names.count }];
        Ok(())
    }

    fn place_all(&mut self, offset: i32) {
        let s = &mut self.summary;
        s.depends_offset = offset;
        let there = |present: bool| if present { offset } else { 0 };
        s.asset_registry_offset = Some(there(self.asset_registry.is_some()));
        s.world_tile_offset = Some(there(self.world_tile.is_some()));
        s.data_resource_offset = Some(there(self.data_resources.is_some()));
    }

    fn assign(&mut self, len: impl Fn(&str) -> u64, least_len: u32) -> Result<(), Fault> {
        let mut end = 0u64;
        let mut sections = Vec::new();
        let mut next = |name: &'static str| {
            let start = end;
            end += len(name);
            if end > start {
                sections.push(Section { name, range: start..end });
            }
            let kind = FaultKind::TooLarge { found: end, limit: i32::MAX.unsigned_abs().into() };
            i32::try_from(start).map_err(|_| Fault { offset: start, field: name, kind })
        };
        let (s, v) = (&mut self.summary, self.form.versions);
        next("summary")?;
        s.names.offset = next("names")?;
        s.imports.offset = next("imports")?;
        s.exports.offset = next("exports")?;
        let cell_imports = next("cell imports")?;
        let cell_exports = next("cell exports")?;
        s.depends_offset = next("depends map")?;
        let at =
            |table: &mut Option<TableAt>, offset| table.iter_mut().for_each(|table| table.offset = offset);
        // The cooker points empty cell tables at the depends map and the empty list of soft paths at the
        // imports.
        at(&mut s.cell_imports, if self.cell_imports.is_empty() { s.depends_offset } else { cell_imports });
        at(&mut s.cell_exports, if self.cell_exports.is_empty() { s.depends_offset } else { cell_exports });
        at(&mut s.soft_object_paths, s.imports.offset);
        let registry = next("asset registry data")?;
        s.asset_registry_offset = v.has_asset_registry_data().then_some(registry);
        let tile = next("world tile info")?;
        let tile = if self.world_tile.is_some() { tile } else { 0 };
        s.world_tile_offset = v.has_world_tile_info().then_some(tile);
        at(&mut s.preload_dependencies, next("preload dependencies")?);
        let resources = next("data resources")?;
        // Without a table the cooker writes −1 here and 0 for the world tile.
        let resources = if self.data_resources.is_some() { resources } else { -1 };
        s.data_resource_offset = v.has_data_resources().then_some(resources);
        s.total_header_len = next("total header size")?.max(i32::try_from(least_len).unwrap_or(i32::MAX));
        s.searchable_names_offset = v.has_searchable_names().then_some(0);
        s.metadata_offset = v.has_metadata().then_some(0);
        s.thumbnail_table_offset = 0;
        self.sections = sections;
        self.place_exports()
    }

    /// Places export data after the header, without gaps, in export order.
    fn place_exports(&mut self) -> Result<(), Fault> {
        // Exports follow in index order, whether or not they have data.
        let mut end = i64::from(self.summary.total_header_len);
        for export in &mut self.exports {
            export.serial_offset = end;
            end = end.checked_add(export.serial_len).ok_or(Fault {
                offset: 0,
                field: "export: serial size",
                kind: FaultKind::Unsupported { found: export.serial_len },
            })?;
        }
        self.summary.bulk_data_start = self.form.versions.has_bulk_data_start().then_some(end);
        Ok(())
    }
}

/// Computes the hash that the cooker writes into headers from 5.6 on: BLAKE3 over the header with the hash
/// zeroed and the export data, cut to 20 bytes.
///
/// `exports` is the `.uexp` file without its trailing tag.
#[must_use]
pub fn saved_hash(header: &[u8], exports: &[u8]) -> [u8; 20] {
    let mut hasher = blake3::Hasher::new();
    let (front, rest) = header.split_at(SAVED_HASH_AT.min(header.len()));
    hasher.update(front).update(&[0; 20]).update(rest.get(20..).unwrap_or_default()).update(exports);
    hasher.finalize().as_bytes().first_chunk().copied().unwrap_or_default()
}

/// Writes the [`saved_hash`] into a header that has room for it, and returns it.
pub(crate) fn set_saved_hash(header: &mut [u8], exports: &[u8]) -> [u8; 20] {
    let hash = saved_hash(header, exports);
    if let Some(place) = header.get_mut(SAVED_HASH_AT..).and_then(|rest| rest.first_chunk_mut::<20>()) {
        *place = hash;
    }
    hash
}

fn count(len: usize, field: &'static str) -> Result<i32, Fault> {
    let kind = FaultKind::TooLarge { found: len as u64, limit: i32::MAX.unsigned_abs().into() };
    i32::try_from(len).map_err(|_| Fault { offset: 0, field, kind })
}

/// Writes records at their offsets.
#[derive(Default)]
struct Write {
    bytes: Vec<u8>,
    /// Buffer for one table at a time.
    table: Writer,
}

impl Tables for Write {
    type Archive = Writer;

    fn at(
        &mut self,
        name: &'static str,
        offset: i64,
        records: impl FnOnce(&mut Writer) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        self.table.clear();
        records(&mut self.table)?;
        let kind = FaultKind::Negative { found: offset };
        let start = usize::try_from(offset).map_err(|_| Fault { offset: 0, field: name, kind })?;
        let end = start + self.table.len();
        // Tables come in no particular order, and the last one to arrive may lie in front.
        if self.bytes.len() < end {
            self.bytes.resize(end, 0);
        }
        if let Some(place) = self.bytes.get_mut(start..end) {
            place.copy_from_slice(self.table.as_bytes());
        }
        Ok(())
    }
}

/// Measures records.
#[derive(Default)]
struct Measure {
    found: Vec<(&'static str, u64)>,
    /// Buffer for one table at a time.
    table: Writer,
}

impl Tables for Measure {
    type Archive = Writer;

    fn at(
        &mut self,
        name: &'static str,
        _offset: i64,
        records: impl FnOnce(&mut Writer) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        self.table.clear();
        records(&mut self.table)?;
        self.found.push((name, self.table.len() as u64));
        Ok(())
    }
}
