use std::ops::{Deref, DerefMut};

/// Buffers grow by multiples of this.
const GRANULE: usize = 64 << 10;

/// Bytes that are reused: growing is paid for once, and shrinking keeps the memory.
///
/// All memory behind it is initialised at all times, so that giving it a length costs nothing after the first use.
#[derive(Debug, Default)]
pub struct Buffer {
    bytes: Vec<u8>,
    len: usize,
}

impl Buffer {
    /// A buffer of `len` zero bytes.
    #[must_use]
    pub fn new(len: usize) -> Self {
        Self { bytes: vec![0; len], len }
    }

    /// Gives the buffer a length. What it holds then is unspecified, but initialised.
    pub fn set_len(&mut self, len: usize) {
        if len > self.bytes.len() {
            // New memory rather than more of the old: what it held need not be copied, and the system gives zeros for
            // nothing. Rounded up, so that a slightly longer batch does not ask again.
            self.bytes = Vec::new();
            self.bytes = vec![0; len.checked_next_multiple_of(GRANULE).unwrap_or(len)];
        }
        self.len = len;
    }

    /// Bytes of memory behind the buffer.
    #[must_use]
    pub const fn capacity(&self) -> usize {
        self.bytes.len()
    }
}

impl Deref for Buffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut [u8] {
        self.bytes.get_mut(..self.len).unwrap_or_default()
    }
}
