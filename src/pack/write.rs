//! Writes a container: the blocks of its chunks, then the table that finds them.

use super::blocks::{self, BlockMaker};
use super::data::DataWriter;
use super::files::PackFile;
use super::options::PackOptions;
use super::packed::Packed;
use super::target::{container_id_of, make_folder};
use crate::codec::Method;
use crate::container::DirectoryIndexBuilder;
use crate::container::toc::{ChunkMeta, NewChunk, TocBuilder};
use crate::crypto::{Cipher, EncryptionMethod};
use crate::error::Result;
use crate::id::{ChunkKind, ContainerId, Guid, RawChunkId};
use crate::pipeline::Cpu;
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

/// Writes `toc_path` and the `.ucas` files beside it. All appear together, at the end; missing folders above them are made.
pub(super) fn container(
    toc_path: &Path,
    options: &PackOptions,
    content: &Content,
    cpu: &Cpu,
    observer: &dyn Observer,
) -> Result<Packed> {
    let (files, container) = (&content.files, container_id_of(toc_path));
    make_folder(toc_path)?;
    let raw_bytes = files.iter().map(|file| file.len).sum();
    observer.on(&Event::Planned { chunks: files.len() as u64, raw_bytes });
    let cipher = options.key.as_ref().map(|(_, key)| Cipher::new(key, encryption(options.version)));
    let mut data = DataWriter::new(toc_path, options.partition_size.unwrap_or(u64::MAX))?;
    let mut maker = BlockMaker::new(options, cipher.clone(), cpu);
    let mut chunks = Vec::with_capacity(files.len() + 1);
    for file in files {
        chunks.push(maker.add_file(file, &mut data)?);
        observer.on(&Event::Advanced { chunks: 1, raw_bytes: file.len });
    }
    if let Some((id, header)) = header_id(container, options.version).zip(content.header.as_ref()) {
        chunks.push(maker.add_container_header(id, header, &mut data)?);
    }
    let count = chunks.len() as u64;
    let toc = make_toc(toc_path, options, files, chunks, maker, cipher.as_ref(), data.partition_count())?;
    let (stored_bytes, partitions) = data.commit(&toc, options.force)?;
    Ok(Packed { chunks: count, raw_bytes, stored_bytes, partitions, ..Packed::default() })
}

/// The id of a container's header; `None` where the version has no such chunks.
fn header_id(container: ContainerId, version: TocVersion) -> Option<RawChunkId> {
    let kind = ChunkKind::ContainerHeader.to_wire(version.chunk_kind_numbering())?;
    Some(RawChunkId::new(container.0, 0, kind))
}

/// How a version encrypts.
const fn encryption(version: TocVersion) -> EncryptionMethod {
    if version.has_encryption_method() { EncryptionMethod::Ctr } else { EncryptionMethod::Ecb }
}

fn make_toc(
    toc_path: &Path,
    options: &PackOptions,
    files: &[PackFile],
    chunks: Vec<NewChunk>,
    maker: BlockMaker<'_>,
    cipher: Option<&Cipher>,
    partition_count: u32,
) -> Result<Vec<u8>> {
    let compressed = chunks.iter().any(|chunk| chunk.meta.flags & ChunkMeta::COMPRESSED != 0);
    let mut builder = TocBuilder {
        version: options.version,
        container_id: container_id_of(toc_path),
        encryption_key_guid: options.key.as_ref().map_or(Guid::ZERO, |(guid, _)| *guid),
        encryption: cipher.map(Cipher::method),
        block_size: options.block_size,
        partition_size: options.partition_size.unwrap_or(u64::MAX),
        partition_count,
        methods: if options.method == Method::None {
            Vec::new()
        } else {
            vec![options.method.name().to_owned()]
        },
        chunks,
        blocks: maker.blocks,
        ivs: maker.ivs,
        compressed,
    };
    let order = builder.order();
    let mut index = Vec::new();
    if options.directory_index && options.version.has_directory_index() {
        let mut paths = DirectoryIndexBuilder::new(&options.mount_point);
        for (slot, position) in (0u32..).zip(&order.slots) {
            if let Some(path) = files.get(*position as usize).and_then(|file| file.path.as_deref()) {
                paths.add(path, slot);
            }
        }
        index = paths.finish();
    }
    if let Some(cipher) = cipher.filter(|_| !index.is_empty()) {
        let (iv, secret) = blocks::encrypt(cipher, &index, toc_path)?;
        builder.ivs.extend(iv);
        index = secret;
    }
    Ok(builder.finish(&order, &index))
}
