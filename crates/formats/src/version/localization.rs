//! Versions of localization files. No public source says which engine release brought which.

/// `ELocResVersion`: what a `.locres` file has.
#[doc(alias = "ELocResVersion")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
pub enum LocResVersion {
    /// No magic, and each string beside its key.
    Legacy = 0,
    /// Each string once, in a table.
    Compact = 1,
    /// Keys come with a CRC-32, strings with the number of their uses.
    OptimizedCrc32 = 2,
    /// The hashes of keys are CityHash64 of UTF-16. How it becomes 32 bits changed with UE 6.0, and the version did not.
    OptimizedCityHash64 = 3,
}

/// What the hash beside a namespace or a key is made with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
pub enum KeyHash {
    /// CRC-32 over characters of four bytes each.
    Crc32,
    /// CityHash64 over UTF-16, folded to 32 bits.
    CityHash64,
    /// CityHash64 over UTF-16, finished as MurmurHash3 is; the low 32 bits (UE 6.0).
    CityHash64Murmur,
}

counted!(LocResVersion: Legacy, Compact, OptimizedCrc32, OptimizedCityHash64);

impl LocResVersion {
    /// The file starts with a magic and the version.
    #[must_use]
    pub const fn has_magic(self) -> bool {
        self.to_wire() >= Self::Compact as u8
    }

    /// Strings lie in a table, and entries refer to them by index.
    #[must_use]
    pub const fn has_string_table(self) -> bool {
        self.to_wire() >= Self::Compact as u8
    }

    /// The number of entries is recorded before them, and the number of uses after each string.
    #[must_use]
    pub const fn has_counts(self) -> bool {
        self.to_wire() >= Self::OptimizedCrc32 as u8
    }

    /// Namespaces and keys have hashes.
    #[must_use]
    pub(crate) const fn has_key_hashes(self) -> bool {
        !self.key_hashes().is_empty()
    }

    /// What namespaces and keys may be hashed with, if they are: the older first.
    #[must_use]
    pub const fn key_hashes(self) -> &'static [KeyHash] {
        match self {
            Self::Legacy | Self::Compact => &[],
            Self::OptimizedCrc32 => &[KeyHash::Crc32],
            Self::OptimizedCityHash64 => &[KeyHash::CityHash64, KeyHash::CityHash64Murmur],
        }
    }
}

/// `ELocMetaVersion`: what a `.locmeta` file has.
#[doc(alias = "ELocMetaVersion")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
pub enum LocMetaVersion {
    /// The native culture and its resource.
    Initial = 0,
    /// And the cultures that there are.
    AddedCompiledCultures = 1,
    /// And whether it belongs to content that players made.
    AddedIsUgc = 2,
}

counted!(LocMetaVersion: Initial, AddedCompiledCultures, AddedIsUgc);

impl LocMetaVersion {
    /// The cultures are listed.
    #[must_use]
    pub const fn has_compiled_cultures(self) -> bool {
        self.to_wire() >= Self::AddedCompiledCultures as u8
    }

    /// A flag says whether players made the content.
    #[must_use]
    pub const fn has_ugc_flag(self) -> bool {
        self.to_wire() >= Self::AddedIsUgc as u8
    }
}
