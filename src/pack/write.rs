//! Writes a container: the blocks of its chunks, then the table that finds them.

use super::blocks::{self, Block, BlockMaker, Chunk};
use super::data::DataWriter;
use super::files::PackFile;
use super::index;
use super::options::PackOptions;
use super::original::Original;
use super::packed::Packed;
use super::scratches::Lent;
use super::staging::Staged;
use super::target::{container_id, make_folder};
use crate::codec::{self, Method};
use crate::container::toc::{ChunkMeta, NewChunk, Placement, TocBuilder, raw};
use crate::crypto::{Cipher, EncryptionMethod};
use crate::error::{Error, Result};
use crate::id::hash::ChunkHasher;
use crate::id::{ChunkKind, ContainerId, Guid, RawChunkId};
use crate::pipeline::Cpu;
use crate::report::{Event, Observer};
use crate::version::TocVersion;
use std::io::Read;
use std::path::Path;

/// Bytes of files that are in memory at a time, for all threads together.
const GROUP_LEN: u64 = 8 << 20;
/// Files above this size are shared by all threads; each of the others is the work of one.
const SMALL_LEN: u64 = 1 << 20;

/// What goes into a container.
pub(super) struct Content {
    /// Files that become chunks, in the order of their data.
    pub files: Vec<PackFile>,
    /// The container header, if there is one.
    pub header: Option<Vec<u8>>,
}

/// A container whose files have no names yet.
pub(super) struct Written {
    /// Its files, the `.utoc` first.
    pub files: Vec<Staged>,
    pub packed: Packed,
}

/// Writes the files of a container beside those that it is going to be; missing folders above them are made.
pub(super) fn container(
    toc_path: &Path,
    options: &PackOptions,
    content: Content,
    cpu: &Cpu,
    observer: &dyn Observer,
) -> Result<Written> {
    let Content { mut files, header } = content;
    if let Some(original) = &options.original {
        files.sort_by_key(|file| original.rank(file.id));
    }
    make_folder(toc_path)?;
    let raw_bytes = files.iter().map(|file| file.len).sum();
    observer.on(&Event::Planned { chunks: files.len() as u64, raw_bytes });
    let mut writer = ContainerWriter::new(toc_path, options, cpu, observer)?;
    writer.add_all(&files)?;
    let container = container_id(toc_path, options);
    if let Some((id, header)) = header_id(container, options.version).zip(header.as_deref()) {
        writer.add_container_header(id, header)?;
    }
    writer.finish(container, &files, raw_bytes)
}

/// The id of a container's header; `None` where the version has no such chunks.
fn header_id(container: ContainerId, version: TocVersion) -> Option<RawChunkId> {
    let kind = ChunkKind::ContainerHeader.to_wire(version.chunk_kind_numbering())?;
    Some(RawChunkId::new(container.0, 0, kind))
}

/// How a container is encrypted: as its original, or as its version has it.
fn encryption(options: &PackOptions) -> EncryptionMethod {
    let usual =
        if options.version.has_encryption_method() { EncryptionMethod::Ctr } else { EncryptionMethod::Ecb };
    options.original.as_deref().and_then(Original::encryption).unwrap_or(usual)
}

/// A container while it is written.
struct ContainerWriter<'a> {
    toc_path: &'a Path,
    options: &'a PackOptions,
    cpu: &'a Cpu,
    observer: &'a dyn Observer,
    cipher: Option<Cipher>,
    maker: BlockMaker<'a>,
    data: DataWriter,
    chunks: Vec<NewChunk>,
    blocks: Vec<raw::Block>,
    ivs: Vec<raw::Iv>,
}

/// All of a small chunk.
struct Whole {
    blocks: Vec<Block>,
    len: u64,
    hash: crate::id::ChunkHash,
}

impl<'a> ContainerWriter<'a> {
    fn new(
        toc_path: &'a Path,
        options: &'a PackOptions,
        cpu: &'a Cpu,
        observer: &'a dyn Observer,
    ) -> Result<Self> {
        let cipher = options.key.as_ref().map(|(_, key)| Cipher::new(key, encryption(options)));
        let placement = Placement {
            alignment: options.original.as_deref().map_or(Placement::ALIGNMENT, Original::alignment),
            partition_size: options.partition_size.unwrap_or(u64::MAX),
        };
        Ok(Self {
            toc_path,
            options,
            cpu,
            observer,
            maker: BlockMaker::new(options, cipher.clone()),
            cipher,
            data: DataWriter::new(toc_path, placement)?,
            chunks: Vec::new(),
            blocks: Vec::new(),
            ivs: Vec::new(),
        })
    }

    /// Adds files in their order: small ones many at a time, a thread for each, large ones by themselves, a block for each thread.
    fn add_all(&mut self, mut files: &[PackFile]) -> Result<()> {
        while let [first, ..] = files {
            if self.observer.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let (batch, rest) = files.split_at(batch_len(files));
            if first.len > SMALL_LEN {
                self.add_large(first)?;
            } else {
                let whole = |scratch: &mut Lent<'_>, file| self.whole(file, scratch);
                let made = self.cpu.map_init(batch, || self.maker.scratch(), whole);
                for (file, whole) in batch.iter().zip(made) {
                    self.push_whole(file.id, flags(file), &whole?)?;
                    self.observer.on(&Event::Advanced { chunks: 1, raw_bytes: file.len });
                }
            }
            files = rest;
        }
        Ok(())
    }

    /// Reads and compresses a small file.
    fn whole(&self, file: &PackFile, scratch: &mut codec::Scratch) -> Result<Whole> {
        let mut content = Vec::new();
        let input = file.open()?.take(file.len + 1).read_to_end(&mut content);
        input.map_err(Error::io("read", &file.source))?;
        check_len(file, content.len() as u64)?;
        self.whole_of(self.chunk(file), &content, scratch)
    }

    fn whole_of(&self, chunk: Chunk<'_>, content: &[u8], scratch: &mut codec::Scratch) -> Result<Whole> {
        let mut hasher = ChunkHasher::new(self.options.version.chunk_hash_kind());
        hasher.update(content);
        let pieces = (0..).zip(content.chunks(self.maker.block_size()));
        let blocks = pieces.map(|(at, piece)| self.maker.block(chunk, at, piece, scratch));
        let blocks = blocks.collect::<Result<_>>()?;
        Ok(Whole { blocks, len: content.len() as u64, hash: hasher.finish() })
    }

    fn push_whole(&mut self, id: RawChunkId, flags: u8, whole: &Whole) -> Result<()> {
        let at = self.data.place(padded_len(&whole.blocks));
        let first_block = self.begin_chunk(at)?;
        let flags = flags | self.push(&whole.blocks)?;
        let meta = ChunkMeta { hash: whole.hash, flags };
        self.chunks.push(NewChunk { id, first_block, len: whole.len, meta });
        Ok(())
    }

    /// Adds a file piece by piece.
    fn add_large(&mut self, file: &PackFile) -> Result<()> {
        let stored_lens = self.maker.stored_lens(file.len);
        let mut at = self.data.place(stored_lens.end);
        if at != self.data.place(stored_lens.start) {
            // Where it starts depends on how well it compresses, which only doing it tells.
            let mut len = 0;
            self.pieces(file, |_, _, blocks| {
                len += padded_len(&blocks);
                Ok(())
            })?;
            at = self.data.place(len);
        }
        let first_block = self.begin_chunk(at)?;
        let mut hasher = ChunkHasher::new(self.options.version.chunk_hash_kind());
        let mut flags = flags(file);
        self.pieces(file, |this, content, blocks| {
            hasher.update(content);
            flags |= this.push(&blocks)?;
            this.observer.on(&Event::Advanced { chunks: 0, raw_bytes: content.len() as u64 });
            Ok(())
        })?;
        self.observer.on(&Event::Advanced { chunks: 1, raw_bytes: 0 });
        let meta = ChunkMeta { hash: hasher.finish(), flags };
        self.chunks.push(NewChunk { id: file.id, first_block, len: file.len, meta });
        Ok(())
    }

    /// Gives the content of a file and its blocks to `take`, some at a time.
    fn pieces(
        &mut self,
        file: &PackFile,
        mut take: impl FnMut(&mut Self, &[u8], Vec<Block>) -> Result<()>,
    ) -> Result<()> {
        let block_size = self.maker.block_size();
        let group_len = usize::try_from(GROUP_LEN).unwrap_or(usize::MAX) / block_size;
        let mut group = vec![0; group_len.max(1) * block_size];
        let mut input = file.open()?.take(file.len + 1);
        let (mut first, mut len) = (0_u32, 0);
        loop {
            if self.observer.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let filled =
                blocks::read_full(&mut input, &mut group).map_err(Error::io("read", &file.source))?;
            len += filled as u64;
            let content = group.get(..filled).unwrap_or_default();
            let blocks = self.maker.blocks(self.chunk(file), first, content, self.cpu)?;
            first = first.saturating_add(u32::try_from(blocks.len()).unwrap_or(u32::MAX));
            take(self, content, blocks)?;
            if filled < group.len() {
                return check_len(file, len);
            }
        }
    }

    /// Adds a container header. The engine reads it before it can decompress anything.
    fn add_container_header(&mut self, id: RawChunkId, header: &[u8]) -> Result<()> {
        let before = self.options.original.as_deref().and_then(|original| original.chunk(id));
        let chunk = Chunk { method: Method::None, before, path: self.toc_path };
        let whole = self.whole_of(chunk, header, &mut self.maker.scratch())?;
        self.push_whole(id, 0, &whole)
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

    /// Starts a chunk, and says which its first block is.
    fn begin_chunk(&mut self, at: u64) -> Result<u32> {
        self.data.begin_chunk(at)?;
        Ok(u32::try_from(self.blocks.len()).unwrap_or(u32::MAX))
    }

    /// Writes blocks, and returns what they make of the flags of their chunk.
    fn push(&mut self, blocks: &[Block]) -> Result<u8> {
        for block in blocks {
            let offset = self.data.append(&block.bytes)?;
            self.blocks.push(raw::Block::new(offset, block.stored_len, block.raw_len, block.method));
            self.ivs.extend(block.iv);
        }
        let is_compressed = blocks.iter().any(|block| block.method != 0);
        Ok(if is_compressed { ChunkMeta::COMPRESSED } else { 0 })
    }

    /// Writes the table of contents.
    fn finish(self, container: ContainerId, files: &[PackFile], raw_bytes: u64) -> Result<Written> {
        let (options, chunks) = (self.options, self.chunks.len() as u64);
        let (stored_bytes, partitions) = (self.data.len(), self.data.partition_count());
        let methods = self.maker.methods().to_vec();
        let mut builder = TocBuilder {
            version: options.version,
            container_id: container,
            encryption_key_guid: options.key.as_ref().map_or(Guid::ZERO, |(guid, _)| *guid),
            encryption: self.cipher.as_ref().map(Cipher::method),
            block_size: options.block_size,
            partition_size: options.partition_size.unwrap_or(u64::MAX),
            partition_count: partitions,
            compressed: !methods.is_empty(),
            methods,
            chunks: self.chunks,
            blocks: self.blocks,
            ivs: self.ivs,
        };
        let original = options.original.as_deref().and_then(Original::toc);
        let order = original.and_then(|toc| builder.order_of(toc)).unwrap_or_else(|| builder.order());
        let mut index = index::make(files, &order.slots, options);
        if let Some(cipher) = self.cipher.filter(|_| !index.is_empty()) {
            let (iv, secret) = index::encrypt(&cipher, &index, options, self.toc_path)?;
            builder.ivs.extend(iv);
            index = secret;
        }
        let files = self.data.finish(&builder.finish(&order, &index))?;
        let packed = Packed { chunks, raw_bytes, stored_bytes, partitions, ..Packed::default() };
        Ok(Written { files, packed })
    }
}

/// How many files are worked on together: one large one, or small ones that fit into memory.
fn batch_len(files: &[PackFile]) -> usize {
    let mut left = GROUP_LEN;
    let fits = |file: &&PackFile| {
        left = left.saturating_sub(file.len);
        file.len <= SMALL_LEN && left > 0
    };
    files.iter().take_while(fits).count().max(1)
}

fn padded_len(blocks: &[Block]) -> u64 {
    blocks.iter().map(|block| block.bytes.len() as u64).sum()
}

/// A file has to have the length that was planned with.
fn check_len(file: &PackFile, found: u64) -> Result<()> {
    let changed = || std::io::Error::other("the file changed while it was read");
    if found == file.len { Ok(()) } else { Err(Error::io("read", &file.source)(changed())) }
}

/// What the flags of a chunk say about its content.
const fn flags(file: &PackFile) -> u8 {
    match file.kind {
        ChunkKind::MemoryMappedBulkData => ChunkMeta::MEMORY_MAPPED,
        _ => 0,
    }
}
