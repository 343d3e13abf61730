//! Makes containers: the mirror of everything below.
//!
//! ```text
//! folder ──► files ──────────► blocks ───────────────────► .ucas, _s1.ucas, …
//!            id, kind, path    compress · encrypt · pad     └─► .utoc (blocks, hashes, index)
//! ```
//!
//! Packages and their bulk data get the ids that the engine would look them up by; other files become external
//! files; `chunks/<id>.<type>` keeps its id, so that what `unpack` writes packs again. The last chunk is a container
//! header for the packages inside, without which a game finds none of them; it stays uncompressed. Stored blocks follow
//! the engine's rules: aligned to 16 bytes, padded with the block's own bytes repeated, never across partitions, and a
//! block that does not get smaller is stored as it is.
//!
//! What no game would take is refused by name, unless the options say otherwise. A container appears whole, or not at all.

mod blocks;
mod data;
mod engine;
mod files;
mod header;
mod load_order;
mod objections;
mod old_headers;
mod options;
mod packages;
mod pak;
mod staging;
mod walk;

use crate::codec::Method;
use crate::container::DirectoryIndexBuilder;
use crate::container::toc::{ChunkMeta, NewChunk, TocBuilder, raw};
use crate::crypto::{BLOCK_LEN, Cipher, EncryptionMethod};
use crate::error::{Error, Result};
use crate::id::{ChunkKind, ContainerId, Guid, RawChunkId};
use crate::pipeline::Cpu;
use crate::report::{Event, Observer};
use crate::version::{EngineRange, TocVersion};
use blocks::BlockMaker;
use data::DataWriter;
use files::{PackFile, find_files};
use objections::{Objection, Objections, object_to_existing};
use old_headers::OldHeaders;
pub use options::{PackOptions, Packed};
pub use pak::{pack_pak, write_companion};
use staging::make_folder;
use std::path::Path;

/// Packs the files of a folder into `toc_path` and the `.ucas` files beside it. All appear together, at the end; missing
/// folders above them are made.
pub fn pack(
    folder: &Path,
    toc_path: &Path,
    options: &PackOptions,
    cpu: &Cpu,
    observer: &dyn Observer,
) -> Result<Packed> {
    check(toc_path, options)?;
    let mut objections = Objections::default();
    object_to_target(toc_path, options, &mut objections)?;
    let found = find_files(folder, options)?;
    if found.files.is_empty() && found.headers.is_empty() {
        return Err(Error::NothingToPack { path: folder.to_owned() });
    }
    let container = container_id(toc_path);
    let mut warnings = Vec::new();
    let packages = packages::read(&found.files, cpu, &mut objections)?;
    let old = OldHeaders::read(&found.headers, container, &mut warnings);
    let mut header = None;
    if !packages.is_empty() || !found.headers.is_empty() {
        let layout = engine::layout(options, &packages, &old, &mut objections, &mut warnings);
        header = Some(header::make(container, layout, &packages, &old, &mut objections).write());
    }
    warnings.extend(objections.settle(options.force)?);

    make_folder(toc_path)?;
    let raw_bytes = found.files.iter().map(|file| file.len).sum();
    observer.on(&Event::Planned { chunks: found.files.len() as u64, raw_bytes });
    let cipher = options.key.as_ref().map(|(_, key)| Cipher::new(key, encryption(options.version)));
    let mut data = DataWriter::new(toc_path, options.partition_size.unwrap_or(u64::MAX))?;
    let mut maker = BlockMaker::new(options, cipher.clone(), cpu);
    let mut chunks = Vec::with_capacity(found.files.len() + 1);
    for file in &found.files {
        chunks.push(maker.add_file(file, &mut data)?);
        observer.on(&Event::Advanced { chunks: 1, raw_bytes: file.len });
    }
    if let Some((id, header)) = header_id(container, options.version).zip(header) {
        chunks.push(maker.add_container_header(id, &header, &mut data)?);
    }
    let count = chunks.len() as u64;
    let toc =
        make_toc(toc_path, options, &found.files, chunks, maker, cipher.as_ref(), data.partition_count())?;
    let (stored_bytes, partitions) = data.commit(&toc, options.force)?;
    Ok(Packed { chunks: count, raw_bytes, stored_bytes, partitions, skipped: found.left_out, warnings })
}

/// The id of a container, by its name.
fn container_id(toc_path: &Path) -> ContainerId {
    let name = toc_path.file_stem().unwrap_or_default().to_string_lossy();
    if name.eq_ignore_ascii_case("global") { ContainerId::GLOBAL } else { ContainerId::from_name(&name) }
}

/// The id of a container's header; `None` where the version has no such chunks.
fn header_id(container: ContainerId, version: TocVersion) -> Option<RawChunkId> {
    let kind = ChunkKind::ContainerHeader.to_wire(version.chunk_kind_numbering())?;
    Some(RawChunkId::new(container.0, 0, kind))
}

/// Objects to a container that is there, and to one that no game reads.
fn object_to_target(toc_path: &Path, options: &PackOptions, objections: &mut Objections) -> Result<()> {
    object_to_existing(&data::existing(toc_path), objections)?;
    if !options.version.is_released() {
        let name = |version: TocVersion| {
            EngineRange::detect(version, None).map(|range| format!("{} ({range})", version.to_wire()))
        };
        let released = TocVersion::ALL.into_iter().filter(|version| version.is_released());
        let released: Vec<String> = released.filter_map(name).collect();
        let (version, released) = (options.version.to_string(), released.join(", "));
        objections.add(Objection::Unreleased { version, released }, toc_path);
    }
    Ok(())
}

/// How a version encrypts.
const fn encryption(version: TocVersion) -> EncryptionMethod {
    if version.has_encryption_method() { EncryptionMethod::Ctr } else { EncryptionMethod::Ecb }
}

fn check(toc_path: &Path, options: &PackOptions) -> Result<()> {
    let unsupported =
        |reason: &str| Err(Error::CannotPack { reason: reason.to_owned(), path: toc_path.to_owned() });
    if options.version.has_perfect_hash() && !options.version.has_perfect_hash_overflow() {
        // Its table cannot hold chunks that the hash does not place, and no engine was released with it.
        return unsupported(&format!("toc version {} cannot be written", options.version));
    }
    let toc_of_engine = options.engine.map(|release| (release, TocVersion::of_release(release)));
    if let Some((release, toc)) = toc_of_engine.filter(|(_, toc)| *toc != Some(options.version)) {
        let right = toc.map_or("no containers".to_owned(), |toc| format!("toc version {toc}"));
        return unsupported(&format!("toc version is {}, but {release} reads {right}", options.version));
    }
    if !(1..=raw::Block::MAX_LEN).contains(&options.block_size) {
        return unsupported(&format!("block size is {}, expected 1 to 16777215", options.block_size));
    }
    let largest = u64::from(options.block_size).next_multiple_of(BLOCK_LEN as u64);
    if options.partition_size.is_some_and(|size| size < largest || !size.is_multiple_of(BLOCK_LEN as u64)) {
        return unsupported("the partition size must hold a block and be a multiple of 16");
    }
    if !options.version.has_partitions() && options.partition_size.is_some() {
        return unsupported(&format!(
            "toc version {} has no partitions, expected no partition size",
            options.version
        ));
    }
    Ok(())
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
        container_id: container_id(toc_path),
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
