use crate::package::zen::Header;
use foldhash::HashMap;
use std::collections::VecDeque;
use std::hash::Hash;
use std::sync::Arc;

/// Cache of recently read package headers. Failed reads are cached, too.
#[derive(Debug)]
pub(crate) struct Cache<K> {
    headers: HashMap<K, Option<Arc<Header>>>,
    /// Keys in insertion order.
    order: VecDeque<K>,
    /// Memory of the headers, about, in bytes.
    len: u64,
    limit: u64,
}

/// Fixed cost of an entry, in bytes.
const OVERHEAD: u64 = 256;

/// Bytes of memory for each byte of a stored header: each name is a text of its own.
const FACTOR: u64 = 3;

impl<K: Copy + Eq + Hash> Cache<K> {
    /// An empty cache of about `limit` bytes.
    pub(crate) fn new(limit: u64) -> Self {
        Self { headers: HashMap::default(), order: VecDeque::new(), len: 0, limit }
    }

    /// The cached result for a chunk.
    pub(crate) fn get(&self, entry: K) -> Option<&Option<Arc<Header>>> {
        self.headers.get(&entry)
    }

    /// Caches a header, and evicts the oldest ones above the limit.
    pub(crate) fn put(&mut self, entry: K, header: Option<Arc<Header>>) {
        self.len += price(header.as_ref());
        if let Some(replaced) = self.headers.insert(entry, header) {
            // A replaced entry keeps its position, so a key is never queued twice.
            self.len -= price(replaced.as_ref());
            return;
        }
        self.order.push_back(entry);
        // The newest entry always stays, even if it is larger than the limit: its reader is about to use it.
        while self.len > self.limit && self.order.len() > 1 {
            let oldest = self.order.pop_front().and_then(|entry| self.headers.remove(&entry));
            self.len -= oldest.map_or(0, |header| price(header.as_ref()));
        }
    }
}

fn price(header: Option<&Arc<Header>>) -> u64 {
    OVERHEAD + header.map_or(0, |header| header.header_len.saturating_mul(FACTOR))
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
