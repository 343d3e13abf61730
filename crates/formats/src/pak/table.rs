//! Files of a pak as the pipeline reads them: divided into blocks.
//!
//! ```text
//! compressed    entry header │ block 0 │ pad │ block 1 │ pad │ …        as the entry lists them; padded only
//! if encrypted
//! uncompressed  entry header │ 64 KiB  │ 64 KiB │ … │ rest │ pad        pieces of our own choice
//! ```
//!
//! The id of a file is the one that the engine gives to external files of containers: a hash of its path. So
//! a file has the same id in two paks, and the higher pak wins like among containers.

use super::{Entry, FileIndex, Footer, Index};
use crate::codec::{Codecs, MethodTable};
use crate::crypto::{BLOCK_LEN, IV_LEN};
use crate::id::{ChunkKind, RawChunkId, hash};
use crate::version::ChunkKindNumbering;
use crate::wire::{Fault, FaultKind};
use std::ops::Range;
use std::sync::OnceLock;

/// Length of a piece of an uncompressed file.
const PIECE_LEN: u32 = 64 << 10;
/// Limit on the uncompressed length of a block: that of containers, given by their layout.
const MAX_BLOCK_LEN: u32 = (1 << 24) - 1;
/// Granule of AES-ECB, in bytes.
const AES_BLOCK: u64 = BLOCK_LEN as u64;
/// Offset of the SHA-1 in an entry header: after offset, two sizes, and the method.
const HASH_AT: u64 = 8 * 3 + 4;

/// A block of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableBlock {
    /// Offset in the pak.
    pub offset: u64,
    /// Stored length in bytes, without the padding of encryption.
    pub stored_len: u32,
    /// Uncompressed length in bytes.
    pub raw_len: u32,
    /// Method index, for [`Table::methods`]; 0 is none.
    pub method: u8,
    /// True if the block is encrypted.
    pub is_encrypted: bool,
}

impl TableBlock {
    /// Returns the range of bytes to read: encrypted blocks with their padding.
    #[must_use]
    pub fn stored_range(&self) -> Range<u64> {
        let len = u64::from(self.stored_len);
        let len = if self.is_encrypted { len.next_multiple_of(AES_BLOCK) } else { len };
        self.offset..self.offset.saturating_add(len)
    }
}

/// Recorded hash of a file: SHA-1 of its stored bytes, encrypted or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordedHash {
    /// Recorded in the index.
    Known([u8; 20]),
    /// Recorded only before the data, at this offset in the pak.
    InFile(u64),
}

/// A file with a valid entry.
#[derive(Debug, Clone)]
struct Record {
    /// Offset of the first stored byte.
    data: u64,
    stored_len: u64,
    raw_len: u64,
    /// Index of its first block in [`Table::blocks`], if it is compressed.
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

/// All files of a pak, checked against its length.
#[derive(Debug)]
pub struct Table {
    index: Index,
    methods: MethodTable,
    files: Vec<Result<Record, Fault>>,
    blocks: Vec<Stored>,
    /// Ids of all files, and the files sorted by id; built on first use.
    ids: OnceLock<(Vec<RawChunkId>, Vec<u32>)>,
}

impl Table {
    /// Checks the entries of an index; `file_len` is the length of the pak in bytes. Files with invalid
    /// entries stay in the table, and fail when they are used.
    #[must_use]
    pub fn new(index: Index, file_len: u64) -> Self {
        let footer = index.footer();
        let methods = if footer.methods.is_empty() {
            // Method numbers of versions before 8, which had no names.
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

    /// Returns paths and entries.
    #[must_use]
    pub const fn index(&self) -> &Index {
        &self.index
    }

    /// Returns the compression methods, by index.
    #[must_use]
    pub const fn methods(&self) -> &MethodTable {
        &self.methods
    }

    /// Returns the number of files.
    #[must_use]
    pub fn file_count(&self) -> u32 {
        u32::try_from(self.files.len()).unwrap_or(u32::MAX)
    }

    /// Returns the fault of a file's entry, if it is invalid.
    #[must_use]
    pub fn fault(&self, file: FileIndex) -> Option<Fault> {
        self.files.get(file.0 as usize)?.as_ref().err().copied()
    }

    /// Returns the uncompressed length of a file in bytes; 0 if it does not exist.
    #[must_use]
    pub fn raw_len(&self, file: FileIndex) -> u64 {
        self.record(file).map_or(0, |record| record.raw_len)
    }

    /// Returns the stored length of a file in bytes, without its header.
    #[must_use]
    pub fn stored_len(&self, file: FileIndex) -> u64 {
        self.record(file).map_or(0, |record| record.stored_len)
    }

    /// Returns true if the file deletes the same path in lower paks.
    #[must_use]
    pub fn is_deleted(&self, file: FileIndex) -> bool {
        self.record(file).is_some_and(|record| record.is_deleted)
    }

    /// Returns true if the data of a file is encrypted.
    #[must_use]
    pub fn is_encrypted(&self, file: FileIndex) -> bool {
        self.record(file).is_some_and(|record| record.is_encrypted)
    }

    /// Returns true if the data of any file is encrypted.
    #[must_use]
    pub fn has_encrypted_files(&self) -> bool {
        self.files.iter().flatten().any(|record| record.is_encrypted)
    }

    /// Returns the uncompressed length of every block of a file except the last.
    #[must_use]
    pub fn block_size(&self, file: FileIndex) -> u32 {
        self.record(file).map_or(PIECE_LEN, |record| record.block_size)
    }

    /// Returns the number of blocks of a file.
    #[must_use]
    pub fn block_count(&self, file: FileIndex) -> u32 {
        self.record(file).map_or(0, |record| record.block_count)
    }

    /// Returns a block of a file by its index in the file.
    #[must_use]
    pub fn block(&self, file: FileIndex, number: u32) -> Option<TableBlock> {
        let record = self.record(file).filter(|record| number < record.block_count)?;
        let start = u64::from(number) * u64::from(record.block_size);
        let raw_len = u32::try_from(record.raw_len - start).unwrap_or(u32::MAX).min(record.block_size);
        // Uncompressed files have no block table: their pieces are computed.
        let (offset, stored_len) = if record.method == 0 {
            (record.data + start, raw_len)
        } else {
            let stored = self.blocks.get(record.first_block + number as usize)?;
            (stored.offset, stored.len)
        };
        let Record { method, is_encrypted, .. } = *record;
        Some(TableBlock { offset, stored_len, raw_len, method, is_encrypted })
    }

    /// Returns the initialisation vector of a block (AES-CTR), and its distance from the start of the file's
    /// key stream in units of 16 bytes.
    #[must_use]
    pub fn block_iv(&self, file: FileIndex, number: u32) -> Option<([u8; IV_LEN], u32)> {
        let (record, block) = (self.record(file)?, self.block(file, number)?);
        let counter = block.offset.checked_sub(record.data)? / AES_BLOCK;
        Some((record.iv?, u32::try_from(counter).ok()?))
    }

    /// Returns the recorded hash of a file, and the range of the pak that it covers.
    #[must_use]
    pub fn hash(&self, file: FileIndex) -> Option<(RecordedHash, Range<u64>)> {
        let record = self.record(file)?;
        Some((record.hash, record.data..record.data.saturating_add(record.stored_len)))
    }

    /// Returns the id of a file: a hash of its path, like the engine's id of external files.
    #[must_use]
    pub fn id(&self, file: FileIndex) -> Option<RawChunkId> {
        self.ids().0.get(file.0 as usize).copied()
    }

    /// Finds a file by id; the last one if there are several, like the engine.
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
            // Stable, so that of equal paths the last in the index is also last here.
            order.sort_by_key(|file| ids.get(*file as usize).copied());
            (ids, order)
        })
    }

    fn record(&self, file: FileIndex) -> Option<&Record> {
        self.files.get(file.0 as usize)?.as_ref().ok()
    }
}

/// Checks an entry, and appends its blocks to the common list.
fn record(entry: &Entry, footer: &Footer, file_len: u64, blocks: &mut Vec<Stored>) -> Result<Record, Fault> {
    let fault = |field, kind| Fault { offset: entry.offset, field, kind };
    let data = entry.data_offset(footer);
    let padded = if entry.is_encrypted {
        entry.stored_len.checked_next_multiple_of(AES_BLOCK).unwrap_or(u64::MAX)
    } else {
        entry.stored_len
    };
    let end = data.saturating_add(padded);
    // Deleted files have no data.
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
    // A deletion is an empty file to everything that reads it.
    if entry.is_deleted {
        record.raw_len = 0;
    } else if method == 0 {
        // Some writers include the padding of encryption in the stored length.
        let counts_padding = entry.is_encrypted && padded == entry.stored_len;
        // Without compression both lengths must agree, since blocks are cut from the raw length.
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

/// Checks the blocks of a compressed file; returns block size and count.
fn check_blocks(entry: &Entry, file_len: u64) -> Result<(u32, u32), Fault> {
    let fault = |field, kind| Fault { offset: entry.offset, field, kind };
    let found = entry.blocks.len() as u64;
    // The recorded size of a single block may be anything, so the file's length is used.
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
    // Both were compared with limits that fit.
    let count = u32::try_from(found).unwrap_or(u32::MAX);
    Ok((u32::try_from(size).unwrap_or(MAX_BLOCK_LEN), count))
}
