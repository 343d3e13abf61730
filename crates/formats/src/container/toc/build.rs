use super::{ChunkMeta, ContainerFlags, Toc, raw};
use crate::container::perfect_hash::PerfectHash;
use crate::crypto::EncryptionMethod;
use crate::id::{ContainerId, Guid, RawChunkId};
use crate::version::TocVersion;
use crate::wire::Writer;
use std::collections::HashMap;
use zerocopy::little_endian::{I32, U16, U32, U64};

/// A chunk of a table under construction.
#[derive(Debug, Clone)]
pub struct NewChunk {
    /// Chunk id; ids must differ.
    pub id: RawChunkId,
    /// Index of its first block; the others follow.
    pub first_block: u32,
    /// Uncompressed length in bytes.
    pub len: u64,
    /// Content hash and flags.
    pub meta: ChunkMeta,
}

/// Builds a table of contents: the inverse of [`Toc`](super::Toc).
///
/// In versions with a perfect hash, the hash decides the order of the chunks, not the order in which they
/// were added. [`TocBuilder::order`] returns the resulting order, for the directory index.
#[derive(Debug)]
pub struct TocBuilder {
    /// Version to write.
    pub version: TocVersion,
    /// Hash of the base name.
    pub container_id: ContainerId,
    /// Id of the encryption key.
    pub encryption_key_guid: Guid,
    /// Encryption method, if the container is encrypted.
    pub encryption: Option<EncryptionMethod>,
    /// Uncompressed length of a full block in bytes.
    pub block_size: u32,
    /// Share of each partition in the address space, in bytes.
    pub partition_size: u64,
    /// Number of `.ucas` files.
    pub partition_count: u32,
    /// Names of the methods, without "None".
    pub methods: Vec<String>,
    /// The chunks.
    pub chunks: Vec<NewChunk>,
    /// Their blocks.
    pub blocks: Vec<raw::Block>,
    /// Initialisation vectors of the blocks, then of the directory index; empty unless the method is AES-CTR.
    pub ivs: Vec<raw::Iv>,
    /// True if any block is compressed.
    pub compressed: bool,
}

/// Length of a method name field.
const METHOD_NAME_LEN: u32 = 32;

/// Order of the chunks, and the perfect hash for it.
#[derive(Debug)]
pub struct ChunkOrder {
    /// For each slot of the table, the index of its chunk in [`TocBuilder::chunks`].
    pub slots: Vec<u32>,
    seeds: Vec<i32>,
    overflow: Vec<i32>,
}

impl TocBuilder {
    /// Decides the order of the chunks. Version 4 has no list of chunks without a perfect hash; readers of
    /// such a table look them up in some other way.
    #[must_use]
    pub fn order(&self) -> ChunkOrder {
        if !self.version.has_perfect_hash() {
            let count = u32::try_from(self.chunks.len()).unwrap_or(u32::MAX);
            return ChunkOrder { slots: (0..count).collect(), seeds: Vec::new(), overflow: Vec::new() };
        }
        let ids: Vec<RawChunkId> = self.chunks.iter().map(|chunk| chunk.id).collect();
        let PerfectHash { slots, seeds, mut overflow } = PerfectHash::build(&ids);
        if !self.version.has_perfect_hash_overflow() {
            // Chunks in the list keep their slots, which a scan of the ids still finds.
            overflow.clear();
        }
        ChunkOrder { slots, seeds, overflow }
    }

    /// Takes over the order and seeds of another table; `None` if it has other chunks, or a version with
    /// another hash.
    #[must_use]
    pub fn order_of(&self, other: &Toc) -> Option<ChunkOrder> {
        let hash = |version: TocVersion| (version.has_perfect_hash(), version.has_perfect_hash_overflow());
        let mut places: HashMap<RawChunkId, u32> =
            self.chunks.iter().map(|chunk| chunk.id).zip(0..).collect();
        let is_alike = places.len() == self.chunks.len()
            && other.chunk_ids().len() == self.chunks.len()
            && hash(self.version) == hash(other.version());
        if !is_alike {
            return None;
        }
        // Each id is taken once, so that a repeated one in the other table is noticed.
        let slots = other.chunk_ids().iter().map(|id| places.remove(id)).collect::<Option<_>>()?;
        let (seeds, overflow) = other.perfect_hash();
        let values = |values: &[I32]| values.iter().map(|value| value.get()).collect();
        Some(ChunkOrder { slots, seeds: values(seeds), overflow: values(overflow) })
    }

    /// Writes the `.utoc`. `directory_index` has to be encrypted already if the container is.
    #[must_use]
    pub fn finish(&self, order: &ChunkOrder, directory_index: &[u8]) -> Vec<u8> {
        let mut w = Writer::new();
        w.record(&self.header(order, directory_index));
        let chunks = || order.slots.iter().filter_map(|slot| self.chunks.get(*slot as usize));
        for chunk in chunks() {
            w.record(&chunk.id);
        }
        for chunk in chunks() {
            // Chunks start on block boundaries of the virtual address space.
            let offset = u64::from(chunk.first_block) * u64::from(self.block_size);
            w.record(&raw::OffsetLength::new(offset, chunk.len));
        }
        // Seeds and overflow list are adjacent and of the same type.
        for value in order.seeds.iter().chain(&order.overflow) {
            w.i32(*value);
        }
        w.record(self.blocks.as_slice());
        for iv in &self.ivs {
            w.bytes(iv);
        }
        for name in &self.methods {
            // NUL-padded; longer names are cut.
            let mut field = [0; METHOD_NAME_LEN as usize];
            for (to, from) in field.iter_mut().zip(name.bytes()) {
                *to = from;
            }
            w.bytes(&field);
        }
        w.bytes(directory_index);
        for chunk in chunks() {
            self.write_meta(&mut w, chunk.meta);
        }
        w.into_bytes()
    }

    fn write_meta(&self, w: &mut Writer, ChunkMeta { hash, flags }: ChunkMeta) {
        if self.version.has_short_metas() {
            w.record(&raw::ShortMeta { hash: hash.0, flags, padding: [0; 3] });
        } else {
            w.record(&raw::LongMeta { hash: hash.0, padding: [0; 12], flags });
        }
    }

    fn header(&self, order: &ChunkOrder, directory_index: &[u8]) -> raw::Header {
        let count = |len: usize| U32::new(u32::try_from(len).unwrap_or(u32::MAX));
        let has = self.version;
        // Versions before 10 only have the flag, and always mean ECB.
        let method = match self.encryption {
            Some(method) if has.has_encryption_method() => match method {
                EncryptionMethod::Ecb => 1,
                EncryptionMethod::Ctr => 2,
            },
            _ => 0,
        };
        raw::Header {
            magic: raw::MAGIC,
            version: self.version.to_wire(),
            reserved0: 0,
            reserved1: U16::ZERO,
            header_size: U32::new(144),
            chunk_count: count(self.chunks.len()),
            block_count: count(self.blocks.len()),
            block_entry_size: U32::new(12),
            method_name_count: count(self.methods.len()),
            method_name_len: U32::new(METHOD_NAME_LEN),
            block_size: U32::new(self.block_size),
            directory_index_size: count(directory_index.len()),
            partition_count: U32::new(if has.has_partitions() { self.partition_count } else { 0 }),
            container_id: U64::new(self.container_id.0),
            encryption_key_guid: self.encryption_key_guid,
            flags: self.flags(directory_index),
            encryption_method: method,
            reserved2: U16::ZERO,
            seed_count: count(order.seeds.len()),
            partition_size: U64::new(if has.has_partitions() { self.partition_size } else { 0 }),
            overflow_count: count(order.overflow.len()),
            // The layout of source hashes is unknown, so none are written.
            source_hash_count: U32::ZERO,
            iv_count: count(self.ivs.len()),
            reserved3: U32::ZERO,
            reserved4: [U64::ZERO; 4],
        }
    }

    fn flags(&self, directory_index: &[u8]) -> u8 {
        [
            (self.compressed, ContainerFlags::COMPRESSED),
            (self.encryption.is_some(), ContainerFlags::ENCRYPTED),
            (!directory_index.is_empty(), ContainerFlags::INDEXED),
        ]
        .into_iter()
        .filter(|(set, _)| *set)
        .fold(0, |flags, (_, bit)| flags | bit)
    }
}
