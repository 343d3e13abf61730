//! Chunks stored more than once.

use super::super::usage::stored;
use crate::id::ChunkHash;
use crate::store::{Entry, Store};
use crate::version::ChunkHashKind;
use std::collections::{HashMap, HashSet};

/// Chunks of equal content stored in several places. Chunks that share their blocks count as one place.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Duplicate {
    /// Stored bytes of all copies but the largest one.
    pub wasted: u64,
    /// Number of copies.
    pub copies: u64,
    /// Numbers of the entries with this content.
    pub entries: Vec<u32>,
}

/// Finds chunks with equal recorded hash and length.
pub(super) fn duplicates(store: &Store, entries: &[Entry]) -> Vec<Duplicate> {
    let mut groups: HashMap<(ChunkHashKind, ChunkHash, u64), Vec<(u32, Entry)>> = HashMap::new();
    for (at, entry) in (0..).zip(entries) {
        let Some(toc) = store.container(*entry).map(|container| container.table()) else { continue };
        let hash = toc.meta(entry.chunk).map(|meta| meta.hash).filter(|hash| !hash.is_zero());
        let len = store.chunk(*entry).len();
        if let Some(hash) = hash.filter(|_| len > 0) {
            groups.entry((toc.chunk_hash_kind(), hash, len)).or_default().push((at, *entry));
        }
    }
    groups.retain(|_, members| members.len() > 1);
    let mut found: Vec<Duplicate> = groups
        .into_values()
        .map(|members| duplicate(store, &members))
        .filter(|found| found.copies > 1)
        .collect();
    // Equal sizes are ordered by entry, so that the result is reproducible.
    found.sort_by(|a, b| (b.wasted, &a.entries).cmp(&(a.wasted, &b.entries)));
    found
}

fn duplicate(store: &Store, members: &[(u32, Entry)]) -> Duplicate {
    let mut places = HashSet::new();
    let mut lens = Vec::new();
    for (_, entry) in members {
        let blocks =
            store.container(*entry).and_then(|container| container.table().blocks_of(entry.chunk).ok());
        // Some packers let equal chunks share their blocks: those bytes are stored once.
        if places.insert((entry.container, blocks.map(|blocks| blocks.start))) {
            lens.push(stored(store, *entry));
        }
    }
    let sum = lens.iter().fold(0_u64, |sum, len| sum.saturating_add(*len));
    Duplicate {
        // One copy is needed; keep the largest, so that the result is a lower bound.
        wasted: sum.saturating_sub(lens.iter().copied().max().unwrap_or_default()),
        copies: places.len() as u64,
        entries: members.iter().map(|(at, _)| *at).collect(),
    }
}
