//! The symbol loops: every stream is an independent chain of look-up, shift, look-up, so all are advanced in turn.
#![expect(clippy::indexing_slicing, reason = "the table index is masked")]

use super::table::{SLOTS, Table};
use crate::error::{Error, Part, Result};
use crate::views::Input;

/// Symbols per stream that one 64-bit load always holds.
const BATCH: usize = 5;

/// Where the three streams of one body lie.
pub(super) struct Body<'a> {
    /// Stream A reads forward from the first byte, up to `split`.
    first: Input<'a>,
    /// Stream C reads forward from here, stream B backward from the end, until they meet.
    shared: Input<'a>,
}

impl<'a> Body<'a> {
    pub(super) fn parse(mut body: Input<'a>) -> Result<Self> {
        let split = body.u16_le(Part::HuffmanStream)?;
        let first = body.take(split, Part::HuffmanStream)?;
        Ok(Self { first, shared: body })
    }
}

/// The three cursors of a body, and where they have to end.
pub(super) struct Lanes<'a> {
    a: Cursor<'a>,
    b: Cursor<'a>,
    c: Cursor<'a>,
    first_end: usize,
}

impl<'a> Lanes<'a> {
    pub(super) fn new(body: &Body<'a>) -> Self {
        let (buf, first) = body.first.parts();
        let (_, shared) = body.shared.parts();
        let cursor = |at| Cursor { buf, at, bit: 0 };
        Self { a: cursor(first.start), b: cursor(shared.end), c: cursor(shared.start), first_end: first.end }
    }

    /// Decodes the rest of a body. The first symbol is one of stream A.
    pub(super) fn finish(&mut self, table: &Table, dst: &mut [u8]) -> Result<()> {
        let mut batches = dst.chunks_exact_mut(3 * BATCH);
        for batch in &mut batches {
            let mut words = [self.a.forward(), self.b.backward(), self.c.forward()];
            for triple in batch.as_chunks_mut().0 {
                *triple = words.each_mut().map(|word| table.symbol(word));
            }
            self.advance(words);
        }
        for triple in batches.into_remainder().chunks_mut(3) {
            let mut words = [self.a.forward(), self.b.backward(), self.c.forward()];
            for (slot, word) in triple.iter_mut().zip(&mut words) {
                *slot = table.symbol(word);
            }
            self.advance(words);
        }
        let exact = self.a.end() == self.first_end && self.c.end() == self.b.begin();
        if exact { Ok(()) } else { Err(Error::Malformed(Part::HuffmanStream)) }
    }

    #[inline]
    fn advance(&mut self, [a, b, c]: [Word; 3]) {
        self.a.advance(a);
        self.b.retreat(b);
        self.c.advance(c);
    }
}

#[cfg(not(feature = "safe-only"))]
impl<'a> Lanes<'a> {
    pub(super) fn cursors(&self) -> [Cursor<'a>; 3] {
        [self.a, self.b, self.c]
    }

    /// The end of the region of stream A.
    pub(super) fn first_end(&self) -> *const u8 {
        self.a.buf.as_ptr().wrapping_add(self.first_end)
    }

    /// Moves the cursors to where a fast loop has left them.
    pub(super) fn advance_to(&mut self, places: [(*const u8, u32); 3]) {
        for (cursor, (at, bit)) in [&mut self.a, &mut self.b, &mut self.c].into_iter().zip(places) {
            cursor.at = at.addr() - cursor.buf.as_ptr().addr();
            cursor.bit = bit;
        }
    }
}

/// A 64-bit window on a stream and how many of its bits are used.
#[derive(Clone, Copy)]
struct Word {
    bits: u64,
    used: u32,
}

impl Table {
    #[inline]
    fn symbol(&self, word: &mut Word) -> u8 {
        #[expect(clippy::cast_possible_truncation, reason = "masked")]
        let slot = word.bits as usize & self.mask & (SLOTS - 1);
        let [length, symbol] = self.entries[slot].to_le_bytes();
        word.bits >>= length & 63;
        word.used += u32::from(length);
        symbol
    }
}

/// A place in a stream: a byte and up to seven bits beyond (forward) or before (backward) it.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'a> {
    buf: &'a [u8],
    at: usize,
    bit: u32,
}

impl Cursor<'_> {
    #[inline]
    fn forward(&self) -> Word {
        let bits =
            self.buf.get(self.at..).and_then(<[u8]>::first_chunk).map_or(0, |b| u64::from_le_bytes(*b));
        Word { bits: bits >> self.bit, used: self.bit }
    }

    #[inline]
    fn backward(&self) -> Word {
        let bits = self.buf.get(..self.at).and_then(<[u8]>::last_chunk).map_or(0, |b| u64::from_be_bytes(*b));
        Word { bits: bits >> self.bit, used: self.bit }
    }

    #[inline]
    fn advance(&mut self, word: Word) {
        self.at += (word.used >> 3) as usize;
        self.bit = word.used & 7;
    }

    #[inline]
    fn retreat(&mut self, word: Word) {
        // Stops at zero: a cursor that far before its stream can never meet the other one.
        self.at = self.at.saturating_sub((word.used >> 3) as usize);
        self.bit = word.used & 7;
    }

    /// The first byte that a forward stream has not touched.
    fn end(&self) -> usize {
        self.at + usize::from(self.bit > 0)
    }

    /// The last byte that a backward stream has touched.
    fn begin(&self) -> usize {
        self.at.wrapping_sub(usize::from(self.bit > 0))
    }
}

#[cfg(not(feature = "safe-only"))]
impl Cursor<'_> {
    pub(super) fn as_ptr(&self) -> *const u8 {
        self.buf.as_ptr().wrapping_add(self.at)
    }

    pub(super) fn bit(&self) -> u32 {
        self.bit
    }
}
