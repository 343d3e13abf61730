//! Bulk data: large payloads beside or inside the exports that own them.
//!
//! ```text
//! flags                                          legacy place             chunk
//! 0x20 unused, or no bytes                       nowhere                  –
//! 0x40, or none of 0x1 0x100 0x800 0x1000        inline                   inside the export data
//! 0x800                                          .uptnl                   OptionalBulkData
//! 0x1000 with 0x100                              .m.ubulk                 MemoryMappedBulkData
//! 0x100                                          .ubulk                   BulkData
//! 0x1 alone                                      end of the same file     BulkData
//! ```
//!
//! The tests apply in this order. Source: CUE4Parse `TBulkData.cs`, retoc `asset_conversion.rs`; verified on
//! textures and meshes of 5.4 to 5.8.

use std::fmt;

/// Flags of a bulk payload (`EBulkDataFlags`).
#[doc(alias = "EBulkDataFlags")]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct BulkFlags(
    /// The word in the file.
    pub u32,
);

/// Bits and their names in the engine. Bits 0x2000_0000 and 0x4000_0000 are run-time states and never stored.
const NAMES: [(u32, &str); 20] = [
    (0x1, "PayloadAtEndOfFile"),
    (0x2, "SerializeCompressedZLIB"),
    (0x4, "ForceSingleElementSerialization"),
    (0x8, "SingleUse"),
    (0x10, "CompressedLZO"),
    (0x20, "Unused"),
    (0x40, "ForceInlinePayload"),
    (0x80, "ForceStreamPayload"),
    (0x100, "PayloadInSeparateFile"),
    (0x200, "SerializeCompressedBitWindow"),
    (0x400, "ForceNotInlinePayload"),
    (0x800, "OptionalPayload"),
    (0x1000, "MemoryMappedPayload"),
    (0x2000, "Size64Bit"),
    (0x4000, "DuplicateNonOptionalPayload"),
    (0x8000, "BadDataVersion"),
    (0x10000, "NoOffsetFixUp"),
    (0x20000, "WorkspaceDomainPayload"),
    (0x40000, "LazyLoadable"),
    (0x1000_0000, "AlwaysAllowDiscard"),
];

impl BulkFlags {
    /// Returns true if at least one of `bits` is set.
    #[must_use]
    pub const fn any(self, bits: u32) -> bool {
        self.0 & bits != 0
    }

    /// Returns the names of its bits, as the engine has them but without `BULKDATA_`.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        NAMES.iter().filter(move |(bit, _)| self.any(*bit)).map(|(_, name)| *name)
    }

    /// Decides where a payload of `len` bytes is stored.
    #[must_use]
    pub const fn place(self, len: u64) -> BulkPlace {
        // The order of the tests is the rule: 0x20 and 0x40 override the placement bits that cookers leave
        // set.
        if len == 0 || self.any(0x20) {
            BulkPlace::Nowhere
        } else if self.any(0x40) || !self.any(0x1901) {
            // 0x1901 is the union of 0x1, 0x100, 0x800 and 0x1000: none of these bits places it elsewhere.
            BulkPlace::Inline
        } else if self.any(0x800) {
            BulkPlace::Optional
        } else if self.any(0x1000) && self.any(0x100) {
            BulkPlace::MemoryMapped
        } else if self.any(0x100) {
            BulkPlace::Separate
        } else {
            BulkPlace::EndOfFile
        }
    }

    /// Returns the compression of the payload inside its record.
    #[must_use]
    pub const fn compression(self) -> BulkCompression {
        if self.any(0x2) {
            BulkCompression::Zlib
        } else if self.any(0x10) {
            BulkCompression::Lzo
        } else if self.any(0x200) {
            BulkCompression::BitWindow
        } else {
            BulkCompression::None
        }
    }
}

/// Storage of a bulk payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
pub enum BulkPlace {
    /// No bytes are stored.
    Nowhere,
    /// Inside the export data.
    Inline,
    /// After the exports, in the same file.
    EndOfFile,
    /// In `.ubulk`.
    Separate,
    /// In `.uptnl`.
    Optional,
    /// In `.m.ubulk`.
    MemoryMapped,
}

impl BulkPlace {
    /// Returns the file extension beside the package, prefixed with the three-digit cooked index unless that
    /// is 0.
    #[must_use]
    pub fn extension(self, cooked_index: u8) -> Option<String> {
        let base = match self {
            Self::Nowhere | Self::Inline | Self::EndOfFile => return None,
            Self::Separate => "ubulk",
            Self::Optional => "uptnl",
            Self::MemoryMapped => "m.ubulk",
        };
        Some(if cooked_index == 0 { base.to_owned() } else { format!("{cooked_index:03}.{base}") })
    }
}

/// Compression of a bulk payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
pub enum BulkCompression {
    /// Stored raw.
    None,
    /// Zlib blocks after a block table.
    Zlib,
    /// LZO, obsolete; never seen.
    Lzo,
    /// Zlib with an explicit bit window, obsolete; never seen.
    BitWindow,
}

/// One payload described by the tables of a package.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct BulkRecord {
    /// Flags that decide `place` and `compression`.
    pub flags: BulkFlags,
    /// Storage of the payload.
    pub place: BulkPlace,
    /// Offset in that storage, in bytes. Inline: from the start of the owning export's data; otherwise from
    /// the start of the file.
    pub offset: i64,
    /// Offset of a second copy in the non-optional file, if one exists.
    pub duplicate_offset: Option<i64>,
    /// Stored length in bytes.
    pub len: u64,
    /// Decompressed length in bytes.
    pub raw_len: u64,
    /// Compression of the stored bytes.
    pub compression: BulkCompression,
    /// Index of the cooked variant; 0 is the default.
    pub cooked_index: u8,
    /// One-based index of the owning export, if the table records it.
    pub owner: Option<i32>,
}

impl fmt::Debug for BulkFlags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl fmt::Display for BulkFlags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.names().collect();
        write!(f, "{:#x} ({})", self.0, names.join(" | "))
    }
}

impl serde::Serialize for BulkFlags {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_tests_decides_the_place() {
        for (flags, len, place) in [
            (0x48, 9, BulkPlace::Inline),
            (0x0, 9, BulkPlace::Inline),
            (0x48, 0, BulkPlace::Nowhere),
            (0x40020, 9, BulkPlace::Nowhere),
            (0x10501, 9, BulkPlace::Separate),
            (0x50501, 9, BulkPlace::Separate),
            (0x10D01, 9, BulkPlace::Optional),
            (0x11501, 9, BulkPlace::MemoryMapped),
            (0x10001, 9, BulkPlace::EndOfFile),
            (0x40048, 9, BulkPlace::Inline),
        ] {
            assert_eq!(BulkFlags(flags).place(len), place, "{flags:#x}");
        }
        assert_eq!(BulkPlace::Separate.extension(7).unwrap(), "007.ubulk");
        assert_eq!(BulkFlags(0x42).to_string(), "0x42 (SerializeCompressedZLIB | ForceInlinePayload)");
    }
}
