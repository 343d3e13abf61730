//! Writes a container: the blocks of its chunks, then the table that finds them.

use super::ahead::{self, Groups, ahead, stop_if_cancelled};
use super::blocks::Block;
use super::chunks::{ChunkMaker, Whole, check_len, padded_len};
use super::files::PackFile;
use super::index;
use super::options::PackOptions;
use super::original::Original;
use super::output::Output;
use super::packed::Packed;
use super::scratches::Lent;
use super::staging::Staged;
use super::target::{container_id, make_folder};
use crate::container::toc::{ChunkMeta, NewChunk, Placement, TocBuilder};
use crate::crypto::{Cipher, EncryptionMethod};
use crate::error::Result;
use crate::id::hash::ChunkHasher;
use crate::id::{ChunkKind, ContainerId, Guid, RawChunkId};
use crate::pipeline::Cpu;
use crate::report::{Event, Observer};
use crate::version::TocVersion;
use std::io::Read;
use std::path::Path;

/// Bytes of a large file that are worked on at a time, by all threads together.
const GROUP_LEN: usize = 4 << 20;

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
    maker: ChunkMaker<'a>,
    out: Output,
    groups: Groups,
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
        let maker = ChunkMaker::new(options, cipher.clone());
        Ok(Self {
            toc_path,
            options,
            cpu,
            observer,
            maker,
            cipher,
            out: Output::new(toc_path, placement)?,
            groups: Groups::default(),
        })
    }

    /// Adds files in their order: small ones many at a time, a thread for each, large ones by themselves, a block for each thread.
    fn add_all(&mut self, mut files: &[PackFile]) -> Result<()> {
        while let [first, rest @ ..] = files {
            let count = ahead::count_small(files, |file| file.len);
            if count > 0 {
                let (small, rest) = files.split_at(count);
                self.add_small(small)?;
                files = rest;
            } else {
                self.add_large(first)?;
                files = rest;
            }
        }
        Ok(())
    }

    fn add_small(&mut self, files: &[PackFile]) -> Result<()> {
        let Self { maker, out, observer, .. } = self;
        let push = |file: &PackFile, whole: Result<Whole>| {
            stop_if_cancelled(*observer)?;
            out.push_whole(file.id, flags(file), &whole?)?;
            observer.on(&Event::Advanced { chunks: 1, raw_bytes: file.len });
            Ok(())
        };
        let make = |scratch: &mut Lent<'_>, file| maker.whole(file, scratch);
        ahead(self.cpu, ahead::batches(files, |file| file.len), || maker.scratch(), make, push)
    }

    /// Adds a file piece by piece.
    fn add_large(&mut self, file: &PackFile) -> Result<()> {
        let stored_lens = self.maker.stored_lens(file.len);
        let mut at = self.out.place(stored_lens.end);
        if at != self.out.place(stored_lens.start) {
            // Where it starts depends on how well it compresses, which only doing it tells.
            let mut len = 0;
            self.pieces(file, None, |_, _, blocks| {
                len += padded_len(blocks);
                Ok(())
            })?;
            at = self.out.place(len);
        }
        let first_block = self.out.begin_chunk(at)?;
        let mut hasher = ChunkHasher::new(self.options.version.chunk_hash_kind());
        let (mut flags, observer) = (flags(file), self.observer);
        self.pieces(file, Some(&mut hasher), |out, content, blocks| {
            flags |= out.push(blocks)?;
            observer.on(&Event::Advanced { chunks: 0, raw_bytes: content.len() as u64 });
            Ok(())
        })?;
        self.observer.on(&Event::Advanced { chunks: 1, raw_bytes: 0 });
        let meta = ChunkMeta { hash: hasher.finish(), flags };
        self.out.push_chunk(NewChunk { id: file.id, first_block, len: file.len, meta });
        Ok(())
    }

    /// Gives the content of a file and its blocks to `take`, some at a time.
    fn pieces(
        &mut self,
        file: &PackFile,
        mut hasher: Option<&mut ChunkHasher>,
        mut take: impl FnMut(&mut Output, &[u8], &[Block]) -> Result<()>,
    ) -> Result<()> {
        let Self { maker, out, groups, cpu, observer, .. } = self;
        let mut input = file.open()?.take(file.len + 1);
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
        let take = |content: &[u8], blocks: Vec<Block>| {
            stop_if_cancelled(*observer)?;
            take(out, content, &blocks)
        };
        let group_len = (GROUP_LEN / maker.block_size()).max(1) * maker.block_size();
        let len = groups.read(cpu, group_len, (&mut input, &file.source), make, take)?;
        check_len(file, len)
    }

    /// Adds a container header. The engine reads it before it can decompress anything.
    fn add_container_header(&mut self, id: RawChunkId, header: &[u8]) -> Result<()> {
        let whole = self.maker.header(id, header, self.toc_path)?;
        self.out.push_whole(id, 0, &whole)
    }

    /// Writes the table of contents.
    fn finish(self, container: ContainerId, files: &[PackFile], raw_bytes: u64) -> Result<Written> {
        let options = self.options;
        let Output { data, chunks, blocks, ivs } = self.out;
        let (stored_bytes, partitions) = (data.len(), data.partition_count());
        let packed =
            Packed { chunks: chunks.len() as u64, raw_bytes, stored_bytes, partitions, ..Packed::default() };
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
            chunks,
            blocks,
            ivs,
        };
        let original = options.original.as_deref().and_then(Original::toc);
        let order = original.and_then(|toc| builder.order_of(toc)).unwrap_or_else(|| builder.order());
        let mut index = index::make(files, &order.slots, options);
        if let Some(cipher) = self.cipher.filter(|_| !index.is_empty()) {
            let (iv, secret) = index::encrypt(&cipher, &index, options, self.toc_path)?;
            builder.ivs.extend(iv);
            index = secret;
        }
        let files = data.finish(&builder.finish(&order, &index))?;
        Ok(Written { files, packed })
    }
}

/// What the flags of a chunk say about its content.
const fn flags(file: &PackFile) -> u8 {
    match file.kind {
        ChunkKind::MemoryMappedBulkData => ChunkMeta::MEMORY_MAPPED,
        _ => 0,
    }
}
