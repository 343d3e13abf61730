//! Symbol loops: every stream is a chain of look-up, shift, look-up, so all of them advance in turn.
#![expect(clippy::inline_always, reason = "cursors have to stay in registers")]
#![expect(clippy::indexing_slicing, reason = "loops over arrays, and a masked table index")]

use super::table::{SLOTS, Table};
use crate::error::{Error, Result, StreamPart};
use crate::views::Input;

/// Symbols per stream that one 64-bit load always holds.
const BATCH: usize = 5;

/// Output bytes of one body per step.
const STEP: usize = 3 * BATCH;

/// Regions of the three streams of one body.
pub(super) struct Body<'a> {
    /// Region that stream A reads forward.
    first: Input<'a>,
    /// Region that stream C reads forward and stream B backward from the end, until they meet.
    shared: Input<'a>,
}

impl<'a> Body<'a> {
    pub(super) fn parse(mut body: Input<'a>) -> Result<Self> {
        let split = body.u16_le(StreamPart::HuffmanStream)?;
        let first = body.take(split, StreamPart::HuffmanStream)?;
        Ok(Self { first, shared: body })
    }
}

/// Cursors of a body, and the end of its first region.
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

    /// Decodes the rest of a body; the first symbol belongs to stream A.
    pub(super) fn finish(&mut self, table: &Table, dst: &mut [u8]) -> Result<()> {
        for step in dst.chunks_mut(STEP) {
            let mut words = self.words();
            for triple in step.chunks_mut(3) {
                for (slot, word) in triple.iter_mut().zip(&mut words) {
                    *slot = word.symbol(&table.entries, table.mask & (SLOTS - 1));
                }
            }
            self.advance(words);
        }
        // No cursor has looked for its end on the way. If all are where they should be, each has read exactly
        // its own bits.
        let exact = self.a.end() == self.first_end && self.c.end() == self.b.begin();
        if exact { Ok(()) } else { Err(Error::Malformed(StreamPart::HuffmanStream)) }
    }

    /// Loads the next word of each stream.
    #[inline(always)]
    fn words(&self) -> [Word; 3] {
        [self.a.forward(), self.b.backward(), self.c.forward()]
    }

    #[inline(always)]
    fn advance(&mut self, [a, b, c]: [Word; 3]) {
        self.a.advance(a);
        self.b.retreat(b);
        self.c.advance(c);
    }
}

/// Decodes whole steps of all bodies, as many as the shortest output has room for, and returns the number of
/// bytes filled in each output. [`Lanes::finish`] checks where the streams end.
pub(super) fn advance<const BODIES: usize>(
    table: &Table,
    lanes: &mut [Lanes<'_>; BODIES],
    outputs: [&mut [u8]; BODIES],
) -> usize {
    let mut outputs = outputs.map(|output| output.as_chunks_mut::<STEP>().0);
    let count = outputs.iter().map(|steps| steps.len()).min().unwrap_or_default();
    // Masked here, where it can stay in a register, the index needs no other check.
    let (entries, mask) = (&table.entries, table.mask & (SLOTS - 1));
    for step in 0..count {
        let mut words = lanes.each_ref().map(Lanes::words);
        let slots = outputs.each_mut().map(|steps| &mut steps[step]);
        for symbol in 0..BATCH {
            for body in 0..BODIES {
                for lane in 0..3 {
                    slots[body][3 * symbol + lane] = words[body][lane].symbol(entries, mask);
                }
            }
        }
        // Positions move once per step: five codes of 11 bits never exceed the word.
        for body in 0..BODIES {
            lanes[body].advance(words[body]);
        }
    }
    count * STEP
}

#[cfg(not(feature = "safe-only"))]
impl<'a> Lanes<'a> {
    pub(super) fn cursors(&self) -> [Cursor<'a>; 3] {
        [self.a, self.b, self.c]
    }

    /// Returns the end of the region of stream A.
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

/// 64-bit window on a stream, with the number of its used bits.
#[derive(Clone, Copy)]
struct Word {
    bits: u64,
    used: u32,
}

impl Word {
    /// Looks up the next symbol. `mask` is less than [`SLOTS`].
    #[inline(always)]
    fn symbol(&mut self, entries: &[u16; SLOTS], mask: usize) -> u8 {
        #[expect(clippy::cast_possible_truncation, reason = "masked")]
        let entry = entries[self.bits as usize & mask];
        self.bits >>= entry & 63;
        // The symbol above the length is added, too: only the low byte is ever read, and 7 + 55 fit into it.
        self.used += u32::from(entry);
        entry.to_le_bytes()[1]
    }
}

/// Position in a stream: a byte, and up to seven bits after (forward) or before (backward) it.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'a> {
    buf: &'a [u8],
    at: usize,
    bit: u32,
}

impl Cursor<'_> {
    #[inline(always)]
    fn forward(&self) -> Word {
        // A cursor outside the buffer reads zeros. Its end is wrong then, and the array is rejected.
        let bits =
            self.buf.get(self.at..).and_then(<[u8]>::first_chunk).map_or(0, |b| u64::from_le_bytes(*b));
        Word { bits: bits >> self.bit, used: self.bit }
    }

    #[inline(always)]
    fn backward(&self) -> Word {
        let bits = self.buf.get(..self.at).and_then(<[u8]>::last_chunk).map_or(0, |b| u64::from_be_bytes(*b));
        Word { bits: bits >> self.bit, used: self.bit }
    }

    #[inline(always)]
    fn advance(&mut self, word: Word) {
        // At most 62 bits were used; the mask drops the symbols that were added above them.
        self.at += (word.used >> 3 & 31) as usize;
        self.bit = word.used & 7;
    }

    #[inline(always)]
    fn retreat(&mut self, word: Word) {
        // Stops at zero: a cursor that far before its stream can never meet the other one.
        self.at = self.at.saturating_sub((word.used >> 3 & 31) as usize);
        self.bit = word.used & 7;
    }

    /// Returns the first byte that a forward stream has not touched.
    fn end(&self) -> usize {
        self.at + usize::from(self.bit > 0)
    }

    /// Returns the last byte that a backward stream has touched.
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
