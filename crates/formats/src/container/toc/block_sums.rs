//! Sums over the blocks of a table, so that a table whose chunks all claim the same million blocks costs no
//! more than any other.

use super::raw;
use std::ops::Range;

/// Precomputed facts about long ranges of blocks.
#[derive(Debug)]
pub(super) struct BlockSums {
    /// Stored bytes of all blocks before each block; one more entry than blocks.
    stored: Vec<u64>,
    /// Blocks with another method than the block before.
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

    /// Returns the stored length of blocks, without padding; blocks outside the table count as empty.
    pub(super) fn stored_len(&self, blocks: &Range<u32>) -> u64 {
        let before = |block: u32| self.stored.get(block as usize).copied().unwrap_or_default();
        // The difference of two prefix sums.
        before(blocks.end).saturating_sub(before(blocks.start))
    }

    /// Returns the blocks of a range, except its first, with another method than the block before.
    pub(super) fn changes_inside(&self, blocks: &Range<u32>) -> &[u32] {
        // The first block changes nothing within the range.
        let start = self.changes.partition_point(|block| *block <= blocks.start);
        let end = self.changes.partition_point(|block| *block < blocks.end);
        self.changes.get(start..end).unwrap_or_default()
    }
}
