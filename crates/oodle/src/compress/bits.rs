//! Bit writers, the mirrors of the readers.

use alloc::vec::Vec;

/// Writes the most significant bit first.
#[derive(Default)]
pub(super) struct MsbWriter {
    bytes: Vec<u8>,
    /// Bits that do not fill a byte yet, the last one lowest.
    pending: u64,
    count: u32,
}

impl MsbWriter {
    /// Appends the low `count` (up to 32) bits of `value`.
    pub(super) fn put(&mut self, value: usize, count: u32) {
        let mask = (1u64 << count) - 1;
        self.pending = self.pending << count | value as u64 & mask;
        self.count += count;
        while self.count >= 8 {
            self.count -= 8;
            self.bytes.push((self.pending >> self.count & 0xFF) as u8);
        }
    }

    /// Appends as many zeros, and a one.
    pub(super) fn put_unary(&mut self, zeros: u32) {
        self.put(1, zeros + 1);
    }

    /// Appends a number of at least `1 << extra` in exp-Golomb form: zeros for all bits but the top `extra + 1`.
    pub(super) fn put_gamma(&mut self, value: usize, extra: u32) {
        let log = value.ilog2();
        self.put(0, log - extra);
        self.put(value, log + 1);
    }

    /// The bytes, the last one filled up with zeros.
    pub(super) fn finish(mut self) -> Vec<u8> {
        self.put(0, (8 - self.count) & 7);
        self.bytes
    }
}

/// Writes the least significant bit first.
#[derive(Default)]
pub(super) struct LsbWriter {
    bytes: Vec<u8>,
    pending: u64,
    count: u32,
}

impl LsbWriter {
    /// Appends the low `count` (up to 11) bits of `value`, which has no others.
    pub(super) fn put(&mut self, value: u16, count: u32) {
        self.pending |= u64::from(value) << self.count;
        self.count += count;
        if let Some(left) = self.count.checked_sub(u32::BITS) {
            let [a, b, c, d, ..] = self.pending.to_le_bytes();
            self.bytes.extend([a, b, c, d]);
            self.pending >>= u32::BITS;
            self.count = left;
        }
    }

    /// The bytes, the last one filled up with zeros.
    pub(super) fn finish(mut self) -> Vec<u8> {
        let rest = self.pending.to_le_bytes();
        self.bytes.extend(rest.iter().take(self.count.div_ceil(8) as usize));
        self.bytes
    }
}

/// The low 24 bits, high byte first.
pub(super) fn be24(value: usize) -> [u8; 3] {
    let [low, middle, high, ..] = value.to_le_bytes();
    [high, middle, low]
}
