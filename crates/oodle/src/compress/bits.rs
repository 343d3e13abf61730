//! Bit writer of tables and integers, the mirror image of their reader.

use alloc::vec::Vec;

/// Writer that starts at the most significant bit.
#[derive(Default)]
pub(super) struct MsbWriter {
    bytes: Vec<u8>,
    /// Bits that do not fill four bytes yet; the last one is the lowest.
    pending: u64,
    count: u32,
}

impl MsbWriter {
    /// Writer with room for `len` bytes.
    pub(super) fn with_capacity(len: usize) -> Self {
        Self { bytes: Vec::with_capacity(len), ..Self::default() }
    }

    /// Appends the low `count` (up to 32) bits of `value`.
    pub(super) fn put(&mut self, value: usize, count: u32) {
        let mask = (1u64 << count) - 1;
        self.pending = self.pending << count | value as u64 & mask;
        self.count += count;
        // Four bytes leave at once. Up to 31 pending bits and 32 new ones always fit into the word.
        if let Some(left) = self.count.checked_sub(u32::BITS) {
            let [_, _, _, _, word @ ..] = (self.pending >> left).to_be_bytes();
            self.bytes.extend(word);
            self.count = left;
        }
    }

    /// Appends `zeros` zeros, then a one.
    pub(super) fn put_unary(&mut self, zeros: u32) {
        self.put(1, zeros + 1);
    }

    /// Appends a number of at least `1 << extra` in exp-Golomb form: a zero for each bit beyond the top
    /// `extra + 1`, then the number.
    pub(super) fn put_gamma(&mut self, value: usize, extra: u32) {
        let log = value.ilog2();
        self.put(0, log - extra);
        self.put(value, log + 1);
    }

    /// Returns the bytes, the last one padded with zeros.
    pub(super) fn finish(mut self) -> Vec<u8> {
        let len = self.count.div_ceil(8) as usize;
        // Fills the last word of four bytes, then drops the bytes of it that hold padding only.
        self.put(0, (u32::BITS - self.count) & 31);
        self.bytes.truncate(self.bytes.len() - (4 - len) % 4);
        self.bytes
    }
}

/// Returns the low 24 bits, high byte first.
pub(super) fn be24(value: usize) -> [u8; 3] {
    let [low, middle, high, ..] = value.to_le_bytes();
    [high, middle, low]
}
