//! Lookup of chunks by id.

use super::{ChunkIndex, Toc};
use crate::container::perfect_hash;
use crate::id::RawChunkId;
use zerocopy::little_endian::I32;

impl Toc {
    /// Finds a chunk as the engine does: through the perfect hash, if the version has a working one.
    #[must_use]
    pub fn find(&self, id: RawChunkId) -> Option<ChunkIndex> {
        if self.perfect_hash_works { self.find_by_perfect_hash(id) } else { self.find_by_id_order(id) }
    }

    /// Finds a chunk through the perfect hash alone.
    #[must_use]
    pub fn find_by_perfect_hash(&self, id: RawChunkId) -> Option<ChunkIndex> {
        let (seeds, overflow) = self.perfect_hash();
        perfect_hash::lookup(self.chunk_ids(), seeds, overflow, id).map(ChunkIndex)
    }

    /// Returns true if a table has no perfect hash although its version supports one: no seeds, and no list
    /// of other chunks. This is not a fault: the engine then uses a map, and one widely used packer of mods
    /// writes such tables.
    #[must_use]
    pub fn lacks_perfect_hash(&self) -> bool {
        self.version.has_perfect_hash_overflow() && self.perfect_hash_counts() == (0, 0)
    }

    /// Returns the chunks that an existing perfect hash does not lead to: the engine would not find them.
    #[must_use]
    pub fn misplaced_chunks(&self) -> Vec<ChunkIndex> {
        if !self.version.has_perfect_hash() || self.lacks_perfect_hash() {
            return Vec::new();
        }
        let (seeds, overflow) = self.perfect_hash();
        perfect_hash::misplaced(self.chunk_ids(), seeds, overflow).into_iter().map(ChunkIndex).collect()
    }

    /// Returns the seeds, and the chunks without a perfect hash.
    pub(super) fn perfect_hash(&self) -> (&[I32], &[I32]) {
        (self.table(&self.sections.seeds), self.table(&self.sections.overflow))
    }

    /// Returns the numbers of seeds and of chunks without a perfect hash.
    #[must_use]
    pub fn perfect_hash_counts(&self) -> (usize, usize) {
        // Entries of both tables have four bytes.
        (self.sections.seeds.len() / 4, self.sections.overflow.len() / 4)
    }

    fn find_by_id_order(&self, id: RawChunkId) -> Option<ChunkIndex> {
        let ids = self.chunk_ids();
        let key = |index: &u32| ids.get(*index as usize).copied().unwrap_or_default();
        let order = self.by_id.get_or_init(|| {
            let mut order: Vec<u32> = (0..self.chunk_count()).collect();
            // Stable, so that equal ids keep the order of the table.
            order.sort_by_key(key);
            order
        });
        // The first of equal ids wins, like in a scan of the table.
        let at = order.partition_point(|index| key(index) < id);
        order.get(at).filter(|index| key(index) == id).map(|index| ChunkIndex(*index))
    }
}
