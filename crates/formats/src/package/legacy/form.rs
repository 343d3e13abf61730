use crate::{
    id::{CustomVersion, Guid},
    version::{CustomVersionKey, LegacyFileVersion, PackageFileVersion},
    wire::{Archive, Fault, FaultKind},
};

/// Everything that decides the layout of a package's records.
#[expect(clippy::struct_excessive_bools, reason = "each is an independent fact")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct Form {
    /// Object versions in effect: those in the file, or those assumed for it.
    pub versions: PackageFileVersion,
    /// Version of the summary's own format.
    pub legacy: LegacyFileVersion,
    /// Package flag `FilterEditorOnly`: the package is cooked.
    pub cooked: bool,
    /// Package flag `UnversionedProperties`.
    pub unversioned_properties: bool,
    /// True if cooked imports carry a package name (5.8 and later).
    pub cooked_import_names: bool,
    /// True if sub-paths of soft object paths are UTF-8.
    pub utf8_sub_paths: bool,
    /// True if positions in world tile info have three coordinates.
    pub tiles_3d: bool,
    /// Sizes of the tables that names and package indices refer to.
    pub counts: Counts,
}

/// Sizes of the tables that other records refer to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct Counts {
    /// Names.
    pub names: u32,
    /// Imports.
    pub imports: u32,
    /// Exports.
    pub exports: u32,
}

/// Package flag: editor-only data was stripped, which means that the package is cooked.
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
        // A file without custom versions implies them by its object version; in a file with some, a missing
        // one means 0.
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

    /// Returns true if imports have a package name.
    #[must_use]
    pub(crate) const fn has_import_names(&self) -> bool {
        if self.cooked { self.cooked_import_names } else { self.versions.has_import_package_name() }
    }

    /// Returns true if exports record the range of their properties.
    #[must_use]
    pub(crate) const fn has_script_offsets(&self) -> bool {
        self.versions.has_script_offsets() && !self.unversioned_properties
    }

    /// Archives a name and checks its index.
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

    /// Archives a package index and checks its range; null is allowed.
    pub(super) fn index<A: Archive>(
        &self,
        a: &mut A,
        field: &'static str,
        index: &mut PackageIndex,
    ) -> Result<(), Fault> {
        let offset = a.offset();
        a.i32(field, &mut index.0)?;
        // Both directions are one-based, so an absolute value up to the count is in range.
        let count = if index.0 > 0 { self.counts.exports } else { self.counts.imports };
        if index.0.unsigned_abs() <= count {
            return Ok(());
        }
        let kind = FaultKind::OutOfRange { index: index.0.unsigned_abs().into(), count: count.into() };
        Err(Fault { offset, field, kind })
    }
}

/// A name (`FName`): an index into the package's name table, and a number shown as a suffix.
#[doc(alias = "FName")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize)]
pub struct Name {
    /// Index into the name table.
    pub index: u32,
    /// 0, or one more than the number shown.
    pub number: u32,
}

/// A package index (`FPackageIndex`): 0 is null, n > 0 is export n − 1, n < 0 is import −n − 1.
#[doc(alias = "FPackageIndex")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, serde::Serialize)]
pub struct PackageIndex(
    /// The number in the file.
    pub i32,
);

/// Decoded [`PackageIndex`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PackageRef {
    /// The null index.
    None,
    /// Index of an import.
    Import(u32),
    /// Index of an export.
    Export(u32),
}

impl PackageIndex {
    /// The null index.
    pub const NONE: Self = Self(0);

    /// Decodes the number.
    #[must_use]
    pub const fn decode(self) -> PackageRef {
        match self.0 {
            0 => PackageRef::None,
            1.. => PackageRef::Export(self.0.unsigned_abs() - 1),
            _ => PackageRef::Import(self.0.unsigned_abs() - 1),
        }
    }

    /// Encodes the index of an import.
    #[must_use]
    pub fn import(index: u32) -> Option<Self> {
        i32::try_from(index).ok().map(|index| Self(-index - 1))
    }

    /// Encodes the index of an export.
    #[must_use]
    pub fn export(index: u32) -> Option<Self> {
        i32::try_from(index).ok()?.checked_add(1).map(Self)
    }
}

/// Archives a GUID.
pub(super) fn guid<A: Archive>(a: &mut A, field: &'static str, guid: &mut Guid) -> Result<(), Fault> {
    a.raw(field, &mut guid.0)
}
