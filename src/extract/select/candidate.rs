//! What patterns are compared with.

use crate::id::{ChunkKind, RawChunkId};
use crate::store::{Entry, Store};

/// A chunk as patterns see it.
pub(super) struct Candidate<'a> {
    pub id: RawChunkId,
    pub kind: ChunkKind,
    pub path: &'a str,
}

impl<'a> Candidate<'a> {
    /// A chunk with its path, which is written to `path`.
    pub(super) fn new(store: &Store, entry: Entry, path: &'a mut String) -> Option<Self> {
        let (id, kind) = (store.chunk_id(entry)?, store.chunk(entry).kind());
        if !store.path_into(entry, path) {
            *path = store.fallback_path(entry);
        }
        Some(Self { id, kind, path })
    }
}

/// Lower case, game-relative, `/` as separator.
pub(super) fn normal(text: &str) -> String {
    let text = text.replace('\\', "/").to_lowercase();
    text.strip_prefix("../../../").map(str::to_owned).unwrap_or(text)
}
