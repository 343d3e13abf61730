//! A package of Unreal Engine 1 to 3.

use super::view::{Sequence, View, counts, line, list, sections};
use crate::printer::Out;
use serde::{Serialize, Serializer, ser::SerializeStruct};
use uncask::package::classic::{Export, ObjectIndex, Package};
use uncask::wire::Fault;

/// A classic package. What its numbers stand for is made as it is shown: a path is much longer than what it is made of.
pub(super) struct ClassicView {
    package: Package,
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
            let view = ClassicView { package: partial.value, damaged: partial.fault.is_some() };
            (kind, View::Classic(Box::new(view)), partial.fault.map(|fault| ("classic package", fault)))
        }
    }
}

impl Serialize for ClassicView {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("package", 3)?;
        fields.serialize_field("imports", &Sequence(|| self.imports()))?;
        fields.serialize_field("exports", &Sequence(|| self.exports()))?;
        fields.serialize_field("package", &self.package)?;
        fields.end()
    }
}

impl ClassicView {
    fn imports(&self) -> impl Iterator<Item = Option<String>> {
        (1..).zip(&self.package.imports).map(|(number, _)| self.package.path(ObjectIndex(-number)))
    }

    fn exports(&self) -> impl Iterator<Item = ExportRow> {
        let row = |(number, export): (i32, &Export)| ExportRow {
            path: self.package.path(ObjectIndex(number)),
            class: self.package.class_of(export),
            offset: export.serial_offset,
            len: export.serial_len,
        };
        (1..).zip(&self.package.exports).map(row)
    }

    pub(super) fn print(&self, out: &mut Out) -> anyhow::Result<()> {
        let (package, summary) = (&self.package, &self.package.summary);
        line(out, "guid", &summary.guid.to_string())?;
        line(out, "flags", &format!("{:#x}", summary.package_flags))?;
        if let Some(engine) = summary.engine_version {
            line(out, "engine", &engine.to_string())?;
        }
        let tables = [
            (package.names.len(), "name", "names"),
            (package.imports.len(), "import", "imports"),
            (package.exports.len(), "export", "exports"),
        ];
        line(out, "tables", &counts(&tables))?;
        if self.damaged {
            line(out, "only read", &sections(&package.sections))?;
        }
        let unknown = "unresolved: the objects around it lead in a circle, or make a path that is too long";
        let shown = |row: ExportRow| {
            let path = row.path.as_deref().unwrap_or(unknown);
            format!("{path}  {}, {} bytes at {:#x}", row.class, row.len, row.offset)
        };
        list(out, "exports", self.exports().map(shown))?;
        list(out, "imports", self.imports().map(|path| path.unwrap_or_else(|| unknown.to_owned())))
    }
}
