//! Joins the chunks of two builds by id.
//!
//! ```text
//! positions   0 1 2 3 4 5 …    distributed, with their ids, by the hash of the id
//! parts       [0 3 …] [1 5 …] [2 4 …]    each joined on its own
//! ```
//!
//! Ids are in no order. An index of all of them is larger than the processor's caches, so nearly every look-up would
//! wait for memory; the index of a part is small enough. The ids of a part are copied, because in the table of contents
//! they are far apart.

use crate::id::RawChunkId;
use crate::job::CancelToken;
use crate::store::{Entry, Store};
use foldhash::HashMap;
use foldhash::fast::RandomState;
use std::hash::BuildHasher as _;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

/// Approximate number of old chunks per part.
const PART: usize = 8 << 10;
/// The most parts.
const MAX_PARTS: usize = 1 << 10;
/// The most rounds: only the parts of one round are in memory at once.
const ROUNDS: usize = 2;
/// Chunks per unit of parallel distribution.
const DEALT: usize = 64 << 10;
/// Stands for "not found".
const NONE: u32 = u32::MAX;

/// The chunks of a build.
pub(super) type Side<'a> = (&'a Store, &'a [Entry]);

/// The chunks of two builds, joined by their ids.
#[derive(Default)]
pub(super) struct Joined {
    /// For each chunk of the new build, the position of the first old chunk with its id, or [`NONE`].
    before: Vec<AtomicU32>,
    /// Positions of old chunks whose ids the new build lacks, in order.
    pub removed: Vec<u32>,
}

impl Joined {
    /// Joins two builds; if cancelled, the rest counts as added.
    pub(super) fn new(old: Side<'_>, new: Side<'_>, cancel: &CancelToken) -> Self {
        let parts = (old.1.len() / PART).clamp(1, MAX_PARTS);
        let hasher = RandomState::default();
        let before: Vec<AtomicU32> = new.1.iter().map(|_| AtomicU32::new(NONE)).collect();
        let mut removed = Vec::new();
        // Each round reads all ids again, but holds only half of them: time is traded for memory.
        let rounds = ROUNDS.min(parts);
        for round in 0..rounds {
            let of_round = parts * round / rounds..parts * (round + 1) / rounds;
            let [dealt_old, dealt_new] = [old, new].map(|side| deal(side, &hasher, parts, &of_round));
            let join = |part: usize| {
                if cancel.is_cancelled() {
                    return Vec::new();
                }
                join(of_part(&dealt_old, part), of_part(&dealt_new, part), &before)
            };
            removed.extend(new.0.cpu().map(0..of_round.len(), join).into_iter().flatten());
        }
        // Parts return their positions in hash order.
        removed.sort_unstable();
        Self { before, removed }
    }

    /// Position in the old build of the first chunk with the id of a new chunk.
    pub(super) fn before(&self, at: usize) -> Option<usize> {
        let before = self.before.get(at)?.load(Ordering::Relaxed);
        usize::try_from(before).ok().filter(|_| before != NONE)
    }
}

/// A chunk: its id, and its position in its build.
type Dealt = (RawChunkId, u32);

/// Distributes chunks by the hash of their id, for the parts of one round; each thread takes a run of chunks, in order.
fn deal(
    (store, entries): Side<'_>,
    hasher: &RandomState,
    parts: usize,
    of_round: &Range<usize>,
) -> Vec<Vec<Vec<Dealt>>> {
    let deal = |(first, entries): (usize, &[Entry])| {
        // Hashes spread evenly, so the room of an average part plus an eighth is nearly always enough.
        let expected = entries.len() / parts;
        let room = expected + expected / 8 + 8;
        let mut dealt: Vec<Vec<Dealt>> = of_round.clone().map(|_| Vec::with_capacity(room)).collect();
        for (at, entry) in (first..).zip(entries) {
            let id = store.chunk(*entry).id();
            // Any bits will do, as long as old and new chunks of one id meet in one part.
            let part = usize::try_from(hasher.hash_one(id) >> 32).unwrap_or(0) % parts;
            let part = part.checked_sub(of_round.start).and_then(|part| dealt.get_mut(part));
            // Chunks of other rounds are skipped.
            if let (Some(part), Ok(at)) = (part, u32::try_from(at)) {
                part.push((id, at));
            }
        }
        dealt
    };
    store.cpu().map((0..).step_by(DEALT).zip(entries.chunks(DEALT)), deal)
}

/// The chunks of a part, in order.
fn of_part(dealt: &[Vec<Vec<Dealt>>], part: usize) -> impl Iterator<Item = &Dealt> + Clone {
    dealt.iter().filter_map(move |dealt| dealt.get(part)).flatten()
}

/// Joins a part: records the old position of its new chunks, and returns the positions of old chunks whose ids are
/// gone.
fn join<'a>(
    old: impl Iterator<Item = &'a Dealt> + Clone,
    new: impl Iterator<Item = &'a Dealt>,
    before: &[AtomicU32],
) -> Vec<u32> {
    let mut by_id: HashMap<RawChunkId, (u32, bool)> = HashMap::default();
    // `or_insert` keeps the first position of a repeated id.
    old.clone().for_each(|(id, at)| _ = by_id.entry(*id).or_insert((*at, false)));
    for (id, at) in new {
        let place = usize::try_from(*at).ok().and_then(|at| before.get(at));
        if let Some(((first, found), place)) = by_id.get_mut(id).zip(place) {
            *found = true;
            place.store(*first, Ordering::Relaxed);
        }
    }
    // An old chunk whose id no new chunk has asked for.
    let is_gone = |(id, _): &&Dealt| by_id.get(id).is_some_and(|(_, found)| !found);
    old.filter(is_gone).map(|(_, at)| *at).collect()
}
