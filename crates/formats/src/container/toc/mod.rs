//! The `.utoc` table of contents.
//!
//! ```text
//! 0x00  header, 144 bytes        magic, version, counts, flags, key GUID          (raw::Header)
//! 0x90  chunk ids                12 × chunks
//!       offsets and lengths      10 × chunks         uncompressed address space
//!       perfect-hash seeds        4 × seeds          since version 4
//!       chunks without hash       4 × overflow       since version 5
//!       compression blocks       12 × blocks         offset in the .ucas, stored and raw size, method
//!       initialisation vectors   12 × ivs            since version 10
//!       method names             32 × methods        NUL-padded ASCII
//!       signatures               4 + 2·n + 20·blocks if signed
//!       directory index          its size            if indexed; see `directory_index`
//!       metas                    33 or 24 × chunks   content hash, flags; 24 since version 8
//! on-demand hashes         20·(chunks+blocks)  version 6 only, if on-demand
//! ```
//!
//! UE 4.25+ to 6.0. Layout: the container fact sheet sections 1 and 2, agreeing with the public readers
//! retoc, CUE4Parse and UEViewer. The address space is virtual: block *i* starts at *i* × block size even if
//! it holds fewer bytes, so a chunk's blocks follow from its offset and length alone.

mod block_sums;
mod build;
mod find;
mod notice;
mod parse;
mod placement;
pub mod raw;
mod signatures;
mod storage;

pub use build::{NewChunk, TocBuilder};
pub use notice::Notice;
pub use parse::ParseOptions;
pub use placement::Placement;
pub use storage::Storage;

use crate::codec::{Codecs, MethodTable};
use crate::crypto::EncryptionMethod;
use crate::id::{ChunkHash, ChunkKind, ContainerId, Guid, RawChunkId};
use crate::version::TocVersion;
use crate::wire::counted;
use block_sums::BlockSums;
use bytes::Bytes;
use std::ops::Range;
use std::sync::OnceLock;
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

/// Index of a chunk in its table of contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChunkIndex(pub u32);

/// Index of a compression block in its table of contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockIndex(pub u32);

/// Flags of a container (`EIoContainerFlags`).
#[doc(alias = "EIoContainerFlags")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ContainerFlags(
    /// The stored bits, unknown ones included.
    pub u8,
);

impl ContainerFlags {
    /// Some block may be compressed; informative.
    pub const COMPRESSED: u8 = 0x01;
    /// Blocks and directory index are encrypted.
    pub const ENCRYPTED: u8 = 0x02;
    /// A signature section is present.
    pub const SIGNED: u8 = 0x04;
    /// A directory index is present.
    pub const INDEXED: u8 = 0x08;
    /// Content is streamed from a server.
    pub const ON_DEMAND: u8 = 0x10;

    const NAMES: [(u8, &'static str); 5] = [
        (Self::COMPRESSED, "compressed"),
        (Self::ENCRYPTED, "encrypted"),
        (Self::SIGNED, "signed"),
        (Self::INDEXED, "indexed"),
        (Self::ON_DEMAND, "on_demand"),
    ];

    /// Returns true if a bit is set.
    #[must_use]
    pub const fn has(self, bit: u8) -> bool {
        self.0 & bit != 0
    }

    /// Returns the bits that no known release sets.
    #[must_use]
    pub const fn unknown(self) -> u8 {
        self.0 & !0x1F
    }

    /// Returns the names of the known bits that are set.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        Self::NAMES.into_iter().filter(move |(bit, _)| self.has(*bit)).map(|(_, name)| name)
    }
}

/// Facts about the content of a chunk (`FIoStoreTocEntryMeta`).
#[doc(alias = "FIoStoreTocEntryMeta")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChunkMeta {
    /// Hash of the uncompressed content; zero if the writer recorded none.
    pub hash: ChunkHash,
    /// Bit 0: some block is compressed. Bit 1: memory-mapped.
    pub flags: u8,
}

impl ChunkMeta {
    /// Flag of a chunk with at least one compressed block.
    pub const COMPRESSED: u8 = 1;
    /// Flag of a chunk that the engine maps into memory.
    pub const MEMORY_MAPPED: u8 = 2;
}

/// Error for a chunk whose place is outside the block table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("chunk covers blocks {first}..{end}, but the table has {}", counted(*count, "block", "blocks"))]
pub struct BlockRangeError {
    first: u64,
    end: u64,
    count: u64,
}

/// Byte ranges of the sections in the file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Sections {
    ids: Range<usize>,
    offset_lengths: Range<usize>,
    seeds: Range<usize>,
    overflow: Range<usize>,
    blocks: Range<usize>,
    ivs: Range<usize>,
    method_names: Range<usize>,
    signatures: Range<usize>,
    directory_index: Range<usize>,
    metas: Range<usize>,
    on_demand: Range<usize>,
}

/// A parsed table of contents. Keeps the file's bytes and reads from them; nothing is copied per chunk.
///
/// All counts and section lengths were checked against the length of the file by [`Toc::parse`]. The claims
/// of chunks and blocks are checked when they are used, so that one bad entry does not affect the others.
#[derive(Debug)]
pub struct Toc {
    bytes: Bytes,
    header: raw::Header,
    version: TocVersion,
    sections: Sections,
    methods: MethodTable,
    notices: Vec<Notice>,
    /// True if the perfect hash finds the sampled chunks.
    perfect_hash_works: bool,
    /// Chunk indices sorted by id, for tables without a usable perfect hash; built on first use.
    by_id: OnceLock<Vec<u32>>,
    /// Built on first use.
    block_sums: OnceLock<BlockSums>,
}

impl Toc {
    /// Returns the version of the table.
    #[must_use]
    pub const fn version(&self) -> TocVersion {
        self.version
    }

    /// Returns the header in file form.
    #[must_use]
    pub const fn header(&self) -> &raw::Header {
        &self.header
    }

    /// Returns the length of the file in bytes.
    #[must_use]
    pub fn file_len(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Returns the oddities of the table that did not prevent reading it.
    #[must_use]
    pub fn notices(&self) -> &[Notice] {
        &self.notices
    }

    /// Returns the number of chunks.
    #[must_use]
    pub const fn chunk_count(&self) -> u32 {
        self.header.chunk_count.get()
    }

    /// Returns the number of compression blocks.
    #[must_use]
    pub const fn block_count(&self) -> u32 {
        self.header.block_count.get()
    }

    /// Returns the uncompressed length of every block except the last of a chunk, in bytes.
    #[must_use]
    pub const fn block_size(&self) -> u32 {
        self.header.block_size.get()
    }

    /// Returns the hash of the container's base name, if the version has it.
    #[must_use]
    pub fn container_id(&self) -> Option<ContainerId> {
        self.version.has_directory_index().then(|| ContainerId(self.header.container_id.get()))
    }

    /// Returns the container flags; empty in versions without them.
    #[must_use]
    pub const fn flags(&self) -> ContainerFlags {
        if self.version.has_directory_index() { ContainerFlags(self.header.flags) } else { ContainerFlags(0) }
    }

    /// Returns true if blocks and directory index are encrypted.
    #[must_use]
    pub const fn is_encrypted(&self) -> bool {
        self.flags().has(ContainerFlags::ENCRYPTED)
    }

    /// Returns the encryption method; `Err` holds an undocumented method byte.
    pub const fn encryption_method(&self) -> Result<Option<EncryptionMethod>, u8> {
        if !self.is_encrypted() {
            return Ok(None);
        }
        // Until version 9 the flag alone means ECB.
        if !self.version.has_encryption_method() {
            return Ok(Some(EncryptionMethod::Ecb));
        }
        match self.header.encryption_method {
            1 => Ok(Some(EncryptionMethod::Ecb)),
            2 => Ok(Some(EncryptionMethod::Ctr)),
            unknown => Err(unknown),
        }
    }

    /// Returns the id of the encryption key; zero is the main key.
    #[must_use]
    pub const fn encryption_key_guid(&self) -> Guid {
        self.header.encryption_key_guid
    }

    /// Returns the share of each partition in the address space, in bytes; unlimited for a container in one
    /// file.
    #[must_use]
    pub const fn partition_size(&self) -> u64 {
        // Zero is rejected if there are blocks; without blocks it must not become a divisor either.
        match self.header.partition_size.get() {
            size @ 1.. if self.version.has_partitions() => size,
            _ => u64::MAX,
        }
    }

    /// Returns the number of partitions that the blocks need, regardless of the header's count.
    #[must_use]
    pub fn partitions_needed(&self) -> u64 {
        // The engine's writer of 4.27 and 5.0 may count one partition too few.
        let size = self.partition_size();
        self.blocks().iter().map(|block| block.offset() / size + 1).max().unwrap_or(0)
    }

    /// Adds user-supplied codecs for the blocks.
    #[must_use]
    pub fn with_codecs(mut self, codecs: &Codecs) -> Self {
        self.methods = self.methods.with_codecs(codecs);
        self
    }

    /// Returns the compression methods, by index.
    #[must_use]
    pub const fn methods(&self) -> &MethodTable {
        &self.methods
    }

    /// Returns the chunk ids in table order.
    #[must_use]
    pub fn chunk_ids(&self) -> &[RawChunkId] {
        self.table(&self.sections.ids)
    }

    /// Iterates over all chunk indices, in table order.
    pub fn chunks(&self) -> impl ExactSizeIterator<Item = ChunkIndex> + use<> {
        (0..self.chunk_count()).map(ChunkIndex)
    }

    /// Returns the id of a chunk; `None` if the index is outside the table.
    #[must_use]
    pub fn chunk_id(&self, chunk: ChunkIndex) -> Option<RawChunkId> {
        self.chunk_ids().get(chunk.0 as usize).copied()
    }

    /// Returns the kind of content of a chunk.
    #[must_use]
    pub fn chunk_kind(&self, chunk: ChunkIndex) -> ChunkKind {
        self.chunk_id(chunk).map_or(ChunkKind::Invalid, |id| id.kind(self.version.chunk_kind_numbering()))
    }

    /// Returns the offset in the virtual address space and the uncompressed length of a chunk, in bytes.
    #[must_use]
    pub fn offset_length(&self, chunk: ChunkIndex) -> Option<raw::OffsetLength> {
        self.table::<raw::OffsetLength>(&self.sections.offset_lengths).get(chunk.0 as usize).copied()
    }

    /// Returns the uncompressed length of a chunk in bytes; 0 if the index is outside the table.
    #[must_use]
    pub fn chunk_len(&self, chunk: ChunkIndex) -> u64 {
        self.offset_length(chunk).map_or(0, raw::OffsetLength::length)
    }

    /// Returns the compression blocks in table order.
    #[must_use]
    pub fn blocks(&self) -> &[raw::Block] {
        self.table(&self.sections.blocks)
    }

    /// Returns a block entry; `None` if the index is outside the table.
    #[must_use]
    pub fn block(&self, block: BlockIndex) -> Option<raw::Block> {
        self.blocks().get(block.0 as usize).copied()
    }

    /// Returns the blocks of a chunk. An empty chunk has none.
    pub fn blocks_of(&self, chunk: ChunkIndex) -> Result<Range<u32>, BlockRangeError> {
        // Before any division: an empty chunk carries the offset of whatever comes next.
        let Some(place) = self.offset_length(chunk).filter(|place| place.length() > 0) else {
            return Ok(0..0);
        };
        let count = u64::from(self.block_count());
        // Without blocks the block size may be 0.
        let size = u64::from(self.block_size()).max(1);
        let first = place.offset() / size;
        // Two 40-bit numbers, so the sum cannot overflow.
        let end = (place.offset() + place.length()).div_ceil(size);
        // 40-bit offsets divided by tiny blocks exceed 32 bits, in hostile files only.
        match (u32::try_from(first), u32::try_from(end)) {
            (Ok(first), Ok(end)) if u64::from(end) <= count => Ok(first..end),
            _ => Err(BlockRangeError { first, end, count }),
        }
    }

    /// Returns content hash and flags of a chunk.
    #[must_use]
    pub fn meta(&self, chunk: ChunkIndex) -> Option<ChunkMeta> {
        let at = chunk.0 as usize;
        if self.version.has_short_metas() {
            let meta = self.table::<raw::ShortMeta>(&self.sections.metas).get(at)?;
            Some(ChunkMeta { hash: ChunkHash(meta.hash), flags: meta.flags })
        } else {
            let meta = self.table::<raw::LongMeta>(&self.sections.metas).get(at)?;
            Some(ChunkMeta { hash: ChunkHash(meta.hash), flags: meta.flags })
        }
    }

    /// Returns the initialisation vector of a block (AES-CTR).
    #[must_use]
    pub fn block_iv(&self, block: BlockIndex) -> Option<raw::Iv> {
        self.table::<raw::Iv>(&self.sections.ivs).get(block.0 as usize).copied()
    }

    /// Returns the initialisation vector of the directory index (AES-CTR), which follows those of the blocks.
    #[must_use]
    pub fn directory_index_iv(&self) -> Option<raw::Iv> {
        self.block_iv(BlockIndex(self.block_count()))
    }

    /// Returns the directory index as stored, possibly encrypted; empty if there is none.
    #[must_use]
    pub fn directory_index_bytes(&self) -> Bytes {
        self.bytes.slice(self.sections.directory_index.clone())
    }

    /// Returns a section as a slice of records; `parse` has checked its range.
    fn table<T>(&self, section: &Range<usize>) -> &[T]
    where
        T: FromBytes + Immutable + KnownLayout + Unaligned,
    {
        self.bytes
            .get(section.clone())
            .and_then(|bytes| <[T]>::ref_from_bytes(bytes).ok())
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;
