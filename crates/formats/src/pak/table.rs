//! The files of a pak as the pipeline reads them: cut into blocks.
//!
//! ```text
//! compressed    entry header │ block 0 │ pad │ block 1 │ pad │ …        as the entry lists them; pad only if encrypted
//! as it is      entry header │ 64 KiB  │ 64 KiB │ … │ rest │ pad        pieces of our own choice
//! ```
//!
//! A file is known by the id that the engine gives to external files of containers: a hash of its path. So one file in two
//! paks has one id, and the higher pak wins as it does among containers.

use super::{Entry, FileIndex, Footer, Index};
use crate::codec::{Codecs, MethodTable};
use crate::crypto::{BLOCK_LEN, IV_LEN};
use crate::id::{ChunkKind, RawChunkId, hash};
use crate::version::ChunkKindNumbering;
use crate::wire::{Fault, FaultKind};
use std::ops::Range;
use std::sync::OnceLock;

/// Bytes of a block where nothing is compressed.
const PIECE_LEN: u32 = 64 << 10;
/// Uncompressed bytes that a block may have: the limit that containers have by their layout.
const MAX_BLOCK_LEN: u32 = (1 << 24) - 1;
/// Granule of AES-ECB, in bytes.
const AES_BLOCK: u64 = BLOCK_LEN as u64;
/// Where the SHA-1 lies in an entry header: after offset, two sizes, and the method.
const HASH_AT: u64 = 8 * 3 + 4;

/// A block of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableBlock {
    /// Position in the pak.
    pub offset: u64,
    /// Stored bytes, without the padding that encryption adds.
    pub stored_len: u32,
    /// Uncompressed bytes.
    pub raw_len: u32,
    /// Method index, for [`Table::methods`]; 0 is none.
    pub method: u8,
    /// Whether it is encrypted.
    pub is_encrypted: bool,
}

impl TableBlock {
    /// Bytes that it takes in the data, as far as they must be read: those of encrypted ones with their padding.
    #[must_use]
    pub fn stored_range(&self) -> Range<u64> {
        let len = u64::from(self.stored_len);
        let len = if self.is_encrypted { len.next_multiple_of(AES_BLOCK) } else { len };
        self.offset..self.offset.saturating_add(len)
    }
}

/// What a pak records about the stored bytes of a file: SHA-1, over what lies in the file, encrypted or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordedHash {
    /// In the index.
    Known([u8; 20]),
    /// In front of the data only, at this position in the pak.
    InFile(u64),
}

/// A file whose entry makes sense.
#[derive(Debug, Clone)]
struct Record {
    /// Position of the first stored byte.
    data: u64,
    stored_len: u64,
    raw_len: u64,
    /// First of its blocks in [`Table::blocks`], if it is compressed.
    first_block: usize,
    block_count: u32,
    block_size: u32,
    method: u8,
    is_encrypted: bool,
    is_deleted: bool,
    iv: Option<[u8; IV_LEN]>,
    hash: RecordedHash,
}

/// Place of a compressed block.
#[derive(Debug, Clone, Copy)]
struct Stored {
    offset: u64,
    len: u32,
}

/// All files of a pak, checked against the length of the pak.
#[derive(Debug)]
pub struct Table {
    index: Index,
    methods: MethodTable,
    files: Vec<Result<Record, Fault>>,
    blocks: Vec<Stored>,
    /// Ids of all files, and files in the order of their ids; made on first use.
    ids: OnceLock<(Vec<RawChunkId>, Vec<u32>)>,
}

impl Table {
    /// Checks the entries of an index; `file_len` is the length of the pak in bytes. Files whose entries make no sense stay
    /// in the table, and fail when they are asked for.
    #[must_use]
    pub fn new(index: Index, file_len: u64) -> Self {
        let footer = index.footer();
        let methods = if footer.methods.is_empty() {
            // The numbers that versions before 8 have in place of names.
            MethodTable::new(["Zlib", "Gzip", "", "Oodle"])
        } else {
            MethodTable::new(footer.methods.iter().cloned())
        };
        let mut blocks = Vec::new();
        let files =
            index.files().map(|file| record(&index.entry(file)?, footer, file_len, &mut blocks)).collect();
        Self { index, methods, files, blocks, ids: OnceLock::new() }
    }

    /// Adds user-supplied codecs for the blocks.
    #[must_use]
    pub fn with_codecs(mut self, codecs: &Codecs) -> Self {
        self.methods = self.methods.with_codecs(codecs);
        self
    }

    /// Paths and entries.
    #[must_use]
    pub const fn index(&self) -> &Index {
        &self.index
    }

    /// Compression methods by index.
    #[must_use]
    pub const fn methods(&self) -> &MethodTable {
        &self.methods
    }

    /// Number of files.
    #[must_use]
    pub fn file_count(&self) -> u32 {
        u32::try_from(self.files.len()).unwrap_or(u32::MAX)
    }

    /// What is wrong with the entry of a file, if something is.
    #[must_use]
    pub fn fault(&self, file: FileIndex) -> Option<Fault> {
        self.files.get(file.0 as usize)?.as_ref().err().copied()
    }

    /// Uncompressed length of a file in bytes; 0 if there is no such file.
    #[must_use]
    pub fn raw_len(&self, file: FileIndex) -> u64 {
        self.record(file).map_or(0, |record| record.raw_len)
    }

    /// Bytes that a file takes in the pak, without its header.
    #[must_use]
    pub fn stored_len(&self, file: FileIndex) -> u64 {
        self.record(file).map_or(0, |record| record.stored_len)
    }

    /// Whether the file takes away that of the same path in lower paks.
    #[must_use]
    pub fn is_deleted(&self, file: FileIndex) -> bool {
        self.record(file).is_some_and(|record| record.is_deleted)
    }

    /// Whether the data of a file is encrypted.
    #[must_use]
    pub fn is_encrypted(&self, file: FileIndex) -> bool {
        self.record(file).is_some_and(|record| record.is_encrypted)
    }

    /// Whether the data of any file is encrypted.
    #[must_use]
    pub fn has_encrypted_files(&self) -> bool {
        self.files.iter().flatten().any(|record| record.is_encrypted)
    }

    /// Uncompressed bytes of every block of a file but the last.
    #[must_use]
    pub fn block_size(&self, file: FileIndex) -> u32 {
        self.record(file).map_or(PIECE_LEN, |record| record.block_size)
    }

    /// Number of blocks of a file.
    #[must_use]
    pub fn block_count(&self, file: FileIndex) -> u32 {
        self.record(file).map_or(0, |record| record.block_count)
    }

    /// A block of a file, counted from its start.
    #[must_use]
    pub fn block(&self, file: FileIndex, number: u32) -> Option<TableBlock> {
        let record = self.record(file).filter(|record| number < record.block_count)?;
        let start = u64::from(number) * u64::from(record.block_size);
        let raw_len = u32::try_from(record.raw_len - start).unwrap_or(u32::MAX).min(record.block_size);
        let (offset, stored_len) = if record.method == 0 {
            (record.data + start, raw_len)
        } else {
            let stored = self.blocks.get(record.first_block + number as usize)?;
            (stored.offset, stored.len)
        };
        let Record { method, is_encrypted, .. } = *record;
        Some(TableBlock { offset, stored_len, raw_len, method, is_encrypted })
    }

    /// The initialisation vector of a block (AES-CTR), and how many times 16 bytes it lies after the start of its file's
    /// key stream.
    #[must_use]
    pub fn block_iv(&self, file: FileIndex, number: u32) -> Option<([u8; IV_LEN], u32)> {
        let (record, block) = (self.record(file)?, self.block(file, number)?);
        let counter = block.offset.checked_sub(record.data)? / AES_BLOCK;
        Some((record.iv?, u32::try_from(counter).ok()?))
    }

    /// The recorded hash of a file, and the bytes of the pak that it is of.
    #[must_use]
    pub fn hash(&self, file: FileIndex) -> Option<(RecordedHash, Range<u64>)> {
        let record = self.record(file)?;
        Some((record.hash, record.data..record.data.saturating_add(record.stored_len)))
    }

    /// The id of a file: a hash of its path, as the engine makes it for external files.
    #[must_use]
    pub fn id(&self, file: FileIndex) -> Option<RawChunkId> {
        self.ids().0.get(file.0 as usize).copied()
    }

    /// Finds a file by its id; the last one, should there be several, as the engine would.
    #[must_use]
    pub fn find(&self, id: RawChunkId) -> Option<FileIndex> {
        let (ids, order) = self.ids();
        let key = |file: &u32| ids.get(*file as usize).copied().unwrap_or_default();
        let end = order.partition_point(|file| key(file) <= id);
        order.get(end.checked_sub(1)?).filter(|file| key(file) == id).map(|file| FileIndex(*file))
    }

    fn ids(&self) -> &(Vec<RawChunkId>, Vec<u32>) {
        self.ids.get_or_init(|| {
            let kind = ChunkKind::ExternalFile.to_wire(ChunkKindNumbering::Ue5).unwrap_or_default();
            let mut path = String::new();
            let id = |file| {
                self.index.path_into(file, &mut path);
                RawChunkId::from_hash(hash::external_file(&path), kind)
            };
            let ids: Vec<RawChunkId> = self.index.files().map(id).collect();
            let mut order: Vec<u32> = (0..self.file_count()).collect();
            order.sort_by_key(|file| ids.get(*file as usize).copied());
            (ids, order)
        })
    }

    fn record(&self, file: FileIndex) -> Option<&Record> {
        self.files.get(file.0 as usize)?.as_ref().ok()
    }
}

/// Checks an entry, and adds its blocks to those of the others.
fn record(entry: &Entry, footer: &Footer, file_len: u64, blocks: &mut Vec<Stored>) -> Result<Record, Fault> {
    let fault = |field, kind| Fault { offset: entry.offset, field, kind };
    let data = entry.data_offset(footer);
    let padded = if entry.is_encrypted {
        entry.stored_len.checked_next_multiple_of(AES_BLOCK).unwrap_or(u64::MAX)
    } else {
        entry.stored_len
    };
    let end = data.saturating_add(padded);
    if end > file_len && !entry.is_deleted {
        return Err(fault("entry stored size", FaultKind::TooLarge { found: end, limit: file_len }));
    }
    let method = u8::try_from(entry.method)
        .map_err(|_| fault("entry method", FaultKind::TooLarge { found: entry.method.into(), limit: 255 }))?;
    let mut record = Record {
        data,
        stored_len: entry.stored_len,
        raw_len: entry.raw_len,
        first_block: blocks.len(),
        block_count: 0,
        block_size: PIECE_LEN,
        method,
        is_encrypted: entry.is_encrypted,
        is_deleted: entry.is_deleted,
        iv: entry.iv,
        hash: match entry.hash {
            Some(hash) => RecordedHash::Known(hash),
            None => RecordedHash::InFile(entry.offset.saturating_add(HASH_AT)),
        },
    };
    if entry.is_deleted {
        record.raw_len = 0;
    } else if method == 0 {
        // Some writers count the padding of encryption.
        let counts_padding = entry.is_encrypted && padded == entry.stored_len;
        let all = if counts_padding { entry.raw_len.next_multiple_of(AES_BLOCK) } else { entry.raw_len };
        if all != entry.stored_len {
            let (found, expected) = (entry.raw_len, entry.stored_len);
            return Err(fault("entry raw size", FaultKind::Unexpected { found, expected }));
        }
        let count = entry.raw_len.div_ceil(PIECE_LEN.into());
        record.block_count = u32::try_from(count).map_err(|_| {
            fault("entry raw size", FaultKind::TooLarge { found: entry.raw_len, limit: 1 << 48 })
        })?;
    } else {
        (record.block_size, record.block_count) = check_blocks(entry, file_len)?;
        blocks.extend(
            entry.blocks.iter().filter_map(|block| {
                Some(Stored { offset: block.offset, len: u32::try_from(block.len).ok()? })
            }),
        );
    }
    Ok(record)
}

/// Checks the blocks of a compressed file; returns the size of a block and their number.
fn check_blocks(entry: &Entry, file_len: u64) -> Result<(u32, u32), Fault> {
    let fault = |field, kind| Fault { offset: entry.offset, field, kind };
    let found = entry.blocks.len() as u64;
    let size = if found == 1 { entry.raw_len } else { entry.block_size.into() };
    if size > MAX_BLOCK_LEN.into() {
        return Err(fault(
            "entry block size",
            FaultKind::TooLarge { found: size, limit: MAX_BLOCK_LEN.into() },
        ));
    }
    let expected = if size == 0 { u64::from(entry.raw_len > 0) } else { entry.raw_len.div_ceil(size) };
    if found != expected {
        return Err(fault("entry block count", FaultKind::Unexpected { found, expected }));
    }
    for block in &entry.blocks {
        let limit = u64::from(MAX_BLOCK_LEN);
        if block.len == 0 || block.len > limit {
            return Err(fault("entry block", FaultKind::TooLarge { found: block.len, limit }));
        }
        let len = if entry.is_encrypted { block.len.next_multiple_of(AES_BLOCK) } else { block.len };
        let end = block.offset.saturating_add(len);
        if end > file_len {
            return Err(fault("entry block", FaultKind::TooLarge { found: end, limit: file_len }));
        }
    }
    // Both were compared with numbers that fit.
    let count = u32::try_from(found).unwrap_or(u32::MAX);
    Ok((u32::try_from(size).unwrap_or(MAX_BLOCK_LEN), count))
}
