use std::ops::{Deref, DerefMut};

/// Buffers that are longer than this have a length of which there are few, so that one can be used for another.
const SMALL: usize = 64 << 10;

/// From this length on, powers of two would waste too much.
const LARGE: usize = 4 << 20;

/// Bytes that are reused: growing is paid for once, and shrinking keeps the memory.
///
/// Its whole capacity is initialised at all times, so that giving it a length costs nothing after the first use.
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
            // nothing.
            self.bytes = Vec::new();
            self.bytes = vec![0; Self::capacity_for(len)];
        }
        self.len = len;
    }

    /// Its memory as an empty list to append to; [`from_vec`](Self::from_vec) makes a buffer of it again.
    #[must_use]
    pub(crate) fn into_vec(self) -> Vec<u8> {
        let mut bytes = self.bytes;
        bytes.clear();
        bytes
    }

    /// A buffer that holds what was appended to a list.
    #[must_use]
    pub(crate) fn from_vec(mut bytes: Vec<u8>) -> Self {
        let len = bytes.len();
        bytes.resize(bytes.capacity(), 0);
        Self { bytes, len }
    }

    /// Bytes of memory that a new buffer gets for this length.
    #[must_use]
    pub(crate) const fn capacity_for(len: usize) -> usize {
        let rounded = match len {
            0..SMALL => Some(len),
            SMALL..LARGE => len.checked_next_power_of_two(),
            LARGE.. => len.checked_next_multiple_of(SMALL),
        };
        match rounded {
            Some(rounded) => rounded,
            None => len,
        }
    }

    /// Whether it is too short to be worth keeping.
    #[must_use]
    pub(crate) const fn is_small(&self) -> bool {
        self.bytes.len() < SMALL
    }

    /// Capacity in bytes.
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
