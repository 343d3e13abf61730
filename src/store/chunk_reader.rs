//! Reads single chunks of a container by blocking calls, for facts that a store needs before any job runs.

use crate::codec;
use crate::container::ChunkIndex;
use crate::crypto::Cipher;
use crate::error::{Bound, Error, Result};
use crate::job::CancelToken;
use crate::pipeline::{Batch, BlockDecoder, Plan, Selection};
use crate::source::{Buffer, Source, read_blocking};
use crate::table::Table;
use std::cell::Cell;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// The largest chunk that keys and hash functions are tried on, in bytes.
pub(super) const MAX_PROBE: u64 = 16 << 20;

/// Raw bytes decoded per batch.
const BATCH_LEN: u64 = 1 << 20;

thread_local! {
    /// Memory of codecs: to clear it takes longer than to decode a small chunk.
    static SCRATCH: Cell<codec::Scratch> = Cell::default();
}

/// Byte limit of a single read, and the token that cancels it.
#[derive(Debug, Clone, Copy)]
pub struct ReadLimit<'a> {
    /// The largest length to return, in bytes.
    pub bytes: u64,
    /// Token that ends the reading with [`Error::Cancelled`].
    pub cancel: Option<&'a CancelToken>,
}

impl From<u64> for ReadLimit<'_> {
    /// A byte limit without a cancel token.
    fn from(bytes: u64) -> Self {
        Self { bytes, cancel: None }
    }
}

/// A container whose chunks are read one at a time.
#[derive(Debug)]
pub(super) struct ChunkReader<'a> {
    path: &'a Path,
    toc: &'a Table,
    source: Arc<dyn Source>,
}

impl<'a> ChunkReader<'a> {
    /// A reader of a container, from its data.
    pub(super) const fn new(path: &'a Path, toc: &'a Table, source: Arc<dyn Source>) -> Self {
        Self { path, toc, source }
    }

    /// The smallest chunk with content whose blocks can be read: the cheapest one to try something on.
    pub(super) fn smallest(&self) -> Option<ChunkIndex> {
        self.smallest_of(|_| true)
    }

    /// Searches only some of the chunks.
    pub(super) fn smallest_of(&self, takes: impl Fn(ChunkIndex) -> bool) -> Option<ChunkIndex> {
        let len = |chunk: &ChunkIndex| self.toc.chunk_len(*chunk);
        // An empty chunk decrypts with any key, so it proves nothing.
        let fits = |chunk: &ChunkIndex| (1..=MAX_PROBE).contains(&len(chunk)) && takes(*chunk);
        let mut chunks: Vec<ChunkIndex> = self.toc.chunks().filter(fits).collect();
        chunks.sort_by_key(len);
        let readable = |chunk: &ChunkIndex| self.plan(Selection::whole(*chunk)).rejected.is_empty();
        // Eight tries bound the work on a table whose small chunks all have bad blocks.
        chunks.into_iter().take(8).find(readable)
    }

    /// Reads part of a chunk; the range is cut to the chunk's length. Fails if it is longer than the limit. Up to one
    /// batch more is held meanwhile, and the token is checked before each batch.
    pub(super) fn read(
        &self,
        chunk: ChunkIndex,
        range: Range<u64>,
        limit: ReadLimit<'_>,
        cipher: Option<&Cipher>,
    ) -> Result<Vec<u8>> {
        let ReadLimit { bytes: limit, cancel } = limit;
        // Callers pass `0..u64::MAX` for a whole chunk.
        let end = range.end.min(self.toc.chunk_len(chunk));
        let len = end.saturating_sub(range.start);
        if len > limit {
            let path = self.path.to_owned();
            let what = "size of a chunk that has to be read at once";
            return Err(Error::Limit { what, found: len, limit, bound: Bound::Memory, path });
        }
        let mut plan = self.plan(Selection { chunk, range: range.start..end });
        if let Some(rejected) = plan.rejected.pop() {
            return Err(rejected.error);
        }
        // Blocks decode as a whole, so the plan starts at the block boundary before the range.
        let start = plan.chunks.first().map_or(0, |planned| planned.offset);
        let mut content = Vec::new();
        let decoder = BlockDecoder { path: self.path, table: self.toc, cipher };
        // Taken, not lent: a codec of somebody else's may read another chunk.
        let (mut decrypted, mut scratch) = (Buffer::default(), SCRATCH.take());
        for batch in plan.batches(self.toc, BATCH_LEN) {
            cancel.map_or(Ok(()), CancelToken::check)?;
            let extents = self.read_extents(&batch)?;
            for block in &batch.blocks {
                let extent = extents.get(block.extent).map(|extent| &**extent).unwrap_or_default();
                let stored = extent.get(block.stored.clone()).unwrap_or_default();
                let start = content.len();
                content.resize(start + block.raw_len, 0);
                let to = content.get_mut(start..).unwrap_or_default();
                decoder.decode(block, stored, (to, &mut decrypted), &mut scratch)?;
            }
        }
        SCRATCH.set(scratch);
        // The plan was widened to whole blocks: cut off what the first and last block have too much.
        let skipped = usize::try_from(range.start.saturating_sub(start)).unwrap_or(usize::MAX);
        content.drain(..skipped.min(content.len()));
        content.truncate(usize::try_from(len).unwrap_or(usize::MAX));
        Ok(content)
    }

    fn plan(&self, selection: Selection) -> Plan {
        Plan::new(self.toc, self.path, &*self.source, [selection])
    }

    /// Reads the stored bytes of a batch. Neighbouring blocks are one request, which matters most on a server.
    fn read_extents(&self, batch: &Batch) -> Result<Vec<Buffer>> {
        let read = |range: &Range<u64>| {
            let len = usize::try_from(range.end - range.start).unwrap_or(usize::MAX);
            read_blocking(&*self.source, range.start, Buffer::new(len))
                .map_err(|error| Error::unreadable(self.source.describe(range.start), error))
        };
        batch.extents.iter().map(|extent| read(&extent.range)).collect()
    }
}
