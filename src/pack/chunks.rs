//! Conversion of files to chunks: their blocks and their hash.

use super::blocks::{Block, BlockMaker, BlockScratch, Chunk};
use super::files::PackFile;
use super::options::PackOptions;
use super::parts::{FilePiece, Maker, make_again, read_whole};
use crate::codec::{self, Method};
use crate::crypto::Cipher;
use crate::error::Result;
use crate::id::tree_hash::{LEAF_LEN, PieceHash};
use crate::id::{ChunkHash, ChunkKind, RawChunkId};
use crate::job::Context;
use crate::source::Buffer;
use crate::version::ChunkHashKind;
use std::path::Path;
use std::sync::Arc;

/// Converts files to chunks.
pub(super) struct ChunkMaker {
    options: Arc<PackOptions>,
    maker: BlockMaker,
}

/// Chunks of consecutive small files, or a piece of a large one.
#[derive(Default)]
pub(super) struct MadeChunks {
    /// All blocks with their padding, unless the blocks are the content itself.
    bytes: Buffer,
    pub blocks: Vec<Block>,
    /// Complete chunks: the end of their blocks, their length in bytes, and their hash.
    wholes: Vec<(usize, u64, ChunkHash)>,
    /// Content of a piece, if it is stored unchanged or hashed in order.
    content: Buffer,
    is_stored: bool,
    /// Hash of a large chunk, or the piece's share of it.
    pub hash: Option<HashOfPiece>,
}

/// Hash of a large chunk, as far as a piece determines it.
pub(super) enum HashOfPiece {
    /// A subtree, to be joined with those of the other pieces.
    Tree(PieceHash),
    /// The hash of the only piece.
    Whole(ChunkHash),
}

/// Complete small chunk.
pub(super) struct WholeChunk<'a> {
    pub blocks: &'a [Block],
    pub bytes: &'a [u8],
    pub len: u64,
    pub hash: ChunkHash,
}

impl ChunkMaker {
    pub(super) fn new(options: Arc<PackOptions>, cipher: Option<Cipher>) -> Self {
        let maker = BlockMaker::new(Arc::clone(&options), cipher);
        Self { options, maker }
    }

    /// Returns the names of all methods that blocks may have.
    pub(super) fn methods(&self) -> &[String] {
        self.maker.methods()
    }

    /// Returns the range of sizes that the blocks of some content may take on disk, in bytes.
    pub(super) fn stored_lens(&self, len: u64) -> std::ops::Range<u64> {
        self.maker.stored_lens(len)
    }

    /// Returns the bytes that the blocks of a large file take on disk, which are only known after making
    /// them.
    pub(super) fn stored_len(&self, file: PackFile, context: &Context) -> Result<u64> {
        let mut len = 0;
        make_again(self, file, context, |made| {
            len += padded_len(&made.blocks);
            made.recycle(context);
            Ok(())
        })?;
        Ok(len)
    }

    /// Makes the chunk of a container header.
    pub(super) fn header(
        &self,
        id: RawChunkId,
        header: &[u8],
        path: &Path,
        context: &Context,
    ) -> Result<MadeChunks> {
        // Never compressed: the engine reads container headers before it can decompress anything.
        let before = self.options.original.as_deref().and_then(|original| original.chunk(id));
        let mut making = Making::new(header.len() as u64, self, context);
        let chunk = Chunk { method: Method::None, before, path };
        context.with_scratch(|codec| making.add(chunk, header, &mut BlockScratch::new(codec)))?;
        Ok(making.finish())
    }

    fn hash_kind(&self) -> ChunkHashKind {
        self.options.version().chunk_hash_kind()
    }

    fn chunk<'b>(&self, file: &'b PackFile) -> Chunk<'b> {
        let original = self.options.original.as_deref();
        let before = original.and_then(|original| original.chunk(file.id));
        // The engine maps memory-mapped data directly, and decompresses the content of shader chunks itself.
        let is_plain = matches!(
            file.kind,
            ChunkKind::MemoryMappedBulkData | ChunkKind::ShaderCodeLibrary | ChunkKind::ShaderCode
        );
        let is_stored =
            // Chunks that the original stores uncompressed may be needed before the engine can decompress.
            is_plain || original.zip(before).is_some_and(|(original, chunk)| original.is_stored(chunk));
        let method = if is_stored { Method::None } else { self.options.method };
        Chunk { method, before, path: &file.input.source }
    }
}

impl Maker for ChunkMaker {
    type File = PackFile;
    type Made = MadeChunks;

    fn block_len(&self) -> u64 {
        self.maker.block_size() as u64
    }

    fn scratch_len(&self) -> u64 {
        codec::encoder_len(self.options.method, self.options.level) as u64
    }

    fn hash_in_order(&self) -> Option<ChunkHashKind> {
        // Hashes of pieces can only be joined if each piece consists of whole leaves of the tree.
        let kind = self.hash_kind();
        let joins = kind == ChunkHashKind::Blake3 && self.block_len().is_multiple_of(LEAF_LEN);
        (!joins).then_some(kind)
    }

    fn make_files(&self, files: &[PackFile], context: &Context) -> Result<MadeChunks> {
        let raw_len = files.iter().map(|file| self.stored_lens(file.input.len).end).sum();
        let mut making = Making::new(raw_len, self, context);
        let longest = files.iter().map(|file| file.input.len).max().unwrap_or_default();
        // One byte more than expected, so that reading shows whether the file has grown.
        let mut raw = context.buffer(usize::try_from(longest).unwrap_or(usize::MAX).saturating_add(1));
        context.with_scratch(|codec| {
            let mut scratch = BlockScratch::new(codec);
            files.iter().try_for_each(|file| {
                read_whole(&file.input, &mut raw)?;
                making.add(self.chunk(file), &raw, &mut scratch)
            })
        })?;
        context.recycle(raw);
        Ok(making.finish())
    }

    fn make_piece(&self, piece: &FilePiece<PackFile>, raw: Buffer, context: &Context) -> Result<MadeChunks> {
        let Some(file) = piece.file() else { return Ok(MadeChunks::default()) };
        let chunk = self.chunk(file);
        let hashes_in_order = self.hash_in_order().is_some();
        let hash = match piece.offset {
            _ if hashes_in_order => None,
            0 if piece.is_last => Some(HashOfPiece::Whole(ChunkHash::of(self.hash_kind(), &raw))),
            offset => PieceHash::of(offset, &raw).map(HashOfPiece::Tree),
        };
        // Unchanged content is written from the buffer that it was read into.
        if let Some(blocks) = self.maker.stored(chunk, &raw) {
            return Ok(MadeChunks { blocks, content: raw, is_stored: true, hash, ..MadeChunks::default() });
        }
        let first = u32::try_from(piece.offset / self.block_len().max(1)).unwrap_or(u32::MAX);
        let mut making = Making::new(self.stored_lens(piece.len).end, self, context);
        context.with_scratch(|codec| making.add_blocks(chunk, first, &raw, &mut BlockScratch::new(codec)))?;
        let mut made = MadeChunks { hash, ..making.finish() };
        // The hash is computed later, by the thread that receives pieces in order.
        if hashes_in_order {
            made.content = raw;
        } else {
            context.recycle(raw);
        }
        Ok(made)
    }

    fn hashed<'m>(&self, made: &'m MadeChunks) -> &'m [u8] {
        &made.content
    }
}

/// Chunks in progress.
struct Making<'a> {
    maker: &'a ChunkMaker,
    bytes: Vec<u8>,
    blocks: Vec<Block>,
    wholes: Vec<(usize, u64, ChunkHash)>,
}

impl<'a> Making<'a> {
    /// Reserves room for blocks that take `stored_len` bytes on disk.
    fn new(stored_len: u64, maker: &'a ChunkMaker, context: &Context) -> Self {
        let bytes = context.buffer(usize::try_from(stored_len).unwrap_or(usize::MAX)).into_vec();
        Self { maker, bytes, blocks: Vec::new(), wholes: Vec::new() }
    }

    fn add(&mut self, chunk: Chunk<'_>, content: &[u8], scratch: &mut BlockScratch<'_>) -> Result<()> {
        let hash = ChunkHash::of(self.maker.hash_kind(), content);
        self.add_blocks(chunk, 0, content, scratch)?;
        self.wholes.push((self.blocks.len(), content.len() as u64, hash));
        Ok(())
    }

    fn add_blocks(
        &mut self,
        chunk: Chunk<'_>,
        first: u32,
        content: &[u8],
        scratch: &mut BlockScratch<'_>,
    ) -> Result<()> {
        let blocks = self.maker.maker.blocks(chunk, first, content, scratch, &mut self.bytes)?;
        self.blocks.extend(blocks);
        Ok(())
    }

    fn finish(self) -> MadeChunks {
        let Self { bytes, blocks, wholes, .. } = self;
        MadeChunks { bytes: Buffer::from_vec(bytes), blocks, wholes, ..MadeChunks::default() }
    }
}

impl MadeChunks {
    /// Returns all blocks, with their padding.
    pub(super) fn bytes(&self) -> &[u8] {
        if self.is_stored { &self.content } else { &self.bytes }
    }

    /// Returns the complete chunks.
    pub(super) fn wholes(&self) -> impl Iterator<Item = WholeChunk<'_>> {
        let (mut first, mut rest) = (0, self.bytes());
        // Blocks of consecutive chunks follow each other, so each chunk takes the next bytes.
        self.wholes.iter().map(move |(end, len, hash)| {
            let blocks = self.blocks.get(first..*end).unwrap_or_default();
            let stored = usize::try_from(padded_len(blocks)).unwrap_or(usize::MAX);
            let (bytes, left) = rest.split_at_checked(stored).unwrap_or_default();
            (first, rest) = (*end, left);
            WholeChunk { blocks, bytes, len: *len, hash: *hash }
        })
    }

    /// Returns its memory for reuse.
    pub(super) fn recycle(self, context: &Context) {
        context.recycle_all([self.bytes, self.content]);
    }
}

pub(super) fn padded_len(blocks: &[Block]) -> u64 {
    blocks.iter().map(|block| block.len as u64).sum()
}
