//! The export map: 72 bytes per object, equal in all generations except for the meaning of one field.

use super::raw;
use crate::{
    id::{ObjectRef, PackageObjectIndex},
    names::{MappedName, NameMap},
    version::ZenGeneration,
    wire::{Fault, FaultKind, Reader},
};

/// An object of the package (`FExportMapEntry`).
#[doc(alias = "FExportMapEntry")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Export {
    /// UE4: position in the cooker's file. 5.0 to 5.2: unused. From 5.3: position after the header.
    pub serial_offset: u64,
    /// Length of the data in bytes.
    pub serial_len: u64,
    /// Object name.
    pub name: MappedName,
    /// Outer object; null for the package.
    pub outer: PackageObjectIndex,
    /// Class; null for a native class.
    pub class: PackageObjectIndex,
    /// Parent struct, if the object is a struct.
    pub super_index: PackageObjectIndex,
    /// Object that supplies the defaults (archetype).
    pub template: PackageObjectIndex,
    /// Identity under which other packages import it.
    pub public: PublicId,
    /// Object flags (`EObjectFlags`).
    pub object_flags: u32,
    /// Excluded build, if any.
    pub filter: ExportFilter,
}

/// Identity under which other packages import an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
pub enum PublicId {
    /// Not importable.
    Private,
    /// UE4: hash of the full path (global import index).
    GlobalImport(PackageObjectIndex),
    /// UE5: hash of the path inside the package.
    Hash(u64),
}

/// Build that leaves an export out (`EExportFilterFlags`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
pub enum ExportFilter {
    /// Loaded everywhere.
    None,
    /// Not loaded by clients.
    NotForClient,
    /// Not loaded by servers.
    NotForServer,
}

/// A Verse export, from 5.6.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct CellExport {
    /// Position after the header.
    pub serial_offset: u64,
    /// Length of the layout in bytes.
    pub layout_len: u64,
    /// Length of the data in bytes.
    pub serial_len: u64,
    /// Name of the native class that reads it.
    pub class_info: MappedName,
    /// Hash under which other packages import it; 0 if it is private.
    pub public_hash: u64,
}

/// Reads the export map and checks every name and reference in it.
pub(super) fn parse(
    rows: &[raw::Export],
    at: u64,
    generation: ZenGeneration,
    names: &NameMap,
    imports: &[PackageObjectIndex],
    exports: &mut Vec<Export>,
) -> Result<(), Fault> {
    let scope = Scope { exports: rows.len(), imports };
    // Reserved exactly: the number of rows is known and checked.
    exports.reserve_exact(rows.len());
    for (row, at) in rows.iter().zip((at..).step_by(size_of::<raw::Export>())) {
        // Field offsets within the row are added to `at`, so that faults point at the field itself.
        let name = name(row.name);
        names.require(name, "export map: object name", at + 16)?;
        exports.push(Export {
            serial_offset: row.serial_offset.get(),
            serial_len: row.serial_len.get(),
            name,
            outer: scope.check(row.outer.get(), "export map: outer", at + 24)?,
            class: scope.check(row.class.get(), "export map: class", at + 32)?,
            super_index: scope.check(row.super_index.get(), "export map: super", at + 40)?,
            template: scope.check(row.template.get(), "export map: template", at + 48)?,
            public: public(row.public.get(), generation),
            object_flags: row.object_flags.get(),
            filter: filter(row.filter, at + 68)?,
        });
    }
    Ok(())
}

/// Reads the cell export map.
pub(super) fn parse_cells(
    rows: &[raw::CellExport],
    at: u64,
    names: &NameMap,
) -> Result<Vec<CellExport>, Fault> {
    let places = (at..).step_by(size_of::<raw::CellExport>());
    let cell = |(row, at): (&raw::CellExport, u64)| {
        let class_info = name(row.class_info);
        names.require(class_info, "cell export map: class", at + 24)?;
        Ok(CellExport {
            serial_offset: row.serial_offset.get(),
            layout_len: row.layout_len.get(),
            serial_len: row.serial_len.get(),
            class_info,
            public_hash: row.public_hash.get(),
        })
    };
    rows.iter().zip(places).map(cell).collect()
}

pub(super) const fn name(raw: raw::RawName) -> MappedName {
    MappedName::new(raw.index.get(), raw.number.get())
}

/// Limits for references from exports.
struct Scope<'a> {
    exports: usize,
    imports: &'a [PackageObjectIndex],
}

impl Scope<'_> {
    fn check(&self, raw: u64, field: &'static str, at: u64) -> Result<PackageObjectIndex, Fault> {
        let index = PackageObjectIndex(raw);
        let fault = |kind| Err(Fault { offset: at, field, kind });
        match index.decode() {
            // Imports are found by value, not by index, so only export indices have a bound here.
            ObjectRef::Export(export) if export as usize >= self.exports => {
                fault(FaultKind::OutOfRange { index: export.into(), count: self.exports as u64 })
            }
            ObjectRef::Invalid => {
                fault(FaultKind::OutOfRange { index: raw, count: self.imports.len() as u64 })
            }
            _ => Ok(index),
        }
    }
}

fn public(raw: u64, generation: ZenGeneration) -> PublicId {
    match (generation.is_ue4(), raw) {
        // UE4 marks a private export with the null index, UE5 with hash 0.
        (true, u64::MAX) | (false, 0) => PublicId::Private,
        (true, index) => PublicId::GlobalImport(PackageObjectIndex(index)),
        (false, hash) => PublicId::Hash(hash),
    }
}

fn filter(raw: u8, at: u64) -> Result<ExportFilter, Fault> {
    match raw {
        0 => Ok(ExportFilter::None),
        1 => Ok(ExportFilter::NotForClient),
        2 => Ok(ExportFilter::NotForServer),
        found => {
            let kind = FaultKind::TooLarge { found: found.into(), limit: 2 };
            Err(Fault { offset: at, field: "export map: filter flags", kind })
        }
    }
}

/// Reads an import map. Export references and invalid indices are faults there.
pub(super) fn parse_imports(mut r: Reader<'_>) -> Result<Vec<PackageObjectIndex>, Fault> {
    let len = r.remaining();
    // The map has no count; its length must be a multiple of an index.
    if !len.is_multiple_of(8) {
        return Err(r.fault("import map", FaultKind::NotMultiple { found: len as u64, unit: 8 }));
    }
    r.repeat(len / 8, |r| {
        let at = r.clone();
        let index = PackageObjectIndex(r.u64("import map")?);
        match index.decode() {
            ObjectRef::Export(_) | ObjectRef::Invalid => {
                Err(at.fault("import map", FaultKind::Unexpected { found: index.0, expected: u64::MAX }))
            }
            _ => Ok(index),
        }
    })
}
