//! A legacy package: `.uasset` or `.umap`.

use super::bulk;
use super::format::{Detected, File, Finding, Format, Input, Sureness};
use super::reference::Reference;
use super::view::{View, ViewPart, counts, sections};
use crate::package::PackageKind;
use crate::package::bulk::BulkRecord;
use crate::package::legacy::{Export, Package, PackageIndex, TAG, Thumbnail, Trailer, VersionEvidence};
use crate::wire::counted;
use serde::Serialize;

pub(super) struct Legacy;

/// A legacy package, with the objects its indices refer to.
#[derive(Serialize)]
struct LegacyView {
    /// Name, if the file contains it.
    name: Option<String>,
    cooked: bool,
    versions: String,
    versions_from: String,
    imported_packages: Vec<String>,
    imports: Vec<Reference>,
    exports: Vec<ExportRow>,
    /// Payloads described by the tables.
    bulk: Vec<BulkRecord>,
    trailer: Option<Trailer>,
    package: Package,
    #[serde(skip)]
    damaged: bool,
}

/// An export.
#[derive(Serialize)]
struct ExportRow {
    path: Option<String>,
    class: Option<String>,
    offset: i64,
    len: i64,
}

impl Format for Legacy {
    fn detect(&self, file: &File<'_>) -> Option<Detected> {
        let reason = match PackageKind::sniff(file.start) {
            Some(PackageKind::Legacy(version)) => format!("tag {TAG:#x}, then legacy version {}", version.0),
            // The version is cut off or unsupported. The tag alone still marks the file.
            None if file.start.starts_with(&TAG.to_le_bytes()) => format!("tag {TAG:#x}"),
            _ => return None,
        };
        Some(Detected::new(Sureness::Mark, reason))
    }

    /// Reads a package, with the trailer if the file has one.
    fn read<'a>(&self, input: &Input<'a>) -> Finding<'a> {
        const STRUCTURE: &str = "legacy package";
        let partial = match Package::parse_partial(input.bytes, None) {
            Err(fault) => return Finding::unread(STRUCTURE, fault),
            Ok(partial) => partial,
        };
        let package = partial.value;
        let trailer = Trailer::parse(input.bytes, &package);
        let in_trailer = trailer.as_ref().err().map(|fault| ("package trailer", *fault));
        // A damaged header is the first fault in the file, so it takes precedence over the trailer.
        let fault = partial.fault.map(|fault| (STRUCTURE, fault)).or(in_trailer);
        let state = if package.form.cooked { "cooked" } else { "of the editor" };
        let kind = format!("{STRUCTURE}, {state}, object version {}", package.form.versions);
        let view = LegacyView::new(package, trailer.ok().flatten(), fault.is_some());
        Finding { fault, ..Finding::new(STRUCTURE, kind, view, None) }
    }
}

impl LegacyView {
    fn new(package: Package, trailer: Option<Trailer>, damaged: bool) -> Self {
        let path = |index: PackageIndex| package.path(index, package.name()).map(|path| path.to_string());
        let row = |(at, export): (u32, &Export)| ExportRow {
            path: PackageIndex::export(at).and_then(path),
            class: Some(package.class_path(export)).filter(|class| !class.is_empty()),
            offset: export.serial_offset,
            len: export.serial_len,
        };
        let import = |at: u32| match PackageIndex::import(at).and_then(path) {
            // Each import is a row even without a path, so that row numbers match the indices of the file.
            Some(path) => Reference::plain(Some(path)),
            None => Reference {
                problem: Some("the objects around it lead in a circle".to_owned()),
                ..Reference::plain(None)
            },
        };
        let versions_from = match package.evidence {
            VersionEvidence::File => "in the file".to_owned(),
            VersionEvidence::Given(release) => format!("those of {release}, as asked"),
            VersionEvidence::Probed(release) => {
                format!("not in the file; {release} is the newest release whose layout fits")
            }
        };
        Self {
            // An empty name was not stored.
            name: Some(package.name().to_owned()).filter(|name| !name.is_empty()),
            cooked: package.form.cooked,
            versions: package.form.versions.to_string(),
            versions_from,
            imported_packages: package.imported_packages().collect(),
            imports: (0..).zip(&package.imports).map(|(at, _)| import(at)).collect(),
            exports: (0..).zip(&package.exports).map(row).collect(),
            bulk: package.bulk_records().collect(),
            trailer,
            damaged,
            package,
        }
    }

    fn tables(&self) -> String {
        let package = &self.package;
        let tables = [
            (package.names.len(), "name", "names"),
            (package.imports.len(), "import", "imports"),
            (package.exports.len(), "export", "exports"),
            (package.soft_object_paths.len(), "soft object path", "soft object paths"),
            (package.soft_package_references.len(), "soft package reference", "soft package references"),
            (package.gatherable_text.len(), "text", "texts"),
            (
                package.asset_registry.as_ref().map_or(0, |registry| registry.assets.len()),
                "registry asset",
                "registry assets",
            ),
            (package.preload_dependencies.len(), "preload dependency", "preload dependencies"),
            (package.cell_exports.len(), "cell", "cells"),
            (package.summary.custom_versions.len(), "custom version", "custom versions"),
        ];
        // Empty tables are left out, except exports: a package without any is worth a mention.
        counts(tables.into_iter().filter(|(number, what, _)| *number > 0 || *what == "export"))
    }
}

impl View for LegacyView {
    fn parts(&self) -> Vec<ViewPart<'_>> {
        let (package, summary) = (&self.package, &self.package.summary);
        let saved_by = &summary.saved_by;
        let header_len = counted(summary.total_header_len.unsigned_abs().into(), "byte", "bytes");
        let mut parts = vec![
            ViewPart::fact("name", self.name.as_deref().unwrap_or("not in the file")),
            ViewPart::fact("versions", format!("{} ({})", self.versions, self.versions_from)),
            ViewPart::fact("saved by", format!("{}.{}.{}", saved_by.major, saved_by.minor, saved_by.patch)),
            ViewPart::fact("flags", format!("{:#x}", summary.package_flags)),
            ViewPart::fact("header", header_len),
            ViewPart::fact("tables", self.tables()),
        ];
        if let Some(trailer) = &self.trailer {
            let payloads = counted(trailer.entries.len() as u64, "payload", "payloads");
            let payloads = format!("{payloads} at {:#x}", trailer.offset);
            parts.push(ViewPart::fact("trailer", payloads));
        }
        if self.damaged {
            parts.push(ViewPart::fact("only read", sections(&package.sections)));
        }
        parts.push(ViewPart::list("exports", self.exports.iter().map(ExportRow::shown)));
        parts.push(ViewPart::list("imports", self.imports.iter().map(Reference::shown)));
        parts.push(ViewPart::list("bulk data", self.bulk.iter().map(bulk::shown)));
        parts.push(ViewPart::list("thumbnails", package.thumbnails.iter().flatten().map(thumbnail)));
        parts
    }
}

fn thumbnail(thumbnail: &Thumbnail) -> String {
    let (width, height) = thumbnail.picture.size();
    let kind = thumbnail.picture.kind();
    format!("{} ({}), {width}x{height}, {kind:?}", thumbnail.path, thumbnail.class)
}

impl ExportRow {
    fn shown(&self) -> String {
        let path = self.path.as_deref().unwrap_or("unresolved: the objects around it lead in a circle");
        let class = self.class.as_deref().unwrap_or("class unresolved");
        // A damaged file may have a negative length.
        let len = u64::try_from(self.len);
        let len = len.map_or_else(|_| format!("{} bytes", self.len), |len| counted(len, "byte", "bytes"));
        format!("{path}  {class}, {len} at {:#x}", self.offset)
    }
}
