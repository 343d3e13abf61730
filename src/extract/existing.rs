//! What to do about files that are there already.

use super::outputs::Output;
use crate::id::ChunkHash;
use crate::id::hash::ChunkHasher;
use crate::job::Outcome;
use crate::sink::{Existing, Sink};
use crate::store::Store;
use crate::version::ChunkHashKind;
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
            Self::Never => sink.exists(&output.path),
            Self::Different => is_same(store, sink, output).unwrap_or(false),
        }
    }

    /// An outcome in which so many files were left as they are.
    pub(super) fn leaving<T: Default>(self, files: u64) -> Outcome<T> {
        match self {
            Self::Never => Outcome { kept: files, ..Outcome::default() },
            Self::Different | Self::Always => Outcome { unchanged: files, ..Outcome::default() },
        }
    }
}

/// Whether a file has the length and the hash that the table of contents records. Where it records none, a file cannot be
/// known to be right.
fn is_same(store: &Store, sink: &dyn Sink, output: &Output) -> Option<bool> {
    let toc = store.container(output.entry)?.table();
    let expected = toc.meta(output.entry.chunk)?.hash;
    let file = sink.existing(&output.path).ok()?;
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
