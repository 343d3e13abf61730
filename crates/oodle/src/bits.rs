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
//! Both reload a 64-bit word at the byte of the cursor for every [`Reader::peek`]. Up to 7 of its bits are
//! used already, so at least 57 are valid, and the cursor is the only state: there is no "refill" to forget.
//! Two readers share a region so that the processor has two independent chains of work.
//!
//! Nothing is checked on the way. A cursor that leaves the region reads neighbouring bytes or zeros, never
//! outside the buffer; the caller compares [`Reader::bytes_used`] with the region once, at the end.
#![expect(
    clippy::inline_always,
    reason = "bodies must be compiled with the processor features of their callers"
)]

use crate::views::Input;

/// Number of bits of [`Reader::peek`] that are always valid.
pub(crate) const PEEK_BITS: u32 = 57;

/// Reader from the first byte of a region on.
pub(crate) type Forward<'a> = Reader<'a, false>;

/// Reader from the last byte of a region back.
pub(crate) type Backward<'a> = Reader<'a, true>;

/// Cursor over bits, most significant bit first.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'a, const BACKWARD: bool> {
    buf: &'a [u8],
    /// Start of the region; its end, if `BACKWARD`.
    origin: usize,
    /// Bits used so far.
    bit: usize,
}

impl<'a, const BACKWARD: bool> Reader<'a, BACKWARD> {
    pub(crate) fn new(input: Input<'a>) -> Self {
        let (buf, range) = input.parts();
        Self { buf, origin: if BACKWARD { range.end } else { range.start }, bit: 0 }
    }

    /// Returns the next bits, the first one in the top bit; at least [`PEEK_BITS`] of them are valid.
    #[inline(always)]
    pub(crate) fn peek(&self) -> u64 {
        let bytes = self.bit >> 3;
        // Backward, the byte before the cursor holds the next bits. A little-endian load of the eight bytes
        // before it puts that byte on top, so that both directions continue alike.
        let word = if BACKWARD {
            let end = self.origin.checked_sub(bytes);
            end.and_then(|end| self.buf.get(..end)?.last_chunk()).map(|word| u64::from_le_bytes(*word))
        } else {
            let rest = self.buf.get(self.origin + bytes..);
            rest.and_then(<[u8]>::first_chunk).map(|word| u64::from_be_bytes(*word))
        };
        // The used bits of the first byte leave at the top. A cursor outside the buffer has no word, and
        // reads zeros.
        word.map_or(0, |word| word << (self.bit & 7))
    }

    /// Moves the cursor.
    #[inline(always)]
    pub(crate) fn skip(&mut self, bits: u32) {
        self.bit += bits as usize;
    }

    /// Returns the number of bytes touched so far, the last one possibly in part.
    #[inline(always)]
    pub(crate) fn bytes_used(&self) -> usize {
        self.bit.div_ceil(8)
    }

    /// Reads a number of up to 32 bits.
    #[inline(always)]
    pub(crate) fn take(&mut self, bits: u32) -> u32 {
        debug_assert!(bits <= 32);
        let value = top_bits(self.peek(), bits);
        self.skip(bits);
        value
    }

    /// Reads one bit.
    #[inline(always)]
    pub(crate) fn flag(&mut self) -> bool {
        self.take(1) == 1
    }
}

/// Returns the top `bits` (0 to 32) of a word as a number.
#[inline(always)]
pub(crate) fn top_bits(word: u64, bits: u32) -> u32 {
    // Two shifts: one by 64, for no bits at all, would overflow.
    (word >> 32 >> (32 - bits)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::SLACK;

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
