use super::{BlockIndex, ChunkIndex, Toc};

/// Where and how a chunk is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Storage {
    /// Bytes that its blocks take in the data, without padding.
    pub stored_len: u64,
    /// Indices of the methods in use, ascending; 0 is "None".
    pub methods: Vec<u8>,
    /// Partition of the first block.
    pub partition: u64,
    /// Position of the first block in that partition.
    pub offset: u64,
    /// Number of blocks.
    pub blocks: u32,
}

impl Toc {
    /// Where and how a chunk is stored; `None` if its blocks lie outside the table, or if it has none.
    #[must_use]
    pub fn storage(&self, chunk: ChunkIndex) -> Option<Storage> {
        let blocks = self.blocks_of(chunk).ok()?;
        let first = self.block(BlockIndex(blocks.start)).filter(|_| !blocks.is_empty())?;
        let entries = self.blocks().get(blocks.start as usize..blocks.end as usize)?;
        let mut methods: Vec<u8> = Vec::new();
        for entry in entries {
            if let Err(at) = methods.binary_search(&entry.method()) {
                methods.insert(at, entry.method());
            }
        }
        Some(Storage {
            stored_len: entries.iter().map(|entry| u64::from(entry.stored_len())).sum(),
            methods,
            partition: first.offset() / self.partition_size(),
            offset: first.offset() % self.partition_size(),
            blocks: blocks.end - blocks.start,
        })
    }
}
