//! Buffers and tables that are reused from block to block.

use alloc::{boxed::Box, vec, vec::Vec};

use crate::backend::Backend;
use crate::entropy::Tables;
use crate::views::Arena;

/// Room for all decoded arrays of one 128 KiB chunk. The format's own encoders keep within 432 KiB.
const ARENA: usize = 0x18_0000;

/// The most list entries of one chunk (half its bytes: every command makes at least two).
pub(crate) const ENTRIES: usize = 0x1_0000;

/// Working memory of [`decompress`](super::decompress): keep one per thread and use it for every block.
#[derive(Debug)]
pub struct Scratch {
    arena: Vec<u8>,
    tables: Box<Tables>,
    offsets: Box<Entries>,
    lengths: Box<Entries>,
    backend: Backend,
}

/// A list of offsets or lengths. Its size is a power of two, so that an index can be masked instead of checked.
pub(crate) type Entries = [u32; ENTRIES];

/// The parts of [`Scratch`], borrowed apart.
pub(crate) struct Parts<'a> {
    pub(crate) arena: Arena<'a>,
    pub(crate) tables: &'a mut Tables,
    pub(crate) offsets: &'a mut Entries,
    pub(crate) lengths: &'a mut Entries,
    pub(crate) backend: Backend,
}

impl Default for Scratch {
    fn default() -> Self {
        Self::with_backend(Backend::detect())
    }
}

impl Scratch {
    /// Bytes of memory that it takes.
    pub const LEN: usize = ARENA + size_of::<Tables>() + 2 * size_of::<Entries>();

    /// Scratch whose decoder uses the given kernels instead of the best ones: for tests and measurements.
    #[must_use]
    pub fn with_backend(backend: Backend) -> Self {
        Self { arena: vec![0; ARENA], tables: Box::default(), offsets: zeros(), lengths: zeros(), backend }
    }

    /// Fills all memory with a byte, as earlier blocks might have.
    #[cfg(test)]
    pub(crate) fn poison(&mut self, byte: u8) {
        self.arena.fill(byte);
        self.offsets.fill(u32::from_le_bytes([byte; 4]));
        self.lengths.fill(u32::from_le_bytes([byte; 4]));
    }

    pub(crate) fn parts(&mut self) -> Parts<'_> {
        Parts {
            arena: Arena::new(&mut self.arena),
            tables: &mut self.tables,
            offsets: &mut self.offsets,
            lengths: &mut self.lengths,
            backend: self.backend,
        }
    }
}

/// A large array of zeros, which has never been on the stack.
#[expect(clippy::unnecessary_box_returns, reason = "too large for the stack")]
pub(crate) fn zeros<const LEN: usize>() -> Box<[u32; LEN]> {
    vec![0; LEN].try_into().unwrap_or_else(|_| Box::new([0; LEN]))
}
