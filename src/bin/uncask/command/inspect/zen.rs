//! A zen package: its header, with every number in it resolved as far as the containers around it allow.

use super::view::{Reference, View, line, list, sections};
use crate::printer::{Out, count, size};
use serde::Serialize;
use uncask::package::ObjectPath;
use uncask::package::bulk::BulkRecord;
use uncask::package::zen::{Evidence, Header, Neighbours, PublicId, Resolved, Resolver, Versioning};
use uncask::wire::Fault;

/// The header of a zen package, and what its numbers stand for.
#[derive(Serialize)]
pub(super) struct ZenView {
    name: String,
    /// Releases that write this form.
    releases: &'static str,
    /// Object versions, and whether they are in the file.
    versions: String,
    versions_in_file: bool,
    /// The release that its custom versions point to.
    saved_by: Option<&'static str>,
    imported_packages: Vec<String>,
    imports: Vec<Reference>,
    exports: Vec<ExportRow>,
    header: Header,
    #[serde(skip)]
    damaged: bool,
}

/// One object.
#[derive(Serialize)]
struct ExportRow {
    /// Path inside the package.
    path: Option<String>,
    class: Reference,
    #[serde(skip_serializing_if = "Option::is_none")]
    super_struct: Option<Reference>,
    #[serde(skip_serializing_if = "Option::is_none")]
    template: Option<Reference>,
    /// Where its data starts in the chunk.
    offset: Option<u64>,
    len: u64,
    public: bool,
}

/// Reads the header of a package, and resolves it among its neighbours.
pub(super) fn look(
    bytes: &[u8],
    neighbours: &impl Neighbours,
) -> (String, View, Option<(&'static str, Fault)>) {
    match Header::parse_partial(bytes) {
        Err(fault) => ("zen package".to_owned(), View::Unread, Some(("zen package", fault))),
        Ok(partial) => {
            let kind = format!("zen package, {}", partial.value.generation);
            let view = ZenView::new(partial.value, partial.fault.is_some(), neighbours);
            (kind, View::Zen(Box::new(view)), partial.fault.map(|fault| ("zen package", fault)))
        }
    }
}

impl ZenView {
    fn new(header: Header, damaged: bool, neighbours: &impl Neighbours) -> Self {
        let resolver = Resolver::new(&header, neighbours);
        let reference = |index| reference(resolver.resolve(index));
        let optional =
            |index| Some(reference(index)).filter(|found| found.index.is_some() || found.path.is_some());
        let ranges = header.export_ranges().unwrap_or_default();
        let row = |(at, export): (usize, &uncask::package::zen::Export)| ExportRow {
            path: header.export_path(at).map(|path| inside(&path)),
            class: self::reference(resolver.class_of(export)),
            super_struct: optional(export.super_index),
            template: optional(export.template),
            offset: ranges.get(at).map(|range| range.start),
            len: export.serial_len,
            public: export.public != PublicId::Private,
        };
        Self {
            name: header.name().to_string(),
            releases: header.generation.releases(),
            versions: header.versions().to_string(),
            versions_in_file: header.versioning.is_some(),
            saved_by: header.versioning.as_ref().and_then(Versioning::release),
            imported_packages: imported_packages(&header, neighbours),
            imports: header.imports.iter().map(|index| reference(*index)).collect(),
            exports: header.exports.iter().enumerate().map(row).collect(),
            damaged,
            header,
        }
    }

    pub(super) fn print(&self, out: &mut Out) -> anyhow::Result<()> {
        let header = &self.header;
        line(out, "name", &self.name)?;
        let source = if self.versions_in_file { "in the file" } else { "assumed from the form" };
        let release = self.saved_by.map_or_else(String::new, |release| format!(", saved by {release}"));
        line(out, "versions", &format!("{} ({source}){release}", self.versions))?;
        line(out, "flags", &format!("{:#x}", header.package_flags))?;
        let data = header.body_len().map_or_else(|_| "?".to_owned(), size);
        line(out, "size", &format!("header {}, export data {data}", size(header.header_len)))?;
        let number = |count_of: usize| count(count_of as u64);
        let counts = [
            (header.names.len(), "names"),
            (self.imports.len(), "imports"),
            (self.exports.len(), "exports"),
            (header.bundle_entries.len(), "bundle entries"),
            (header.bulk.len(), "bulk data"),
            (header.cell_exports.len(), "cells"),
        ];
        let counts: Vec<String> = counts.iter().map(|(n, what)| format!("{} {what}", number(*n))).collect();
        line(out, "tables", &counts.join(", "))?;
        if self.damaged {
            line(out, "only read", &sections(&header.sections))?;
        }
        list(out, "exports", self.exports.iter().map(ExportRow::shown))?;
        list(out, "imports", self.imports.iter().map(Reference::shown))?;
        list(out, "imported packages", self.imported_packages.iter().cloned())?;
        list(out, "bulk data", header.bulk.iter().map(bulk))
    }
}

impl ExportRow {
    fn shown(&self) -> String {
        let path = self.path.as_deref().unwrap_or("unresolved: the objects around it lead in a circle");
        let place = self.offset.map_or_else(String::new, |offset| format!(" at {offset:#x}"));
        let public = if self.public { ", public" } else { "" };
        format!("{path}  {}, {} bytes{place}{public}", self.class.shown(), self.len)
    }
}

/// A payload: where it lies, and how large it is.
pub(super) fn bulk(record: &BulkRecord) -> String {
    let place = match record.place.extension(record.cooked_index) {
        Some(extension) => format!(".{extension}"),
        None => format!("{:?}", record.place),
    };
    let raw = if record.raw_len == record.len { String::new() } else { format!(", {} raw", record.raw_len) };
    format!("{place}  {} bytes at {:#x}{raw}, flags {}", record.len, record.offset, record.flags)
}

/// Names of the packages that imports refer to; where a package has only ids, those that have no name stay ids.
fn imported_packages(header: &Header, neighbours: &impl Neighbours) -> Vec<String> {
    if header.generation.has_imported_package_names() {
        return header.imported_package_names.clone();
    }
    let listed = || neighbours.imported_packages(header.id()).unwrap_or_default();
    let ids = if header.generation.is_ue4() { header.imported_packages() } else { listed() };
    ids.into_iter().map(|id| neighbours.package_name(id).unwrap_or_else(|| id.to_string())).collect()
}

fn reference(found: Resolved) -> Reference {
    match found {
        Resolved::Null => Reference::plain(None),
        Resolved::Object { path, evidence } => {
            let evidence = match evidence {
                Evidence::Own => "own export",
                Evidence::Script => "script object",
                Evidence::Package => "export of the other package",
                Evidence::Guess => "hash of the name",
            };
            Reference { evidence: Some(evidence.to_owned()), ..Reference::plain(Some(path.to_string())) }
        }
        Resolved::Unresolved { reason, package, index } => Reference {
            problem: Some(reason.to_string()),
            package,
            index: Some(index.to_string()),
            ..Reference::plain(None)
        },
    }
}

/// The path of an object without its package.
fn inside(path: &ObjectPath) -> String {
    ObjectPath::new("", path.names().iter().cloned()).to_string()
}
