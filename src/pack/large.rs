//! Chunks of large files, which are written before all of their content is known.

use super::chunks::{ChunkMaker, HashOfPiece, MadeChunks, padded_len};
use super::files::PackFile;
use super::output::Output;
use super::parts::FilePiece;
use crate::container::toc::{ChunkMeta, NewChunk};
use crate::error::{Error, PackProblem, Result};
use crate::id::ChunkHash;
use crate::id::tree_hash::TreeHasher;
use crate::job::Context;

/// Chunk that is written piece by piece.
pub(super) struct LargeChunk {
    first_block: u32,
    flags: u8,
    tree: TreeHasher,
    hash: Option<ChunkHash>,
}

impl LargeChunk {
    /// Starts the chunk of a file, after its first piece is made.
    pub(super) fn begin(
        file: &PackFile,
        piece: &FilePiece<PackFile>,
        made: &MadeChunks,
        maker: &ChunkMaker,
        out: &mut Output,
        context: &Context,
    ) -> Result<Self> {
        let (known, rest) = (padded_len(&made.blocks), maker.stored_lens(file.input.len - piece.len));
        // A start depends on whether the whole chunk crosses an alignment boundary or the end of a partition.
        let mut at = out.place(known + rest.end);
        if at != out.place(known + rest.start) {
            // The two bounds disagree, so the compressed length of the rest decides, and all of it is
            // compressed once in advance. This is rare, and all workers are busy, so this thread does it.
            at = out.place(maker.stored_len(file.clone(), context)?);
        }
        let first_block = out.begin_chunk(at)?;
        Ok(Self { first_block, flags: 0, tree: TreeHasher::default(), hash: None })
    }

    /// Writes a piece. `hash` is the hash of the whole file, with the last piece of one that is hashed in
    /// order.
    pub(super) fn add(&mut self, made: &MadeChunks, hash: Option<ChunkHash>, out: &mut Output) -> Result<()> {
        self.flags |= out.push(&made.blocks, made.bytes())?;
        self.hash = self.hash.or(hash);
        match &made.hash {
            Some(HashOfPiece::Tree(hash)) => self.tree.push(hash),
            Some(HashOfPiece::Whole(hash)) => self.hash = Some(*hash),
            None => {}
        }
        Ok(())
    }

    /// Completes the chunk.
    pub(super) fn finish(self, file: &PackFile, flags: u8, out: &mut Output) -> Result<()> {
        let unknown =
            || Error::CannotPack { problem: PackProblem::HashUnknown, path: file.input.source.clone() };
        // Pieces of whole leaves leave a tree of hashes; all others came with one hash at the end.
        let hash = self.hash.or_else(|| self.tree.finish()).ok_or_else(unknown)?;
        let meta = ChunkMeta { hash, flags: self.flags | flags };
        out.push_chunk(NewChunk { id: file.id, first_block: self.first_block, len: file.input.len, meta });
        Ok(())
    }
}
