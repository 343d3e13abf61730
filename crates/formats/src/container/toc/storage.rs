//! Storage of chunks in the data.

use super::block_sums::BlockSums;
use super::{BlockIndex, ChunkIndex, Toc};
use std::ops::Range;

/// Storage of one chunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Storage {
    /// Length of its blocks in the data, without padding.
    pub stored_len: u64,
    /// Method index of the first block; 0 is "None".
    pub method: u8,
    /// Method indices of other blocks, ascending. For a chunk whose blocks change their method thousands of
    /// times, only the first ones.
    pub other_methods: Vec<u8>,
    /// Partition of the first block.
    pub partition: u64,
    /// Offset of the first block in that partition.
    pub offset: u64,
    /// Number of blocks.
    pub blocks: u32,
}

impl Storage {
    /// Returns the indices of all methods in use, ascending.
    #[must_use]
    pub fn methods(&self) -> Vec<u8> {
        let mut methods = self.other_methods.clone();
        methods.insert(methods.partition_point(|other| *other < self.method), self.method);
        methods
    }
}

/// Number of blocks up to which they are added one by one.
const FEW: u32 = 64;
/// Limit on the method changes examined in one chunk.
const MAX_CHANGES: usize = 4096;

impl Toc {
    /// Returns the storage of a chunk; `None` if its blocks are outside the table, or it has none.
    #[must_use]
    pub fn storage(&self, chunk: ChunkIndex) -> Option<Storage> {
        let blocks = self.blocks_of(chunk).ok()?;
        let first = self.block(BlockIndex(blocks.start)).filter(|_| !blocks.is_empty())?;
        let mut other_methods = Vec::new();
        for method in self.later_methods(&blocks).filter(|method| *method != first.method()) {
            // Kept sorted and unique; there are at most 255 methods.
            if let Err(at) = other_methods.binary_search(&method) {
                other_methods.insert(at, method);
            }
        }
        Some(Storage {
            stored_len: self.stored_len(&blocks),
            method: first.method(),
            other_methods,
            partition: first.offset() / self.partition_size(),
            offset: first.offset() % self.partition_size(),
            blocks: blocks.end - blocks.start,
        })
    }

    /// Returns the stored length of blocks, without padding; blocks outside the table count as empty.
    #[must_use]
    pub fn stored_len(&self, blocks: &Range<u32>) -> u64 {
        if blocks.end.saturating_sub(blocks.start) <= FEW {
            let entries = self.blocks().get(blocks.start as usize..blocks.end as usize);
            return entries.unwrap_or_default().iter().map(|entry| u64::from(entry.stored_len())).sum();
        }
        self.block_sums().stored_len(blocks)
    }

    /// Returns the methods of the blocks after the first, with repetitions.
    fn later_methods(&self, blocks: &Range<u32>) -> impl Iterator<Item = u8> {
        // Sums over the whole table are built only for long chunks.
        let few = blocks.end - blocks.start <= FEW;
        let changes = if few { &[][..] } else { self.block_sums().changes_inside(blocks) };
        let next = if few { blocks.start + 1..blocks.end } else { 0..0 };
        next.chain(changes.iter().copied().take(MAX_CHANGES))
            .filter_map(|block| self.block(BlockIndex(block)))
            .map(super::raw::Block::method)
    }

    fn block_sums(&self) -> &BlockSums {
        self.block_sums.get_or_init(|| BlockSums::new(self.blocks()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::container::toc::{ChunkMeta, NewChunk, TocBuilder, raw};
    use crate::id::{ChunkHash, ContainerId, Guid, RawChunkId};
    use crate::version::TocVersion;

    const BLOCKS: u32 = 1000;

    fn toc() -> Toc {
        let block = |n: u32| {
            raw::Block::new(u64::from(n) * 100, n % 97, 100, u8::from(n >= 200 && n.is_multiple_of(3)))
        };
        let chunk = |n: u32, len: u64| NewChunk {
            id: RawChunkId::new(n.into(), 0, 1),
            first_block: n,
            len,
            meta: ChunkMeta { hash: ChunkHash([1; 20]), flags: 0 },
        };
        let builder = TocBuilder {
            version: TocVersion::PartitionSize,
            container_id: ContainerId(1),
            encryption_key_guid: Guid::ZERO,
            encryption: None,
            block_size: 100,
            partition_size: u64::MAX,
            partition_count: 1,
            methods: vec!["Zlib".to_owned()],
            chunks: (0..BLOCKS)
                .flat_map(|n| [chunk(n, 100), chunk(n, u64::from(BLOCKS - n) * 100)])
                .collect(),
            blocks: (0..BLOCKS).map(block).collect(),
            ivs: Vec::new(),
            compressed: true,
        };
        Toc::parse(builder.finish(&builder.order(), &[]).into()).unwrap()
    }

    #[test]
    fn sums_are_those_of_the_blocks_one_by_one() {
        let toc = toc();
        for chunk in toc.chunks() {
            let blocks = toc.blocks_of(chunk).unwrap();
            let entries = &toc.blocks()[blocks.start as usize..blocks.end as usize];
            let storage = toc.storage(chunk).unwrap();
            assert_eq!(
                storage.stored_len,
                entries.iter().map(|entry| u64::from(entry.stored_len())).sum::<u64>()
            );
            let mut methods: Vec<u8> = entries.iter().map(|entry| entry.method()).collect();
            methods.sort_unstable();
            methods.dedup();
            assert_eq!(storage.methods(), methods, "{blocks:?}");
        }
    }
}
