use super::{
    cells::{self, CellExport, CellImport},
    form::{Counts, Form, PackageIndex},
    names::{self, NameEntry},
    objects::{self, Export, Import},
    references::{self, ImportTypeHierarchy, SearchableNames, SoftObjectPath, SoftPackageReference},
    registry::{self, AssetRegistry},
    resources::{self, DataResources},
    summary::{Summary, TableAt},
    text::{self, GatherableText, Metadata},
    thumbnails::{self, Thumbnail},
    world::{self, WorldTile},
};
use crate::{
    package::{Section, bulk::BulkRecord},
    wire::{Archive, Fault},
};
use std::ops::Range;

/// A legacy package: its summary and every table that the summary points to.
///
/// ```no_run
/// # use uncask_formats as uncask;
/// use uncask::package::legacy::Package;
///
/// let package = Package::parse(&std::fs::read("BP_Table_Lamp.uasset")?)?;
/// for (index, export) in (0..).zip(&package.exports) {
///     println!("{} {}", package.class_path(export), package.export_path(index).unwrap_or_default());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize)]
pub struct Package {
    /// The first record.
    pub summary: Summary,
    /// Layout of the records.
    pub form: Form,
    /// Source of the object versions.
    pub evidence: VersionEvidence,
    /// Names.
    pub names: Vec<NameEntry>,
    /// Soft object paths, referred to by index from export data.
    pub soft_object_paths: Vec<SoftObjectPath>,
    /// Texts for translation.
    pub gatherable_text: Vec<GatherableText>,
    /// Metadata of objects.
    pub metadata: Option<Metadata>,
    /// Imports.
    pub imports: Vec<Import>,
    /// Exports.
    pub exports: Vec<Export>,
    /// Verse imports.
    pub cell_imports: Vec<CellImport>,
    /// Verse exports.
    pub cell_exports: Vec<CellExport>,
    /// Dependencies of each export; empty in cooked packages.
    pub depends: Vec<Vec<PackageIndex>>,
    /// Soft package references.
    pub soft_package_references: Vec<SoftPackageReference>,
    /// Names by which objects can be searched.
    pub searchable_names: Option<Vec<SearchableNames>>,
    /// Thumbnails of the assets.
    pub thumbnails: Option<Vec<Thumbnail>>,
    /// Asset registry data, for the editor's content browser.
    pub asset_registry: Option<AssetRegistry>,
    /// Place of a level in a composed world.
    pub world_tile: Option<WorldTile>,
    /// Preload dependencies; exports own slices of them.
    pub preload_dependencies: Vec<PackageIndex>,
    /// Bulk data table.
    pub data_resources: Option<DataResources>,
    /// Class hierarchies of imports.
    pub import_type_hierarchies: Vec<ImportTypeHierarchy>,
    /// Byte ranges of the header by content, in file order.
    #[serde(skip)]
    pub sections: Vec<Section>,
}

/// Source of the object versions of a package.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub enum VersionEvidence {
    /// The file records them.
    #[default]
    File,
    /// The file has none; the caller named a release.
    Given(&'static str),
    /// The file has none; this is the newest release whose layout fits, out of several that may have written it.
    Probed(&'static str),
}

/// Runs records at offsets of a header: to read, write or measure them.
pub(super) trait Tables {
    /// Target of the records.
    type Archive: Archive;

    /// Runs `records` at `offset`.
    fn at(
        &mut self,
        name: &'static str,
        offset: i64,
        records: impl FnOnce(&mut Self::Archive) -> Result<(), Fault>,
    ) -> Result<(), Fault>;
}

impl Package {
    /// Archives everything after the summary. Tables with a count of zero or an absent offset are skipped.
    pub(super) fn tables<T: Tables>(&mut self, t: &mut T) -> Result<(), Fault> {
        let s = &self.summary;
        // Set first: every record below checks its references against these counts.
        self.form.counts = Counts {
            names: s.names.count.unsigned_abs(),
            imports: s.imports.count.unsigned_abs(),
            exports: s.exports.count.unsigned_abs(),
        };
        // Names, imports and exports come first in each form, because the other tables refer to them.
        self.object_tables(t)?;
        self.reference_tables(t)?;
        self.editor_tables(t)?;
        self.cooked_tables(t)
    }

    fn object_tables<T: Tables>(&mut self, t: &mut T) -> Result<(), Fault> {
        let (form, s) = (self.form, &self.summary);
        // The smallest entries bound the counts: 4 bytes for an empty string, and 4 for the two checksums.
        at(t, "names", Some(s.names), |a, n| {
            let min_len = if form.versions.has_name_hashes() { 8 } else { 4 };
            a.table("names", &mut self.names, n, min_len, |a, name| names::name(a, &form, name))
        })?;
        at(t, "imports", Some(s.imports), |a, n| {
            let min_len = objects::import_len(&form);
            a.table("imports", &mut self.imports, n, min_len, |a, import| objects::import(a, &form, import))
        })?;
        at(t, "exports", Some(s.exports), |a, n| {
            a.table("exports", &mut self.exports, n, objects::EXPORT_LEN, |a, e| objects::export(a, &form, e))
        })?;
        at(t, "cell imports", s.cell_imports, |a, n| {
            a.table("cell imports", &mut self.cell_imports, n, 8, |a, cell| cells::import(a, &form, cell))
        })?;
        at(t, "cell exports", s.cell_exports, |a, n| {
            a.table("cell exports", &mut self.cell_exports, n, 48, |a, cell| cells::export(a, &form, cell))
        })
    }

    fn reference_tables<T: Tables>(&mut self, t: &mut T) -> Result<(), Fault> {
        let (form, s) = (self.form, &self.summary);
        at(t, "soft object paths", s.soft_object_paths, |a, n| {
            a.table("soft object paths", &mut self.soft_object_paths, n, 20, |a, path| {
                references::soft_object_path(a, &form, path)
            })
        })?;
        // The depends map has no count of its own; offset 0 occurs in cooked 4.14 files and means that it is
        // absent.
        let depends = TableAt { count: s.exports.count, offset: s.depends_offset };
        at(t, "depends map", (depends.offset > 0).then_some(depends), |a, n| {
            a.table("depends map", &mut self.depends, n, 4, |a, list| references::depends(a, &form, list))
        })?;
        at(t, "soft package references", s.soft_package_references, |a, n| {
            a.table("soft package references", &mut self.soft_package_references, n, 4, |a, reference| {
                references::soft_package_reference(a, &form, reference)
            })
        })?;
        record(t, "searchable names", s.searchable_names_offset, &mut self.searchable_names, |a, names| {
            references::searchable_names(a, &form, names)
        })?;
        at(t, "import type hierarchies", s.import_type_hierarchies, |a, n| {
            a.table("import type hierarchies", &mut self.import_type_hierarchies, n, 8, |a, hierarchy| {
                references::import_type_hierarchy(a, &form, hierarchy)
            })
        })
    }

    fn editor_tables<T: Tables>(&mut self, t: &mut T) -> Result<(), Fault> {
        let (form, s) = (self.form, &self.summary);
        at(t, "gatherable text", s.gatherable_text, |a, n| {
            a.table("gatherable text", &mut self.gatherable_text, n, 16, text::gatherable_text)
        })?;
        record(t, "metadata", s.metadata_offset, &mut self.metadata, |a, m| text::metadata(a, &form, m))?;
        // The table precedes the pictures: it holds their offsets.
        let offset = Some(s.thumbnail_table_offset);
        record(t, "thumbnail table", offset, &mut self.thumbnails, thumbnails::table)?;
        // Several entries could point at one large picture, so all of them together may take no more than the
        // header.
        let mut budget = u64::from(s.total_header_len.unsigned_abs());
        for thumbnail in self.thumbnails.iter_mut().flatten().filter(|thumbnail| thumbnail.offset > 0) {
            t.at("thumbnail", thumbnail.offset.into(), |a| {
                thumbnails::picture(a, &mut thumbnail.picture, &mut budget)
            })?;
        }
        record(t, "asset registry data", s.asset_registry_offset, &mut self.asset_registry, |a, found| {
            registry::assets(a, &form, found)
        })?;
        // Cooked packages have no offset of dependencies here.
        let Some(registry) = &mut self.asset_registry else { return Ok(()) };
        let Some(offset) = registry.dependencies_offset.filter(|offset| *offset > 0) else { return Ok(()) };
        t.at("asset registry dependencies", offset, |a| {
            registry::dependencies(a, &form, registry.dependencies.get_or_insert_default())
        })
    }

    fn cooked_tables<T: Tables>(&mut self, t: &mut T) -> Result<(), Fault> {
        let (form, s) = (self.form, &self.summary);
        record(t, "world tile info", s.world_tile_offset, &mut self.world_tile, |a, tile| {
            world::world_tile(a, &form, tile)
        })?;
        at(t, "preload dependencies", s.preload_dependencies, |a, n| {
            a.table("preload dependencies", &mut self.preload_dependencies, n, 4, |a, index| {
                form.index(a, "preload dependency", index)
            })
        })?;
        record(t, "data resources", s.data_resource_offset, &mut self.data_resources, |a, found| {
            resources::data_resources(a, &form, found)
        })
    }

    /// Returns the header ranges that belong to no table: none in cooked packages, zeros in editor packages.
    #[must_use]
    pub fn unaccounted(&self) -> Vec<Range<u64>> {
        let mut gaps = Vec::new();
        let mut end = 0;
        for section in &self.sections {
            if section.range.start > end {
                gaps.push(end..section.range.start);
            }
            // Sections may overlap in a damaged file, so the end never moves back.
            end = end.max(section.range.end);
        }
        if self.header_len() > end {
            gaps.push(end..self.header_len());
        }
        gaps
    }

    /// Returns the recorded length of the header. Export offsets count from the start of the header, even if
    /// the data has its own file: the data starts at this offset, no matter how long the header file is.
    #[must_use]
    pub fn header_len(&self) -> u64 {
        self.summary.total_header_len.unsigned_abs().into()
    }

    /// Returns every payload described by the tables (5.2 and later; before, only export data describes
    /// them).
    pub fn bulk_records(&self) -> impl Iterator<Item = BulkRecord> {
        self.data_resources
            .iter()
            .flat_map(|resources| &resources.entries)
            .map(resources::DataResource::record)
    }
}

/// Archives a table whose count is in the summary.
fn at<T: Tables>(
    t: &mut T,
    name: &'static str,
    table: Option<TableAt>,
    records: impl FnOnce(&mut T::Archive, usize) -> Result<(), Fault>,
) -> Result<(), Fault> {
    match table {
        Some(TableAt { count: count @ 1.., offset }) => {
            t.at(name, offset.into(), |a| records(a, count.unsigned_abs() as usize))
        }
        _ => Ok(()),
    }
}

/// Archives a record that exists if its offset is positive.
fn record<T: Tables, R: Default>(
    t: &mut T,
    name: &'static str,
    offset: Option<i32>,
    found: &mut Option<R>,
    run: impl FnOnce(&mut T::Archive, &mut R) -> Result<(), Fault>,
) -> Result<(), Fault> {
    match offset {
        Some(offset @ 1..) => t.at(name, offset.into(), |a| run(a, found.get_or_insert_default())),
        _ => Ok(()),
    }
}
