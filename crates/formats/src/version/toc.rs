use std::fmt;

/// Version of a table of contents (`EIoStoreTocVersion`), byte 16 of a `.utoc`.
#[doc(alias = "EIoStoreTocVersion")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum TocVersion {
    /// UE 4.25+ and 4.26 development: ids, offsets, blocks, methods and metas only.
    Initial = 1,
    /// UE 4.26: directory index, container id, encryption key GUID, flags.
    DirectoryIndex = 2,
    /// UE 4.27: data split over several `.ucas` files.
    PartitionSize = 3,
    /// UE 5.0 development: perfect-hash seeds.
    PerfectHash = 4,
    /// UE 5.0–5.3: chunks that the perfect hash could not place.
    PerfectHashWithOverflow = 5,
    /// UE 5.4: on-demand hash arrays after the metas, if the container is on-demand.
    OnDemandMetaData = 6,
    /// UE 5.5 development: those arrays are removed.
    RemovedOnDemandMetaData = 7,
    /// UE 5.5–5.8: metas have 24 bytes instead of 33.
    ReplaceIoChunkHashWithIoHash = 8,
    /// UE 6.0 development: count of source hashes.
    AddedSourceHashes = 9,
    /// UE 6.0: encryption method and initialisation vectors (AES-CTR).
    ContainerEncryptionMethod = 10,
}

/// Numbering of chunk types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ChunkKindNumbering {
    /// `EIoChunkType` of UE 4.25–4.27, where 2 is a package.
    Ue4,
    /// `EIoChunkType` of UE 5 and later, where 1 is a package.
    Ue5,
}

/// Function of the chunk hashes in the metas.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ChunkHashKind {
    /// SHA-1, all 20 bytes (UE4).
    Sha1,
    /// BLAKE3, first 20 of 32 bytes (UE5).
    Blake3,
}

impl ChunkHashKind {
    /// Returns the other function.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Sha1 => Self::Blake3,
            Self::Blake3 => Self::Sha1,
        }
    }
}

impl fmt::Display for ChunkHashKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sha1 => "SHA-1",
            Self::Blake3 => "BLAKE3",
        })
    }
}

/// A version byte of no known release.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownVersion(
    /// Stored byte.
    pub u8,
);

impl TocVersion {
    /// All versions, oldest first.
    pub const ALL: [Self; 10] = [
        Self::Initial,
        Self::DirectoryIndex,
        Self::PartitionSize,
        Self::PerfectHash,
        Self::PerfectHashWithOverflow,
        Self::OnDemandMetaData,
        Self::RemovedOnDemandMetaData,
        Self::ReplaceIoChunkHashWithIoHash,
        Self::AddedSourceHashes,
        Self::ContainerEncryptionMethod,
    ];

    /// Newest known version; newer files are read as this one, with a warning.
    pub const NEWEST: Self = Self::ContainerEncryptionMethod;

    /// Decodes the version byte.
    pub fn from_wire(raw: u8) -> Result<Self, UnknownVersion> {
        Self::ALL.into_iter().find(|version| *version as u8 == raw).ok_or(UnknownVersion(raw))
    }

    /// Returns the stored byte.
    #[must_use]
    pub const fn to_wire(self) -> u8 {
        self as u8
    }

    /// A released engine writes it; the others belong to development builds.
    #[must_use]
    pub const fn is_released(self) -> bool {
        !matches!(
            self,
            Self::Initial | Self::PerfectHash | Self::RemovedOnDemandMetaData | Self::AddedSourceHashes
        )
    }

    /// Container id, key GUID, flags and a directory index exist.
    #[must_use]
    pub const fn has_directory_index(self) -> bool {
        self as u8 >= Self::DirectoryIndex as u8
    }

    /// Partition count and size are valid; before, there is one partition of unlimited size.
    #[must_use]
    pub const fn has_partitions(self) -> bool {
        self as u8 >= Self::PartitionSize as u8
    }

    /// Perfect-hash seeds follow the offset/length table.
    #[must_use]
    pub const fn has_perfect_hash(self) -> bool {
        self as u8 >= Self::PerfectHash as u8
    }

    /// The list of chunks without a perfect hash follows the seeds.
    #[must_use]
    pub const fn has_perfect_hash_overflow(self) -> bool {
        self as u8 >= Self::PerfectHashWithOverflow as u8
    }

    /// On-demand hash arrays follow the metas of an on-demand container.
    #[must_use]
    pub(crate) const fn has_on_demand_hashes(self) -> bool {
        // Exactly version 6; the next one removed the arrays.
        matches!(self, Self::OnDemandMetaData)
    }

    /// Metas have 24 bytes (20-byte hash, flags, padding) instead of 33 (32-byte hash, flags).
    #[must_use]
    pub const fn has_short_metas(self) -> bool {
        self as u8 >= Self::ReplaceIoChunkHashWithIoHash as u8
    }

    /// The header names an encryption method, and initialisation vectors may follow the blocks.
    #[must_use]
    pub const fn has_encryption_method(self) -> bool {
        self as u8 >= Self::ContainerEncryptionMethod as u8
    }

    /// Returns the numbering of chunk types. Version 4 was never released; it is read as UE5.
    #[must_use]
    pub const fn chunk_kind_numbering(self) -> ChunkKindNumbering {
        if self.has_perfect_hash() { ChunkKindNumbering::Ue5 } else { ChunkKindNumbering::Ue4 }
    }

    /// Returns the function that the engine of this version uses to hash chunks.
    #[must_use]
    pub const fn chunk_hash_kind(self) -> ChunkHashKind {
        if self.has_perfect_hash() { ChunkHashKind::Blake3 } else { ChunkHashKind::Sha1 }
    }
}

impl fmt::Display for TocVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({self:?})", self.to_wire())
    }
}

impl fmt::Display for UnknownVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "toc version {} is not supported (newest known: {})", self.0, TocVersion::NEWEST.to_wire())
    }
}

impl std::error::Error for UnknownVersion {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wire_form_round_trips_and_strangers_are_refused() {
        for version in TocVersion::ALL {
            assert_eq!(TocVersion::from_wire(version.to_wire()), Ok(version));
        }
        assert_eq!(TocVersion::from_wire(0), Err(UnknownVersion(0)));
        assert_eq!(
            TocVersion::from_wire(11).unwrap_err().to_string(),
            "toc version 11 is not supported (newest known: 10)"
        );
    }
}
