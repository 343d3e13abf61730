use crate::package::zen::Header;
use foldhash::HashMap;
use std::collections::VecDeque;
use std::hash::Hash;
use std::sync::Arc;

/// Package headers that were read, the latest of them. A header that could not be read is remembered as such.
#[derive(Debug)]
pub(crate) struct Cache<K> {
    headers: HashMap<K, Option<Arc<Header>>>,
    /// In the order they were read.
    order: VecDeque<K>,
    /// Bytes that the headers had in the file.
    len: u64,
    limit: u64,
}

/// What remembering a header costs beside its bytes.
const OVERHEAD: u64 = 256;

impl<K: Copy + Eq + Hash> Cache<K> {
    /// A cache of headers that had at most about `limit` bytes in the file.
    pub(crate) fn new(limit: u64) -> Self {
        Self { headers: HashMap::default(), order: VecDeque::new(), len: 0, limit }
    }

    /// What is known about the header of a chunk.
    pub(crate) fn get(&self, entry: K) -> Option<&Option<Arc<Header>>> {
        self.headers.get(&entry)
    }

    /// Remembers a header, and forgets the oldest ones where they become too many.
    pub(crate) fn put(&mut self, entry: K, header: Option<Arc<Header>>) {
        self.len += price(header.as_ref());
        if let Some(replaced) = self.headers.insert(entry, header) {
            self.len -= price(replaced.as_ref());
            return;
        }
        self.order.push_back(entry);
        while self.len > self.limit && self.order.len() > 1 {
            let oldest = self.order.pop_front().and_then(|entry| self.headers.remove(&entry));
            self.len -= oldest.map_or(0, |header| price(header.as_ref()));
        }
    }
}

fn price(header: Option<&Arc<Header>>) -> u64 {
    OVERHEAD + header.map_or(0, |header| header.header_len)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_are_forgotten() {
        let mut cache = Cache::new(2 * OVERHEAD);
        for n in [0, 1, 1, 2] {
            cache.put(n, None);
        }
        assert_eq!([0, 1, 2].map(|n| cache.get(n).is_some()), [false, true, true]);
    }
}
