//! From files to chunks: their blocks and their hash.

use super::blocks::{Block, BlockMaker, Chunk};
use super::files::PackFile;
use super::options::PackOptions;
use super::scratches::Lent;
use crate::codec::{self, Method};
use crate::crypto::Cipher;
use crate::error::{Error, Result};
use crate::id::hash::ChunkHasher;
use crate::id::{ChunkHash, ChunkKind, RawChunkId};
use crate::pipeline::Cpu;
use std::io::Read;
use std::path::Path;

/// Makes chunks.
pub(super) struct ChunkMaker<'a> {
    options: &'a PackOptions,
    maker: BlockMaker<'a>,
}

/// All of a small chunk.
pub(super) struct Whole {
    pub blocks: Vec<Block>,
    pub len: u64,
    pub hash: ChunkHash,
}

impl<'a> ChunkMaker<'a> {
    pub(super) fn new(options: &'a PackOptions, cipher: Option<Cipher>) -> Self {
        Self { options, maker: BlockMaker::new(options, cipher) }
    }

    /// Names of the methods that blocks may have.
    pub(super) fn methods(&self) -> &[String] {
        self.maker.methods()
    }

    /// What codecs need, for a thread that is going to make chunks.
    pub(super) fn scratch(&self) -> Lent<'_> {
        self.maker.scratch()
    }

    /// Uncompressed size of a full block, in bytes.
    pub(super) const fn block_size(&self) -> usize {
        self.maker.block_size()
    }

    /// The most that the blocks of some content take on disk, and the least.
    pub(super) fn stored_lens(&self, len: u64) -> std::ops::Range<u64> {
        self.maker.stored_lens(len)
    }

    /// Reads a small file, and makes its chunk.
    pub(super) fn whole(&self, file: &PackFile, scratch: &mut codec::Scratch) -> Result<Whole> {
        let content = read_whole(&mut *file.open()?, file.len).map_err(Error::io("read", &file.source))?;
        check_len(file, content.len() as u64)?;
        self.whole_of(self.chunk(file), &content, scratch)
    }

    /// Makes the blocks of consecutive content of a file on all threads. `first` is the position of the first one in its chunk.
    pub(super) fn blocks(
        &self,
        file: &PackFile,
        first: u32,
        content: &[u8],
        cpu: &Cpu,
    ) -> Result<Vec<Block>> {
        self.maker.blocks(self.chunk(file), first, content, cpu)
    }

    /// Makes the chunk of a container header.
    pub(super) fn header(&self, id: RawChunkId, header: &[u8], path: &Path) -> Result<Whole> {
        let before = self.options.original.as_deref().and_then(|original| original.chunk(id));
        self.whole_of(Chunk { method: Method::None, before, path }, header, &mut self.scratch())
    }

    fn whole_of(&self, chunk: Chunk<'_>, content: &[u8], scratch: &mut codec::Scratch) -> Result<Whole> {
        let mut hasher = ChunkHasher::new(self.options.version.chunk_hash_kind());
        hasher.update(content);
        let pieces = (0..).zip(content.chunks(self.block_size()));
        let blocks = pieces.map(|(at, piece)| self.maker.block(chunk, at, piece, scratch));
        let blocks = blocks.collect::<Result<_>>()?;
        Ok(Whole { blocks, len: content.len() as u64, hash: hasher.finish() })
    }

    fn chunk<'b>(&self, file: &'b PackFile) -> Chunk<'b> {
        let original = self.options.original.as_deref();
        let before = original.and_then(|original| original.chunk(file.id));
        // The engine maps the one, and decompresses what the others hold by itself.
        let is_plain = matches!(
            file.kind,
            ChunkKind::MemoryMappedBulkData | ChunkKind::ShaderCodeLibrary | ChunkKind::ShaderCode
        );
        let is_stored =
            is_plain || original.zip(before).is_some_and(|(original, chunk)| original.is_stored(chunk));
        let method = if is_stored { Method::None } else { self.options.method };
        Chunk { method, before, path: &file.source }
    }
}

/// Reads content that should have `len` bytes, and one more if it has them.
pub(super) fn read_whole(input: &mut dyn Read, len: u64) -> std::io::Result<Vec<u8>> {
    let mut content = Vec::with_capacity(usize::try_from(len + 1).unwrap_or_default());
    input.take(len + 1).read_to_end(&mut content)?;
    Ok(content)
}

pub(super) fn padded_len(blocks: &[Block]) -> u64 {
    blocks.iter().map(|block| block.bytes.len() as u64).sum()
}

/// A file has to have the length that was planned with.
pub(super) fn check_len(file: &PackFile, found: u64) -> Result<()> {
    let changed = || std::io::Error::other("the file changed while it was read");
    if found == file.len { Ok(()) } else { Err(Error::io("read", &file.source)(changed())) }
}
