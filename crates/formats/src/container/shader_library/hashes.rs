use crate::wire::{Archive, Fault};

/// Bytes that a hash may have, the usual number first.
pub(super) const HASH_LENS: [usize; 2] = [20, 8];

/// A table of hashes of one width.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hashes {
    /// Bytes of one hash.
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
    /// No hashes yet, of this many bytes each.
    pub(super) const fn new(width: usize) -> Self {
        Self { width, bytes: Vec::new() }
    }

    /// Bytes of one hash: 20, or 8 since UE 5.8.
    #[must_use]
    pub const fn width(&self) -> usize {
        self.width
    }

    /// Number of hashes.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.bytes.len() / self.width
    }

    /// Bytes of all hashes.
    pub(super) const fn byte_len(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The hash at an index.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&[u8]> {
        self.iter().nth(index)
    }

    /// All hashes, in file order.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.bytes.chunks_exact(self.width)
    }

    /// A count, then the hashes.
    pub(super) fn archive<A: Archive>(&mut self, a: &mut A, field: &'static str) -> Result<(), Fault> {
        let count = a.count(field, self.len(), self.width)?;
        a.blob(field, &mut self.bytes, count * self.width)
    }
}
