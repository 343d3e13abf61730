//! Selection of chunks to read, with every number checked once. Later stages hold only proven facts.

use crate::codec::Method;
use crate::container::{BlockIndex, ChunkIndex, Toc, toc::raw};
use crate::error::{BlockProblem, Error, Result};
use crate::source::Source;
use crate::table::Table;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Chunk that is wanted, in whole or in part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection {
    /// The chunk.
    pub chunk: ChunkIndex,
    /// Wanted bytes; cut to its length, and widened to whole blocks.
    pub range: Range<u64>,
}

impl Selection {
    /// Selects all of a chunk.
    #[must_use]
    pub const fn whole(chunk: ChunkIndex) -> Self {
        Self { chunk, range: 0..u64::MAX }
    }
}

/// Chunk, or part of one, whose blocks were checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChunkPlan {
    /// The chunk.
    pub chunk: ChunkIndex,
    /// Its blocks, in the table of contents.
    pub blocks: Range<u32>,
    /// Start of the first of them in the chunk, in bytes.
    pub offset: u64,
    /// Number of bytes that they hold.
    pub len: u64,
    /// True if that is the whole chunk, so that its hash can be checked.
    pub whole: bool,
}

/// Chunk that cannot be read, with the reason.
#[derive(Debug)]
pub struct Rejected {
    /// The chunk.
    pub chunk: ChunkIndex,
    /// Reason.
    pub error: Error,
}

/// Chunks to read from one container, in the order of the data.
#[derive(Debug, Default)]
pub struct Plan {
    /// Readable chunks, by position of their first block.
    pub chunks: Vec<ChunkPlan>,
    /// Unreadable chunks.
    pub rejected: Vec<Rejected>,
    /// Number of bytes that the plan delivers.
    pub raw_len: u64,
    /// Number of bytes that the plan reads, without padding and gaps.
    pub stored_len: u64,
}

impl Plan {
    /// Checks a selection against the table of contents and the lengths of the data files.
    #[must_use]
    pub fn new(
        toc: &Table,
        path: &Path,
        source: &dyn Source,
        wanted: impl IntoIterator<Item = Selection>,
    ) -> Self {
        let mut plan = Self::default();
        let mut checker = Checker { toc, path, source, looked_at: 0, full_until: None };
        for selection in wanted {
            match checker.chunk(&selection) {
                Ok((chunk, stored_len)) => {
                    plan.raw_len = plan.raw_len.saturating_add(chunk.len);
                    plan.stored_len = plan.stored_len.saturating_add(stored_len);
                    plan.chunks.push(chunk);
                }
                Err(error) => plan.rejected.push(Rejected { chunk: selection.chunk, error }),
            }
        }
        // In the order of the data, so that neighbours are read together and the disk moves forward.
        let position = |chunk: &ChunkPlan| {
            toc.block(chunk.chunk, BlockIndex(chunk.blocks.start)).map(|block| block.offset)
        };
        plan.chunks.sort_by_cached_key(|chunk| (position(chunk), chunk.chunk));
        plan
    }

    /// True if some chunk is too large for one batch.
    #[must_use]
    pub(crate) fn has_chunk_over(&self, batch_len: u64) -> bool {
        self.chunks.iter().any(|chunk| chunk.len > batch_len)
    }
}

struct Checker<'a> {
    toc: &'a Table,
    path: &'a Path,
    source: &'a dyn Source,
    /// Number of blocks that were checked one by one.
    looked_at: u64,
    /// For every block, the next one that is not full or not readable; made if chunks share very many blocks.
    full_until: Option<Vec<u32>>,
}

impl Checker<'_> {
    fn path(&self) -> PathBuf {
        self.path.to_owned()
    }

    /// Checks a chunk and all its blocks. Also returns the stored size of the wanted part.
    fn chunk(&mut self, selection: &Selection) -> Result<(ChunkPlan, u64)> {
        let chunk = selection.chunk;
        if let Some(fault) = self.toc.fault(chunk) {
            return Err(Error::malformed("entry", self.path)(fault));
        }
        let blocks =
            self.toc.blocks_of(chunk).map_err(|source| Error::Blocks { source, path: self.path() })?;
        let chunk_len = self.toc.chunk_len(chunk);
        let block_size = u64::from(self.toc.block_size(chunk)).max(1);
        let place = self.toc.iostore().and_then(|toc| toc.offset_length(chunk));
        let start = place.filter(|_| !blocks.is_empty()).map_or(0, raw::OffsetLength::offset);
        // Chunks start at a block boundary; otherwise two chunks would share a block.
        if !start.is_multiple_of(block_size) {
            let problem = BlockProblem::Start(start % block_size);
            return Err(Error::BadBlock { block: blocks.start, problem, path: self.path() });
        }
        let wanted = wanted_blocks(&selection.range, chunk_len, block_size, &blocks);
        for index in self.skip_known(chunk, &wanted) {
            // Every block but the last of a chunk is full.
            let left = chunk_len - u64::from(index - blocks.start) * block_size;
            self.block(chunk, index, left.min(block_size))?;
        }
        let offset = u64::from(wanted.start - blocks.start) * block_size;
        let end = u64::from(wanted.end - blocks.start) * block_size;
        let (len, stored_len) = (end.min(chunk_len) - offset, self.toc.stored_len(chunk, &wanted));
        let whole = wanted == blocks;
        Ok((ChunkPlan { chunk, blocks: wanted, offset, len, whole }, stored_len))
    }

    /// Returns the blocks of a chunk that have to be checked: all of them, until the number of checks shows
    /// that chunks share blocks. From then on, each block is checked once, and remembered: a table of n
    /// chunks that all claim the same m blocks costs n + m, not n × m.
    fn skip_known(&mut self, chunk: ChunkIndex, wanted: &Range<u32>) -> Range<u32> {
        let last = wanted.end.saturating_sub(1).max(wanted.start);
        let Some(toc) = self.toc.iostore() else {
            // Files of a pak do not share blocks. If nothing is compressed, blocks are pieces of a range that
            // was checked as a whole, so checking the last one is enough.
            let as_it_is =
                self.toc.block(chunk, BlockIndex(wanted.start)).is_some_and(|block| block.method == 0);
            return if as_it_is { last..wanted.end } else { wanted.clone() };
        };
        self.looked_at += u64::from(wanted.end - wanted.start);
        // Honest tables never come near this: each block belongs to one chunk.
        if self.looked_at <= 4 * u64::from(toc.block_count()) {
            return wanted.clone();
        }
        if self.full_until.is_none() {
            self.full_until = Some(self.find_full(toc));
        }
        let known = self.full_until.as_ref().and_then(|until| until.get(wanted.start as usize)).copied();
        // The last block of a chunk may be shorter than a full one.
        known.map_or(wanted.start, |known| known.clamp(wanted.start, last))..wanted.end
    }

    /// Returns, for every block, the next one that is not full, or cannot be read.
    fn find_full(&self, toc: &Toc) -> Vec<u32> {
        let mut next = toc.block_count();
        let mut until: Vec<u32> = (0..next)
            .rev()
            .map(|index| {
                // In a container, blocks are numbered across all chunks.
                if self.block(ChunkIndex(0), index, toc.block_size().into()).is_err() {
                    next = index;
                }
                next
            })
            .collect();
        until.reverse();
        until
    }

    /// Checks a block that must hold exactly `raw_len` bytes.
    fn block(&self, chunk: ChunkIndex, index: u32, raw_len: u64) -> Result<()> {
        let bad = |problem| Err(Error::BadBlock { block: index, problem, path: self.path() });
        let Some(block) = self.toc.block(chunk, BlockIndex(index)) else {
            return bad(BlockProblem::Outside);
        };
        if u64::from(block.raw_len) != raw_len {
            return bad(BlockProblem::RawLen { found: block.raw_len, expected: raw_len });
        }
        let method = self.toc.methods().lookup(block.method).map_err(|unknown| Error::UnknownMethod {
            block: index,
            index: block.method,
            method: unknown.name.unwrap_or_default(),
            path: self.path(),
        })?;
        // An empty block, or a raw one of the wrong size, cannot fill its place.
        if block.stored_len == 0 || (method == Method::None && block.stored_len != block.raw_len) {
            return bad(BlockProblem::StoredLen { found: block.stored_len, expected: raw_len });
        }
        let range = block.stored_range();
        let partition = |offset: u64| offset / self.toc.partition_size();
        // A block lies in one file: partitions are never split inside one.
        if partition(range.start) != partition(range.end - 1) {
            return bad(BlockProblem::SpansPartitions(block.offset));
        }
        self.source.check(&range)
    }
}

/// Returns the blocks that hold the wanted bytes.
fn wanted_blocks(range: &Range<u64>, chunk_len: u64, block_size: u64, blocks: &Range<u32>) -> Range<u32> {
    let (start, end) = (range.start.min(chunk_len), range.end.min(chunk_len));
    if start >= end {
        return blocks.start..blocks.start;
    }
    if start == 0 && end == chunk_len {
        return blocks.clone();
    }
    // Both quotients are at most the number of blocks.
    let nth = |n: u64| blocks.start.saturating_add(u32::try_from(n).unwrap_or(u32::MAX)).min(blocks.end);
    nth(start / block_size)..nth(end.div_ceil(block_size))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_widened_to_blocks() {
        let blocks = 10..15;
        for (range, expected) in [
            (0..u64::MAX, 10..15),
            (0..1, 10..11),
            (0..100, 10..11),
            (0..101, 10..12),
            (450..460, 14..15),
            (100..300, 11..13),
            (460..470, 10..10),
            (5..5, 10..10),
        ] {
            assert_eq!(wanted_blocks(&range, 460, 100, &blocks), expected, "{range:?}");
        }
    }
}
