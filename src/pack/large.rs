//! Chunks of large files, which are written before all of them is known.

use super::chunks::{ChunkMaker, HashOfPiece, Made, padded_len};
use super::files::PackFile;
use super::groups::Groups;
use super::output::Output;
use super::parts::{Maker, Piece};
use crate::container::toc::{ChunkMeta, NewChunk};
use crate::error::{Error, Result};
use crate::id::ChunkHash;
use crate::id::hash::ChunkHasher;
use crate::id::tree_hash::TreeHasher;
use crate::job::{CancelToken, Cpu};
use crate::report::{Event, Observer, Silent};
use std::io::Read;

/// Bytes of a file that are worked on at a time where it comes in order, by all threads together.
const GROUP_LEN: usize = 4 << 20;

/// A chunk that is written piece by piece.
pub(super) struct Large {
    first_block: u32,
    flags: u8,
    tree: TreeHasher,
    hash: Option<ChunkHash>,
}

impl Large {
    /// Begins the chunk of a file, whose first piece is made.
    pub(super) fn begin(
        piece: &Piece<'_, PackFile>,
        made: &Made,
        maker: &ChunkMaker<'_>,
        out: &mut Output,
        groups: &mut Groups,
        cancel: &CancelToken,
    ) -> Result<Self> {
        let (known, rest) = (padded_len(&made.blocks), maker.stored_lens(piece.file.input.len - piece.len));
        let mut at = out.place(known + rest.end);
        if at != out.place(known + rest.start) {
            // Where it starts depends on how well the rest compresses, which only doing it tells. This is rare, and all other
            // threads are taken.
            let cpu = Cpu::default();
            at = out.place(
                InOrder { maker, cpu: &cpu, cancel, groups, file: piece.file, observer: &Silent }
                    .stored_len()?,
            );
        }
        let first_block = out.begin_chunk(at)?;
        Ok(Self { first_block, flags: 0, tree: TreeHasher::default(), hash: None })
    }

    pub(super) fn add(&mut self, piece: &Piece<'_, PackFile>, made: &Made, out: &mut Output) -> Result<()> {
        self.flags |= out.push(&made.blocks, made.bytes())?;
        match &made.hash {
            Some(HashOfPiece::Tree(hash)) => self.tree.push(hash),
            Some(HashOfPiece::UpToHere(hash)) if piece.is_last => self.hash = Some(*hash),
            Some(HashOfPiece::UpToHere(_)) | None => {}
        }
        Ok(())
    }

    pub(super) fn finish(self, file: &PackFile, flags: u8, out: &mut Output) -> Result<()> {
        let unknown = || Error::CannotPack {
            reason: "the hash of its pieces is not known".to_owned(),
            path: file.input.source.clone(),
        };
        let hash = self.hash.or_else(|| self.tree.finish()).ok_or_else(unknown)?;
        let meta = ChunkMeta { hash, flags: self.flags | flags };
        out.push_chunk(NewChunk { id: file.id, first_block: self.first_block, len: file.input.len, meta });
        Ok(())
    }
}

/// A file that comes in order, and the blocks that are made of it on all threads.
pub(super) struct InOrder<'a> {
    pub maker: &'a ChunkMaker<'a>,
    pub cpu: &'a Cpu,
    pub cancel: &'a CancelToken,
    pub groups: &'a mut Groups,
    pub file: &'a PackFile,
    pub observer: &'a dyn Observer,
}

impl InOrder<'_> {
    /// Writes the chunk of the file.
    pub(super) fn add(mut self, flags: u8, out: &mut Output) -> Result<()> {
        let stored_lens = self.maker.stored_lens(self.file.input.len);
        let mut at = out.place(stored_lens.end);
        if at != out.place(stored_lens.start) {
            at = out.place(self.stored_len()?);
        }
        let first_block = out.begin_chunk(at)?;
        let mut hasher = ChunkHasher::new(self.maker.hash_kind());
        let (mut flags, observer, maker) = (flags, self.observer, self.maker);
        self.pieces(Some(&mut hasher), |content, blocks| {
            for made in blocks {
                flags |= out.push(&made.blocks, made.bytes())?;
                maker.spares().reuse(made);
            }
            observer.on(&Event::Advanced { chunks: 0, raw_bytes: content.len() as u64 });
            Ok(())
        })?;
        self.observer.on(&Event::Advanced { chunks: 1, raw_bytes: 0 });
        let meta = ChunkMeta { hash: hasher.finish(), flags };
        out.push_chunk(NewChunk { id: self.file.id, first_block, len: self.file.input.len, meta });
        Ok(())
    }

    /// What the blocks of the file take on disk.
    fn stored_len(&mut self) -> Result<u64> {
        let mut len = 0;
        let maker = self.maker;
        self.pieces(None, |_, blocks| {
            for made in blocks {
                len += padded_len(&made.blocks);
                maker.spares().reuse(made);
            }
            Ok(())
        })?;
        Ok(len)
    }

    /// Gives the content of the file and its blocks to `take`, some at a time.
    fn pieces(
        &mut self,
        mut hasher: Option<&mut ChunkHasher>,
        mut take: impl FnMut(&[u8], Vec<Made>) -> Result<()>,
    ) -> Result<()> {
        let Self { maker, cpu, cancel, groups, file, .. } = self;
        let mut input = file.input.open()?.take(file.input.len + 1);
        let mut first = 0_u32;
        let make = |content: &[u8]| {
            let blocks = || maker.blocks(file, first, content, cpu);
            let hash = || {
                if let Some(hasher) = &mut hasher {
                    hasher.update(content);
                }
            };
            let blocks = cpu.beside(blocks, hash).0?;
            first = first.saturating_add(u32::try_from(blocks.len()).unwrap_or(u32::MAX));
            Ok(blocks)
        };
        let take = |content: &[u8], blocks: Vec<Made>| {
            cancel.check()?;
            take(content, blocks)
        };
        let group_len = (GROUP_LEN / maker.block_size()).max(1) * maker.block_size();
        let len = groups.read(cpu, group_len, (&mut input, &file.input.source), make, take)?;
        file.input.check_len(len)
    }
}
