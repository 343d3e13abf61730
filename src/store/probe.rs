//! Reads one chunk, here and now, to try a key or a hash function on.

use super::container::open_partitions;
use crate::codec;
use crate::container::{ChunkIndex, Toc};
use crate::crypto::Cipher;
use crate::pipeline::{Plan, Selection};
use crate::source::{Partitions, Source};
use std::path::Path;

/// Chunks above this size are not worth probing.
const MAX_PROBE: u64 = 16 << 20;

/// The smallest chunk with content, and how its blocks read with some cipher.
pub(super) struct Probe<'a> {
    toc: &'a Toc,
    source: Partitions,
    chunk: ChunkIndex,
}

impl<'a> Probe<'a> {
    /// Picks the smallest chunk whose blocks can be read.
    pub(super) fn new(path: &Path, toc: &'a Toc) -> Option<Self> {
        let mut chunks: Vec<ChunkIndex> =
            toc.chunks().filter(|chunk| (1..=MAX_PROBE).contains(&toc.chunk_len(*chunk))).collect();
        chunks.sort_by_key(|chunk| toc.chunk_len(*chunk));
        let source = open_partitions(path, toc);
        let readable = |chunk: &ChunkIndex| {
            Plan::new(toc, path, &source, [Selection::whole(*chunk)]).rejected.is_empty()
        };
        let chunk = chunks.into_iter().take(8).find(readable)?;
        Some(Self { toc, source, chunk })
    }

    /// Takes a given chunk, if it is small enough and its blocks can be read.
    pub(super) fn of(path: &Path, toc: &'a Toc, chunk: ChunkIndex) -> Option<Self> {
        let source = open_partitions(path, toc);
        let plan = Plan::new(toc, path, &source, [Selection::whole(chunk)]);
        let readable = plan.rejected.is_empty() && (1..=MAX_PROBE).contains(&plan.raw_len);
        readable.then_some(Self { toc, source, chunk })
    }

    /// Position of the chunk.
    pub(super) const fn chunk(&self) -> ChunkIndex {
        self.chunk
    }

    /// The content of the chunk, or `None` if it cannot be had with this cipher.
    pub(super) fn read(&self, cipher: Option<&Cipher>) -> Option<Vec<u8>> {
        let plan =
            Plan::new(self.toc, Path::new(""), &self.source as &dyn Source, [Selection::whole(self.chunk)]);
        let mut content = Vec::new();
        let mut scratch = codec::Scratch::default();
        for batch in plan.batches(self.toc, MAX_PROBE) {
            for block in &batch.blocks {
                let mut stored = vec![0; block.stored.len()];
                self.source.read_blocking(block.offset, &mut stored).ok()?;
                if let Some(cipher) = cipher {
                    let secret = stored.clone();
                    cipher.decrypt_block(self.toc.block_iv(block.index), &secret, &mut stored).ok()?;
                }
                let start = content.len();
                content.resize(start + block.raw_len, 0);
                let (_, to) = content.split_at_mut(start);
                codec::decode(block.method, stored.get(..block.stored_len)?, to, &mut scratch).ok()?;
            }
        }
        Some(content)
    }
}
