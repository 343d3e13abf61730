//! Bit readers, most significant bit first, over a padded input.
//!
//! Tables, offsets and long lengths are read by a pair of readers that start at both ends of one region and
//! walk towards each other:
//!
//! ```text
//!   Forward  →                                  ←  Backward
//!   [ 76543210 76543210 …                 … 76543210 76543210 ]
//! ```
//!
//! Both reload a 64-bit word at the byte of the cursor for every [`Bits::peek`], so at least 57 bits are
//! valid and there is no state but the cursor. A cursor that runs out of the region reads neighbouring bytes
//! or zeros, never outside the buffer; the caller compares [`Bits::bytes_used`] with the region at the end.
#![expect(
    clippy::inline_always,
    reason = "bodies must be compiled with the processor features of their callers"
)]

use super::scratch::Input;

/// The number of bits of [`Bits::peek`] that are always valid.
pub(crate) const PEEK_BITS: u32 = 57;

/// A cursor over bits, most significant bit first.
pub(crate) trait Bits {
    /// The next bits, the first one in the top bit; at least [`PEEK_BITS`] of them are valid.
    fn peek(&self) -> u64;

    /// Moves the cursor.
    fn skip(&mut self, bits: u32);

    /// The bytes touched so far, the last one perhaps in part.
    fn bytes_used(&self) -> usize;

    /// Reads a number of up to 32 bits.
    #[inline(always)]
    fn take(&mut self, bits: u32) -> u32 {
        debug_assert!(bits <= 32);
        let value = top_bits(self.peek(), bits);
        self.skip(bits);
        value
    }

    /// Reads one bit.
    #[inline(always)]
    fn flag(&mut self) -> bool {
        self.take(1) == 1
    }
}

/// The top `bits` (0 to 32) of a word as a number.
#[inline(always)]
pub(crate) fn top_bits(word: u64, bits: u32) -> u32 {
    (word >> 32 >> (32 - bits)) as u32
}

/// Reads from the first byte of a region on.
#[derive(Clone, Copy)]
pub(crate) struct Forward<'a> {
    buf: &'a [u8],
    start: usize,
    bit: usize,
}

impl<'a> Forward<'a> {
    pub(crate) fn new(input: Input<'a>) -> Self {
        let (buf, range) = input.parts();
        Self { buf, start: range.start, bit: 0 }
    }
}

impl Bits for Forward<'_> {
    #[inline(always)]
    fn peek(&self) -> u64 {
        let at = self.start + (self.bit >> 3);
        self.buf
            .get(at..)
            .and_then(<[u8]>::first_chunk)
            .map_or(0, |b| u64::from_be_bytes(*b) << (self.bit & 7))
    }

    #[inline(always)]
    fn skip(&mut self, bits: u32) {
        self.bit += bits as usize;
    }

    #[inline(always)]
    fn bytes_used(&self) -> usize {
        self.bit.div_ceil(8)
    }
}

/// Reads from the last byte of a region back.
#[derive(Clone, Copy)]
pub(crate) struct Backward<'a> {
    buf: &'a [u8],
    end: usize,
    bit: usize,
}

impl<'a> Backward<'a> {
    pub(crate) fn new(input: Input<'a>) -> Self {
        let (buf, range) = input.parts();
        Self { buf, end: range.end, bit: 0 }
    }
}

impl Bits for Backward<'_> {
    #[inline(always)]
    fn peek(&self) -> u64 {
        let Some(end) = self.end.checked_sub(self.bit >> 3) else { return 0 };
        self.buf
            .get(..end)
            .and_then(<[u8]>::last_chunk)
            .map_or(0, |b| u64::from_le_bytes(*b) << (self.bit & 7))
    }

    #[inline(always)]
    fn skip(&mut self, bits: u32) {
        self.bit += bits as usize;
    }

    #[inline(always)]
    fn bytes_used(&self) -> usize {
        self.bit.div_ceil(8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::oodle::scratch::SLACK;

    #[test]
    fn both_ends_read_most_significant_bit_first() {
        let mut buf = [0u8; 2 * SLACK + 3];
        buf[SLACK..SLACK + 3].copy_from_slice(&[0b1010_0110, 0xFF, 0b0111_0001]);
        let input = Input::new(&buf, SLACK..SLACK + 3);
        let (mut forward, mut backward) = (Forward::new(input), Backward::new(input));
        assert_eq!((forward.take(3), forward.take(0), forward.take(7)), (0b101, 0, 0b001_1011));
        assert_eq!((backward.flag(), backward.take(4), backward.take(5)), (false, 0b1110, 0b00111));
        assert_eq!((forward.bytes_used(), backward.bytes_used()), (2, 2));
    }

    #[test]
    fn a_cursor_far_outside_reads_zeros() {
        let buf = [0xFFu8; 2 * SLACK];
        let input = Input::new(&buf, SLACK..SLACK);
        let (mut forward, mut backward) = (Forward::new(input), Backward::new(input));
        forward.skip(100_000);
        backward.skip(100_000);
        assert_eq!((forward.peek(), backward.peek()), (0, 0));
    }
}
