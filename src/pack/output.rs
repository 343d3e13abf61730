//! Chunks written to disk, and their entries for the table of contents.

use super::blocks::Block;
use super::chunks::{WholeChunk, padded_len};
use super::data::DataWriter;
use crate::container::toc::{ChunkMeta, NewChunk, Placement, raw};
use crate::error::Result;
use crate::id::RawChunkId;
use std::path::Path;

/// Data and table entries written so far.
pub(super) struct Output {
    pub data: DataWriter,
    pub chunks: Vec<NewChunk>,
    pub blocks: Vec<raw::Block>,
    pub ivs: Vec<raw::Iv>,
}

impl Output {
    pub(super) fn new(toc_path: &Path, placement: Placement) -> Result<Self> {
        let data = DataWriter::new(toc_path, placement)?;
        Ok(Self { data, chunks: Vec::new(), blocks: Vec::new(), ivs: Vec::new() })
    }

    /// Returns the position where a chunk of `len` bytes would start.
    pub(super) fn place(&self, len: u64) -> u64 {
        self.data.place(len)
    }

    /// Starts a chunk, and returns the index of its first block.
    pub(super) fn begin_chunk(&mut self, at: u64) -> Result<u32> {
        self.data.begin_chunk(at)?;
        Ok(u32::try_from(self.blocks.len()).unwrap_or(u32::MAX))
    }

    /// Writes blocks, whose bytes follow each other. Returns the flags that they imply for their chunk.
    pub(super) fn push(&mut self, blocks: &[Block], mut bytes: &[u8]) -> Result<u8> {
        for block in blocks {
            let (own, rest) = bytes.split_at_checked(block.len).unwrap_or_default();
            let offset = self.data.append(own)?;
            self.blocks.push(raw::Block::new(offset, block.stored_len, block.raw_len, block.method));
            self.ivs.extend(block.iv);
            bytes = rest;
        }
        let is_compressed = blocks.iter().any(|block| block.method != 0);
        Ok(if is_compressed { ChunkMeta::COMPRESSED } else { 0 })
    }

    /// Records a complete chunk.
    pub(super) fn push_chunk(&mut self, chunk: NewChunk) {
        self.chunks.push(chunk);
    }

    /// Writes a complete chunk.
    pub(super) fn push_whole(&mut self, id: RawChunkId, flags: u8, whole: &WholeChunk<'_>) -> Result<()> {
        let first_block = self.begin_chunk(self.place(padded_len(whole.blocks)))?;
        let flags = flags | self.push(whole.blocks, whole.bytes)?;
        let meta = ChunkMeta { hash: whole.hash, flags };
        self.push_chunk(NewChunk { id, first_block, len: whole.len, meta });
        Ok(())
    }
}
