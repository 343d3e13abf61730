//! What to do about files that are there already.

use super::outputs::Output;
use crate::id::hash::ChunkHasher;
use crate::sink::Sink;
use crate::store::Store;
use std::io::Read;

/// What to do about files that are there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Overwrite {
    /// Keep them.
    Never,
    /// Replace those whose content is not what the table of contents records; the others are not even decompressed.
    #[default]
    Different,
    /// Replace them all.
    Always,
}

impl Overwrite {
    /// Whether the file of an output can stay as it is.
    pub(super) fn keeps(self, store: &Store, sink: &dyn Sink, output: &Output) -> bool {
        match self {
            Self::Always => false,
            Self::Never => sink.existing(&output.path).is_ok(),
            Self::Different => is_same(store, sink, output).unwrap_or(false),
        }
    }
}

/// Whether a file has the length and the hash that the table of contents records.
fn is_same(store: &Store, sink: &dyn Sink, output: &Output) -> Option<bool> {
    let toc = store.container(output.entry)?.toc();
    let meta = toc.meta(output.entry.chunk)?;
    let mut file = sink.existing(&output.path).ok()?;
    if file.len != toc.chunk_len(output.entry.chunk) || meta.hash.is_zero() {
        return Some(false);
    }
    let mut hasher = ChunkHasher::new(toc.chunk_hash_kind());
    let mut buffer = vec![0; 256 << 10];
    loop {
        match file.content.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => hasher.update(buffer.get(..read)?),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
    }
    Some(hasher.finish() == meta.hash)
}
