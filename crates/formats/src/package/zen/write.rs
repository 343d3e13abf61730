//! The inverse of the reader: a parsed header becomes the same bytes again.
//!
//! Parts follow each other without gaps, so each offset is known once the preceding parts are written; the
//! summary, which holds the offsets, is prepended last.

use super::{
    BundleArc, CellExport, Command, Dependencies, Export, ExportFilter, Graph, Header, PublicId, raw,
};
use crate::{
    id::PackageObjectIndex,
    names::{MappedName, NameMap, split_number},
    package::bulk::BulkRecord,
    wire::{Fault, FaultKind, Writer},
};
use zerocopy::little_endian::{I32, I64, U32, U64};

impl Header {
    /// Writes the header. `header_len` and `sections` are ignored: they follow from the rest.
    pub fn write(&self) -> Result<Vec<u8>, Fault> {
        let mut parts = Parts::new(self.generation.summary_len());
        if self.generation.is_ue4() {
            // UE4 has another summary, and no tail.
            let summary = self.ue4_parts(&mut parts)?;
            return Ok(parts.after(&[&summary]));
        }
        let (summary, tail) = self.ue5_parts(&mut parts)?;
        let summary = raw_bytes(&summary);
        // The two fields of the tail exist since 5.3 only.
        let tail = if self.generation.has_dependency_bundles() { raw_bytes(&tail) } else { Vec::new() };
        Ok(parts.after(&[&summary, &tail]))
    }

    fn ue4_parts(&self, parts: &mut Parts) -> Result<Vec<u8>, Fault> {
        let (names, hashes) = self.names.write_parts();
        let names_offset = parts.mark()?;
        parts.w.bytes(&names);
        // The reader expects the hashes on a multiple of eight.
        parts.w.bytes(&vec![0; names.len().next_multiple_of(8) - names.len()]);
        let hashes_offset = parts.mark()?;
        parts.w.bytes(&hashes);
        let imports = parts.mark()?;
        write_imports(&mut parts.w, &self.imports);
        let exports = parts.mark()?;
        self.write_exports(&mut parts.w);
        let bundles = parts.mark()?;
        self.write_steps(&mut parts.w);
        let graph = parts.mark()?;
        self.write_graph(&mut parts.w);
        // The length follows from the marks around the graph, as it is the last part.
        let graph_len = I32::new(parts.mark()?.get() - graph.get());
        Ok(raw_bytes(&raw::SummaryUe4 {
            name: raw_name(self.mapped_name),
            source_name: raw_name(self.source_name.unwrap_or(self.mapped_name)),
            package_flags: U32::new(self.package_flags),
            cooked_header_len: U32::new(self.cooked_header_len),
            names_offset,
            names_len: length(names.len())?,
            hashes_offset,
            hashes_len: length(hashes.len())?,
            imports,
            exports,
            bundles,
            graph,
            graph_len,
            padding: I32::ZERO,
        }))
    }

    fn ue5_parts(&self, parts: &mut Parts) -> Result<(raw::Summary, raw::SummaryTail), Fault> {
        // Versions come first, and only if the package records them.
        if let Some(versioning) = &self.versioning {
            versioning.write(&mut parts.w);
        }
        let cells_at = parts.w.len();
        // Their values follow only later, so eight bytes are reserved and patched at the end.
        if self.generation.has_cells() {
            parts.w.u64(0);
        }
        self.names.write_batch(&mut parts.w);
        self.write_bulk_map(parts);
        let public_export_hashes = parts.mark()?;
        for hash in &self.imported_public_export_hashes {
            parts.w.u64(*hash);
        }
        let imports = parts.mark()?;
        write_imports(&mut parts.w, &self.imports);
        let exports = parts.mark()?;
        self.write_exports(&mut parts.w);
        if self.generation.has_cells() {
            let imports = parts.mark()?;
            write_imports(&mut parts.w, &self.cell_imports);
            // Both offsets are known only now; they belong in front of the names.
            parts.cells = Some((cells_at, [imports, parts.mark()?]));
            self.cell_exports.iter().for_each(|cell| write_cell(&mut parts.w, cell));
        }
        let bundle_entries = parts.mark()?;
        self.write_steps(&mut parts.w);
        let graph = parts.mark()?;
        self.write_graph(&mut parts.w);
        // Up to 5.2 nothing is written between here and the end of the header, and both offsets are unused.
        let dependency_entries = parts.mark()?;
        self.write_dependency_entries(&mut parts.w);
        let imported_package_names = parts.mark()?;
        self.write_imported_package_names(&mut parts.w)?;
        let summary = raw::Summary {
            // The summary is built last, since it holds the offsets of all parts.
            has_versioning: U32::new(self.versioning.is_some().into()),
            header_len: U32::new(parts.mark()?.get().unsigned_abs()),
            name: raw_name(self.mapped_name),
            package_flags: U32::new(self.package_flags),
            cooked_header_len: U32::new(self.cooked_header_len),
            public_export_hashes,
            imports,
            exports,
            bundle_entries,
            graph,
        };
        Ok((summary, raw::SummaryTail { dependency_entries, imported_package_names }))
    }

    fn write_exports(&self, w: &mut Writer) {
        // The mark of a private export: the null index in UE4, hash 0 since 5.0.
        let private = if self.generation.is_ue4() { u64::MAX } else { 0 };
        self.exports.iter().for_each(|export| write_export(w, export, private));
    }

    fn write_bulk_map(&self, parts: &mut Parts) {
        if !self.generation.has_bulk_map() {
            return;
        }
        if self.generation.has_bulk_map_padding() {
            // The size field that follows must lie on a multiple of eight bytes of the chunk.
            let at = parts.summary_len + parts.w.len();
            let padding = at.next_multiple_of(8) - at;
            parts.w.u64(padding as u64).bytes(&vec![0; padding]);
        }
        parts.w.u64((self.bulk.len() * size_of::<raw::BulkEntry>()) as u64);
        self.bulk.iter().for_each(|record| write_bulk(&mut parts.w, record));
    }

    /// Writes the entries, in UE4 after their bundles.
    pub(super) fn write_steps(&self, w: &mut Writer) {
        // Since 5.0 bundle headers are part of the graph instead.
        for bundle in self.bundles.iter().filter(|_| self.generation.is_ue4()) {
            w.u32(bundle.first).u32(bundle.count);
        }
        for entry in &self.bundle_entries {
            w.u32(entry.export).u32(command(entry.command).into());
        }
    }

    pub(super) fn write_graph(&self, w: &mut Writer) {
        match &self.graph {
            Graph::Packages(packages) => {
                w.u32(count(packages.len()));
                for package in packages {
                    w.u64(package.package.0);
                    write_arcs(w, &package.arcs);
                }
            }
            Graph::Arcs { internal, external } => {
                // In 5.0 to 5.2 the bundle headers open the graph data.
                for bundle in &self.bundles {
                    w.u64(bundle.serial_offset.unwrap_or(0)).u32(bundle.first).u32(bundle.count);
                }
                write_arcs(w, internal);
                for arcs in external {
                    w.u32(count(arcs.len()));
                    for arc in arcs {
                        w.i32(arc.from_import).u8(command(arc.from_command)).i32(arc.to_bundle);
                    }
                }
            }
            Graph::Dependencies(all) => write_dependency_headers(w, all),
        }
    }

    fn write_dependency_entries(&self, w: &mut Writer) {
        let Graph::Dependencies(all) = &self.graph else { return };
        // Headers hold counts only; the indices of all exports follow in one table.
        for index in all.iter().flat_map(|lists| lists.in_file_order().into_iter().flatten()) {
            w.i32(*index);
        }
    }

    fn write_imported_package_names(&self, w: &mut Writer) -> Result<(), Fault> {
        if !self.generation.has_imported_package_names() {
            return Ok(());
        }
        // The numbers of names have a table of their own after the batch.
        let split: Vec<(&str, u32)> =
            self.imported_package_names.iter().map(|name| split_number(name)).collect();
        let names = NameMap::from_names(split.iter().map(|(base, _)| *base));
        let kind = FaultKind::TooLong { limit: 0x7FFF };
        names.ok_or(Fault { offset: 0, field: "imported package names", kind })?.write_batch(w);
        for (_, number) in split {
            w.u32(number);
        }
        Ok(())
    }
}

impl Dependencies {
    /// Returns the four lists in file order.
    fn in_file_order(&self) -> [&Vec<i32>; 4] {
        // Creation of both kinds first, then serialization.
        [
            &self.create_before_create,
            &self.serialize_before_create,
            &self.create_before_serialize,
            &self.serialize_before_serialize,
        ]
    }
}

/// Everything after the summary, while it is being written.
struct Parts {
    summary_len: usize,
    w: Writer,
    /// Position and values of the cell map offsets.
    cells: Option<(usize, [I32; 2])>,
}

impl Parts {
    fn new(summary_len: u32) -> Self {
        Self { summary_len: summary_len as usize, w: Writer::new(), cells: None }
    }

    /// Returns the offset of the next part.
    fn mark(&self) -> Result<I32, Fault> {
        length(self.summary_len + self.w.len())
    }

    /// Joins the summary and everything else to a header.
    fn after(self, summary: &[&[u8]]) -> Vec<u8> {
        let mut header = summary.concat();
        let start = header.len();
        header.extend_from_slice(&self.w.into_bytes());
        // Patched at the end, when the summary before them is in place.
        if let Some((at, offsets)) = self.cells {
            let places = header.iter_mut().skip(start + at);
            let bytes = offsets.iter().flat_map(|offset| offset.get().to_le_bytes());
            places.zip(bytes).for_each(|(place, byte)| *place = byte);
        }
        header
    }
}

fn write_imports(w: &mut Writer, imports: &[PackageObjectIndex]) {
    for import in imports {
        w.u64(import.0);
    }
}

fn write_arcs(w: &mut Writer, arcs: &[BundleArc]) {
    w.u32(count(arcs.len()));
    for arc in arcs {
        w.i32(arc.from).i32(arc.to);
    }
}

fn write_export(w: &mut Writer, export: &Export, private: u64) {
    w.record(&raw::Export {
        serial_offset: U64::new(export.serial_offset),
        serial_len: U64::new(export.serial_len),
        name: raw_name(export.name),
        outer: U64::new(export.outer.0),
        class: U64::new(export.class.0),
        super_index: U64::new(export.super_index.0),
        template: U64::new(export.template.0),
        public: U64::new(match export.public {
            PublicId::GlobalImport(index) => index.0,
            PublicId::Hash(hash) => hash,
            PublicId::Private => private,
        }),
        object_flags: U32::new(export.object_flags),
        filter: match export.filter {
            ExportFilter::None => 0,
            ExportFilter::NotForClient => 1,
            ExportFilter::NotForServer => 2,
        },
        padding: [0; 3],
    });
}

fn write_cell(w: &mut Writer, cell: &CellExport) {
    w.record(&raw::CellExport {
        serial_offset: U64::new(cell.serial_offset),
        layout_len: U64::new(cell.layout_len),
        serial_len: U64::new(cell.serial_len),
        class_info: raw_name(cell.class_info),
        public_hash: U64::new(cell.public_hash),
    });
}

fn write_bulk(w: &mut Writer, record: &BulkRecord) {
    w.record(&raw::BulkEntry {
        offset: I64::new(record.offset),
        // −1 stands for no second copy.
        duplicate_offset: I64::new(record.duplicate_offset.unwrap_or(-1)),
        len: I64::new(i64::try_from(record.len).unwrap_or(i64::MAX)),
        flags: U32::new(record.flags.0),
        cooked_index: record.cooked_index,
        padding: [0; 3],
    });
}

/// Writes the headers. Each list starts where the previous one ended, empty or not.
fn write_dependency_headers(w: &mut Writer, all: &[Dependencies]) {
    let mut first = 0_i32;
    for lists in all {
        let counts = lists.in_file_order().map(|list| count(list.len()));
        let is_empty = counts.iter().all(|count| *count == 0);
        // −1 is kept only for an export whose lists are still empty; added entries need a real start.
        let shown = if lists.is_unlisted && is_empty { -1 } else { first };
        w.record(&raw::DependencyHeader { first: I32::new(shown), counts: counts.map(U32::new) });
        // Counts of any size may come from a caller, so the sum saturates.
        first = counts.iter().fold(first, |first, count| first.saturating_add_unsigned(*count));
    }
}

const fn command(command: Command) -> u8 {
    match command {
        Command::Create => 0,
        Command::Serialize => 1,
    }
}

const fn raw_name(name: MappedName) -> raw::RawName {
    raw::RawName { index: U32::new(name.raw()), number: U32::new(name.number) }
}

fn raw_bytes<T: zerocopy::IntoBytes + zerocopy::Immutable>(record: &T) -> Vec<u8> {
    record.as_bytes().to_vec()
}

/// Converts a length or offset; a header cannot exceed 2 GiB.
fn length(found: usize) -> Result<I32, Fault> {
    let kind = FaultKind::TooLarge { found: found as u64, limit: i32::MAX as u64 };
    i32::try_from(found).map(I32::new).map_err(|_| Fault { offset: 0, field: "zen header size", kind })
}

/// Converts a count; tables were already checked against the header's length, which is smaller.
fn count(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}
