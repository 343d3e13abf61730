//! A package of Unreal Engine 1 to 3.

use super::format::{Detected, File, Finding, Format, Input, Sureness};
use super::view::{Rows, View, ViewPart, counts, sections};
use crate::package::PackageKind;
use crate::package::classic::{Export, ObjectIndex, Package};
use crate::package::legacy::TAG;
use crate::wire::counted;
use serde::{Serialize, Serializer, ser::SerializeStruct};

pub(super) struct Classic;

/// A classic package. Paths are built when shown, since they are much longer than the indices they come from.
struct ClassicView {
    package: Package,
    damaged: bool,
}

/// An export.
#[derive(Serialize)]
struct ExportRow {
    path: Option<String>,
    class: String,
    offset: u32,
    len: u32,
}

impl Format for Classic {
    fn detect(&self, file: &File<'_>) -> Option<Detected> {
        let Some(PackageKind::Classic(version)) = PackageKind::sniff(file.start) else { return None };
        Some(Detected::new(Sureness::Mark, format!("tag {TAG:#x}, then file version {}", version.file)))
    }

    fn read<'a>(&self, input: &Input<'a>) -> Finding<'a> {
        const STRUCTURE: &str = "classic package";
        let partial = match Package::parse_partial(input.bytes) {
            Err(fault) => return Finding::unread(STRUCTURE, fault),
            Ok(partial) => partial,
        };
        let version = partial.value.summary.version;
        let kind = format!("{STRUCTURE}, version {}, licensee {}", version.file, version.licensee);
        let view = ClassicView { package: partial.value, damaged: partial.fault.is_some() };
        Finding::new(STRUCTURE, kind, view, partial.fault)
    }
}

impl Serialize for ClassicView {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("package", 3)?;
        fields.serialize_field("imports", &Rows(|| self.imports()))?;
        // The rows come first, then the tables as they are in the file.
        fields.serialize_field("exports", &Rows(|| self.exports()))?;
        fields.serialize_field("package", &self.package)?;
        fields.end()
    }
}

impl ClassicView {
    fn imports(&self) -> impl Iterator<Item = Option<String>> {
        // References count imports down from -1, and exports up from 1; 0 is no object.
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
}

impl View for ClassicView {
    fn parts(&self) -> Vec<ViewPart<'_>> {
        let (package, summary) = (&self.package, &self.package.summary);
        let mut parts = vec![
            ViewPart::fact("guid", summary.guid.to_string()),
            ViewPart::fact("flags", format!("{:#x}", summary.package_flags)),
        ];
        parts.extend(summary.engine_version.map(|engine| ViewPart::fact("engine", engine.to_string())));
        let tables = [
            (package.names.len(), "name", "names"),
            (package.imports.len(), "import", "imports"),
            (package.exports.len(), "export", "exports"),
        ];
        parts.push(ViewPart::fact("tables", counts(tables)));
        // The sections show how far the header was read.
        if self.damaged {
            parts.push(ViewPart::fact("only read", sections(&package.sections)));
        }
        let unknown = "unresolved: the objects around it lead in a circle, or make a path that is too long";
        let shown = move |row: ExportRow| {
            let path = row.path.as_deref().unwrap_or(unknown);
            format!(
                "{path}  {}, {} at {:#x}",
                row.class,
                counted(row.len.into(), "byte", "bytes"),
                row.offset
            )
        };
        parts.push(ViewPart::list("exports", self.exports().map(shown)));
        let import = move |path: Option<String>| path.unwrap_or_else(|| unknown.to_owned());
        parts.push(ViewPart::list("imports", self.imports().map(import)));
        parts
    }
}
