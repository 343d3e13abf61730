use super::{ChunkIndex, Toc};
use crate::crypto::BLOCK_LEN;

/// Placement of chunks in the data by the engine's packager.
///
/// ```text
///         2,048                  4,096                 6,144
/// ────────┼──────────────────────┼─────────────────────┼──────
///  chunk A│   chunk B     │ gap  │ chunk C: would cross│ …
/// ```
///
/// A chunk that would cross a multiple of the alignment starts at one, so that reading it touches as few disk
/// pages as possible; the gap is filled with zeros. A chunk that would cross the end of a partition starts at
/// the next one. True for all containers of the engine's packager, 5.0 to 6.0, without exception.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placement {
    /// Alignment of chunks in bytes.
    pub alignment: u64,
    /// Share of each partition in the address space, in bytes.
    pub partition_size: u64,
}

impl Placement {
    /// Alignment of the packager's default settings.
    pub const ALIGNMENT: u64 = 2048;
    /// Alignments that packagers may be configured for: none beyond that of blocks, or pages of a disk or
    /// console.
    const ALIGNMENTS: [u64; 7] =
        [Self::ALIGNMENT, BLOCK_LEN as u64, 4 << 10, 8 << 10, 16 << 10, 32 << 10, 64 << 10];

    /// Returns the offset of a chunk whose blocks take `len` bytes with padding, after chunks ending at
    /// `end`. A chunk longer than a partition may start anywhere.
    #[must_use]
    pub fn start(self, end: u64, len: u64) -> u64 {
        let crosses = |start: u64, size: u64| {
            let last = start.saturating_add(len.saturating_sub(1));
            // A size of 0 divides to `None` on both sides, which means no alignment.
            start.checked_div(size) != last.checked_div(size)
        };
        let next = |start: u64, size: u64| start.checked_next_multiple_of(size).unwrap_or(u64::MAX);
        let start = if crosses(end, self.alignment) { next(end, self.alignment) } else { end };
        // Checked second: the aligned start may already be in the next partition.
        let is_cut = len <= self.partition_size && crosses(start, self.partition_size);
        if is_cut { next(start, self.partition_size) } else { start }
    }
}

impl Toc {
    /// Returns the alignment that explains the offsets of all chunks; `None` if no known one does.
    #[must_use]
    pub fn alignment(&self) -> Option<u64> {
        let chunks = self.chunks_by_offset();
        let explains = |alignment: &u64| self.is_placed(&chunks, *alignment);
        Placement::ALIGNMENTS.into_iter().find(explains)
    }

    /// Returns all chunks in the order of their data. An empty chunk comes before the one at the same offset.
    #[must_use]
    pub fn chunks_by_offset(&self) -> Vec<ChunkIndex> {
        let mut chunks: Vec<ChunkIndex> = self.chunks().collect();
        chunks.sort_by_key(|chunk| {
            self.offset_length(*chunk).map(|place| (place.offset(), place.length() > 0))
        });
        chunks
    }

    /// Returns true if chunks, in the order of their data, have the offsets that an alignment gives them,
    /// block after block.
    fn is_placed(&self, chunks: &[ChunkIndex], alignment: u64) -> bool {
        let placement = Placement { alignment, partition_size: self.partition_size() };
        let (mut end, mut next_block) = (0, 0);
        for chunk in chunks {
            let Ok(blocks) = self.blocks_of(*chunk) else { return false };
            if blocks.is_empty() {
                continue;
            }
            let entries = self.blocks().get(blocks.start as usize..blocks.end as usize).unwrap_or_default();
            // Blocks are padded to the AES block length even if the container is not encrypted.
            let len = |stored_len: u32| u64::from(stored_len).next_multiple_of(BLOCK_LEN as u64);
            end = placement.start(end, entries.iter().map(|entry| len(entry.stored_len())).sum());
            for entry in entries {
                // A gap in the block table means that another packager wrote the container.
                if blocks.start != next_block || entry.offset() != end {
                    return false;
                }
                end += len(entry.stored_len());
            }
            // The block table has the order of the data, without gaps.
            next_block = blocks.end;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_start_where_they_cross_least() {
        let placement = Placement { alignment: 2048, partition_size: 1 << 18 };
        for (end, len, expected) in [
            (0, 0, 0),
            (0, 2048, 0),
            (16, 2032, 16),
            (16, 2048, 2048),
            (2047, 1, 2047),
            (2048, 1 << 17, 2048),
            // The end of a partition is a multiple of the alignment.
            ((1 << 18) - 4096, 4096, (1 << 18) - 4096),
            ((1 << 18) - 4096, 4112, 1 << 18),
            (4112, 1 << 18, 1 << 18),
            // A chunk longer than a partition.
            (16, (1 << 18) + 16, 2048),
            // No sum overflows.
            (u64::MAX - 1, 100, u64::MAX - 1),
        ] {
            assert_eq!(placement.start(end, len), expected, "{len} bytes after {end}");
        }
    }
}
