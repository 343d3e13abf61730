//! Groups of small items, each the work of one task.
//!
//! To hand a task to a worker and wake up the thread that waits for it takes about 30 µs: a fifth of what a small package
//! takes.

use std::ops::Range;

/// The most memory that several items of a group may need together, in bytes.
const PRICE: u64 = 1 << 20;

/// The most items of a group.
const COUNT: usize = 16;

/// Groups for each thread, at the least, so that no thread is idle at the end.
const SHARES: usize = 8;

/// Items in a row that one task works on.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Group {
    /// Their positions.
    pub(super) items: Range<usize>,
    /// The memory that they need together, in bytes.
    pub(super) price: u64,
}

/// All items of a job, in groups.
pub(super) struct Groups<'i, I, P> {
    items: &'i [I],
    price: P,
    /// The most items of a group.
    most: usize,
    /// Position of the next item, and its price if it is known.
    next: (usize, Option<u64>),
}

impl<'i, I, P: Fn(&I) -> u64> Groups<'i, I, P> {
    pub(super) fn new(items: &'i [I], price: P, threads: usize) -> Self {
        let most = (items.len() / (threads * SHARES).max(1)).clamp(1, COUNT);
        Self { items, price, most, next: (0, None) }
    }
}

impl<I, P: Fn(&I) -> u64> Iterator for Groups<'_, I, P> {
    type Item = Group;

    fn next(&mut self) -> Option<Group> {
        let (start, mut known) = self.next;
        let (mut end, mut price) = (start, 0_u64);
        while end - start < self.most
            && let Some(item) = self.items.get(end)
        {
            let own = known.take().unwrap_or_else(|| (self.price)(item));
            if end > start && price.saturating_add(own) > PRICE {
                known = Some(own);
                break;
            }
            (end, price) = (end + 1, price.saturating_add(own));
        }
        self.next = (end, known);
        (end > start).then_some(Group { items: start..end, price })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(prices: &[u64], threads: usize) -> Vec<Group> {
        Groups::new(prices, |price| *price, threads).collect()
    }

    #[test]
    fn small_items_share_a_group_and_large_ones_have_their_own() {
        let groups = cut(&[&[PRICE / 4; 5][..], &[PRICE + 1, 1], &[0; 200]].concat(), 1);
        let ends: Vec<usize> = groups.iter().map(|group| group.items.end).collect();
        assert_eq!(ends[..4], [4, 5, 6, 22]);
        assert_eq!(groups.iter().map(|group| group.price).sum::<u64>(), PRICE / 4 * 5 + PRICE + 2);
        let in_a_row = groups.windows(2).all(|pair| pair[0].items.end == pair[1].items.start);
        assert!(in_a_row && *ends.last().unwrap() == 207, "{ends:?}");
    }

    #[test]
    fn a_few_items_are_shared_out() {
        assert_eq!(cut(&[1; 8], 2).len(), 8);
        assert_eq!(cut(&[1; 64], 2).len(), 16);
        assert!(cut(&[], 0).is_empty());
    }
}
