//! Imports and exports: objects of other packages, and those of this package.
//!
//! ```text
//! import  class package, class name (8 each) │ outer i32 │ object name │ (520, editor; 5.8 cooked) package name
//!         │ (1003) optional
//! export  class, super, (508) template, outer │ name │ flags │ size, offset: i32 │ (511) i64 │ three flags
//!         │ (< 1005) GUID │ (1006) inherited │ package flags │ (365) … │ (485) asset │ (1003) public hash
//!         │ (507) five numbers of preload dependencies │ (1010, tagged) start and end of the properties
//! ```
//!
//! Entry sizes were verified on files of 4.10 to 5.8: 28, 32, 36 or 40 bytes and 68 to 112 bytes.

use super::form::{Form, Name, PackageIndex, guid};
use crate::{
    id::Guid,
    wire::{Archive, Fault},
};

/// An object of another package, or another package (`FObjectImport`).
#[doc(alias = "FObjectImport")]
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct Import {
    /// Package of the class, such as `/Script/Engine`.
    pub class_package: Name,
    /// Class name; `Package` for a package.
    pub class_name: Name,
    /// Outer object.
    pub outer: PackageIndex,
    /// Object name; the full name for a package.
    pub name: Name,
    /// Package that really contains it, if every actor has its own file.
    pub package_name: Option<Name>,
    /// True if it may be missing (1003).
    pub optional: Option<bool>,
}

/// An object of the package (`FObjectExport`).
#[doc(alias = "FObjectExport")]
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct Export {
    /// Class; null for a native class.
    pub class: PackageIndex,
    /// Parent struct.
    pub super_index: PackageIndex,
    /// Object that supplies the defaults (508).
    pub template: Option<PackageIndex>,
    /// Outer object; null for the package.
    pub outer: PackageIndex,
    /// Object name.
    pub name: Name,
    /// Object flags (`EObjectFlags`).
    pub object_flags: u32,
    /// Length of the data in bytes.
    pub serial_len: i64,
    /// Offset of the data in the file, as if `.uexp` followed `.uasset`.
    pub serial_offset: i64,
    /// True if it is exported although it belongs to another package.
    pub forced: bool,
    /// True if clients do not load it.
    pub not_for_client: bool,
    /// True if servers do not load it.
    pub not_for_server: bool,
    /// GUID of the original package of a forced export (before 1005).
    pub package_guid: Option<Guid>,
    /// True if it overrides an object of its template (1006).
    pub is_inherited: Option<bool>,
    /// Flags of that original package.
    pub package_flags: u32,
    /// True if the editor's game does not always load it (365).
    pub not_always_loaded: Option<bool>,
    /// True if the asset registry lists it (485).
    pub is_asset: Option<bool>,
    /// True if it gets a public hash although it is private (1003).
    pub generate_public_hash: Option<bool>,
    /// Slice of the preload dependencies (507).
    pub preload: Option<PreloadSlice>,
    /// Start and end of its properties, from the start of its data (1010, tagged).
    pub script: Option<[i64; 2]>,
}

impl Export {
    /// True for the default object of a class (`RF_ClassDefaultObject`).
    #[must_use]
    pub const fn is_default_object(&self) -> bool {
        const CLASS_DEFAULT_OBJECT: u32 = 0x10;
        self.object_flags & CLASS_DEFAULT_OBJECT != 0
    }
}

/// Slice of the preload dependencies of one export: four consecutive groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct PreloadSlice {
    /// Index of the first entry; −1 if all groups are empty.
    pub first: i32,
    /// Number of objects to serialize before this export is serialized.
    pub serialize_before_serialize: i32,
    /// Number of objects to create before this export is serialized.
    pub create_before_serialize: i32,
    /// Number of objects to serialize before this export is created.
    pub serialize_before_create: i32,
    /// Number of objects to create before this export is created.
    pub create_before_create: i32,
}

impl Default for PreloadSlice {
    fn default() -> Self {
        Self {
            first: -1,
            serialize_before_serialize: 0,
            create_before_serialize: 0,
            serialize_before_create: 0,
            create_before_create: 0,
        }
    }
}

/// Returns the length of an import in bytes.
pub(crate) const fn import_len(form: &Form) -> usize {
    // 28: three names and an index.
    // Editor packages name the package of each import since 520, cooked ones since 5.8.
    28 + if form.has_import_names() { 8 } else { 0 }
        + if form.versions.has_optional_resources() { 4 } else { 0 }
}

/// Smallest possible length of an export in bytes, a bound for counts.
pub(super) const EXPORT_LEN: usize = 60;

pub(super) fn import<A: Archive>(a: &mut A, form: &Form, import: &mut Import) -> Result<(), Fault> {
    form.name(a, "import: class package", &mut import.class_package)?;
    form.name(a, "import: class name", &mut import.class_name)?;
    form.index(a, "import: outer", &mut import.outer)?;
    form.name(a, "import: object name", &mut import.name)?;
    a.optional(form.has_import_names(), &mut import.package_name, |a, name| {
        form.name(a, "import: package name", name)
    })?;
    a.optional(form.versions.has_optional_resources(), &mut import.optional, |a, optional| {
        a.bool32("import: optional", optional)
    })
}

pub(super) fn export<A: Archive>(a: &mut A, form: &Form, e: &mut Export) -> Result<(), Fault> {
    let v = form.versions;
    form.index(a, "export: class", &mut e.class)?;
    form.index(a, "export: super", &mut e.super_index)?;
    a.optional(v.has_template_index(), &mut e.template, |a, i| form.index(a, "export: template", i))?;
    form.index(a, "export: outer", &mut e.outer)?;
    form.name(a, "export: object name", &mut e.name)?;
    a.u32("export: object flags", &mut e.object_flags)?;
    // Sizes and offsets grew to 64 bits with 511.
    a.i64_or_i32("export: serial size", v.has_long_export_sizes(), &mut e.serial_len)?;
    a.i64_or_i32("export: serial offset", v.has_long_export_sizes(), &mut e.serial_offset)?;
    a.bool32("export: forced", &mut e.forced)?;
    a.bool32("export: not for client", &mut e.not_for_client)?;
    a.bool32("export: not for server", &mut e.not_for_server)?;
    // The GUID was dropped with 1005.
    a.optional(!v.has_no_export_guid(), &mut e.package_guid, |a, id| guid(a, "export: package GUID", id))?;
    a.optional(v.has_is_inherited(), &mut e.is_inherited, |a, b| a.bool32("export: inherited", b))?;
    a.u32("export: package flags", &mut e.package_flags)?;
    a.optional(v.has_not_always_loaded(), &mut e.not_always_loaded, |a, b| {
        a.bool32("export: not always loaded for editor game", b)
    })?;
    a.optional(v.has_is_asset(), &mut e.is_asset, |a, b| a.bool32("export: is asset", b))?;
    a.optional(v.has_optional_resources(), &mut e.generate_public_hash, |a, b| {
        a.bool32("export: generate public hash", b)
    })?;
    a.optional(v.has_preload_dependencies(), &mut e.preload, |a, slice| {
        a.i32("export: first dependency", &mut slice.first)?;
        a.i32("export: serialize before serialize", &mut slice.serialize_before_serialize)?;
        a.i32("export: create before serialize", &mut slice.create_before_serialize)?;
        a.i32("export: serialize before create", &mut slice.serialize_before_create)?;
        a.i32("export: create before create", &mut slice.create_before_create)
    })?;
    // Only tagged properties have a range: unversioned ones are found by their schema.
    a.optional(form.has_script_offsets(), &mut e.script, |a, [start, end]| {
        a.i64("export: script serialization start", start)?;
        a.i64("export: script serialization end", end)
    })
}
