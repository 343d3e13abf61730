//! Makes containers: the mirror of everything below.
//!
//! ```text
//! folder ──► files ──────────► blocks ───────────────────► .ucas, _s1.ucas, …
//!            id, kind, path    compress · encrypt · pad     └─► .utoc (blocks, hashes, index)
//! ```
//!
//! Packages and their bulk data get the ids that the engine would look them up by; other files become external
//! files; `chunks/<id>.<type>` keeps its id, so that what `unpack` writes packs again. Stored blocks follow the
//! engine's rules: aligned to 16 bytes, padded with the block's own bytes repeated, never across partitions, and a
//! block that does not get smaller is stored as it is. The container header stays uncompressed.

mod blocks;
mod data;
mod files;
mod pak;

use crate::codec::Method;
use crate::container::DirectoryIndexBuilder;
use crate::container::toc::{ChunkMeta, NewChunk, TocBuilder, raw};
use crate::crypto::{AesKey, BLOCK_LEN, Cipher, EncryptionMethod};
use crate::error::{Error, Result};
use crate::id::{ContainerId, Guid};
use crate::pipeline::Cpu;
use crate::report::{Event, Observer};
use crate::version::TocVersion;
use blocks::BlockMaker;
use data::DataWriter;
use files::{PackFile, find_files};
pub use pak::{pack_pak, write_companion};
use std::path::{Path, PathBuf};

/// How a container is made.
#[derive(Debug, Clone)]
pub struct PackOptions {
    /// Layout.
    pub version: TocVersion,
    /// Compression of the blocks.
    pub method: Method,
    /// Its level; `None` for the method's usual one.
    pub level: Option<i32>,
    /// Uncompressed size of a full block, in bytes: 1 to 0xFF_FFFF.
    pub block_size: u32,
    /// Largest size of a `.ucas`, in bytes; `None` for a single file.
    pub partition_size: Option<u64>,
    /// Key and its GUID.
    pub key: Option<(Guid, AesKey)>,
    /// What paths are relative to.
    pub mount_point: String,
    /// Whether chunks get paths.
    pub directory_index: bool,
}

impl Default for PackOptions {
    fn default() -> Self {
        Self {
            version: TocVersion::ReplaceIoChunkHashWithIoHash,
            method: Method::None,
            level: None,
            block_size: 64 << 10,
            partition_size: None,
            key: None,
            mount_point: "../../../".to_owned(),
            directory_index: true,
        }
    }
}

/// What was made.
#[derive(Debug, Default)]
pub struct Packed {
    /// Chunks in the container.
    pub chunks: u64,
    /// Their uncompressed bytes.
    pub raw_bytes: u64,
    /// Bytes of all `.ucas` files.
    pub stored_bytes: u64,
    /// Number of `.ucas` files.
    pub partitions: u32,
    /// Files that were left out, and why.
    pub skipped: Vec<(PathBuf, String)>,
}

/// Packs the files of a folder into `toc_path` and the `.ucas` files beside it. All appear together, at the end.
pub fn pack(
    folder: &Path,
    toc_path: &Path,
    options: &PackOptions,
    cpu: &Cpu,
    observer: &dyn Observer,
) -> Result<Packed> {
    check(toc_path, options)?;
    let (files, skipped) = find_files(folder, options)?;
    let raw_bytes = files.iter().map(|file| file.len).sum();
    observer.on(&Event::Planned { chunks: files.len() as u64, raw_bytes });
    let cipher = options.key.as_ref().map(|(_, key)| Cipher::new(key, encryption(options.version)));
    let mut data = DataWriter::new(toc_path, options.partition_size.unwrap_or(u64::MAX))?;
    let mut maker = BlockMaker::new(options, cipher.clone(), cpu);
    let mut chunks = Vec::with_capacity(files.len());
    for file in &files {
        chunks.push(maker.add_file(file, &mut data)?);
        observer.on(&Event::Advanced { chunks: 1, raw_bytes: file.len });
    }
    let toc = make_toc(toc_path, options, &files, chunks, maker, cipher.as_ref(), data.partition_count())?;
    let (stored_bytes, partitions) = data.commit(&toc)?;
    Ok(Packed { chunks: files.len() as u64, raw_bytes, stored_bytes, partitions, skipped })
}

/// How a version encrypts.
const fn encryption(version: TocVersion) -> EncryptionMethod {
    if version.has_encryption_method() { EncryptionMethod::Ctr } else { EncryptionMethod::Ecb }
}

fn check(toc_path: &Path, options: &PackOptions) -> Result<()> {
    let unsupported =
        |what: &str| Err(Error::Unsupported { what: what.to_owned(), path: toc_path.to_owned() });
    if options.version.has_perfect_hash() && !options.version.has_perfect_hash_overflow() {
        // Its table cannot hold chunks that the hash does not place, and no engine was released with it.
        return unsupported(&format!("writing toc version {}", options.version));
    }
    if !(1..=raw::Block::MAX_LEN).contains(&options.block_size) {
        return unsupported(&format!("block size {}, expected 1 to 16777215,", options.block_size));
    }
    let largest = u64::from(options.block_size).next_multiple_of(BLOCK_LEN as u64);
    if options.partition_size.is_some_and(|size| size < largest || !size.is_multiple_of(BLOCK_LEN as u64)) {
        return unsupported("a partition size that holds no block, or is no multiple of 16,");
    }
    if !options.version.has_partitions() && options.partition_size.is_some() {
        return unsupported(&format!("more than one partition in toc version {}", options.version));
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
    let name = toc_path.file_stem().unwrap_or_default().to_string_lossy();
    let compressed = chunks.iter().any(|chunk| chunk.meta.flags & ChunkMeta::COMPRESSED != 0);
    let mut builder = TocBuilder {
        version: options.version,
        container_id: if name.eq_ignore_ascii_case("global") {
            ContainerId::GLOBAL
        } else {
            ContainerId::from_name(&name)
        },
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
