//! Chunks as compared with patterns.

use crate::id::{ChunkKind, RawChunkId};
use crate::store::{Entry, Store};

/// Properties of a chunk that patterns can match.
pub(super) struct Candidate<'a> {
    pub id: RawChunkId,
    pub kind: ChunkKind,
    pub path: &'a str,
}

impl<'a> Candidate<'a> {
    /// A candidate for a chunk; `path` is the buffer for its path.
    pub(super) fn new(store: &Store, entry: Entry, path: &'a mut String) -> Option<Self> {
        let (id, kind) = (store.chunk_id(entry)?, store.chunk(entry).kind());
        if !store.path_into(entry, path) {
            *path = store.fallback_path(entry);
        }
        Some(Self { id, kind, path })
    }
}

/// Normalised pattern: lower case, relative to the game, with `/` as separator.
pub(super) fn normal(text: &str) -> String {
    let text = text.replace('\\', "/").to_lowercase();
    text.strip_prefix("../../../").map(str::to_owned).unwrap_or(text)
}
