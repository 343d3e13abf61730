//! Verse imports and exports (1015). No file with any was available. Source: retoc `legacy_asset.rs`,
//! UAssetAPI.

use super::form::{Form, Name, PackageIndex};
use crate::wire::{Archive, Fault};

/// A Verse import (`FCellImport`).
#[doc(alias = "FCellImport")]
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct CellImport {
    /// Import of the package.
    pub package: PackageIndex,
    /// Verse path.
    pub verse_path: String,
}

/// A Verse export (`FCellExport`).
#[doc(alias = "FCellExport")]
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct CellExport {
    /// Name of the native class that reads it.
    pub class_info: Name,
    /// Verse path.
    pub verse_path: String,
    /// Offset of its data, counted like that of exports.
    pub serial_offset: i64,
    /// Length of the layout in bytes.
    pub layout_len: i64,
    /// Length of the data in bytes.
    pub serial_len: i64,
    /// Index of its first preload dependency, and lengths of its two groups.
    pub dependencies: [i32; 3],
}

pub(super) fn import<A: Archive>(a: &mut A, form: &Form, cell: &mut CellImport) -> Result<(), Fault> {
    form.index(a, "cell import: package", &mut cell.package)?;
    a.utf8("cell import: path", &mut cell.verse_path)
}

pub(super) fn export<A: Archive>(a: &mut A, form: &Form, cell: &mut CellExport) -> Result<(), Fault> {
    form.name(a, "cell export: class", &mut cell.class_info)?;
    a.utf8("cell export: path", &mut cell.verse_path)?;
    a.i64("cell export: offset", &mut cell.serial_offset)?;
    a.i64("cell export: layout size", &mut cell.layout_len)?;
    a.i64("cell export: size", &mut cell.serial_len)?;
    cell.dependencies.iter_mut().try_for_each(|number| a.i32("cell export: dependencies", number))
}
