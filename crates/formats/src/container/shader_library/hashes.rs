use crate::wire::{Archive, Fault};

/// Possible lengths of a hash in bytes, most common first.
pub(super) const HASH_LENS: [usize; 2] = [20, 8];

/// A table of hashes of one width.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hashes {
    /// Length of one hash in bytes.
    width: usize,
    bytes: Vec<u8>,
}

impl Default for Hashes {
    fn default() -> Self {
        let [usual, _] = HASH_LENS;
        Self::new(usual)
    }
}

impl Hashes {
    /// Creates an empty table of hashes of this length.
    pub(super) const fn new(width: usize) -> Self {
        Self { width, bytes: Vec::new() }
    }

    /// Returns the length of one hash in bytes: 20, or 8 since UE 5.8.
    #[must_use]
    pub const fn width(&self) -> usize {
        self.width
    }

    /// Returns the number of hashes.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.bytes.len() / self.width
    }

    /// Returns the length of all hashes in bytes.
    pub(super) const fn byte_len(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Returns true if there are no hashes.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Returns the hash at an index.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&[u8]> {
        self.iter().nth(index)
    }

    /// Iterates over all hashes, in file order.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.bytes.chunks_exact(self.width)
    }

    /// Archives a count, then the hashes.
    pub(super) fn archive<A: Archive>(&mut self, a: &mut A, field: &'static str) -> Result<(), Fault> {
        let count = a.count(field, self.len(), self.width)?;
        // One blob instead of a vector per hash.
        a.blob(field, &mut self.bytes, count * self.width)
    }
}
