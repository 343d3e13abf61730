//! Chunks whose files are there already.

use super::outputs::Output;
use crate::id::ChunkHash;
use crate::id::hash::ChunkHasher;
use crate::sink::{Existing, Overwrite, PutOutcome, Sink};
use crate::store::Store;
use crate::version::ChunkHashKind;
use std::io::Read;

/// Tells why the file of an output may stay; `None` if it is to be written.
pub(crate) fn keeps(
    overwrite: Overwrite,
    store: &Store,
    sink: &dyn Sink,
    output: &Output,
) -> Option<PutOutcome> {
    let is_same = |file| is_same(store, sink, output, file).unwrap_or(false);
    overwrite.keeps(sink, &output.path, is_same)
}

/// Whether a file has the length and the hash that the table of contents records. Where it records none, a file cannot be
/// known to be right.
fn is_same(store: &Store, sink: &dyn Sink, output: &Output, file: Existing) -> Option<bool> {
    let toc = store.container(output.entry)?.table();
    let expected = toc.meta(output.entry.chunk)?.hash;
    if file.len != toc.chunk_len(output.entry.chunk) || expected.is_zero() {
        return Some(false);
    }
    let usual = toc.chunk_hash_kind();
    if hash(file, usual)? == expected {
        return Some(true);
    }
    // Third-party packers do not all use the function that their version calls for.
    Some(hash(sink.existing(&output.path).ok()?, usual.other())? == expected)
}

/// Hash of a file; `None` if it cannot be read.
fn hash(mut file: Existing, kind: ChunkHashKind) -> Option<ChunkHash> {
    let (mut hasher, mut buffer) = (ChunkHasher::new(kind), vec![0; 256 << 10]);
    loop {
        match file.content.read(&mut buffer) {
            Ok(0) => return Some(hasher.finish()),
            Ok(read) => hasher.update(buffer.get(..read)?),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
    }
}
