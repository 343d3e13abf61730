//! A legacy package: `.uasset` or `.umap`.

use super::view::{Reference, View, counts, line, list, sections};
use super::zen::bulk;
use crate::printer::{Out, count};
use serde::Serialize;
use uncask::package::bulk::BulkRecord;
use uncask::package::legacy::{Package, PackageIndex, Trailer, VersionEvidence};
use uncask::wire::Fault;

/// A legacy package, and what its numbers stand for.
#[derive(Serialize)]
pub(super) struct LegacyView {
    /// Its name, where the file has it.
    name: Option<String>,
    cooked: bool,
    versions: String,
    versions_from: String,
    imported_packages: Vec<String>,
    imports: Vec<Reference>,
    exports: Vec<ExportRow>,
    /// Payloads that the tables describe.
    bulk: Vec<BulkRecord>,
    trailer: Option<Trailer>,
    package: Package,
    #[serde(skip)]
    damaged: bool,
}

/// One object.
#[derive(Serialize)]
struct ExportRow {
    path: Option<String>,
    class: Option<String>,
    offset: i64,
    len: i64,
}

/// Reads a package, and the trailer if the file has one.
pub(super) fn look(bytes: &[u8]) -> (String, View, Option<(&'static str, Fault)>) {
    match Package::parse_partial(bytes, None) {
        Err(fault) => ("legacy package".to_owned(), View::Unread, Some(("legacy package", fault))),
        Ok(partial) => {
            let package = partial.value;
            let trailer = Trailer::parse(bytes, &package);
            let in_trailer = trailer.as_ref().err().map(|fault| ("package trailer", *fault));
            let fault = partial.fault.map(|fault| ("legacy package", fault)).or(in_trailer);
            let state = if package.form.cooked { "cooked" } else { "of the editor" };
            let kind = format!("legacy package, {state}, object version {}", package.form.versions);
            let view = LegacyView::new(package, trailer.ok().flatten(), fault.is_some());
            (kind, View::Legacy(Box::new(view)), fault)
        }
    }
}

impl LegacyView {
    fn new(package: Package, trailer: Option<Trailer>, damaged: bool) -> Self {
        let path = |index: PackageIndex| package.path(index, package.name()).map(|path| path.to_string());
        let row = |(at, export): (u32, &uncask::package::legacy::Export)| ExportRow {
            path: PackageIndex::export(at).and_then(path),
            class: Some(package.class_path(export)).filter(|class| !class.is_empty()),
            offset: export.serial_offset,
            len: export.serial_len,
        };
        let import = |at: u32| match PackageIndex::import(at).and_then(path) {
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

    pub(super) fn print(&self, out: &mut Out) -> anyhow::Result<()> {
        let (package, summary) = (&self.package, &self.package.summary);
        line(out, "name", self.name.as_deref().unwrap_or("not in the file"))?;
        line(out, "versions", &format!("{} ({})", self.versions, self.versions_from))?;
        let saved_by = &summary.saved_by;
        line(out, "saved by", &format!("{}.{}.{}", saved_by.major, saved_by.minor, saved_by.patch))?;
        line(out, "flags", &format!("{:#x}", summary.package_flags))?;
        line(out, "header", &format!("{} bytes", count(summary.total_header_len.unsigned_abs().into())))?;
        line(out, "tables", &self.counts())?;
        if let Some(trailer) = &self.trailer {
            line(
                out,
                "trailer",
                &format!(
                    "{} at {:#x}",
                    counts(&[(trailer.entries.len(), "payload", "payloads")]),
                    trailer.offset
                ),
            )?;
        }
        if self.damaged {
            line(out, "only read", &sections(&package.sections))?;
        }
        list(out, "exports", self.exports.iter().map(ExportRow::shown))?;
        list(out, "imports", self.imports.iter().map(Reference::shown))?;
        list(out, "bulk data", self.bulk.iter().map(bulk))?;
        let pictures = package.thumbnails.iter().flatten();
        list(
            out,
            "thumbnails",
            pictures.map(|thumbnail| {
                let (width, height) = thumbnail.picture.size();
                format!(
                    "{} ({}), {width}x{height}, {:?}",
                    thumbnail.path,
                    thumbnail.class,
                    thumbnail.picture.kind()
                )
            }),
        )
    }

    fn counts(&self) -> String {
        let package = &self.package;
        let assets = package.asset_registry.as_ref().map_or(0, |registry| registry.assets.len());
        let all = [
            (package.names.len(), "name", "names"),
            (package.imports.len(), "import", "imports"),
            (package.exports.len(), "export", "exports"),
            (package.soft_object_paths.len(), "soft object path", "soft object paths"),
            (package.soft_package_references.len(), "soft package reference", "soft package references"),
            (package.gatherable_text.len(), "text", "texts"),
            (assets, "registry asset", "registry assets"),
            (package.preload_dependencies.len(), "preload dependency", "preload dependencies"),
            (package.cell_exports.len(), "cell", "cells"),
            (package.summary.custom_versions.len(), "custom version", "custom versions"),
        ];
        let shown = all.into_iter().filter(|(number, what, _)| *number > 0 || *what == "export");
        counts(&shown.collect::<Vec<_>>())
    }
}

impl ExportRow {
    fn shown(&self) -> String {
        let path = self.path.as_deref().unwrap_or("unresolved: the objects around it lead in a circle");
        let class = self.class.as_deref().unwrap_or("class unresolved");
        format!("{path}  {class}, {} bytes at {:#x}", self.len, self.offset)
    }
}
