//! The perfect hash by which the engine finds chunks, since UE 5.0.
//!
//! ```text
//! seed = seeds[H(id, 0) mod seeds]        0  → no such chunk
//! < 0  → slot -seed-1 or, past the table, a scan of the overflow list
//!                                       > 0  → slot H(id, seed) mod chunks
//! H(id, seed) = FNV-1 over the twelve bytes, starting from the seed (or the FNV basis for 0)
//! ```
//!
//! Source: the container fact sheet section 2.9, checked there on 20,238 chunks of real tables.

use crate::id::RawChunkId;
use crate::id::hash::{FNV_BASIS, FNV_PRIME};
use std::collections::HashMap;
use zerocopy::little_endian::I32;

/// Exclusive limit of seeds, which are primes. A bucket without a fitting one goes to the overflow list.
const SEED_LIMIT: usize = 1 << 16;

/// FNV-1 hash (multiply, then xor) of a chunk id.
#[must_use]
pub fn hash(id: RawChunkId, seed: i32) -> u64 {
    // Negative seeds never get here: they name slots directly.
    let start = if seed == 0 { FNV_BASIS } else { i64::from(seed).cast_unsigned() };
    id.0.iter().fold(start, |hash, byte| hash.wrapping_mul(FNV_PRIME) ^ u64::from(*byte))
}

/// Finds the slot of `id`, as the engine does. Never reads outside the tables, whatever they contain.
#[must_use]
pub fn lookup(ids: &[RawChunkId], seeds: &[I32], overflow: &[I32], id: RawChunkId) -> Option<u32> {
    // The length of a bucket's run is not recorded, so the whole list is scanned, as in the engine.
    look_up(ids, seeds, id, || {
        let slots = overflow.iter().filter_map(|slot| usize::try_from(slot.get()).ok());
        slots.into_iter().find(|slot| ids.get(*slot) == Some(&id))
    })
}

/// Returns the slots of chunks that the table does not lead to.
pub(super) fn misplaced(ids: &[RawChunkId], seeds: &[I32], overflow: &[I32]) -> Vec<u32> {
    // Indexed first: scanning the list for every chunk would be quadratic if many chunks are in it.
    let slots = overflow.iter().filter_map(|slot| usize::try_from(slot.get()).ok());
    let listed: HashMap<RawChunkId, usize> = slots.filter_map(|slot| Some((*ids.get(slot)?, slot))).collect();
    let is_found = |id: RawChunkId| look_up(ids, seeds, id, || listed.get(&id).copied()).is_some();
    (0..).zip(ids).filter(|(_, id)| !is_found(**id)).map(|(slot, _)| slot).collect()
}

/// Finds the slot of `id`; `in_overflow` is called if the table leads to the overflow list.
fn look_up(
    ids: &[RawChunkId],
    seeds: &[I32],
    id: RawChunkId,
    in_overflow: impl FnOnce() -> Option<usize>,
) -> Option<u32> {
    if ids.is_empty() || seeds.is_empty() {
        return None;
    }
    let holds = |slot: usize| ids.get(slot) == Some(&id);
    let seed = seeds.get(bucket(hash(id, 0), seeds.len()))?.get();
    let slot = match seed {
        0 => return None,
        1.. => bucket(hash(id, seed), ids.len()),
        _ => {
            // In 64 bits, since negating `i32::MIN` would overflow.
            let slot = usize::try_from(-(i64::from(seed)) - 1).ok()?;
            if slot < ids.len() { slot } else { in_overflow()? }
        }
    };
    // The hash leads unknown ids somewhere, too, so the id in the slot decides.
    u32::try_from(slot).ok().filter(|_| holds(slot))
}

fn bucket(hash: u64, count: usize) -> usize {
    usize::try_from(hash % (count as u64).max(1)).unwrap_or(0)
}

/// A perfect hash table for a set of ids.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PerfectHash {
    /// Index of the given id in each slot.
    pub slots: Vec<u32>,
    /// One seed per bucket.
    pub seeds: Vec<i32>,
    /// Slots of the chunks that the hash could not place.
    pub overflow: Vec<i32>,
}

impl PerfectHash {
    /// Returns the number of seeds that the engine uses for a number of chunks.
    #[must_use]
    pub(crate) const fn seed_count(chunks: usize) -> usize {
        if chunks == 0 { 0 } else { chunks.div_ceil(2) }
    }

    /// Assigns every id its own slot, as the engine's packager does: large buckets choose first, each taking
    /// the first prime that leads to free slots; a bucket of one takes any free slot. Among buckets of equal
    /// size the packager's order is unknown, so its own tables are the only source of its seeds.
    #[must_use]
    pub fn build(ids: &[RawChunkId]) -> Self {
        let seed_count = Self::seed_count(ids.len());
        let mut buckets: Vec<Vec<u32>> = vec![Vec::new(); seed_count];
        for (index, id) in (0u32..).zip(ids) {
            if let Some(bucket) = buckets.get_mut(bucket(hash(*id, 0), seed_count)) {
                bucket.push(index);
            }
        }
        let mut order: Vec<(usize, Vec<u32>)> = buckets.into_iter().enumerate().collect();
        // Large buckets need several free slots at once, so they choose while most are free.
        order.sort_by_key(|(at, bucket)| (std::cmp::Reverse(bucket.len()), *at));

        let mut table = Placement { ids, primes: primes(), slots: vec![None; ids.len()], next_free: 0 };
        let mut this = Self { slots: Vec::new(), seeds: vec![0; seed_count], overflow: Vec::new() };
        for (at, bucket) in order {
            // Empty buckets get seed 0, which means that no chunk is there.
            let seed = table.place(&bucket, &mut this.overflow);
            if let Some(place) = this.seeds.get_mut(at) {
                *place = seed;
            }
        }
        this.slots = table.slots.into_iter().flatten().collect();
        this
    }
}

/// Slots while they are being filled.
struct Placement<'a> {
    ids: &'a [RawChunkId],
    primes: Vec<i32>,
    slots: Vec<Option<u32>>,
    next_free: usize,
}

impl Placement<'_> {
    /// Places the chunks of one bucket and returns its seed.
    fn place(&mut self, bucket: &[u32], overflow: &mut Vec<i32>) -> i32 {
        match bucket {
            [] => 0,
            // One chunk fits in any slot, so no seed has to be searched for it.
            [single] => direct_seed(self.take_free(*single)),
            _ => self.find_seed(bucket).unwrap_or_else(|| {
                // The seed names the start of the bucket's run in the overflow list.
                let start = overflow.len();
                for index in bucket {
                    let slot = self.take_free(*index);
                    overflow.push(i32::try_from(slot).unwrap_or(i32::MAX));
                }
                direct_seed(self.ids.len() + start)
            }),
        }
    }

    /// Finds the first seed that leads all chunks of a bucket to free slots, and takes them.
    fn find_seed(&mut self, bucket: &[u32]) -> Option<i32> {
        // Moved out while the slots are changed.
        let primes = std::mem::take(&mut self.primes);
        let found = primes.iter().copied().find(|seed| self.try_seed(bucket, *seed));
        self.primes = primes;
        found
    }

    /// Takes all slots that `seed` leads to, if they are free and distinct.
    fn try_seed(&mut self, bucket: &[u32], seed: i32) -> bool {
        let mut taken = Vec::with_capacity(bucket.len());
        for index in bucket {
            let slot = self.ids.get(*index as usize).map(|id| self::bucket(hash(*id, seed), self.ids.len()));
            match slot
                .and_then(|slot| self.slots.get_mut(slot).filter(|place| place.is_none()).map(|p| (slot, p)))
            {
                Some((slot, place)) => {
                    *place = Some(*index);
                    taken.push(slot);
                }
                None => {
                    // A partly placed bucket is undone before the next seed.
                    for slot in taken {
                        if let Some(place) = self.slots.get_mut(slot) {
                            *place = None;
                        }
                    }
                    return false;
                }
            }
        }
        true
    }

    /// Takes the first free slot; there are as many slots as chunks.
    fn take_free(&mut self, index: u32) -> usize {
        let free =
            self.slots.iter().skip(self.next_free).position(Option::is_none).unwrap_or(0) + self.next_free;
        if let Some(place) = self.slots.get_mut(free) {
            *place = Some(index);
        }
        self.next_free = free + 1;
        free
    }
}

/// Returns all primes usable as seeds.
fn primes() -> Vec<i32> {
    let mut is_prime = vec![true; SEED_LIMIT];
    let mut primes = Vec::new();
    for number in 2..SEED_LIMIT {
        if is_prime.get(number) == Some(&true) {
            // Sieve of Eratosthenes; `number` itself is crossed out, too, but was read before.
            is_prime.iter_mut().skip(number).step_by(number).for_each(|multiple| *multiple = false);
            primes.extend(i32::try_from(number));
        }
    }
    primes
}

/// Returns the negative seed of a slot or, past the table, of a place in the overflow list.
fn direct_seed(slot: usize) -> i32 {
    i32::try_from(slot).map_or(i32::MIN, |slot| -slot - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(count: u64) -> Vec<RawChunkId> {
        (0..count).map(|n| RawChunkId::new(n.wrapping_mul(0x9E37_79B9_7F4A_7C15), 0, 1)).collect()
    }

    fn wire(values: &[i32]) -> Vec<I32> {
        values.iter().map(|value| I32::new(*value)).collect()
    }

    #[test]
    fn published_vectors() {
        let id = |text: &str| text.parse::<RawChunkId>().unwrap();
        assert_eq!(hash(id("7a2fca9ef6ca6dea00000001"), 0), 0x43E5_3B5B_26A5_3204);
        assert_eq!(hash(id("7a2fca9ef6ca6dea00000001"), 2), 0x464E_89A0_146F_E0AF);
        assert_eq!(hash(id("706a699c7ffbee2600000001"), 0), 0xC0AA_E2C7_5131_2C5B);
        assert_eq!(hash(id("5ee974c0c9e808fd00000006"), 2), 0x6CD6_D134_5E7E_DE69);
    }

    #[test]
    fn every_id_is_found_in_its_own_slot() {
        for count in [0, 1, 2, 3, 10, 1000] {
            let given = ids(count);
            let table = PerfectHash::build(&given);
            let placed: Vec<RawChunkId> = table.slots.iter().map(|index| given[*index as usize]).collect();
            assert_eq!(placed.len(), given.len());
            let (seeds, overflow) = (wire(&table.seeds), wire(&table.overflow));
            for (slot, id) in (0u32..).zip(&placed) {
                assert_eq!(lookup(&placed, &seeds, &overflow, *id), Some(slot), "{count} chunks");
            }
            assert_eq!(lookup(&placed, &seeds, &overflow, RawChunkId::new(1, 9, 9)), None);
        }
    }

    #[test]
    fn seeds_are_primes() {
        assert_eq!(primes()[..9], [2, 3, 5, 7, 11, 13, 17, 19, 23]);
        let seeds = PerfectHash::build(&ids(1000)).seeds;
        assert!(seeds.iter().filter(|seed| **seed > 0).all(|seed| primes().contains(seed)));
    }

    #[test]
    fn duplicate_ids_overflow_instead_of_looping() {
        let same = vec![RawChunkId::new(7, 0, 1); 3];
        let table = PerfectHash::build(&same);
        assert_eq!(table.overflow, [0, 1, 2]);
        assert_eq!(lookup(&same, &wire(&table.seeds), &wire(&table.overflow), same[0]), Some(0));
    }

    #[test]
    fn what_is_misplaced_is_what_is_not_found() {
        let given = ids(100);
        let mut table = PerfectHash::build(&given);
        let placed: Vec<RawChunkId> = table.slots.iter().map(|index| given[*index as usize]).collect();
        for seed in table.seeds.iter_mut().step_by(3) {
            *seed = 77;
        }
        // Every other bucket leads to a list containing each third chunk and slots that do not exist.
        for seed in table.seeds.iter_mut().skip(1).step_by(2) {
            *seed = -101;
        }
        table.overflow = (0..300).step_by(3).chain([-4, i32::MIN]).collect();
        let (seeds, overflow) = (wire(&table.seeds), wire(&table.overflow));
        let lost = |slot: &u32| lookup(&placed, &seeds, &overflow, placed[*slot as usize]).is_none();
        let expected: Vec<u32> = (0..100).filter(lost).collect();
        assert!((10..90).contains(&expected.len()), "{} of 100", expected.len());
        assert_eq!(misplaced(&placed, &seeds, &overflow), expected);
    }

    #[test]
    fn wild_seeds_find_nothing() {
        let given = ids(4);
        for seed in [i32::MIN, i32::MIN + 1, -5, -1000, i32::MAX] {
            let overflow = wire(&[i32::MIN, -1, 4, i32::MAX]);
            let found = lookup(&given, &wire(&[seed]), &overflow, RawChunkId::new(1, 1, 1));
            assert_eq!(found, None, "seed {seed}");
        }
    }
}
