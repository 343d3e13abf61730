use std::ops::{Deref, DerefMut};

/// Length above which buffers come in few sizes, so that one can replace another.
const SMALL: usize = 64 << 10;

/// Length from which powers of two would waste too much.
const LARGE: usize = 4 << 20;

/// Reusable bytes: growing is paid for once, and shrinking keeps the memory.
///
/// The whole capacity is always initialised, so that changing the length costs nothing after the first use.
#[derive(Debug, Default)]
pub struct Buffer {
    bytes: Vec<u8>,
    len: usize,
}

impl Buffer {
    /// Buffer of `len` zero bytes.
    #[must_use]
    pub fn new(len: usize) -> Self {
        Self { bytes: vec![0; len], len }
    }

    /// Sets the length of the buffer. Its content is then unspecified, but initialised.
    pub fn set_len(&mut self, len: usize) {
        if len > self.bytes.len() {
            // New memory instead of a larger copy of the old: the old content need not be copied, and the
            // system provides zeros for free.
            self.bytes = Vec::new();
            self.bytes = vec![0; Self::capacity_for(len)];
        }
        self.len = len;
    }

    /// Returns its memory as an empty list to append to; [`from_vec`](Self::from_vec) turns it back into a
    /// buffer.
    #[must_use]
    pub(crate) fn into_vec(self) -> Vec<u8> {
        let mut bytes = self.bytes;
        bytes.clear();
        bytes
    }

    /// Returns its content.
    #[must_use]
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        let mut bytes = self.bytes;
        bytes.truncate(self.len);
        bytes
    }

    /// Buffer that holds what was appended to a list.
    #[must_use]
    pub(crate) fn from_vec(mut bytes: Vec<u8>) -> Self {
        let len = bytes.len();
        // The rest of the capacity is initialised here, once, as every buffer's is.
        bytes.resize(bytes.capacity(), 0);
        Self { bytes, len }
    }

    /// Returns the memory that a new buffer of this length takes, in bytes.
    #[must_use]
    pub(crate) const fn capacity_for(len: usize) -> usize {
        let rounded = match len {
            0..SMALL => Some(len),
            // Few sizes, so that a recycled buffer usually fits: powers of two, then steps of 64 KiB.
            SMALL..LARGE => len.checked_next_power_of_two(),
            LARGE.. => len.checked_next_multiple_of(SMALL),
        };
        match rounded {
            Some(rounded) => rounded,
            None => len,
        }
    }

    /// True if it is too short to be worth keeping.
    #[must_use]
    pub(crate) const fn is_small(&self) -> bool {
        self.bytes.len() < SMALL
    }

    /// Returns the capacity in bytes.
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
