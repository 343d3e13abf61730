//! A package of Unreal Engine 1 to 3.

use super::view::{View, line, list, sections};
use crate::printer::{Out, count};
use serde::Serialize;
use uncask::package::classic::{ObjectIndex, Package};
use uncask::wire::Fault;

/// A classic package, and what its numbers stand for.
#[derive(Serialize)]
pub(super) struct ClassicView {
    imports: Vec<Option<String>>,
    exports: Vec<ExportRow>,
    package: Package,
    #[serde(skip)]
    damaged: bool,
}

/// One object.
#[derive(Serialize)]
struct ExportRow {
    path: Option<String>,
    class: String,
    offset: u32,
    len: u32,
}

/// Reads header and tables.
pub(super) fn look(bytes: &[u8]) -> (String, View, Option<(&'static str, Fault)>) {
    match Package::parse_partial(bytes) {
        Err(fault) => ("classic package".to_owned(), View::Unread, Some(("classic package", fault))),
        Ok(partial) => {
            let version = partial.value.summary.version;
            let kind = format!("classic package, version {}, licensee {}", version.file, version.licensee);
            let view = ClassicView::new(partial.value, partial.fault.is_some());
            (kind, View::Classic(Box::new(view)), partial.fault.map(|fault| ("classic package", fault)))
        }
    }
}

impl ClassicView {
    fn new(package: Package, damaged: bool) -> Self {
        let row = |(number, export): (i32, &uncask::package::classic::Export)| ExportRow {
            path: package.path(ObjectIndex(number)),
            class: package.class_of(export),
            offset: export.serial_offset,
            len: export.serial_len,
        };
        Self {
            imports: (1..)
                .zip(&package.imports)
                .map(|(number, _)| package.path(ObjectIndex(-number)))
                .collect(),
            exports: (1..).zip(&package.exports).map(row).collect(),
            damaged,
            package,
        }
    }

    pub(super) fn print(&self, out: &mut Out) -> anyhow::Result<()> {
        let (package, summary) = (&self.package, &self.package.summary);
        line(out, "guid", &summary.guid.to_string())?;
        line(out, "flags", &format!("{:#x}", summary.package_flags))?;
        if let Some(engine) = summary.engine_version {
            line(out, "engine", &engine.to_string())?;
        }
        let number = |items: usize| count(items as u64);
        let (names, imports) = (number(package.names.len()), number(package.imports.len()));
        let exports = number(package.exports.len());
        line(out, "tables", &format!("{names} names, {imports} imports, {exports} exports"))?;
        if self.damaged {
            line(out, "only read", &sections(&package.sections))?;
        }
        let unknown = "unresolved: the objects around it lead in a circle";
        let shown = |row: &ExportRow| {
            let path = row.path.as_deref().unwrap_or(unknown);
            format!("{path}  {}, {} bytes at {:#x}", row.class, row.len, row.offset)
        };
        list(out, "exports", self.exports.iter().map(shown))?;
        list(out, "imports", self.imports.iter().map(|path| path.as_deref().unwrap_or(unknown).to_owned()))
    }
}
