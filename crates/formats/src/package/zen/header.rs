use super::{
    detect::{self, Start},
    exports::{self, CellExport, Export, PublicId},
    graph::{self, Bundle, BundleEntry, Command, Graph},
    raw,
    versioning::Versioning,
};
use crate::{
    id::{PackageId, PackageObjectIndex},
    names::{MappedName, NameMap, NameText, ObjectPath},
    package::{
        Partial, Section,
        bulk::{BulkFlags, BulkRecord},
        sections::Sections,
    },
    version::{PackageFileVersion, ZenGeneration},
    wire::{Fault, FaultKind, Reader},
};
use foldhash::{HashMap, HashMapExt};
use std::sync::Arc;
use zerocopy::little_endian::U64;

/// The header of a zen package (`FZenPackageSummary`): the normal form of every generation.
///
/// ```no_run
/// # use uncask_formats as uncask;
/// use uncask::package::zen::Header;
///
/// let chunk = std::fs::read("BP_Table_Lamp.uzenasset")?;
/// let header = Header::parse(&chunk)?;
/// println!("{}: {}, {} exports", header.name(), header.generation, header.exports.len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "FZenPackageSummary")]
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Header {
    /// Generation, which decides the layout.
    pub generation: ZenGeneration,
    /// Length of the header in bytes; export data starts here.
    pub header_len: u64,
    /// Package name.
    pub mapped_name: MappedName,
    /// UE4: name of the original if this is a localized package; otherwise the package name.
    pub source_name: Option<MappedName>,
    /// `EPackageFlags`.
    pub package_flags: u32,
    /// Length in bytes of the cooker's header before the conversion.
    pub cooked_header_len: u32,
    /// Versions recorded in the package.
    pub versioning: Option<Versioning>,
    /// Names.
    pub names: NameMap,
    /// Bulk data map (from 5.2).
    pub bulk: Vec<BulkRecord>,
    /// Hashes that imports refer to by index (UE5).
    pub imported_public_export_hashes: Vec<u64>,
    /// Import map, one entry per import of the cooker's package; null for packages.
    pub imports: Vec<PackageObjectIndex>,
    /// Export map.
    pub exports: Vec<Export>,
    /// Verse imports (from 5.6).
    pub cell_imports: Vec<PackageObjectIndex>,
    /// Verse exports (from 5.6).
    pub cell_exports: Vec<CellExport>,
    /// Bundles; from 5.3 on always one.
    pub bundles: Vec<Bundle>,
    /// Steps of loading.
    pub bundle_entries: Vec<BundleEntry>,
    /// Dependencies of bundles or exports.
    pub graph: Graph,
    /// Names of imported packages (from 5.3), in the order that imports refer to by index.
    #[serde(serialize_with = "texts")]
    pub imported_package_names: Vec<Arc<str>>,
    /// Byte ranges of the header, by content.
    pub sections: Vec<Section>,
    /// Public exports, sorted by public id.
    #[serde(skip)]
    public: Vec<(PublicId, u32)>,
}

impl Header {
    /// Reads the header of a zen package. The export data after it may be missing.
    pub fn parse(bytes: &[u8]) -> Result<Self, Fault> {
        Self::parse_partial(bytes)?.complete()
    }

    /// Reads as much of the header as is sound. Fails only if not even the generation can be determined.
    pub fn parse_partial(bytes: &[u8]) -> Result<Partial<Self>, Fault> {
        let generation = detect::detect(bytes)?;
        let mut header = Self::new(generation);
        let mut sections = Sections::new(bytes);
        let read = match detect::start(bytes)? {
            Start::Ue4 => header.read_ue4(bytes, &mut sections),
            Start::Ue5 => header.read_ue5(bytes, &mut sections),
        };
        header.sections = sections.finish();
        Ok(Partial { value: header, fault: read.err() })
    }

    /// Returns the package name, such as `/Game/Maps/Level`.
    #[must_use]
    pub fn name(&self) -> NameText<'_> {
        self.text(self.mapped_name)
    }

    /// Returns the package id.
    #[must_use]
    pub fn id(&self) -> PackageId {
        PackageId::from_name(&self.name().to_string())
    }

    /// Resolves a name of this package. Every name in a header that was read without fault resolves.
    #[must_use]
    pub fn text(&self, name: MappedName) -> NameText<'_> {
        self.names.resolve(name).unwrap_or(NameText { base: "", number: 0 })
    }

    /// Returns the object versions: those in the file, or those assumed for the generation.
    #[must_use]
    pub fn versions(&self) -> PackageFileVersion {
        self.versioning.as_ref().map_or(detect::assumed_versions(self.generation), |found| found.objects)
    }

    /// Finds the export with a public id.
    #[must_use]
    pub fn find_public(&self, id: PublicId) -> Option<usize> {
        // If several exports share an id, the first one counts.
        let at = self.public.partition_point(|(other, _)| *other < id);
        self.public.get(at).filter(|(found, _)| *found == id).map(|(_, export)| *export as usize)
    }

    /// Returns the imported packages: by their names (from 5.3), or as the graph mentions them (UE4).
    ///
    /// In UE5 before 5.3 only the container header lists them, and the result is empty.
    #[must_use]
    pub fn imported_packages(&self) -> Vec<PackageId> {
        match &self.graph {
            Graph::Packages(arcs) => {
                let mut ids: Vec<_> = arcs.iter().map(|arcs| arcs.package).collect();
                ids.sort_unstable();
                ids.dedup();
                ids
            }
            _ => self.imported_package_names.iter().map(|name| PackageId::from_name(name)).collect(),
        }
    }

    /// Returns the bundle that creates a public object of UE4; `None` if the package does not have it.
    #[must_use]
    pub fn bundle_that_creates(&self, object: &ObjectPath) -> Option<i32> {
        let index = PackageObjectIndex::global_import(&object.to_string());
        let export = u32::try_from(self.find_public(PublicId::GlobalImport(index))?).ok()?;
        self.bundles_of_steps().get(&(export, Command::Create)).copied()
    }

    /// Returns the index of the bundle of each step of loading.
    pub(in crate::package) fn bundles_of_steps(&self) -> HashMap<(u32, Command), i32> {
        let mut places = HashMap::new();
        for (bundle, at) in self.bundles.iter().zip(0..) {
            let steps = self.bundle_entries.iter().skip(bundle.first as usize).take(bundle.count as usize);
            places.extend(steps.map(|step| ((step.export, step.command), at)));
        }
        places
    }

    /// Creates an empty header of a generation.
    #[must_use]
    pub fn new(generation: ZenGeneration) -> Self {
        Self {
            generation,
            header_len: 0,
            mapped_name: MappedName::default(),
            source_name: None,
            package_flags: 0,
            cooked_header_len: 0,
            versioning: None,
            names: NameMap::default(),
            bulk: Vec::new(),
            imported_public_export_hashes: Vec::new(),
            imports: Vec::new(),
            exports: Vec::new(),
            cell_imports: Vec::new(),
            cell_exports: Vec::new(),
            bundles: Vec::new(),
            bundle_entries: Vec::new(),
            graph: Graph::default(),
            imported_package_names: Vec::new(),
            sections: Vec::new(),
            public: Vec::new(),
        }
    }

    fn read_ue4(&mut self, bytes: &[u8], sections: &mut Sections<'_>) -> Result<(), Fault> {
        let mut r = Reader::new(bytes);
        let summary = r.record::<raw::SummaryUe4>("zen summary")?;
        sections.close("summary", &r);
        self.mapped_name = exports::name(summary.name);
        self.source_name = Some(exports::name(summary.source_name));
        self.package_flags = summary.package_flags.get();
        self.cooked_header_len = summary.cooked_header_len.get();
        let graph = offset(summary.graph.get(), "graph offset", 52)?;
        self.header_len = graph + offset(summary.graph_len.get(), "graph size", 56)?;
        let names_end = 64 + offset(summary.names_len.get(), "name blob size", 28)?;
        let names = sections.until("names", names_end)?;
        // Name hashes are aligned to eight bytes; the gap belongs to no table.
        sections.until("padding", offset(summary.hashes_offset.get(), "name hashes offset", 32)?)?;
        let imports = offset(summary.imports.get(), "import map offset", 40)?;
        self.names = NameMap::parse_parts(names, sections.until("name hashes", imports)?)?;
        let at = offset(summary.exports.get(), "export map offset", 44)?;
        self.imports = exports::parse_imports(sections.until("import map", at)?)?;
        self.read_exports(sections, offset(summary.bundles.get(), "export bundles offset", 48)?)?;
        let r = sections.until("export bundles", graph)?;
        (self.bundles, self.bundle_entries) = graph::ue4_bundles(r, self.exports.len())?;
        let r = sections.until("graph", self.header_len)?;
        self.graph = graph::ue4_graph(r, self.bundles.len())?;
        // Checked last: everything else of the header is then available even if a name is wrong.
        self.names.require(exports::name(summary.source_name), "source name", 8)?;
        self.names.require(self.mapped_name, "package name", 0).map(drop)
    }

    fn read_ue5(&mut self, bytes: &[u8], sections: &mut Sections<'_>) -> Result<(), Fault> {
        let (generation, mut r) = (self.generation, Reader::new(bytes));
        let summary = r.record::<raw::Summary>("zen summary")?;
        self.mapped_name = exports::name(summary.name);
        self.package_flags = summary.package_flags.get();
        self.cooked_header_len = summary.cooked_header_len.get();
        self.header_len = summary.header_len.get().into();
        // 5.3 extended the summary by two offsets.
        let long = generation.has_dependency_bundles();
        let tail = r.when(long, |r| r.record::<raw::SummaryTail>("zen summary"))?;
        sections.close("summary", &r);
        if summary.has_versioning.get() == 1 {
            self.versioning = Some(Versioning::read(&mut r)?);
            sections.close("versioning", &r);
        }
        let cells =
            r.when(generation.has_cells(), |r| Ok((r.size("cell import map")?, r.size("cell export map")?)))?;
        sections.close("cell offsets", &r);
        self.names = NameMap::parse_batch(&mut r)?;
        sections.close("names", &r);
        self.names.require(self.mapped_name, "package name", 8)?;
        self.read_bulk_map(
            &mut r,
            sections,
            offset(summary.public_export_hashes.get(), "public export hashes", 24)?,
        )?;
        // Hashes have no count of their own: they fill the gap up to the import map.
        let (hashes, _) = sections
            .table::<U64>("public export hashes", offset(summary.imports.get(), "import map offset", 28)?)?;
        self.imported_public_export_hashes = hashes.iter().map(|hash| hash.get()).collect();
        let at = offset(summary.exports.get(), "export map offset", 32)?;
        self.imports = exports::parse_imports(sections.until("import map", at)?)?;
        let entries = offset(summary.bundle_entries.get(), "export bundle entries offset", 36)?;
        // With cells, the export map ends at the cell imports and not at the bundle entries.
        self.read_exports(sections, cells.map_or(entries, |(imports, _)| imports.into()))?;
        if let Some((_, exports)) = cells {
            self.cell_imports = exports::parse_imports(sections.until("cell import map", exports.into())?)?;
            let (rows, at) = sections.table("cell export map", entries)?;
            self.cell_exports = exports::parse_cells(rows, at, &self.names)?;
        }
        let graph = offset(summary.graph.get(), "graph offset", 40)?;
        let objects = self.exports.len() + self.cell_exports.len();
        let (rows, at) = sections.table("export bundle entries", graph)?;
        self.bundle_entries = graph::entries(rows, at, objects)?;
        if let Some(tail) = tail {
            return self.read_dependencies(sections, tail, objects);
        }
        let r = sections.until("graph", self.header_len)?;
        (self.bundles, self.graph) = graph::ue5_graph(r, self.bundle_entries.len(), self.imports.len())?;
        Ok(())
    }

    fn read_exports(&mut self, sections: &mut Sections<'_>, end: u64) -> Result<(), Fault> {
        let (rows, at) = sections.table::<raw::Export>("export map", end)?;
        let read = exports::parse(rows, at, self.generation, &self.names, &self.imports, &mut self.exports);
        // Sorted by id, then by index, which makes lookups logarithmic and deterministic.
        let ids = (0..).zip(&self.exports).map(|(at, export)| (export.public, at));
        self.public = ids.filter(|(id, _)| *id != PublicId::Private).collect();
        self.public.sort_unstable();
        // Returned last: the public ids of the sound exports are kept even if a later one is damaged.
        read
    }

    fn read_bulk_map(
        &mut self,
        r: &mut Reader<'_>,
        sections: &mut Sections<'_>,
        end: u64,
    ) -> Result<(), Fault> {
        if self.generation.has_bulk_map_padding() {
            let at = r.clone();
            let padding = r.u64("bulk data map: padding")?;
            // Padding exists to align the size field to eight bytes, so it has at most seven.
            let len = usize::try_from(padding).ok().filter(|len| *len < 8);
            let kind = FaultKind::TooLarge { found: padding, limit: 7 };
            r.bytes("bulk data map: padding", len.ok_or(at.fault("bulk data map: padding", kind))?)?;
        }
        if self.generation.has_bulk_map() {
            let at = r.clone();
            let len = r.long_size("bulk data map: size")?;
            if r.offset() + len != end {
                let kind = FaultKind::Unexpected { found: len, expected: end.saturating_sub(r.offset()) };
                return Err(at.fault("bulk data map: size", kind));
            }
        }
        sections.close("bulk data map head", r);
        let (rows, at) = sections.table::<raw::BulkEntry>("bulk data map", end)?;
        let places = (at..).step_by(size_of::<raw::BulkEntry>());
        self.bulk =
            rows.iter().zip(places).map(|(row, at)| bulk_record(row, at)).collect::<Result<_, _>>()?;
        Ok(())
    }

    fn read_dependencies(
        &mut self,
        sections: &mut Sections<'_>,
        tail: &raw::SummaryTail,
        objects: usize,
    ) -> Result<(), Fault> {
        // Since 5.3 one implicit bundle holds all entries.
        let count = u32::try_from(self.bundle_entries.len()).unwrap_or(u32::MAX);
        self.bundles = vec![Bundle { serial_offset: Some(0), first: 0, count }];
        let entries = offset(tail.dependency_entries.get(), "dependency bundle entries offset", 44)?;
        let names = offset(tail.imported_package_names.get(), "imported package names offset", 48)?;
        self.graph = graph::dependencies(sections, entries, names, objects, self.imports.len())?;
        // The names end exactly at the header; whatever is left over is a fault.
        let mut r = sections.until("imported package names", self.header_len)?;
        let map = NameMap::parse_batch(&mut r)?;
        self.imported_package_names = map
            .iter()
            .map(|base| {
                let number = r.size("imported package name: number")?;
                Ok(NameText { base, number }.to_string().into())
            })
            .collect::<Result<_, Fault>>()?;
        r.finish("imported package names")
    }
}

fn texts<S: serde::Serializer>(texts: &[Arc<str>], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(texts.iter().map(|text| &**text))
}

fn bulk_record(row: &raw::BulkEntry, at: u64) -> Result<BulkRecord, Fault> {
    let len = u64::try_from(row.len.get()).map_err(|_| {
        let kind = FaultKind::Negative { found: row.len.get() };
        Fault { offset: at + 16, field: "bulk data map: length", kind }
    })?;
    let flags = BulkFlags(row.flags.get());
    Ok(BulkRecord {
        flags,
        place: flags.place(len),
        offset: row.offset.get(),
        duplicate_offset: (row.duplicate_offset.get() != -1).then_some(row.duplicate_offset.get()),
        len,
        raw_len: len,
        compression: flags.compression(),
        cooked_index: row.cooked_index,
        owner: None,
    })
}

fn offset(found: i32, field: &'static str, at: u64) -> Result<u64, Fault> {
    let kind = FaultKind::Negative { found: found.into() };
    u64::try_from(found).map_err(|_| Fault { offset: at, field, kind })
}
