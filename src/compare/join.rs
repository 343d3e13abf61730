//! Which chunks of two builds have the same id.
//!
//! ```text
//! positions   0 1 2 3 4 5 …    dealt out by the hashes of their ids
//! parts       [0 3 …] [1 5 …] [2 4 …]    each is joined by itself
//! ```
//!
//! Ids are in no order. One index of all of them is larger than the caches of a processor, so that nearly every look-up waits for
//! memory; the index of a part is not.

use crate::id::RawChunkId;
use crate::store::{Entry, Store};
use foldhash::HashMap;
use foldhash::fast::RandomState;
use std::hash::BuildHasher as _;
use std::sync::atomic::{AtomicU32, Ordering};

/// Chunks of the old build in a part, about.
const PART: usize = 8 << 10;
/// The most parts.
const MAX_PARTS: usize = 1 << 10;
/// Chunks that a thread deals out at a time.
const DEALT: usize = 64 << 10;
/// No position.
const NONE: u32 = u32::MAX;

/// The chunks of a build.
pub(super) type Side<'a> = (&'a Store, &'a [Entry]);

/// The chunks of two builds, joined by their ids.
#[derive(Default)]
pub(super) struct Joined {
    /// For each chunk of the new build, the position of the first one in the old build that has its id, or [`NONE`].
    before: Vec<AtomicU32>,
    /// Positions of the chunks of the old build whose ids the new build does not have, in their order.
    pub removed: Vec<u32>,
}

impl Joined {
    /// Joins chunks, until `is_over` says that nobody waits for it; what is left out then counts as added.
    pub(super) fn new(old: Side<'_>, new: Side<'_>, is_over: &(dyn Fn() -> bool + Sync)) -> Self {
        let parts = (old.1.len() / PART).clamp(1, MAX_PARTS);
        let hasher = RandomState::default();
        let [dealt_old, dealt_new] = [old, new].map(|side| deal(side, &hasher, parts));
        let before: Vec<AtomicU32> = new.1.iter().map(|_| AtomicU32::new(NONE)).collect();
        let join = |part: usize| {
            if is_over() {
                return Vec::new();
            }
            let mut by_id: HashMap<RawChunkId, (u32, bool)> = HashMap::default();
            of_part(&dealt_old, part).for_each(|at| _ = by_id.entry(id(old, at)).or_insert((at, false)));
            for at in of_part(&dealt_new, part) {
                let place = usize::try_from(at).ok().and_then(|at| before.get(at));
                if let Some(((first, found), place)) = by_id.get_mut(&id(new, at)).zip(place) {
                    *found = true;
                    place.store(*first, Ordering::Relaxed);
                }
            }
            let is_gone = |at: &u32| by_id.get(&id(old, *at)).is_some_and(|(_, found)| !found);
            of_part(&dealt_old, part).filter(is_gone).collect::<Vec<u32>>()
        };
        let mut removed = new.0.cpu().map(0..parts, join).concat();
        removed.sort_unstable();
        Self { before, removed }
    }

    /// The position in the old build of the first chunk that has the id of one of the new build.
    pub(super) fn before(&self, at: usize) -> Option<usize> {
        let before = self.before.get(at)?.load(Ordering::Relaxed);
        usize::try_from(before).ok().filter(|_| before != NONE)
    }
}

/// Deals positions out by the hashes of their ids; each thread some of them, in their order.
fn deal((store, entries): Side<'_>, hasher: &RandomState, parts: usize) -> Vec<Vec<Vec<u32>>> {
    let deal = |(first, entries): (usize, &[Entry])| {
        // Hashes spread evenly, so one part has hardly more than another.
        let expected = entries.len() / parts;
        let room = expected + expected / 8 + 8;
        let mut dealt: Vec<Vec<u32>> = (0..parts).map(|_| Vec::with_capacity(room)).collect();
        for (at, entry) in (first..).zip(entries) {
            let hash = hasher.hash_one(store.chunk(*entry).id());
            let part = usize::try_from(hash >> 32).unwrap_or(0) % parts;
            if let (Some(part), Ok(at)) = (dealt.get_mut(part), u32::try_from(at)) {
                part.push(at);
            }
        }
        dealt
    };
    store.cpu().map((0..).step_by(DEALT).zip(entries.chunks(DEALT)), deal)
}

/// The positions in a part, in their order.
fn of_part(dealt: &[Vec<Vec<u32>>], part: usize) -> impl Iterator<Item = u32> {
    dealt.iter().filter_map(move |dealt| dealt.get(part)).flatten().copied()
}

fn id((store, entries): Side<'_>, at: u32) -> RawChunkId {
    let entry = usize::try_from(at).ok().and_then(|at| entries.get(at));
    entry.map_or_else(RawChunkId::default, |entry| store.chunk(*entry).id())
}
