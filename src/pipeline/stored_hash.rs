//! Checks files of paks: what is recorded of them is the SHA-1 of their stored bytes, encrypted or not, without padding.
//!
//! Up to version 9 the index has it; later only the entry header in front of the data, which is read for it.

use super::batch::{Batch, Piece, StoredRun, stored_run};
use super::run::{Check, Input};
use crate::container::ChunkIndex;
use crate::id::ChunkHash;
use crate::pak::{self, FileIndex, RecordedHash};
use crate::source::{Buffer, read_blocking};
use crate::version::ChunkHashKind;

/// The stored bytes of a piece, if they lie in one run.
pub(super) fn run_of(batch: &Batch, piece: &Piece) -> Option<StoredRun> {
    stored_run(batch.blocks.get(piece.blocks.clone())?)
}

/// Checks a whole file that came in one piece.
pub(super) fn check(
    input: &Input,
    table: &pak::Table,
    batch: &Batch,
    piece: &Piece,
    stored: &[Buffer],
) -> Check {
    let len = stored_len(table, piece.chunk);
    let bytes = run_of(batch, piece).and_then(|(extent, run)| stored.get(extent)?.get(run)?.get(..len));
    let bytes = if len == 0 { Some(&[][..]) } else { bytes };
    match (bytes, recorded(input, table, piece.chunk)) {
        (Some(bytes), Some(expected)) => Check::compare(ChunkHash::of(ChunkHashKind::Sha1, bytes), expected),
        _ => Check::NotRecorded,
    }
}

/// Bytes that a file takes in the pak, without padding behind them.
pub(super) fn stored_len(table: &pak::Table, chunk: ChunkIndex) -> usize {
    usize::try_from(table.stored_len(FileIndex(chunk.0))).unwrap_or(usize::MAX)
}

/// The recorded hash of a file, from wherever it lies.
pub(super) fn recorded(input: &Input, table: &pak::Table, chunk: ChunkIndex) -> Option<ChunkHash> {
    let hash = match table.hash(FileIndex(chunk.0))?.0 {
        RecordedHash::Known(hash) => hash,
        RecordedHash::InFile(at) => {
            let mut hash = [0; 20];
            let bytes = read_blocking(&*input.source, at, Buffer::new(hash.len())).ok()?;
            hash.copy_from_slice(bytes.get(..20)?);
            hash
        }
    };
    Some(ChunkHash(hash)).filter(|hash| !hash.is_zero())
}
