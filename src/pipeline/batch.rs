//! Cuts a plan into batches of similar size.

use super::coalesce::{Extent, MAX_GAP, coalesce};
use super::plan::{ChunkPlan, Plan};
use crate::codec::Method;
use crate::container::{BlockIndex, ChunkIndex};
use crate::source::Buffer;
use crate::table::{Block, Table};
use std::ops::Range;

/// Limit of pieces in one batch; more would only delay the first result.
const MAX_PIECES: usize = 256;

/// Overhead of a buffer, besides its bytes.
const BUFFER_LEN: usize = 64;

/// Consecutive blocks of one chunk, decoded together: all of a small chunk, or part of a large one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// Its chunk.
    pub chunk: ChunkIndex,
    /// Start of the piece in the chunk, in bytes.
    pub offset: u64,
    /// Length in bytes.
    pub len: usize,
    /// True if it is the first piece of the wanted part of the chunk.
    pub first: bool,
    /// True if it is the last piece of that part.
    pub last: bool,
    /// True if the pieces together are the whole chunk.
    pub entire: bool,
    /// Its blocks, in [`Batch::blocks`].
    pub blocks: Range<usize>,
    /// Location of its bytes once decoded.
    pub place: PiecePlace,
}

impl Piece {
    /// True if it is the whole chunk in one piece.
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        self.first && self.last && self.entire
    }
}

/// Location of the bytes of a piece once its batch is decoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PiecePlace {
    /// In the raw buffer of the batch.
    Raw(Range<usize>),
    /// In the stored bytes of an extent: neither compressed nor encrypted, in one run.
    Stored {
        /// Index of the extent.
        extent: usize,
        /// Range in the extent, in bytes.
        range: Range<usize>,
    },
}

/// Block with all facts that decoding needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockPlan {
    /// Its chunk.
    pub chunk: ChunkIndex,
    /// Index in the table of contents.
    pub index: BlockIndex,
    /// Offset in the container's address space.
    pub offset: u64,
    /// Index of its extent.
    pub extent: usize,
    /// Range in that extent, including the padding of encrypted blocks.
    pub stored: Range<usize>,
    /// Stored size without padding, in bytes.
    pub stored_len: usize,
    /// Decoded size, in bytes.
    pub raw_len: usize,
    /// Compression method.
    pub method: Method,
    /// True if it has to be decrypted.
    pub is_encrypted: bool,
}

/// Work for one worker: read the extents, decode the blocks, deliver the pieces.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Batch {
    /// Pieces to deliver, in the order of the data.
    pub pieces: Vec<Piece>,
    /// Blocks to decode.
    pub blocks: Vec<BlockPlan>,
    /// Ranges to read.
    pub extents: Vec<Extent>,
    /// Size of the raw buffer, in bytes.
    pub raw_len: usize,
    /// Memory that the codec of its blocks works with, in bytes; of several, the one that takes most.
    pub scratch_len: usize,
}

impl Batch {
    /// Returns the memory that the batch needs, in bytes: its buffers as allocated, and the working memory of
    /// codecs.
    #[must_use]
    pub fn price(&self) -> u64 {
        let buffers = self.extent_lens().chain([self.raw_len, self.plain_len()]);
        let buffers: u64 = buffers.map(|len| (Buffer::capacity_for(len) + BUFFER_LEN) as u64).sum();
        buffers.saturating_add(self.scratch_len as u64)
    }

    /// Iterates over the lengths of the buffers for stored bytes, one per extent.
    pub(super) fn extent_lens(&self) -> impl Iterator<Item = usize> {
        self.extents
            .iter()
            .map(|extent| usize::try_from(extent.range.end - extent.range.start).unwrap_or(usize::MAX))
    }

    /// Returns the length of the buffer for decrypted blocks: that of the longest one.
    pub(super) fn plain_len(&self) -> usize {
        let encrypted = self.blocks.iter().filter(|block| block.is_encrypted);
        encrypted.map(|block| block.stored.len()).max().unwrap_or(0)
    }
}

/// Iterator over the batches of a plan, which are made on demand.
#[derive(Debug, Clone)]
pub struct Batches<'a> {
    plan: &'a Plan,
    toc: &'a Table,
    batch_len: u64,
    cursor: Cursor,
}

impl Plan {
    /// Cuts the plan into batches of about `batch_len` raw bytes.
    #[must_use]
    pub const fn batches<'a>(&'a self, table: &'a Table, batch_len: u64) -> Batches<'a> {
        Batches::new(self, table, batch_len)
    }
}

impl<'a> Batches<'a> {
    pub(super) const fn new(plan: &'a Plan, toc: &'a Table, batch_len: u64) -> Self {
        Self { plan, toc, batch_len, cursor: Cursor { chunk: 0, blocks_done: 0 } }
    }
}

impl Iterator for Batches<'_> {
    type Item = Batch;

    fn next(&mut self) -> Option<Batch> {
        self.cursor.next(self.plan, self.toc, self.batch_len)
    }
}

/// Progress of cutting a plan.
#[derive(Debug, Clone, Default)]
pub(super) struct Cursor {
    /// Next chunk of the plan.
    chunk: usize,
    /// Number of its blocks that were handed out.
    blocks_done: u32,
}

impl Cursor {
    pub(super) fn next(&mut self, plan: &Plan, toc: &Table, batch_len: u64) -> Option<Batch> {
        let mut builder = Builder::new(toc, batch_len);
        while let Some(chunk) = plan.chunks.get(self.chunk) {
            // A chunk that does not fit starts a new batch, rather than being split: small chunks stay whole.
            // Only one larger than a batch is cut.
            if !builder.is_empty() && !builder.takes_all_of(chunk) {
                break;
            }
            self.blocks_done = builder.add(chunk, self.blocks_done);
            if self.blocks_done < chunk.blocks.end - chunk.blocks.start {
                break;
            }
            self.chunk += 1;
            self.blocks_done = 0;
        }
        (!builder.is_empty()).then(|| builder.finish())
    }
}

struct Builder<'a> {
    toc: &'a Table,
    batch_len: u64,
    pieces: Vec<Piece>,
    blocks: Vec<(ChunkIndex, BlockIndex, Block)>,
    raw_len: u64,
    /// Bytes to read, including gaps between blocks.
    read_len: u64,
    /// End of the last block in the data.
    read_end: Option<u64>,
}

impl<'a> Builder<'a> {
    const fn new(toc: &'a Table, batch_len: u64) -> Self {
        Self {
            toc,
            batch_len,
            pieces: Vec::new(),
            blocks: Vec::new(),
            raw_len: 0,
            read_len: 0,
            read_end: None,
        }
    }

    const fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    const fn takes_all_of(&self, chunk: &ChunkPlan) -> bool {
        self.pieces.len() < MAX_PIECES
            && self.raw_len + chunk.len <= self.batch_len
            && self.read_len <= self.batch_len
    }

    /// Returns the bytes that one more block adds to the reading: its own, and the gap before it if that is
    /// read as well.
    fn cost(&self, range: &Range<u64>) -> u64 {
        let gap = self.read_end.and_then(|end| range.start.checked_sub(end)).filter(|gap| *gap <= MAX_GAP);
        range.end - range.start + gap.unwrap_or(0)
    }

    /// Adds blocks of a chunk from `done` on, as many as fit but at least one; returns how many are done
    /// then.
    fn add(&mut self, chunk: &ChunkPlan, done: u32) -> u32 {
        let first_block = self.blocks.len();
        let (mut end, mut len) = (chunk.blocks.start + done, 0);
        while end < chunk.blocks.end {
            let index = BlockIndex(end);
            let Some(block) = self.toc.block(chunk.chunk, index) else { break };
            let stored = block.stored_range();
            let (raw, read) = (u64::from(block.raw_len), self.cost(&stored));
            // Stored blocks may be larger than raw ones, and gaps add to them: twice the batch length is the
            // limit for reading.
            let fits = self.raw_len + raw <= self.batch_len && self.read_len + read <= 2 * self.batch_len;
            // A single block larger than a batch still has to go somewhere, so the first one is always taken.
            if !fits && self.blocks.len() > first_block {
                break;
            }
            self.raw_len += raw;
            self.read_len += read;
            self.read_end = Some(stored.end);
            len += block.raw_len as usize;
            self.blocks.push((chunk.chunk, index, block));
            end += 1;
        }
        let (first, last) = (done == 0, end == chunk.blocks.end);
        self.pieces.push(Piece {
            chunk: chunk.chunk,
            // All blocks of a chunk but the last have the full block size.
            offset: chunk.offset + u64::from(done) * u64::from(self.toc.block_size(chunk.chunk)),
            len,
            first,
            last,
            entire: chunk.whole,
            blocks: first_block..self.blocks.len(),
            place: PiecePlace::Raw(0..0),
        });
        end - chunk.blocks.start
    }

    fn finish(self) -> Batch {
        let ranges: Vec<Range<u64>> = self.blocks.iter().map(|(_, _, block)| block.stored_range()).collect();
        let (extents, places) = coalesce(ranges.iter().cloned(), MAX_GAP, self.toc.partition_size());
        let within = |range: &Range<u64>, extent: &Extent| {
            // An extent has a few batch lengths at most, so both fit.
            let at = |offset: u64| usize::try_from(offset - extent.range.start).unwrap_or(usize::MAX);
            at(range.start)..at(range.end)
        };
        let blocks: Vec<BlockPlan> = (self.blocks.iter().zip(&ranges).zip(&places))
            .filter_map(|(((chunk, index, block), range), place)| {
                let extent = *place as usize;
                Some(BlockPlan {
                    chunk: *chunk,
                    index: *index,
                    offset: block.offset,
                    extent,
                    stored: within(range, extents.get(extent)?),
                    stored_len: block.stored_len as usize,
                    raw_len: block.raw_len as usize,
                    // The plan has already rejected chunks with unknown methods.
                    method: self.toc.methods().lookup(block.method).ok()?,
                    is_encrypted: block.is_encrypted,
                })
            })
            .collect();
        let scratch_of = |block: &BlockPlan| self.toc.methods().scratch_len(block.method, block.raw_len);
        let scratch_len = blocks.iter().map(scratch_of).max().unwrap_or(0);
        let mut batch = Batch { pieces: self.pieces, blocks, extents, raw_len: 0, scratch_len };
        batch.place_pieces();
        batch
    }
}

impl Batch {
    /// Assigns each piece a place in the raw buffer, unless its stored bytes are its raw bytes.
    fn place_pieces(&mut self) {
        for piece in &mut self.pieces {
            let blocks = self.blocks.get(piece.blocks.clone()).unwrap_or_default();
            let plain = |block: &BlockPlan| block.method == Method::None && !block.is_encrypted;
            // Data stored raw and in one run need no copy: they are delivered from the buffer they were read
            // into.
            piece.place = match stored_run(blocks).filter(|_| blocks.iter().all(plain)) {
                Some((extent, range)) => PiecePlace::Stored { extent, range },
                None => {
                    let start = self.raw_len;
                    self.raw_len += piece.len;
                    PiecePlace::Raw(start..self.raw_len)
                }
            };
        }
    }
}

/// Run of stored bytes: the extent of a batch, and the range in it.
pub(super) type StoredRun = (usize, Range<usize>);

/// Returns the stored bytes of blocks, if they follow each other without a gap.
pub(super) fn stored_run(blocks: &[BlockPlan]) -> Option<StoredRun> {
    let (first, rest) = blocks.split_first()?;
    let mut run = first.stored.clone();
    for block in rest {
        if block.extent != first.extent || block.stored.start != run.end {
            return None;
        }
        run.end = block.stored.end;
    }
    Some((first.extent, run))
}
