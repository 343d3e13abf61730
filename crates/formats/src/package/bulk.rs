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

/// `EBulkDataFlags`.
#[doc(alias = "EBulkDataFlags")]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct BulkFlags(
    /// The word in the file.
    pub u32,
);

/// Bit and name.
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
    /// Whether one of some bits is set.
    #[must_use]
    pub const fn any(self, bits: u32) -> bool {
        self.0 & bits != 0
    }

    /// Where a payload of this many bytes lies.
    #[must_use]
    pub const fn place(self, len: u64) -> BulkPlace {
        if len == 0 || self.any(0x20) {
            BulkPlace::Nowhere
        } else if self.any(0x40) || !self.any(0x1901) {
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

    /// How the payload is compressed inside its record.
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

/// Where a payload lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
pub enum BulkPlace {
    /// There is none.
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
    /// The extension of the file beside the package, with the cooked index that a payload may have.
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

/// How a payload is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
pub enum BulkCompression {
    /// Not at all.
    None,
    /// Zlib blocks after a block table.
    Zlib,
    /// Of old times, never seen.
    Lzo,
    /// Of old times, never seen.
    BitWindow,
}

/// One payload that the tables of a package describe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct BulkRecord {
    /// The word that decides where it lies.
    pub flags: BulkFlags,
    /// Where it lies.
    pub place: BulkPlace,
    /// Offset there. Inline: from the start of the owning export's data; otherwise from the start of the file.
    pub offset: i64,
    /// A second copy without the optional part, if there is one.
    pub duplicate_offset: Option<i64>,
    /// Bytes in the file.
    pub len: u64,
    /// Bytes when decompressed.
    pub raw_len: u64,
    /// How it is compressed.
    pub compression: BulkCompression,
    /// Which of several cooked variants.
    pub cooked_index: u8,
    /// One-based export that owns it, where the table says.
    pub owner: Option<i32>,
}

impl fmt::Debug for BulkFlags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl fmt::Display for BulkFlags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = NAMES.iter().filter(|(bit, _)| self.any(*bit));
        let names: Vec<&str> = known.map(|(_, name)| *name).collect();
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
