//! The order in which exports are created and serialized: bundles and their dependencies.
//!
//! ```text
//! entry             u32 export │ u32 command: 0 create, 1 serialize
//! 4.26–4.27         bundle headers (u32 first, u32 count), then the entries
//!                   graph: i32 n │ n × { u64 package, i32 n, n × { i32 from bundle, i32 to bundle } }
//! 5.0–5.2           bundle headers (u64 offset, u32 first, u32 count) at the graph
//!                   │ i32 n, n × { i32 from, i32 to } │ per imported package: i32 n, n × { i32 import, u8, i32 to }
//! 5.3–6.0           one bundle. Per export: i32 first (−1 if none), 4 × u32 count; then i32 package indices, in four groups
//! ```
//!
//! Verified on 4.27 and 5.4 to 5.8; the form of 5.0 to 5.2 is from source only (retoc `zen.rs`).

use super::raw;
use crate::{
    id::PackageId,
    package::sections::Sections,
    wire::{Fault, FaultKind, Reader},
};

/// Entries that are run together (`FExportBundleHeader`).
#[doc(alias = "FExportBundleHeader")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Bundle {
    /// Start of its data after the header (5.0 to 5.2 only; in UE4 bundles follow each other).
    pub serial_offset: Option<u64>,
    /// Index of the first entry.
    pub first: u32,
    /// Number of entries.
    pub count: u32,
}

/// One step of loading (`FExportBundleEntry`).
#[doc(alias = "FExportBundleEntry")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct BundleEntry {
    /// Export index; cell exports continue the numbering.
    pub export: u32,
    /// Action of this step.
    pub command: Command,
}

/// Action on an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
pub enum Command {
    /// Constructs the object.
    Create,
    /// Reads its data.
    Serialize,
}

/// Dependencies of bundles or exports.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub enum Graph {
    /// 4.26–4.27: arcs from bundles of imported packages.
    Packages(Vec<PackageArcs>),
    /// 5.0–5.2: arcs inside the package, and from imports.
    Arcs {
        /// From one bundle to a later one.
        internal: Vec<BundleArc>,
        /// From imports, one list for each imported package.
        external: Vec<Vec<ImportArc>>,
    },
    /// 5.3 to 6.0: lists per export, then per cell export.
    Dependencies(Vec<Dependencies>),
}

impl Default for Graph {
    fn default() -> Self {
        Self::Dependencies(Vec::new())
    }
}

/// Arcs from the bundles of one imported package (UE4).
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct PackageArcs {
    /// Imported package.
    pub package: PackageId,
    /// Arcs from its bundles.
    pub arcs: Vec<BundleArc>,
}

/// An arc between bundles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct BundleArc {
    /// Earlier bundle; −1 is the last one of a package in another container.
    pub from: i32,
    /// Bundle that waits.
    pub to: i32,
}

/// An arc from an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct ImportArc {
    /// Index of the import.
    pub from_import: i32,
    /// State that the import must have reached.
    pub from_command: Command,
    /// Bundle that waits.
    pub to_bundle: i32,
}

/// Dependencies of one export. The numbers are package indices: negative for imports, positive for exports.
#[derive(Debug, Default, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Dependencies {
    /// Objects to create before this export is created.
    pub create_before_create: Vec<i32>,
    /// Objects to serialize before this export is created.
    pub serialize_before_create: Vec<i32>,
    /// Objects to create before this export is serialized.
    pub create_before_serialize: Vec<i32>,
    /// Objects to serialize before this export is serialized.
    pub serialize_before_serialize: Vec<i32>,
    /// True if the lists are empty and have no start: the cooker recorded no dependencies of this export.
    #[serde(skip)]
    pub is_unlisted: bool,
}

impl Command {
    fn from_wire(raw: u32, at: u64, field: &'static str) -> Result<Self, Fault> {
        match raw {
            0 => Ok(Self::Create),
            1 => Ok(Self::Serialize),
            found => {
                Err(Fault { offset: at, field, kind: FaultKind::TooLarge { found: found.into(), limit: 1 } })
            }
        }
    }
}

/// Checks and converts entries; `exports` includes cells.
pub(super) fn entries(rows: &[raw::BundleEntry], at: u64, exports: usize) -> Result<Vec<BundleEntry>, Fault> {
    let places = (at..).step_by(size_of::<raw::BundleEntry>());
    // Errors point to the field in its row, as positions are counted along.
    let entry = |(row, at): (&raw::BundleEntry, u64)| {
        let export = row.export.get();
        if export as usize >= exports {
            let kind = FaultKind::OutOfRange { index: export.into(), count: exports as u64 };
            return Err(Fault { offset: at, field: "export bundle entry: export", kind });
        }
        let command = Command::from_wire(row.command.get(), at + 4, "export bundle entry: command")?;
        Ok(BundleEntry { export, command })
    };
    rows.iter().zip(places).map(entry).collect()
}

/// Reads the bundle headers and entries of UE4. No count is stored: headers are read until the entries they
/// announce fill the rest of the section.
pub(super) fn ue4_bundles(
    mut r: Reader<'_>,
    exports: usize,
) -> Result<(Vec<Bundle>, Vec<BundleEntry>), Fault> {
    let mut bundles = Vec::new();
    let mut announced = 0;
    // Entries take eight bytes, like headers, so each header read leaves one slot less.
    while announced < (r.remaining() / 8) as u64 {
        let at = r.offset();
        let row = r.record::<raw::BundleHeaderUe4>("export bundle header")?;
        let bundle = Bundle { serial_offset: None, first: row.first.get(), count: row.count.get() };
        announced = follows(&bundle, announced, at)?;
        bundles.push(bundle);
    }
    let at = r.offset();
    let rows = r.table("export bundle entries", r.remaining() / 8)?;
    r.finish("export bundle entries")?;
    // A count that overshoots the section would otherwise go unnoticed.
    if announced != rows.len() as u64 {
        let kind = FaultKind::Unexpected { found: announced, expected: rows.len() as u64 };
        return Err(Fault { offset: at, field: "export bundle entries", kind });
    }
    Ok((bundles, entries(rows, at, exports)?))
}

/// Reads the graph data of UE4.
pub(super) fn ue4_graph(mut r: Reader<'_>, bundles: usize) -> Result<Graph, Fault> {
    // 12 bytes: a package id and an empty list of arcs.
    let packages = r.list("graph: package count", 12, |r| {
        let package = PackageId(r.u64("graph: package")?);
        // −1 is allowed as origin: the last bundle of a package in another container.
        Ok(PackageArcs { package, arcs: r.list("graph: arc count", 8, |r| arc(r, -1, bundles))? })
    })?;
    r.finish("graph")?;
    Ok(Graph::Packages(packages))
}

/// Reads the graph data of 5.0 to 5.2: bundle headers until all entries are covered, then arcs to the end of
/// the header.
pub(super) fn ue5_graph(
    mut r: Reader<'_>,
    entries: usize,
    imports: usize,
) -> Result<(Vec<Bundle>, Graph), Fault> {
    let mut bundles = Vec::new();
    let mut announced = 0;
    // No count is stored; the bundles must cover all entries.
    while announced < entries as u64 {
        let at = r.offset();
        let row = r.record::<raw::BundleHeader>("export bundle header")?;
        let serial_offset = Some(row.serial_offset.get());
        let bundle = Bundle { serial_offset, first: row.first.get(), count: row.count.get() };
        announced = follows(&bundle, announced, at)?;
        bundles.push(bundle);
    }
    if announced != entries as u64 {
        let kind = FaultKind::Unexpected { found: announced, expected: entries as u64 };
        return Err(r.fault("export bundle header", kind));
    }
    let internal = r.list("internal arcs", 8, |r| arc(r, 0, bundles.len()))?;
    let mut external = Vec::new();
    // One list per imported package; only the container header knows how many those are.
    while r.remaining() > 0 {
        external.push(r.list("external arcs", 9, |r| import_arc(r, imports, bundles.len()))?);
    }
    Ok((bundles, Graph::Arcs { internal, external }))
}

/// Checks that a bundle starts where the previous one ended; returns the new end.
fn follows(bundle: &Bundle, announced: u64, at: u64) -> Result<u64, Fault> {
    if u64::from(bundle.first) != announced {
        let kind = FaultKind::Unexpected { found: bundle.first.into(), expected: announced };
        return Err(Fault { offset: at, field: "export bundle header: first entry", kind });
    }
    Ok(announced + u64::from(bundle.count))
}

fn arc(r: &mut Reader<'_>, lowest: i32, bundles: usize) -> Result<BundleArc, Fault> {
    let at = r.offset();
    let row = r.record::<raw::BundleArc>("arc")?;
    let arc = BundleArc { from: row.from.get(), to: row.to.get() };
    // The lowest origin is −1 in UE4 and 0 later.
    if arc.from < lowest {
        let kind = FaultKind::Negative { found: arc.from.into() };
        return Err(Fault { offset: at, field: "arc: from bundle", kind });
    }
    in_range(arc.to, bundles, at + 4, "arc: to bundle").map(|()| arc)
}

fn import_arc(r: &mut Reader<'_>, imports: usize, bundles: usize) -> Result<ImportArc, Fault> {
    let at = r.offset();
    let row = r.record::<raw::ImportArc>("external arc")?;
    in_range(row.from_import.get(), imports, at, "external arc: import")?;
    in_range(row.to_bundle.get(), bundles, at + 5, "external arc: to bundle")?;
    let from_command = Command::from_wire(row.from_command.into(), at + 4, "external arc: command")?;
    Ok(ImportArc { from_import: row.from_import.get(), from_command, to_bundle: row.to_bundle.get() })
}

fn in_range(index: i32, count: usize, at: u64, field: &'static str) -> Result<(), Fault> {
    match usize::try_from(index) {
        Ok(found) if found < count => Ok(()),
        Ok(found) => {
            let kind = FaultKind::OutOfRange { index: found as u64, count: count as u64 };
            Err(Fault { offset: at, field, kind })
        }
        Err(_) => Err(Fault { offset: at, field, kind: FaultKind::Negative { found: index.into() } }),
    }
}

/// Reads the dependency bundles of 5.3 and later.
pub(super) fn dependencies(
    sections: &mut Sections<'_>,
    headers_end: u64,
    entries_end: u64,
    exports: usize,
    imports: usize,
) -> Result<Graph, Fault> {
    let (headers, at) = sections.table::<raw::DependencyHeader>("dependency bundle headers", headers_end)?;
    // One header per export; cells have headers too.
    if headers.len() != exports {
        let kind = FaultKind::Unexpected { found: headers.len() as u64, expected: exports as u64 };
        return Err(Fault { offset: at, field: "dependency bundle headers", kind });
    }
    let mut r = sections.until("dependency bundle entries", entries_end)?;
    let first_entry = r.offset();
    let mut all = Vec::with_capacity(headers.len());
    for (header, at) in headers.iter().zip((at..).step_by(size_of::<raw::DependencyHeader>())) {
        starts_at(header, (r.offset() - first_entry) / 4, at)?;
        let mut list = |group: usize| {
            let count = header.counts.get(group).map_or(0, |count| count.get() as usize);
            // Lists are stored back to back, so the reader's position is the start of the next one.
            let rows = r.table::<raw::Index>("dependency bundle entries", count)?;
            rows.iter().map(|row| checked(row.0.get(), exports, imports, at)).collect::<Result<Vec<_>, _>>()
        };
        all.push(Dependencies {
            create_before_create: list(0)?,
            serialize_before_create: list(1)?,
            create_before_serialize: list(2)?,
            serialize_before_serialize: list(3)?,
            is_unlisted: header.first.get() == -1,
        });
    }
    r.finish("dependency bundle entries")?;
    Ok(Graph::Dependencies(all))
}

/// Checks the start of an export's lists; an export without dependencies may store −1 instead.
fn starts_at(header: &raw::DependencyHeader, expected: u64, at: u64) -> Result<(), Fault> {
    let first = header.first.get();
    // Without entries the start has no meaning, so the cooker may leave it out.
    let empty = header.counts.iter().all(|count| count.get() == 0);
    if u64::try_from(first) == Ok(expected) || (empty && first == -1) {
        return Ok(());
    }
    let field = "dependency bundle header: first entry";
    let kind = match u64::try_from(first) {
        Ok(found) => FaultKind::Unexpected { found, expected },
        Err(_) => FaultKind::Negative { found: first.into() },
    };
    Err(Fault { offset: at, field, kind })
}

/// Checks a package index, which must not be null.
fn checked(index: i32, exports: usize, imports: usize, at: u64) -> Result<i32, Fault> {
    // Positive indices are exports, negative ones imports; 0 fails below.
    let count = if index > 0 { exports } else { imports };
    match index.unsigned_abs() as usize {
        found if found > 0 && found <= count => Ok(index),
        found => {
            let kind = FaultKind::OutOfRange { index: found as u64, count: count as u64 };
            Err(Fault { offset: at, field: "dependency bundle entry", kind })
        }
    }
}
