//! Versions of localization files. No public source assigns them to engine releases.

/// Version of a `.locres` file (`ELocResVersion`).
#[doc(alias = "ELocResVersion")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
pub enum LocResVersion {
    /// No magic; each string is stored beside its key.
    Legacy = 0,
    /// Each string is stored once, in a table.
    Compact = 1,
    /// Keys have a CRC-32, strings a reference count.
    OptimizedCrc32 = 2,
    /// Hashes of keys are CityHash64 of UTF-16. Its reduction to 32 bits changed with UE 6.0, but the version
    /// did not.
    OptimizedCityHash64 = 3,
}

/// Hash function of namespaces and keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
pub enum KeyHash {
    /// CRC-32 over characters of four bytes each.
    Crc32,
    /// CityHash64 over UTF-16, folded to 32 bits.
    CityHash64,
    /// CityHash64 over UTF-16, finalized like MurmurHash3; the low 32 bits (UE 6.0).
    CityHash64Murmur,
}

counted!(LocResVersion: Legacy, Compact, OptimizedCrc32, OptimizedCityHash64);

impl LocResVersion {
    /// The file starts with a magic and the version.
    #[must_use]
    pub const fn has_magic(self) -> bool {
        self.to_wire() >= Self::Compact as u8
    }

    /// Strings are in a table, and entries refer to them by index.
    #[must_use]
    pub const fn has_string_table(self) -> bool {
        self.to_wire() >= Self::Compact as u8
    }

    /// A count precedes the entries, and a reference count follows each string.
    #[must_use]
    pub const fn has_counts(self) -> bool {
        self.to_wire() >= Self::OptimizedCrc32 as u8
    }

    /// Namespaces and keys have hashes.
    #[must_use]
    pub(crate) const fn has_key_hashes(self) -> bool {
        !self.key_hashes().is_empty()
    }

    /// Returns the possible hash functions of namespaces and keys, oldest first; empty if they are not
    /// hashed.
    #[must_use]
    pub const fn key_hashes(self) -> &'static [KeyHash] {
        match self {
            Self::Legacy | Self::Compact => &[],
            Self::OptimizedCrc32 => &[KeyHash::Crc32],
            Self::OptimizedCityHash64 => &[KeyHash::CityHash64, KeyHash::CityHash64Murmur],
        }
    }
}

/// Version of a `.locmeta` file (`ELocMetaVersion`).
#[doc(alias = "ELocMetaVersion")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
pub enum LocMetaVersion {
    /// Native culture and its resource.
    Initial = 0,
    /// Adds the list of compiled cultures.
    AddedCompiledCultures = 1,
    /// Adds a flag for user-generated content.
    AddedIsUgc = 2,
}

counted!(LocMetaVersion: Initial, AddedCompiledCultures, AddedIsUgc);

impl LocMetaVersion {
    /// The cultures are listed.
    #[must_use]
    pub const fn has_compiled_cultures(self) -> bool {
        self.to_wire() >= Self::AddedCompiledCultures as u8
    }

    /// A flag marks user-generated content.
    #[must_use]
    pub const fn has_ugc_flag(self) -> bool {
        self.to_wire() >= Self::AddedIsUgc as u8
    }
}
