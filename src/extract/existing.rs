//! Chunks whose output files already exist.

use super::outputs::Output;
use crate::id::ChunkHash;
use crate::id::hash::ChunkHasher;
use crate::sink::{Existing, Overwrite, PutOutcome, Sink};
use crate::store::Store;
use crate::version::ChunkHashKind;
use std::io::Read;

/// The reason to keep the existing file of an output; `None` if it has to be written.
pub(crate) fn keeps(
    overwrite: Overwrite,
    store: &Store,
    sink: &dyn Sink,
    output: &Output,
) -> Option<PutOutcome> {
    let is_same = |file| is_same(store, sink, output, file).unwrap_or(false);
    overwrite.keeps(sink, &output.path, is_same)
}

/// True if a file has the recorded length and hash. Without a recorded hash no file can be trusted.
fn is_same(store: &Store, sink: &dyn Sink, output: &Output, file: Existing) -> Option<bool> {
    let toc = store.container(output.entry)?.table();
    let expected = toc.meta(output.entry.chunk)?.hash;
    // Compare lengths first: hashing reads the whole file.
    if file.len != toc.chunk_len(output.entry.chunk) || expected.is_zero() {
        return Some(false);
    }
    let usual = toc.chunk_hash_kind();
    if hash(file, usual)? == expected {
        return Some(true);
    }
    // Some packers hash with the other function, whatever their table's version, so try that as well.
    Some(hash(sink.existing(&output.path).ok()?, usual.other())? == expected)
}

/// Hash of a file; `None` if reading fails.
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
