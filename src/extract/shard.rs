//! Splits a job into equal shards, for several machines.

use crate::container::BlockIndex;
use crate::store::{Entry, Store};
use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;
use std::str::FromStr;

/// Shard `index` of `count`, counted from 1: `3/8`; or `2+1/8`, by those who count from 0.
///
/// Every shard of a selection on the same containers is a run of neighbouring chunks with about the same number of
/// stored bytes. Together the shards cover everything, and no chunk is in two.
///
/// ```
/// use uncask::extract::Shard;
///
/// let shard: Shard = "3/8".parse()?;
/// assert_eq!(shard.to_string(), "3/8");
/// assert!("0/8".parse::<Shard>().is_err());
/// # Ok::<(), uncask::extract::ShardError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shard {
    index: u32,
    count: u32,
}

/// Error of a text that is not a valid shard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a shard is I/N, with I from 1 to N, such as 1/4; or I+1/N, with I from 0")]
pub struct ShardError;

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let (index, count) = text.split_once('/').ok_or(ShardError)?;
        let number = |text: &str| text.trim().parse::<u32>().map_err(|_| ShardError);
        // Schedulers count from 0, and a container without a shell cannot add one.
        let index = match index.split_once('+') {
            Some((before, "1")) => number(before)?.checked_add(1).ok_or(ShardError)?,
            _ => number(index)?,
        };
        let count = number(count)?;
        if (1..=count).contains(&index) { Ok(Self { index, count }) } else { Err(ShardError) }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl Shard {
    /// Its number, counted from 1.
    #[must_use]
    pub const fn index(self) -> u32 {
        self.index
    }

    /// Number of shards.
    #[must_use]
    pub const fn count(self) -> u32 {
        self.count
    }

    /// The chunks of this shard. Chunks with the same key stay together.
    #[must_use]
    pub fn take<K: Eq + Hash>(
        self,
        store: &Store,
        entries: &[Entry],
        key: impl Fn(Entry) -> K,
    ) -> Vec<Entry> {
        // Every machine must cut the same list, whatever order its selection has.
        let mut sorted = entries.to_vec();
        sort_by_place(store, &mut sorted);
        let mut groups: HashMap<K, usize> = HashMap::with_capacity(sorted.len());
        let mut weights: Vec<u128> = Vec::new();
        let group_of: Vec<usize> = sorted
            .iter()
            // A group stands where its first chunk is, with the weight of all its chunks.
            .map(|entry| {
                let group = *groups.entry(key(*entry)).or_insert_with(|| {
                    weights.push(0);
                    weights.len() - 1
                });
                if let Some(weight) = weights.get_mut(group) {
                    *weight += u128::from(weight_of(store, *entry));
                }
                group
            })
            .collect();
        let shards = self.cut(&weights);
        let is_mine = |group: &usize| shards.get(*group) == Some(&self.index);
        sorted.into_iter().zip(group_of).filter(|(_, group)| is_mine(group)).map(|(entry, _)| entry).collect()
    }

    /// For each group of these weights, in order, true if it belongs to this shard.
    pub(crate) fn is_mine(self, weights: impl Iterator<Item = u64>) -> Vec<bool> {
        let weights: Vec<u128> = weights.map(u128::from).collect();
        self.cut(&weights).into_iter().map(|share| share == self.index).collect()
    }

    /// The shard of each group, in order: the one that contains the group's midpoint.
    fn cut(self, weights: &[u128]) -> Vec<u32> {
        // `max(1)`: with nothing but empty groups, do not divide by zero.
        let total = weights.iter().sum::<u128>().max(1);
        let mut before = 0;
        let shard = |weight: &u128| {
            // Twice the midpoint, to stay with integers. `u128` holds any sum of `u64` weights.
            let middle = 2 * before + weight;
            before += weight;
            u32::try_from(middle * u128::from(self.count) / (2 * total))
                .map_or(self.count, |at| at.saturating_add(1).min(self.count))
        };
        weights.iter().map(shard).collect()
    }
}

/// Sorts chunks by container and, in it, by where their data start: neighbours are read together, and the order is the same on
/// every machine.
pub(crate) fn sort_by_place(store: &Store, entries: &mut [Entry]) {
    let place = |entry: &Entry| {
        let start = store.container(*entry).and_then(|container| {
            let blocks = container.table().blocks_of(entry.chunk).ok()?;
            Some(container.table().block(entry.chunk, BlockIndex(blocks.start))?.offset)
        });
        (entry.container, start.unwrap_or_default(), *entry)
    };
    entries.sort_by_cached_key(place);
}

/// Cost of a chunk: its stored bytes, plus a fixed part for its output file.
fn weight_of(store: &Store, entry: Entry) -> u64 {
    let storage = store.container(entry).and_then(|container| container.table().storage(entry.chunk));
    storage.map_or(0, |storage| storage.stored_len).saturating_add(4096)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_equal_and_complete() {
        let weights: Vec<u128> = (0..1000).map(|n| 1 + n % 17).collect();
        let total: u128 = weights.iter().sum();
        for count in [1, 2, 3, 7, 64] {
            let shards = Shard { index: 1, count }.cut(&weights);
            assert!(shards.is_sorted());
            for index in 1..=count {
                let zip = shards.iter().zip(&weights);
                let share: u128 = zip.filter(|(shard, _)| **shard == index).map(|(_, weight)| weight).sum();
                assert!(
                    share.abs_diff(total / u128::from(count)) <= 17 + u128::from(count),
                    "{index}/{count}: {share}"
                );
            }
        }
        assert_eq!(Shard { index: 1, count: 3 }.cut(&[0, 0]), [1, 1]);
        assert_eq!(Shard { index: 1, count: 2 }.cut(&[u128::from(u64::MAX), 1]), [1, 2]);
    }

    #[test]
    fn what_is_no_share() {
        assert_eq!("2+1/8".parse(), Ok(Shard { index: 3, count: 8 }));
        for bad in
            ["", "1", "0/1", "2/1", "a/b", "-1/2", "1/0", "1/4294967296", "8+1/8", "1+2/8", "+1/8", "1+1"]
        {
            assert_eq!(bad.parse::<Shard>(), Err(ShardError), "{bad}");
        }
    }
}
