//! Sums over the blocks of a table: a table whose chunks all claim the same million blocks costs no more than another.

use super::raw;
use std::ops::Range;

/// What is asked about long ranges of blocks, worked out once.
#[derive(Debug)]
pub(super) struct BlockSums {
    /// Stored bytes of all blocks before this one; one more entry than there are blocks.
    stored: Vec<u64>,
    /// Blocks whose method is not that of the block before.
    changes: Vec<u32>,
}

impl BlockSums {
    pub(super) fn new(blocks: &[raw::Block]) -> Self {
        let (mut stored, mut changes) = (Vec::with_capacity(blocks.len() + 1), Vec::new());
        let (mut sum, mut method) = (0, None);
        stored.push(sum);
        for (at, block) in (0..).zip(blocks) {
            sum += u64::from(block.stored_len());
            stored.push(sum);
            if method.replace(block.method()) != Some(block.method()) {
                changes.push(at);
            }
        }
        Self { stored, changes }
    }

    /// Bytes that blocks take in the data, without padding; blocks outside the table take none.
    pub(super) fn stored_len(&self, blocks: &Range<u32>) -> u64 {
        let before = |block: u32| self.stored.get(block as usize).copied().unwrap_or_default();
        before(blocks.end).saturating_sub(before(blocks.start))
    }

    /// The blocks of a range, without its first, whose method is not that of the block before.
    pub(super) fn changes_inside(&self, blocks: &Range<u32>) -> &[u32] {
        let start = self.changes.partition_point(|block| *block <= blocks.start);
        let end = self.changes.partition_point(|block| *block < blocks.end);
        self.changes.get(start..end).unwrap_or_default()
    }
}
