//! Writer of containers: the blocks of their chunks, then the table of contents.

use super::chunks::{ChunkMaker, MadeChunks};
use super::files::PackFile;
use super::index;
use super::large::LargeChunk;
use super::options::PackOptions;
use super::original::Original;
use super::output::Output;
use super::packed::Packed;
use super::parts::{self, FilePart, FilePiece};
use super::staging::Staged;
use super::target::{container_id, make_folder};
use crate::container::toc::{ChunkMeta, Placement, TocBuilder};
use crate::crypto::{Cipher, EncryptionMethod};
use crate::error::Result;
use crate::id::{ChunkHash, ChunkKind, ContainerId, Guid, RawChunkId};
use crate::job::Context;
use crate::report::Event;
use crate::version::TocVersion;
use futures_util::StreamExt;
use std::path::Path;
use std::sync::Arc;

/// Content of a container.
pub(super) struct Content {
    /// Files that become chunks, in the order of their data.
    pub files: Vec<PackFile>,
    /// Container header, if wanted.
    pub header: Option<Vec<u8>>,
}

/// Container whose files have no final names yet.
pub(super) struct Written {
    /// Files, the `.utoc` first.
    pub files: Vec<Staged>,
    pub packed: Packed,
}

/// Writes the files of a container under temporary names; missing folders in the path are created.
pub(super) async fn container(
    toc_path: &Path,
    options: &PackOptions,
    what: Content,
    context: &Context,
) -> Result<Written> {
    let Content { mut files, header } = what;
    // A stable sort: chunks that the original lacks keep their own order, after all others.
    if let Some(original) = &options.original {
        files.sort_by_key(|file| original.rank(file.id));
    }
    make_folder(toc_path)?;
    let raw_bytes = files.iter().map(|file| file.input.len).sum();
    context.observer().on(&Event::Planned { chunks: files.len() as u64, raw_bytes });
    let mut writer = ContainerWriter::new(toc_path, options, context)?;
    let files: Arc<[PackFile]> = files.into();
    writer.add_all(&files).await?;
    let container = container_id(toc_path, options);
    // Last, with the highest address, as in the engine's containers.
    if let Some((id, header)) = header_id(container, options.version()).zip(header.as_deref()) {
        writer.add_container_header(id, header)?;
    }
    writer.finish(container, &files, raw_bytes)
}

/// Returns the id for a container's header; `None` for versions without such chunks.
fn header_id(container: ContainerId, version: TocVersion) -> Option<RawChunkId> {
    let kind = ChunkKind::ContainerHeader.to_wire(version.chunk_kind_numbering())?;
    Some(RawChunkId::new(container.0, 0, kind))
}

/// Returns the encryption method: the original's, or the usual one of the version.
fn encryption(options: &PackOptions) -> EncryptionMethod {
    let usual =
        if options.version().has_encryption_method() { EncryptionMethod::Ctr } else { EncryptionMethod::Ecb };
    options.original.as_deref().and_then(Original::encryption).unwrap_or(usual)
}

/// Container in progress.
struct ContainerWriter<'a> {
    toc_path: &'a Path,
    options: Arc<PackOptions>,
    context: &'a Context,
    cipher: Option<Cipher>,
    maker: Arc<ChunkMaker>,
    out: Output,
}

impl<'a> ContainerWriter<'a> {
    fn new(toc_path: &'a Path, options: &PackOptions, context: &'a Context) -> Result<Self> {
        let cipher = options.key.as_ref().map(|(_, key)| Cipher::new(key, encryption(options)));
        let placement = Placement {
            alignment: options.original.as_deref().map_or(Placement::ALIGNMENT, Original::alignment),
            partition_size: options.partition_size.unwrap_or(u64::MAX),
        };
        let options = Arc::new(options.clone());
        let maker = Arc::new(ChunkMaker::new(Arc::clone(&options), cipher.clone()));
        let out = Output::new(toc_path, placement)?;
        Ok(Self { toc_path, options, context, cipher, maker, out })
    }

    /// Adds files in their order, on all workers.
    async fn add_all(&mut self, files: &Arc<[PackFile]>) -> Result<()> {
        let (maker, context) = (Arc::clone(&self.maker), self.context);
        let mut parts = std::pin::pin!(parts::make(&maker, files, context));
        let mut large = None;
        while let Some(part) = parts.next().await {
            context.cancel_token().check()?;
            let done = part?;
            match &done.part {
                FilePart::Files(..) => self.add_small(done.part.files(), &done.made)?,
                FilePart::Piece(piece) => self.add_piece(piece, &done.made, done.hash, &mut large)?,
            }
            done.made.recycle(context);
        }
        // After a cancellation, no more parts arrive, and the loop ends with files missing.
        context.cancel_token().check()
    }

    fn add_small(&mut self, files: &[PackFile], made: &MadeChunks) -> Result<()> {
        for (file, whole) in files.iter().zip(made.wholes()) {
            self.out.push_whole(file.id, flags(file), &whole)?;
            self.context.observer().on(&Event::Advanced { chunks: 1, raw_bytes: file.input.len });
        }
        Ok(())
    }

    fn add_piece(
        &mut self,
        piece: &FilePiece<PackFile>,
        made: &MadeChunks,
        hash: Option<ChunkHash>,
        large: &mut Option<LargeChunk>,
    ) -> Result<()> {
        let Self { maker, out, context, .. } = self;
        let Some(file) = piece.file() else { return Ok(()) };
        let mut chunk = match large.take() {
            Some(chunk) => chunk,
            None => LargeChunk::begin(file, piece, made, maker, out, context)?,
        };
        chunk.add(made, hash, out)?;
        if piece.is_last {
            chunk.finish(file, flags(file), out)?;
        } else {
            *large = Some(chunk);
        }
        let chunks = u64::from(piece.is_last);
        self.context.observer().on(&Event::Advanced { chunks, raw_bytes: piece.len });
        Ok(())
    }

    /// Adds a container header, uncompressed: the engine reads it before it can decompress anything.
    fn add_container_header(&mut self, id: RawChunkId, header: &[u8]) -> Result<()> {
        let made = self.maker.header(id, header, self.toc_path, self.context)?;
        let out = &mut self.out;
        made.wholes().try_for_each(|whole| out.push_whole(id, 0, &whole))
    }

    /// Writes the table of contents.
    fn finish(self, container: ContainerId, files: &[PackFile], raw_bytes: u64) -> Result<Written> {
        let options = &*self.options;
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
        // The original's slots, if the chunks are the same: they determine the bytes of the table and the
        // index.
        let order = original.and_then(|toc| builder.order_of(toc)).unwrap_or_else(|| builder.order());
        // The index refers to chunks by slot, so it comes after the order.
        let mut index = index::make(files, &order.slots, options);
        if let Some(cipher) = self.cipher.filter(|_| !index.is_empty()) {
            let (iv, secret) = index::encrypt(&cipher, &index, options, self.toc_path)?;
            // The vector of the index is stored after those of the blocks.
            builder.ivs.extend(iv);
            index = secret;
        }
        let files = data.finish(&builder.finish(&order, &index))?;
        Ok(Written { files, packed })
    }
}

/// Returns the flags that follow from the kind of a chunk.
const fn flags(file: &PackFile) -> u8 {
    match file.kind {
        ChunkKind::MemoryMappedBulkData => ChunkMeta::MEMORY_MAPPED,
        _ => 0,
    }
}
