//! Checks files of paks: the recorded hash is the SHA-1 of their stored bytes, encrypted or not, without
//! padding.
//!
//! Up to version 9 the index records it; later only the entry header before the data, which is read for it.
//! Usually the blocks of a file are its stored bytes, and were read anyway. If they leave gaps, or take less
//! than the recorded size, the whole range is read again for the hash. A recorded hash is always compared, or
//! the check reports that it was not.

use super::batch::{Batch, Piece, StoredRun, stored_run};
use super::check::Check;
use super::input::Input;
use crate::container::ChunkIndex;
use crate::id::ChunkHash;
use crate::id::hash::ChunkHasher;
use crate::pak::{self, FileIndex, RecordedHash};
use crate::source::{Buffer, Source, read_blocking};
use crate::version::ChunkHashKind;
use std::io;

/// Bytes that are read at once when a range has to be read again.
const STEP: usize = 256 << 10;
/// Bytes that the range of a file may exceed twice the sum of its blocks: many files that claim all of a pak
/// would otherwise have it read once for each.
const MAX_GAPS: u64 = 64 << 10;
/// Size of an AES block, in bytes.
const AES_BLOCK: usize = 16;

/// Returns the stored bytes of a piece, if they are in one run.
pub(super) fn run_of(batch: &Batch, piece: &Piece) -> Option<StoredRun> {
    stored_run(batch.blocks.get(piece.blocks.clone())?)
}

/// Checks a whole file that arrived in one piece.
pub(super) fn check(
    input: &Input,
    table: &pak::Table,
    batch: &Batch,
    piece: &Piece,
    stored: &[Buffer],
) -> Check {
    let bytes = run_of(batch, piece).and_then(|(extent, run)| stored.get(extent)?.get(run));
    let mut hash = StoredHash::new(table, piece.chunk);
    // A file without blocks has no bytes.
    hash.update(bytes.unwrap_or_default());
    settle(&*input.source, table, piece.chunk, hash.finish())
}

/// Hash of stored bytes, in the order of arrival; padding after the last of them is not part of it.
pub(super) struct StoredHash {
    hasher: ChunkHasher,
    /// Bytes still to come.
    left: usize,
    /// Bytes after those.
    excess: usize,
    is_encrypted: bool,
}

impl StoredHash {
    pub(super) fn new(table: &pak::Table, chunk: ChunkIndex) -> Self {
        let file = FileIndex(chunk.0);
        Self {
            hasher: ChunkHasher::new(ChunkHashKind::Sha1),
            left: usize::try_from(table.stored_len(file)).unwrap_or(usize::MAX),
            excess: 0,
            is_encrypted: table.is_encrypted(file),
        }
    }

    pub(super) fn update(&mut self, bytes: &[u8]) {
        let (counted, beyond) = bytes.split_at(self.left.min(bytes.len()));
        self.hasher.update(counted);
        self.left -= counted.len();
        self.excess = self.excess.saturating_add(beyond.len());
    }

    /// Returns the hash; `None` if bytes were missing, or more came than padding explains.
    pub(super) fn finish(self) -> Option<ChunkHash> {
        let padding = if self.is_encrypted { AES_BLOCK - 1 } else { 0 };
        (self.left == 0 && self.excess <= padding).then(|| self.hasher.finish())
    }
}

/// Checks a whole file that was read already, by reading its stored bytes again.
pub(crate) fn check_file(source: &dyn Source, table: &pak::Table, chunk: ChunkIndex) -> Check {
    settle(source, table, chunk, None)
}

/// Compares the hash of a file's blocks with the recorded one; if it is missing, that of the file's range.
pub(super) fn settle(
    source: &dyn Source,
    table: &pak::Table,
    chunk: ChunkIndex,
    found: Option<ChunkHash>,
) -> Check {
    // Deleted entries have no content.
    if table.is_deleted(FileIndex(chunk.0)) {
        return Check::NotRecorded;
    }
    let expected = match recorded(source, table, chunk) {
        Ok(Some(expected)) => expected,
        Ok(None) => return Check::NotRecorded,
        Err(_) => return Check::NotCompared,
    };
    match found.or_else(|| of_range(source, table, chunk)) {
        Some(found) => Check::compare(found, expected),
        None => Check::NotCompared,
    }
}

/// Returns the hash of the range that a file claims, if its blocks are inside and take most of it.
fn of_range(source: &dyn Source, table: &pak::Table, chunk: ChunkIndex) -> Option<ChunkHash> {
    let file = FileIndex(chunk.0);
    let (_, range) = table.hash(file)?;
    let mut taken = 0_u64;
    for number in 0..table.block_count(file) {
        let block = table.block(file, number)?;
        let end = block.offset.checked_add(block.stored_len.into())?;
        if block.offset < range.start || end > range.end {
            return None;
        }
        taken = taken.saturating_add(block.stored_len.into());
    }
    if range.end - range.start > taken.saturating_mul(2).saturating_add(MAX_GAPS) {
        return None;
    }
    let (mut hasher, mut at) = (ChunkHasher::new(ChunkHashKind::Sha1), range.start);
    // In steps, so that the memory does not depend on the size of the file.
    while at < range.end {
        let len = usize::try_from(range.end - at).unwrap_or(usize::MAX).min(STEP);
        let bytes = read_blocking(source, at, Buffer::new(len)).ok()?;
        hasher.update(&bytes);
        at += len as u64;
    }
    Some(hasher.finish())
}

/// Reads the recorded hash of a file, from the index or its header; one that is all zero counts as missing.
fn recorded(source: &dyn Source, table: &pak::Table, chunk: ChunkIndex) -> io::Result<Option<ChunkHash>> {
    let hash = match table.hash(FileIndex(chunk.0)) {
        None => return Ok(None),
        Some((RecordedHash::Known(hash), _)) => hash,
        Some((RecordedHash::InFile(at), _)) => {
            let bytes = read_blocking(source, at, Buffer::new(20))?;
            bytes.first_chunk().copied().ok_or(io::ErrorKind::UnexpectedEof)?
        }
    };
    Ok(Some(ChunkHash(hash)).filter(|hash| !hash.is_zero()))
}
