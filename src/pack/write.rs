//! Writes a container: the blocks of its chunks, then the table that finds them.

use super::ahead::ahead;
use super::chunks::{ChunkMaker, Made};
use super::files::PackFile;
use super::groups::Groups;
use super::index;
use super::large::{InOrder, Large};
use super::options::PackOptions;
use super::original::Original;
use super::output::Output;
use super::packed::Packed;
use super::parts::{Maker, Part, has_parts};
use super::staging::Staged;
use super::target::{container_id, make_folder};
use crate::container::toc::{ChunkMeta, Placement, TocBuilder};
use crate::crypto::{Cipher, EncryptionMethod};
use crate::error::Result;
use crate::id::{ChunkKind, ContainerId, Guid, RawChunkId};
use crate::job::Context;
use crate::report::{Event, Observer};
use crate::version::TocVersion;
use std::path::Path;

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
    context: &Context,
    observer: &dyn Observer,
) -> Result<Written> {
    let Content { mut files, header } = content;
    if let Some(original) = &options.original {
        files.sort_by_key(|file| original.rank(file.id));
    }
    make_folder(toc_path)?;
    let raw_bytes = files.iter().map(|file| file.input.len).sum();
    observer.on(&Event::Planned { chunks: files.len() as u64, raw_bytes });
    let mut writer = ContainerWriter::new(toc_path, options, context, observer)?;
    writer.add_all(&files)?;
    let container = container_id(toc_path, options);
    if let Some((id, header)) = header_id(container, options.version()).zip(header.as_deref()) {
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
        if options.version().has_encryption_method() { EncryptionMethod::Ctr } else { EncryptionMethod::Ecb };
    options.original.as_deref().and_then(Original::encryption).unwrap_or(usual)
}

/// A container while it is written.
struct ContainerWriter<'a> {
    toc_path: &'a Path,
    options: &'a PackOptions,
    context: &'a Context,
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
        context: &'a Context,
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
            context,
            observer,
            maker,
            cipher,
            out: Output::new(toc_path, placement)?,
            groups: Groups::default(),
        })
    }

    /// Adds files in their order, on all threads.
    fn add_all(&mut self, mut files: &[PackFile]) -> Result<()> {
        while let [first, rest @ ..] = files {
            match files.iter().take_while(|file| has_parts(&file.input)).count() {
                0 => {
                    self.add_in_order(first)?;
                    files = rest;
                }
                count => {
                    let (parted, rest) = files.split_at(count);
                    self.add_parts(parted)?;
                    files = rest;
                }
            }
        }
        Ok(())
    }

    fn add_parts(&mut self, files: &[PackFile]) -> Result<()> {
        let Self { maker, out, groups, observer, context, .. } = self;
        let mut large: Option<Large> = None;
        let take = |part: &Part<'_, PackFile>, made: Result<Made>| {
            context.cancel_token().check()?;
            let made = made?;
            match part {
                Part::Files(files) => {
                    for (file, whole) in files.iter().zip(made.wholes()) {
                        out.push_whole(file.id, flags(file), &whole)?;
                        observer.on(&Event::Advanced { chunks: 1, raw_bytes: file.input.len });
                    }
                }
                Part::Piece(piece) => {
                    let chunk = match &mut large {
                        Some(large) => large,
                        // The other threads are at work on what comes after it.
                        None => large.insert(Large::begin(
                            piece,
                            &made,
                            maker,
                            out,
                            groups,
                            context.cancel_token(),
                        )?),
                    };
                    chunk.add(piece, &made, out)?;
                    if piece.is_last
                        && let Some(large) = large.take()
                    {
                        large.finish(piece.file, flags(piece.file), out)?;
                    }
                    let chunks = u64::from(piece.is_last);
                    observer.on(&Event::Advanced { chunks, raw_bytes: piece.len });
                }
            }
            maker.spares().reuse(made);
            Ok(())
        };
        let parts = maker.cut(files);
        ahead(
            context,
            &parts,
            Part::raw_len,
            || maker.spares().work(),
            |work, part| maker.make(part, work),
            take,
        )
    }

    /// Adds a large file that can only be read in order, a block for each thread.
    fn add_in_order(&mut self, file: &PackFile) -> Result<()> {
        let Self { maker, out, groups, observer, context, .. } = self;
        let (cpu, cancel) = (context.cpu(), context.cancel_token());
        InOrder { maker, cpu, cancel, groups, file, observer: *observer }.add(flags(file), out)
    }

    /// Adds a container header. The engine reads it before it can decompress anything.
    fn add_container_header(&mut self, id: RawChunkId, header: &[u8]) -> Result<()> {
        let made = self.maker.header(id, header, self.toc_path)?;
        let out = &mut self.out;
        made.wholes().try_for_each(|whole| out.push_whole(id, 0, &whole))
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
            version: options.version(),
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
