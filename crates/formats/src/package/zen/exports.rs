//! The export map: 72 bytes per object, the same in all generations but for the meaning of one field.

use super::raw;
use crate::{
    id::{ObjectRef, PackageObjectIndex},
    names::{MappedName, NameMap},
    version::ZenGeneration,
    wire::{Fault, FaultKind, Reader},
};

/// `FExportMapEntry`: one object of the package.
#[doc(alias = "FExportMapEntry")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Export {
    /// UE4: position in the cooker's file. 5.0–5.2: of no use. From 5.3: position after the header.
    pub serial_offset: u64,
    /// Bytes of its data.
    pub serial_len: u64,
    /// Its own name.
    pub name: MappedName,
    /// The object it lies in; null for the package.
    pub outer: PackageObjectIndex,
    /// Its class; null if it is a native class itself.
    pub class: PackageObjectIndex,
    /// The struct it extends, if it is a struct.
    pub super_index: PackageObjectIndex,
    /// The object that its defaults come from.
    pub template: PackageObjectIndex,
    /// What other packages refer to it by.
    pub public: PublicId,
    /// `EObjectFlags`.
    pub object_flags: u32,
    /// Who does not need it.
    pub filter: ExportFilter,
}

/// What other packages refer to an export by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
pub enum PublicId {
    /// Nothing: it is private.
    Private,
    /// UE4: hash of the full path.
    GlobalImport(PackageObjectIndex),
    /// UE5: hash of the path inside the package.
    Hash(u64),
}

/// `EExportFilterFlags`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
pub enum ExportFilter {
    /// Everybody loads it.
    None,
    /// Clients do not.
    NotForClient,
    /// Servers do not.
    NotForServer,
}

/// An export of Verse, from 5.6.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct CellExport {
    /// Position after the header.
    pub serial_offset: u64,
    /// Bytes of its layout.
    pub layout_len: u64,
    /// Bytes of its data.
    pub serial_len: u64,
    /// The native class that reads it.
    pub class_info: MappedName,
    /// What other packages refer to it by; 0 if nothing.
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
    exports.reserve_exact(rows.len());
    for (row, at) in rows.iter().zip((at..).step_by(size_of::<raw::Export>())) {
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

/// What an export may refer to.
struct Scope<'a> {
    exports: usize,
    imports: &'a [PackageObjectIndex],
}

impl Scope<'_> {
    fn check(&self, raw: u64, field: &'static str, at: u64) -> Result<PackageObjectIndex, Fault> {
        let index = PackageObjectIndex(raw);
        let fault = |kind| Err(Fault { offset: at, field, kind });
        match index.decode() {
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

/// Checks an import map: exports and damage have no place in it.
pub(super) fn parse_imports(mut r: Reader<'_>) -> Result<Vec<PackageObjectIndex>, Fault> {
    let len = r.remaining();
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
