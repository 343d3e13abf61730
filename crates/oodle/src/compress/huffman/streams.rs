//! Three streams of codes, to which bytes are dealt in turn.
#![expect(clippy::indexing_slicing, reason = "tables of 256, indexed by bytes; rooms of the streams")]

use alloc::vec::Vec;

use super::lengths::MAX_LEN;

/// Canonical codes, bit-reversed as they are written: the code in the low 12 bits, its length above.
pub(super) struct Codes([u16; 256]);

impl Codes {
    /// Assigns the codes of these lengths, up to 11, to `symbols` in order.
    pub(super) fn new(lengths: &[u8; 256], symbols: &[u8]) -> Self {
        // The first code of each length follows from the number of shorter ones.
        let mut counts = [0u16; 16];
        for byte in symbols {
            counts[usize::from(lengths[usize::from(*byte)] & 15)] += 1;
        }
        let mut next = [0u16; 16];
        for len in 1..=MAX_LEN {
            next[len] = (next[len - 1] + counts[len - 1]) << 1;
        }
        let mut codes = [0; 256];
        for byte in symbols {
            let len = lengths[usize::from(*byte)] & 15;
            let bits = &mut next[usize::from(len)];
            // Streams start with the lowest bit, but canonical codes with the highest: hence reversed.
            codes[usize::from(*byte)] = bits.reverse_bits() >> (16 - len) | u16::from(len) << 12;
            *bits += 1;
        }
        Self(codes)
    }

    fn of(&self, byte: u8) -> u16 {
        self.0[usize::from(byte)]
    }

    /// Appends three streams; `None` if the first one is too long for its size field.
    pub(super) fn append_streams(&self, out: &mut Vec<u8>, bytes: &[u8]) -> Option<()> {
        // The most that a stream may take, plus a word, because whole words are written.
        let room = (bytes.len().div_ceil(3) * MAX_LEN).div_ceil(8) + 8;
        let start = out.len();
        out.resize(start + 2 + 3 * room, 0);
        let (a_room, rest) = out[start + 2..].split_at_mut(room);
        let (c_room, b_room) = rest.split_at_mut(room);
        let [mut a, mut b, mut c] = [a_room, b_room, c_room].map(Stream::new);
        // Five codes are 55 bits, which fit in a word together with the 7 bits that may be left in it.
        let (groups, last) = bytes.as_chunks::<15>();
        for group in groups {
            for [first, second, third] in group.as_chunks().0 {
                a.put(self.of(*first));
                b.put(self.of(*second));
                c.put(self.of(*third));
            }
            a.flush();
            b.flush();
            c.flush();
        }
        let (triples, last) = last.as_chunks();
        for [first, second, third] in triples {
            a.put_flushed(self.of(*first));
            b.put_flushed(self.of(*second));
            c.put_flushed(self.of(*third));
        }
        last.first().into_iter().for_each(|byte| a.put_flushed(self.of(*byte)));
        last.get(1).into_iter().for_each(|byte| b.put_flushed(self.of(*byte)));
        let [a_len, b_len, c_len] = [a, b, c].map(Stream::finish);
        // The third region holds stream B, which is read backwards from the end: its bytes are reversed.
        let (a_at, c_at, b_at) = (start + 2, start + 2 + room, start + 2 + 2 * room);
        out[b_at..b_at + b_len].reverse();
        out.copy_within(c_at..c_at + c_len, a_at + a_len);
        out.copy_within(b_at..b_at + b_len, a_at + a_len + c_len);
        out.truncate(a_at + a_len + c_len + b_len);
        out[start..a_at].copy_from_slice(&u16::try_from(a_len).ok()?.to_le_bytes());
        Some(())
    }
}

/// Writer that starts at the least significant bit, into a buffer with a word to spare.
struct Stream<'r> {
    room: &'r mut [u8],
    len: usize,
    pending: u64,
    count: u32,
}

impl<'r> Stream<'r> {
    fn new(room: &'r mut [u8]) -> Self {
        Self { room, len: 0, pending: 0, count: 0 }
    }

    /// Adds a code to the pending bits, which must not exceed 64.
    fn put(&mut self, code: u16) {
        self.pending |= u64::from(code & 0xFFF) << self.count;
        self.count += u32::from(code >> 12);
    }

    fn put_flushed(&mut self, code: u16) {
        self.put(code);
        self.flush();
    }

    /// Writes all whole bytes.
    fn flush(&mut self) {
        if let Some(word) = self.room[self.len..].first_chunk_mut() {
            *word = self.pending.to_le_bytes();
        }
        // The word was written in full; only its complete bytes count, the rest stays pending and is written
        // again.
        self.len += (self.count / 8) as usize;
        self.pending >>= self.count & !7;
        self.count &= 7;
    }

    /// Returns the number of bytes, the last one padded with zeros.
    fn finish(self) -> usize {
        // The last flush has already written the remaining bits.
        self.len + usize::from(self.count > 0)
    }
}
