use std::fmt;

/// Version of a `.pak` file (`EPakFileVersion`), 1 to 15.
#[doc(alias = "EPakFileVersion")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(transparent)]
pub struct PakVersion(u32);

impl PakVersion {
    /// Newest known version.
    pub const NEWEST: Self = Self(15);

    /// Creates a version from the stored number, if it is known.
    #[must_use]
    pub fn from_wire(version: u32) -> Option<Self> {
        // 0 is not a version, and a newer one may have any footer.
        (1..=Self::NEWEST.0).contains(&version).then_some(Self(version))
    }

    /// Returns the stored number.
    #[must_use]
    pub const fn to_wire(self) -> u32 {
        self.0
    }

    /// Entries have a timestamp (UE before 4.0).
    #[must_use]
    pub(crate) const fn has_timestamps(self) -> bool {
        self.0 == 1
    }

    /// Entries have compression blocks and flags (4.3).
    #[must_use]
    pub(crate) const fn has_blocks(self) -> bool {
        self.0 >= 3
    }

    /// The footer records if the index is encrypted (4.16).
    #[must_use]
    pub(crate) const fn has_encrypted_index_flag(self) -> bool {
        self.0 >= 4
    }

    /// Block offsets count from the start of the entry (4.20).
    #[must_use]
    pub(crate) const fn has_relative_blocks(self) -> bool {
        self.0 >= 5
    }

    /// The footer names the encryption key (4.21).
    #[must_use]
    pub(crate) const fn has_key_guid(self) -> bool {
        self.0 >= 7
    }

    /// The footer names the compression methods (4.22).
    #[must_use]
    pub(crate) const fn has_method_names(self) -> bool {
        self.0 >= 8
    }

    /// The footer records if the index is a memory image (4.25).
    #[must_use]
    pub(crate) const fn has_frozen_flag(self) -> bool {
        // Exactly version 9; the footer of 10 no longer has the byte.
        self.0 == 9
    }

    /// The index is split, and its entries are packed (4.26).
    #[must_use]
    pub(crate) const fn has_split_index(self) -> bool {
        self.0 >= 10
    }

    /// File names of the directory index are UTF-8 (5.8).
    #[must_use]
    pub(crate) const fn has_utf8_names(self) -> bool {
        self.0 >= 12
    }

    /// The footer names the pakchunk (6.0).
    #[must_use]
    pub(crate) const fn has_pakchunk_index(self) -> bool {
        self.0 >= 14
    }

    /// The footer names the encryption method, and encrypted entries have an initialisation vector (6.0).
    #[must_use]
    pub const fn has_encryption_method(self) -> bool {
        self.0 >= 15
    }
}

impl fmt::Display for PakVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
