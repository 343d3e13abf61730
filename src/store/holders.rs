//! Which containers have a chunk.

use super::container::Container;
use crate::container::ChunkIndex;
use crate::id::RawChunkId;
use foldhash::fast::RandomState;
use hashbrown::HashTable;
use std::hash::BuildHasher as _;
use std::sync::Arc;

/// Chunks of all containers by their ids: a game of hundreds of containers would otherwise ask each of them for every chunk.
///
/// Ids are looked up in the tables of contents, so that only positions are kept, about ten bytes a chunk.
#[derive(Debug, Default)]
pub(super) struct Holders {
    hasher: RandomState,
    /// Containers with the position of the chunk.
    chunks: HashTable<(u32, u32)>,
}

impl Holders {
    pub(super) fn new(containers: &[Arc<Container>]) -> Self {
        let count = containers.iter().map(|container| container.table().chunk_count() as usize).sum();
        let (hasher, mut chunks) = (RandomState::default(), HashTable::with_capacity(count));
        let hash = |place: &(u32, u32)| id_of(containers, *place).map_or(0, |id| hasher.hash_one(id));
        for (at, container) in (0..).zip(containers) {
            for chunk in container.table().chunks() {
                let (place, id) = ((at, chunk.0), container.table().chunk_id(chunk));
                // Some packers give one id to many chunks, of which one is enough.
                let is_same = |other: &(u32, u32)| other.0 == at && id_of(containers, *other) == id;
                chunks.entry(hash(&place), is_same, hash).or_insert(place);
            }
        }
        Self { hasher, chunks }
    }

    /// The positions of the containers that have a chunk, in any order. They are those that this was made of.
    pub(super) fn of(&self, containers: &[Arc<Container>], id: RawChunkId) -> impl Iterator<Item = usize> {
        let alike = self.chunks.iter_hash(self.hasher.hash_one(id));
        let own = alike.filter(move |place| id_of(containers, **place) == Some(id));
        own.map(|(container, _)| *container as usize)
    }
}

fn id_of(containers: &[Arc<Container>], (container, chunk): (u32, u32)) -> Option<RawChunkId> {
    containers.get(container as usize)?.table().chunk_id(ChunkIndex(chunk))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_has_what_asking_all_in_turn_finds() {
        let options = crate::store::StoreOptions::default();
        let store = crate::store::Store::open(&["testdata/demo".into()], &[], &options).unwrap();
        let containers = store.containers();
        let holders = Holders::new(containers);
        let tables = || containers.iter().map(|container| container.table());
        let ids = tables().flat_map(|table| table.chunks().filter_map(|chunk| table.chunk_id(chunk)));
        let mut shared = 0;
        for id in ids.chain([RawChunkId::default()]) {
            let mut found: Vec<usize> = holders.of(containers, id).collect();
            found.sort_unstable();
            let all = tables().enumerate().filter(|(_, table)| table.find(id).is_some());
            assert_eq!(found, all.map(|(at, _)| at).collect::<Vec<_>>());
            shared += usize::from(found.len() > 1);
        }
        // A patch has chunks of the container that it changes.
        assert!(shared > 0, "no chunk is in two containers");
    }
}
