//! Byte-exact overlays of the fixed-size records of a `.utoc`.

use crate::id::Guid;
use zerocopy::little_endian::{U16, U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

/// First sixteen bytes of every `.utoc`.
pub const MAGIC: [u8; 16] = *b"-==--==--==--==-";

/// The header (`FIoStoreTocHeader`): 144 bytes in every version; older versions leave the later fields zero.
#[doc(alias = "FIoStoreTocHeader")]
#[derive(Debug, Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct Header {
    /// [`MAGIC`].
    pub magic: [u8; 16],
    /// Version (`EIoStoreTocVersion`).
    pub version: u8,
    /// Zero.
    pub reserved0: u8,
    /// Zero.
    pub reserved1: U16,
    /// Length of this header, 144; the chunk ids follow it.
    pub header_size: U32,
    /// Number of chunks.
    pub chunk_count: U32,
    /// Number of compression blocks.
    pub block_count: U32,
    /// Length of a block entry, 12.
    pub block_entry_size: U32,
    /// Number of compression method names, without the implied "None".
    pub method_name_count: U32,
    /// Length of a method name field, 32.
    pub method_name_len: U32,
    /// Uncompressed length of every block except the last of a chunk.
    pub block_size: U32,
    /// Length of the directory index in bytes; since version 2.
    pub directory_index_size: U32,
    /// Number of `.ucas` files; since version 3.
    pub partition_count: U32,
    /// Hash of the container's base name; since version 2.
    pub container_id: U64,
    /// Id of the encryption key; since version 2.
    pub encryption_key_guid: Guid,
    /// Container flags (`EIoContainerFlags`); since version 2.
    pub flags: u8,
    /// 0 none, 1 AES-ECB, 2 AES-CTR; since version 10.
    pub encryption_method: u8,
    /// Zero.
    pub reserved2: U16,
    /// Number of perfect-hash seeds; since version 4.
    pub seed_count: U32,
    /// Share of each partition in the address space, in bytes; since version 3.
    pub partition_size: U64,
    /// Number of chunks without a perfect hash; since version 5.
    pub overflow_count: U32,
    /// Number of source hashes; since version 9.
    pub source_hash_count: U32,
    /// Number of initialisation vectors; since version 10.
    pub iv_count: U32,
    /// Zero.
    pub reserved3: U32,
    /// Zero.
    pub reserved4: [U64; 4],
}

const _: () = assert!(size_of::<Header>() == 144, "FIoStoreTocHeader is 144 bytes");

/// Place of a chunk in the uncompressed address space (`FIoOffsetAndLength`); two 40-bit big-endian numbers.
#[doc(alias = "FIoOffsetAndLength")]
#[derive(Debug, Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct OffsetLength {
    offset: [u8; 5],
    length: [u8; 5],
}

impl OffsetLength {
    /// Packs two numbers; only the low 40 bits of each are kept.
    #[must_use]
    pub const fn new(offset: u64, length: u64) -> Self {
        const fn pack(value: u64) -> [u8; 5] {
            let [_, _, _, a, b, c, d, e] = value.to_be_bytes();
            [a, b, c, d, e]
        }
        Self { offset: pack(offset), length: pack(length) }
    }

    /// Returns the first byte, in the address space in which block `i` starts at `i` × block size.
    #[must_use]
    pub const fn offset(self) -> u64 {
        unpack_be(self.offset)
    }

    /// Returns the uncompressed length in bytes.
    #[must_use]
    pub const fn length(self) -> u64 {
        unpack_be(self.length)
    }
}

const fn unpack_be([a, b, c, d, e]: [u8; 5]) -> u64 {
    u64::from_be_bytes([0, 0, 0, a, b, c, d, e])
}

/// A compression block (`FIoStoreTocCompressedBlockEntry`): 40 bits offset, 24 bits stored length, 24 bits
/// raw length, 8 bits method.
#[doc(alias = "FIoStoreTocCompressedBlockEntry")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct Block {
    offset: [u8; 5],
    stored_len: [u8; 3],
    raw_len: [u8; 3],
    method: u8,
}

impl Block {
    /// Largest offset that fits.
    pub const MAX_OFFSET: u64 = (1 << 40) - 1;
    /// Largest length that fits.
    pub const MAX_LEN: u32 = (1 << 24) - 1;

    /// Packs an entry; bits that do not fit are dropped.
    #[must_use]
    pub const fn new(offset: u64, stored_len: u32, raw_len: u32, method: u8) -> Self {
        let [a, b, c, d, e, ..] = offset.to_le_bytes();
        let [f, g, h, _] = stored_len.to_le_bytes();
        let [i, j, k, _] = raw_len.to_le_bytes();
        Self { offset: [a, b, c, d, e], stored_len: [f, g, h], raw_len: [i, j, k], method }
    }

    /// Returns the offset in the concatenated partitions, in bytes.
    #[must_use]
    pub const fn offset(self) -> u64 {
        let [a, b, c, d, e] = self.offset;
        u64::from_le_bytes([a, b, c, d, e, 0, 0, 0])
    }

    /// Returns the length in the `.ucas`, without padding.
    #[must_use]
    pub const fn stored_len(self) -> u32 {
        let [a, b, c] = self.stored_len;
        u32::from_le_bytes([a, b, c, 0])
    }

    /// Returns the length after decompression.
    #[must_use]
    pub const fn raw_len(self) -> u32 {
        let [a, b, c] = self.raw_len;
        u32::from_le_bytes([a, b, c, 0])
    }

    /// Returns the method: 0 for stored bytes, otherwise one more than an index into the method names.
    #[must_use]
    pub const fn method(self) -> u8 {
        self.method
    }
}

/// Chunk meta (`FIoStoreTocEntryMeta`) up to version 7: 33 bytes.
#[derive(Debug, Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct LongMeta {
    /// Significant bytes of the hash.
    pub hash: [u8; 20],
    /// Zero.
    pub padding: [u8; 12],
    /// Flags (`FIoStoreTocEntryMetaFlags`).
    pub flags: u8,
}

/// Chunk meta (`FIoStoreTocEntryMeta`) since version 8: 24 bytes.
#[derive(Debug, Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct ShortMeta {
    /// Hash of the uncompressed chunk.
    pub hash: [u8; 20],
    /// Flags (`FIoStoreTocEntryMetaFlags`).
    pub flags: u8,
    /// Zero.
    pub padding: [u8; 3],
}

/// Initialisation vector of AES-CTR; the block counter takes the other four bytes.
pub type Iv = [u8; 12];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_numbers_round_trip() {
        let entry = OffsetLength::new(0x01_0203_0405, 0x467);
        assert_eq!(entry.as_bytes(), [1, 2, 3, 4, 5, 0, 0, 0, 4, 0x67], "big-endian");
        assert_eq!((entry.offset(), entry.length()), (0x01_0203_0405, 0x467));

        let block = Block::new(704, 1127, 1127, 0);
        assert_eq!(
            hex::encode(block.as_bytes()),
            "c002000000670400".to_owned() + "67040000",
            "little-endian"
        );
        assert_eq!(
            (block.offset(), block.stored_len(), block.raw_len(), block.method()),
            (704, 1127, 1127, 0)
        );
    }
}
