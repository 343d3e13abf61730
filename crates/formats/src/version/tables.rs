//! Versions of individual tables of a package.

use super::PackageFileVersion;

/// Version of a data resource table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize)]
pub struct DataResourceVersion(
    /// Stored number.
    pub u32,
);

impl DataResourceVersion {
    /// Returns true if the form of the entries is known.
    #[must_use]
    pub const fn is_supported(self) -> bool {
        matches!(self.0, 1 | 2)
    }

    /// Entries have a cooked index (5.5).
    #[must_use]
    pub(crate) const fn has_cooked_index(self) -> bool {
        self.0 >= 2
    }

    /// Returns the version in packages of these object versions.
    #[must_use]
    pub const fn of(objects: PackageFileVersion) -> Self {
        // The same release, 5.5, introduced both.
        Self(if objects.has_build_dependencies() { 2 } else { 1 })
    }
}

/// Version of a package trailer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
pub struct TrailerVersion(
    /// Stored number.
    pub i32,
);

impl TrailerVersion {
    /// Returns true if the form of the entries is known.
    #[must_use]
    pub const fn is_supported(self) -> bool {
        matches!(self.0, 0..=2)
    }

    /// Each entry records the location of its payload; before, the header does for all.
    #[must_use]
    pub(crate) const fn has_entry_access(self) -> bool {
        self.0 >= 1
    }

    /// Entries have flags.
    #[must_use]
    pub(crate) const fn has_entry_flags(self) -> bool {
        self.0 >= 2
    }

    /// Returns the length of an entry in bytes.
    #[must_use]
    pub const fn entry_len(self) -> usize {
        44 + if self.has_entry_access() { 1 } else { 0 } + if self.has_entry_flags() { 4 } else { 0 }
    }
}
