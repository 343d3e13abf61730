use crate::{
    id::{CustomVersion, Guid},
    version::{CustomVersionKey, LegacyFileVersion, PackageFileVersion},
    wire::{Archive, Fault, FaultKind},
};

/// Everything that decides what the records of one package look like.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct Form {
    /// Object versions in effect: those in the file, or those assumed for it.
    pub versions: PackageFileVersion,
    /// Form of the summary.
    pub legacy: LegacyFileVersion,
    /// Package flag `FilterEditorOnly`: the package is cooked.
    pub cooked: bool,
    /// Package flag `UnversionedProperties`.
    pub unversioned_properties: bool,
    /// Imports carry a package name although cooked (5.8 and later).
    pub cooked_import_names: bool,
    /// Sub-paths of soft object paths are UTF-8.
    pub utf8_sub_paths: bool,
    /// Positions in world tile info have three numbers.
    pub tiles_3d: bool,
    /// Entries that names, imports and exports may refer to.
    pub counts: Counts,
}

/// Sizes of the tables that others refer to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct Counts {
    /// Names.
    pub names: u32,
    /// Imports.
    pub imports: u32,
    /// Exports.
    pub exports: u32,
}

/// Package flag: editor-only data was left out, the package is cooked.
pub const FILTER_EDITOR_ONLY: u32 = 0x8000_0000;
/// Package flag: properties are written without tags.
pub const UNVERSIONED_PROPERTIES: u32 = 0x2000;

impl Form {
    pub(super) fn new(
        legacy: LegacyFileVersion,
        versions: PackageFileVersion,
        flags: u32,
        custom: &[CustomVersion],
    ) -> Self {
        // Without custom versions the object version has to do; a file that has some means what it does not name.
        let implied = custom.is_empty();
        let fortnite_main = CustomVersion::number_of(custom, CustomVersionKey::FORTNITE_MAIN).unwrap_or(0);
        let utf8_sub_paths = CustomVersionKey::soft_paths_are_utf8(fortnite_main);
        let tiles_3d = CustomVersionKey::tile_positions_are_3d(fortnite_main);
        Self {
            versions,
            legacy,
            cooked: flags & FILTER_EDITOR_ONLY != 0,
            unversioned_properties: flags & UNVERSIONED_PROPERTIES != 0,
            cooked_import_names: false,
            utf8_sub_paths: utf8_sub_paths || (implied && versions.implies_utf8_sub_paths()),
            tiles_3d: tiles_3d || (implied && versions.implies_3d_tiles()),
            counts: Counts::default(),
        }
    }

    /// Imports have a package name.
    #[must_use]
    pub(crate) const fn has_import_names(&self) -> bool {
        if self.cooked { self.cooked_import_names } else { self.versions.has_import_package_name() }
    }

    /// Exports say where their properties are.
    #[must_use]
    pub(crate) const fn has_script_offsets(&self) -> bool {
        self.versions.has_script_offsets() && !self.unversioned_properties
    }

    /// A name that must be in the table.
    pub(super) fn name<A: Archive>(
        &self,
        a: &mut A,
        field: &'static str,
        name: &mut Name,
    ) -> Result<(), Fault> {
        let offset = a.offset();
        a.u32(field, &mut name.index)?;
        a.u32(field, &mut name.number)?;
        if name.index < self.counts.names {
            return Ok(());
        }
        let kind = FaultKind::OutOfRange { index: name.index.into(), count: self.counts.names.into() };
        Err(Fault { offset, field, kind })
    }

    /// A package index that must refer to something, or to nothing.
    pub(super) fn index<A: Archive>(
        &self,
        a: &mut A,
        field: &'static str,
        index: &mut PackageIndex,
    ) -> Result<(), Fault> {
        let offset = a.offset();
        a.i32(field, &mut index.0)?;
        let count = if index.0 > 0 { self.counts.exports } else { self.counts.imports };
        if index.0.unsigned_abs() <= count {
            return Ok(());
        }
        let kind = FaultKind::OutOfRange { index: index.0.unsigned_abs().into(), count: count.into() };
        Err(Fault { offset, field, kind })
    }
}

/// `FName`: a name by its index in the package's table, and a number that is shown as a suffix.
#[doc(alias = "FName")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize)]
pub struct Name {
    /// Index into the name table.
    pub index: u32,
    /// 0, or one more than the number shown.
    pub number: u32,
}

/// `FPackageIndex`: 0 nothing, n > 0 export n − 1, n < 0 import −n − 1.
#[doc(alias = "FPackageIndex")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, serde::Serialize)]
pub struct PackageIndex(
    /// The number in the file.
    pub i32,
);

/// What a [`PackageIndex`] refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PackageRef {
    /// Nothing.
    None,
    /// An import.
    Import(u32),
    /// An export.
    Export(u32),
}

impl PackageIndex {
    /// Refers to nothing.
    pub const NONE: Self = Self(0);

    /// Takes the number apart.
    #[must_use]
    pub const fn decode(self) -> PackageRef {
        match self.0 {
            0 => PackageRef::None,
            1.. => PackageRef::Export(self.0.unsigned_abs() - 1),
            _ => PackageRef::Import(self.0.unsigned_abs() - 1),
        }
    }

    /// Refers to an import.
    #[must_use]
    pub fn import(index: u32) -> Option<Self> {
        i32::try_from(index).ok().map(|index| Self(-index - 1))
    }

    /// Refers to an export.
    #[must_use]
    pub fn export(index: u32) -> Option<Self> {
        i32::try_from(index).ok()?.checked_add(1).map(Self)
    }
}

/// A GUID.
pub(super) fn guid<A: Archive>(a: &mut A, field: &'static str, guid: &mut Guid) -> Result<(), Fault> {
    a.raw(field, &mut guid.0)
}
