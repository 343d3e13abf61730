//! A zen package: its header, with every index resolved as far as the containers around it allow.

use super::bulk;
use super::format::{Detected, File, Finding, Format, Input, Sureness, has_extension};
use super::reference::Reference;
use super::view::{Rows, View, ViewPart, counts, sections};
use crate::id::{ChunkKind, ObjectRef, PackageObjectIndex};
use crate::package::PackageKind;
use crate::package::zen::{Evidence, Export, Header, Neighbours, PublicId, Resolved, Resolver, Versioning};
use crate::wire::{counted, size};
use serde::{Serialize, Serializer};
use std::ops::Range;
use std::sync::Arc;

pub(super) struct Zen;

/// Header of a zen package, with the objects its indices refer to. Rows with paths are made one by one when
/// shown: thousands of them may share a long name.
struct ZenView {
    imported_packages: Vec<Arc<str>>,
    imports: Vec<Resolved>,
    exports: Vec<ExportLinks>,
    /// Range of each export's data in the chunk.
    ranges: Vec<Range<u64>>,
    header: Header,
    damaged: bool,
}

/// References of an export.
struct ExportLinks {
    class: Link,
    super_struct: Link,
    template: Link,
}

/// Target of a reference.
enum Link {
    /// Object in the same package, resolved only when shown.
    Own(PackageObjectIndex),
    Other(Resolved),
}

/// An export.
#[derive(Serialize)]
struct ExportRow {
    /// Path inside the package.
    path: Option<String>,
    class: Reference,
    #[serde(skip_serializing_if = "Option::is_none")]
    super_struct: Option<Reference>,
    #[serde(skip_serializing_if = "Option::is_none")]
    template: Option<Reference>,
    /// Start of its data in the chunk.
    offset: Option<u64>,
    len: u64,
    public: bool,
}

/// JSON form of a package.
#[derive(Serialize)]
struct Shown<'a, I, E> {
    name: String,
    /// Releases that write this form.
    releases: &'static str,
    /// Object versions; assumed unless they are in the file.
    versions: String,
    versions_in_file: bool,
    /// Release that the custom versions point to.
    saved_by: Option<&'static str>,
    imported_packages: Vec<&'a str>,
    imports: I,
    exports: E,
    header: &'a Header,
}

impl Format for Zen {
    fn detect(&self, file: &File<'_>) -> Option<Detected> {
        if let Some(reason) = layout(file.start) {
            return Some(Detected::new(Sureness::Layout, reason));
        }
        let extension = file.extension();
        // A zen package has no magic, so a damaged one is known by its name alone.
        let reason = "without the tag of a legacy package it can only be a zen package";
        has_extension(file.name, &["uasset", "umap", "uzenasset"])
            .then(|| Detected::new(Sureness::Name, format!("the extension .{extension}; {reason}")))
    }

    /// Reads the header of a package, and resolves its references with the neighbours.
    fn read<'a>(&self, input: &Input<'a>) -> Finding<'a> {
        const STRUCTURE: &str = "zen package";
        let partial = match Header::parse_partial(input.bytes) {
            Err(fault) => return Finding::unread(STRUCTURE, fault),
            Ok(partial) => partial,
        };
        let kind = format!("{STRUCTURE}, {}", partial.value.generation);
        let view = ZenView::new(partial.value, partial.fault.is_some(), input.neighbours);
        Finding::new(STRUCTURE, kind, view, partial.fault)
    }

    fn chunk_kinds(&self) -> &'static [ChunkKind] {
        &[ChunkKind::ExportBundleData]
    }

    fn detect_chunk(&self, kind: ChunkKind, start: &[u8]) -> Detected {
        // The reason names the layout too if it was recognised.
        let by_layout = layout(start).map_or_else(String::new, |reason| format!("; {reason}"));
        Detected::new(Sureness::ChunkType, format!("the chunk's type is {kind}{by_layout}"))
    }

    fn is_package(&self) -> bool {
        true
    }

    fn refers_to_scripts(&self) -> bool {
        true
    }
}

fn layout(start: &[u8]) -> Option<String> {
    let Some(PackageKind::Zen(generation)) = PackageKind::sniff(start) else { return None };
    Some(format!("its tables lie where {generation} puts them"))
}

impl ZenView {
    fn new(header: Header, damaged: bool, neighbours: &dyn Neighbours) -> Self {
        let resolver = Resolver::new(&header, neighbours);
        let link = |index: PackageObjectIndex| match index.decode() {
            // The path of an own export repeats its package and outers: kept as an index, it takes 8 bytes.
            ObjectRef::Export(_) => Link::Own(index),
            _ => Link::Other(resolver.resolve(index)),
        };
        let links = |export: &Export| ExportLinks {
            // A null class stands for `/Script/CoreUObject.Class`; elsewhere null stays null.
            class: if export.class.is_null() {
                Link::Other(resolver.class_of(export))
            } else {
                link(export.class)
            },
            super_struct: link(export.super_index),
            template: link(export.template),
        };
        let imports = resolver.imports().collect();
        let exports = header.exports.iter().map(links).collect();
        let imported_packages = imported_packages(&header, neighbours);
        // After a fault the ranges may be missing: the exports are then shown without an offset.
        let ranges = header.export_ranges().unwrap_or_default();
        Self { imported_packages, imports, exports, ranges, header, damaged }
    }

    fn saved_by(&self) -> Option<&'static str> {
        self.header.versioning.as_ref().and_then(Versioning::release)
    }

    fn rows(&self) -> impl Iterator<Item = ExportRow> {
        // Own objects resolve without neighbours.
        let own = Resolver::new(&self.header, &());
        let reference = move |link: &Link| match link {
            Link::Own(index) => reference(&own.resolve(*index)),
            Link::Other(found) => reference(found),
        };
        let exports = self.header.exports.iter().zip(&self.exports).enumerate();
        exports.map(move |(at, (export, links))| {
            let optional =
                // A null reference has neither an index nor a path, and is left out.
                |link| Some(reference(link)).filter(|found| found.index.is_some() || found.path.is_some());
            ExportRow {
                path: self.header.export_path(at).map(|path| path.in_package("").to_string()),
                class: reference(&links.class),
                super_struct: optional(&links.super_struct),
                template: optional(&links.template),
                offset: self.ranges.get(at).map(|range| range.start),
                len: export.serial_len,
                public: export.public != PublicId::Private,
            }
        })
    }
}

impl View for ZenView {
    fn parts(&self) -> Vec<ViewPart<'_>> {
        let header = &self.header;
        let source = if header.versioning.is_some() { "in the file" } else { "assumed from the form" };
        let release = self.saved_by().map_or_else(String::new, |release| format!(", saved by {release}"));
        let data = header.body_len().map_or_else(|_| "?".to_owned(), size);
        let tables = [
            (header.names.len(), "name", "names"),
            (self.imports.len(), "import", "imports"),
            (self.exports.len(), "export", "exports"),
            (header.bundle_entries.len(), "bundle entry", "bundle entries"),
            (header.bulk.len(), "bulk data", "bulk data"),
            (header.cell_exports.len(), "cell", "cells"),
        ];
        let mut parts = vec![
            ViewPart::fact("name", header.name().to_string()),
            ViewPart::fact("versions", format!("{} ({source}){release}", header.versions())),
            ViewPart::fact("flags", format!("{:#x}", header.package_flags)),
            ViewPart::fact("size", format!("header {}, export data {data}", size(header.header_len))),
            ViewPart::fact("tables", counts(tables)),
        ];
        if self.damaged {
            parts.push(ViewPart::fact("only read", sections(&header.sections)));
        }
        parts.push(ViewPart::list("exports", self.rows().map(|row| row.shown())));
        parts.push(ViewPart::list("imports", self.imports.iter().map(|found| reference(found).shown())));
        parts.push(ViewPart::list(
            "imported packages",
            self.imported_packages.iter().map(ToString::to_string),
        ));
        parts.push(ViewPart::list("bulk data", header.bulk.iter().map(bulk::shown)));
        parts
    }
}

impl Serialize for ZenView {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let header = &self.header;
        let shown = Shown {
            name: header.name().to_string(),
            releases: header.generation.releases(),
            versions: header.versions().to_string(),
            versions_in_file: header.versioning.is_some(),
            saved_by: self.saved_by(),
            imported_packages: self.imported_packages.iter().map(|name| &**name).collect(),
            imports: Rows(|| self.imports.iter().map(reference)),
            exports: Rows(|| self.rows()),
            header,
        };
        shown.serialize(serializer)
    }
}

impl ExportRow {
    fn shown(&self) -> String {
        let path = self
            .path
            .as_deref()
            .unwrap_or("unresolved: the objects around it lead in a circle, or its path is too long");
        let place = self.offset.map_or_else(String::new, |offset| format!(" at {offset:#x}"));
        let public = if self.public { ", public" } else { "" };
        let len = counted(self.len, "byte", "bytes");
        format!("{path}  {}, {len}{place}{public}", self.class.shown())
    }
}

/// Returns names of the imported packages; in versions that store only ids, an id without a known name stays
/// an id.
fn imported_packages(header: &Header, neighbours: &dyn Neighbours) -> Vec<Arc<str>> {
    if header.generation.has_imported_package_names() {
        return header.imported_package_names.clone();
    }
    // Versions that store neither names nor ids have the ids in the container header.
    let listed = || neighbours.imported_packages(header.id()).unwrap_or_default();
    let ids = if header.generation.is_ue4() { header.imported_packages() } else { listed() };
    ids.into_iter().map(|id| neighbours.package_name(id).unwrap_or_else(|| id.to_string()).into()).collect()
}

fn reference(found: &Resolved) -> Reference {
    match found {
        Resolved::Null => Reference::plain(None),
        Resolved::Object { path, evidence } => {
            let evidence = match evidence {
                Evidence::Own => "own export",
                Evidence::Script => "script object",
                Evidence::Package => "export of the other package",
                Evidence::Guess => "hash of the name",
            };
            Reference { evidence: Some(evidence), ..Reference::plain(Some(path.to_string())) }
        }
        Resolved::Unresolved { reason, package, index } => Reference {
            problem: Some(reason.to_string()),
            package: package.as_deref().map(str::to_owned),
            index: Some(index.to_string()),
            ..Reference::plain(None)
        },
    }
}
