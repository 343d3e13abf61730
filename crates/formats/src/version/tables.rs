//! Versions that single tables of a package carry.

use super::PackageFileVersion;

/// Version of a data resource table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize)]
pub struct DataResourceVersion(
    /// The number in the file.
    pub u32,
);

impl DataResourceVersion {
    /// Whether we know the form of the entries.
    #[must_use]
    pub const fn is_supported(self) -> bool {
        matches!(self.0, 1 | 2)
    }

    /// Entries have a cooked index (5.5).
    #[must_use]
    pub(crate) const fn has_cooked_index(self) -> bool {
        self.0 >= 2
    }

    /// What a package of these object versions holds.
    #[must_use]
    pub const fn of(objects: PackageFileVersion) -> Self {
        Self(if objects.has_build_dependencies() { 2 } else { 1 })
    }
}

/// Version of a package trailer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
pub struct TrailerVersion(
    /// The number in the file.
    pub i32,
);

impl TrailerVersion {
    /// Whether we know the form of the entries.
    #[must_use]
    pub const fn is_supported(self) -> bool {
        matches!(self.0, 0..=2)
    }

    /// Each entry says where its payload is; before, the header says it for all.
    #[must_use]
    pub(crate) const fn has_entry_access(self) -> bool {
        self.0 >= 1
    }

    /// Entries have flags.
    #[must_use]
    pub(crate) const fn has_entry_flags(self) -> bool {
        self.0 >= 2
    }

    /// Bytes of an entry.
    #[must_use]
    pub const fn entry_len(self) -> usize {
        44 + if self.has_entry_access() { 1 } else { 0 } + if self.has_entry_flags() { 4 } else { 0 }
    }
}
