//! From files to chunks: their blocks and their hash.

use super::blocks::{Block, BlockMaker, Chunk};
use super::files::PackFile;
use super::options::PackOptions;
use super::parts::{self, Maker, Part, Piece, read_piece};
use super::scratches::{Clear, Lent, Spares, Work};
use crate::codec::Method;
use crate::crypto::Cipher;
use crate::error::Result;
use crate::id::tree_hash::{LEAF_LEN, PieceHash};
use crate::id::{ChunkHash, ChunkKind, RawChunkId};
use crate::job::Cpu;
use crate::source::Buffer;
use crate::version::ChunkHashKind;
use std::path::Path;

/// Makes chunks.
pub(super) struct ChunkMaker<'a> {
    options: &'a PackOptions,
    maker: BlockMaker<'a>,
    spares: Spares<Made>,
}

/// Chunks of small files, one after the other, or a piece of a large one.
#[derive(Default)]
pub(super) struct Made {
    /// All blocks, with their padding, unless they are the content itself.
    bytes: Vec<u8>,
    pub blocks: Vec<Block>,
    /// The chunks, if they are whole: where their blocks end, and what is known of each.
    wholes: Vec<(usize, u64, ChunkHash)>,
    /// The content of a piece that goes to disk as it is.
    content: Buffer,
    is_stored: bool,
    pub hash: Option<HashOfPiece>,
}

/// What the hash of a large chunk is made of.
pub(super) enum HashOfPiece {
    /// Joined with those of the other pieces.
    Tree(PieceHash),
    /// The hash of the chunk up to the end of this piece.
    UpToHere(ChunkHash),
}

/// All of a small chunk.
pub(super) struct Whole<'a> {
    pub blocks: &'a [Block],
    pub bytes: &'a [u8],
    pub len: u64,
    pub hash: ChunkHash,
}

impl<'a> ChunkMaker<'a> {
    pub(super) fn new(options: &'a PackOptions, cipher: Option<Cipher>) -> Self {
        let maker = BlockMaker::new(options, cipher);
        Self { options, maker, spares: Spares::default() }
    }

    /// Names of the methods that blocks may have.
    pub(super) fn methods(&self) -> &[String] {
        self.maker.methods()
    }

    /// Uncompressed size of a full block, in bytes.
    pub(super) const fn block_size(&self) -> usize {
        self.maker.block_size()
    }

    /// The most that the blocks of some content take on disk, and the least.
    pub(super) fn stored_lens(&self, len: u64) -> std::ops::Range<u64> {
        self.maker.stored_lens(len)
    }

    /// Cuts files into the work of one thread each.
    pub(super) fn cut<'f>(&self, files: &'f [PackFile]) -> Vec<Part<'f, PackFile>> {
        let piece_len = parts::piece_len(self.block_size() as u64);
        let kind = self.hash_kind();
        let joins = kind == ChunkHashKind::Blake3 && piece_len.is_multiple_of(LEAF_LEN);
        parts::cut(files, piece_len, (!joins).then_some(kind))
    }

    /// Makes the blocks of consecutive content of a file on all threads. `first` is the position of the first one in its chunk.
    pub(super) fn blocks(&self, file: &PackFile, first: u32, content: &[u8], cpu: &Cpu) -> Result<Vec<Made>> {
        let chunk = self.chunk(file);
        let one = |work: &mut Lent<'_, Work>, (at, content): (u32, &[u8])| {
            let mut made = self.spares.made();
            made.blocks.push(self.maker.block(chunk, at, content, work, &mut made.bytes)?);
            Ok(made)
        };
        let blocks = (first..).zip(content.chunks(self.block_size()));
        cpu.map_init(blocks, || self.spares.work(), one).into_iter().collect()
    }

    /// Makes the chunk of a container header.
    pub(super) fn header(&self, id: RawChunkId, header: &[u8], path: &Path) -> Result<Made> {
        let before = self.options.original.as_deref().and_then(|original| original.chunk(id));
        let mut made = Made::default();
        self.add(Chunk { method: Method::None, before, path }, header, &mut self.spares.work(), &mut made)?;
        Ok(made)
    }

    fn add(&self, chunk: Chunk<'_>, content: &[u8], work: &mut Work, made: &mut Made) -> Result<()> {
        let hash = ChunkHash::of(self.hash_kind(), content);
        made.blocks.extend(self.maker.blocks(chunk, 0, content, work, &mut made.bytes)?);
        made.wholes.push((made.blocks.len(), content.len() as u64, hash));
        Ok(())
    }

    /// How chunks are hashed.
    pub(super) fn hash_kind(&self) -> ChunkHashKind {
        self.options.version().chunk_hash_kind()
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
        Chunk { method, before, path: &file.input.source }
    }
}

impl Maker<PackFile> for ChunkMaker<'_> {
    type Made = Made;

    fn spares(&self) -> &Spares<Made> {
        &self.spares
    }

    fn add_file(&self, file: &PackFile, content: &[u8], work: &mut Work, made: &mut Made) -> Result<()> {
        self.add(self.chunk(file), content, work, made)
    }

    fn fill(&self, piece: &Piece<'_, PackFile>, work: &mut Work, made: &mut Made) -> Result<()> {
        let turn = piece.turn();
        let mut content = std::mem::take(&mut work.content);
        read_piece(piece, &mut content)?;
        let chunk = self.chunk(piece.file);
        let first = u32::try_from(piece.offset / self.block_size() as u64).unwrap_or(u32::MAX);
        let stored = self.maker.stored(chunk, &content);
        made.is_stored = stored.is_some();
        made.blocks = match stored {
            Some(blocks) => blocks,
            None => self.maker.blocks(chunk, first, &content, work, &mut made.bytes)?,
        };
        let is_whole = piece.offset == 0 && piece.is_last;
        made.hash = match turn {
            Some(turn) => {
                turn.update([&*content]);
                piece.is_last.then(|| HashOfPiece::UpToHere(turn.hash()))
            }
            None if is_whole => Some(HashOfPiece::UpToHere(ChunkHash::of(self.hash_kind(), &content))),
            None => PieceHash::of(piece.offset, &content).map(HashOfPiece::Tree),
        };
        work.content = if made.is_stored { std::mem::replace(&mut made.content, content) } else { content };
        Ok(())
    }
}

impl Clear for Made {
    fn clear(&mut self) {
        self.bytes.clear();
        self.blocks.clear();
        self.wholes.clear();
        (self.is_stored, self.hash) = (false, None);
    }
}

impl Made {
    /// All blocks, with their padding.
    pub(super) fn bytes(&self) -> &[u8] {
        if self.is_stored { &self.content } else { &self.bytes }
    }

    /// The chunks that are whole.
    pub(super) fn wholes(&self) -> impl Iterator<Item = Whole<'_>> {
        let (mut first, mut rest) = (0, self.bytes());
        self.wholes.iter().map(move |(end, len, hash)| {
            let blocks = self.blocks.get(first..*end).unwrap_or_default();
            let stored = usize::try_from(padded_len(blocks)).unwrap_or(usize::MAX);
            let (bytes, left) = rest.split_at_checked(stored).unwrap_or_default();
            (first, rest) = (*end, left);
            Whole { blocks, bytes, len: *len, hash: *hash }
        })
    }
}

pub(super) fn padded_len(blocks: &[Block]) -> u64 {
    blocks.iter().map(|block| block.len as u64).sum()
}
