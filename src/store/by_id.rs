//! Index of a list of chunks by their ids.

use super::{Entry, Store};
use crate::id::RawChunkId;
use foldhash::fast::RandomState;
use hashbrown::HashTable;
use std::hash::BuildHasher as _;

/// The most shards built in parallel: each build goes through the whole list.
const MAX_SHARDS: usize = 16;

/// Positions in a list of chunks, by chunk id. Of equal ids, the first position counts.
///
/// Real games have millions of chunks, so only positions are kept, about ten bytes each; ids are looked up in the
/// tables of contents.
pub(crate) struct ById<'a> {
    store: &'a Store,
    entries: &'a [Entry],
    hasher: RandomState,
    /// One table per thread, holding the ids whose hashes select it.
    shards: Vec<HashTable<u32>>,
}

impl<'a> ById<'a> {
    pub(crate) fn new(store: &'a Store, entries: &'a [Entry]) -> Self {
        let shards = store.cpu().threads().clamp(1, MAX_SHARDS);
        // Every shard has to hash with the same state, or `find` would look in the wrong one.
        let mut this = Self { store, entries, hasher: RandomState::default(), shards: Vec::new() };
        this.shards = store.cpu().map(0..shards, |shard| this.shard(shard, shards));
        this
    }

    /// The position of the first chunk that has this id.
    pub(crate) fn find(&self, id: RawChunkId) -> Option<usize> {
        let hash = self.hasher.hash_one(id);
        let shard = self.shards.get(shard_of(hash, self.shards.len()))?;
        usize::try_from(*shard.find(hash, |at| self.id(*at) == id)?).ok()
    }

    fn shard(&self, shard: usize, shards: usize) -> HashTable<u32> {
        // Hashes spread evenly, so no shard is much larger than another: 1/64 more room than the mean avoids a rehash.
        let expected = self.entries.len() / shards;
        let mut table = HashTable::with_capacity(expected + expected / 64);
        for (at, entry) in (0_u32..).zip(self.entries) {
            let id = self.store.chunk(*entry).id();
            let hash = self.hasher.hash_one(id);
            if shard_of(hash, shards) == shard {
                // Only positions are stored, so a growing table has to hash the ids again.
                let rehash = |at: &u32| self.hasher.hash_one(self.id(*at));
                // `or_insert` keeps an earlier position: the list is in mount order, and the first chunk of an id wins.
                table.entry(hash, |at| self.id(*at) == id, rehash).or_insert(at);
            }
        }
        table
    }

    fn id(&self, at: u32) -> RawChunkId {
        let entry = usize::try_from(at).ok().and_then(|at| self.entries.get(at));
        entry.map_or_else(RawChunkId::default, |entry| self.store.chunk(*entry).id())
    }
}

/// The shard of a hash, chosen by bits that its table does not use.
fn shard_of(hash: u64, shards: usize) -> usize {
    // hashbrown takes the bucket from the low bits and its tag from the top seven. Sharding by either would crowd a
    // table.
    usize::try_from(hash >> 32 & 0xFF_FFFF).unwrap_or(0) % shards.max(1)
}
