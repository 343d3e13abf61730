//! The symbol loops: three or six streams in lockstep, five symbols of each per load.
//!
//! Every stream is a chain of look-up, shift, look-up, of which none can start before the one before it is done. So the
//! streams take turns: while one waits, the others go on.
#![expect(
    clippy::inline_always,
    reason = "bodies must be compiled with the processor features of their callers"
)]
#![expect(clippy::indexing_slicing, reason = "loops over arrays, and a masked table index")]

use super::table::{SLOTS, Table};
use crate::bits::{word_at, word_before};
use crate::error::{Error, Part, Result};
use crate::views::Input;

/// Symbols per stream and load: 5 codes of up to 11 bits fit into the 57 bits that are always there.
const BATCH: usize = 5;

/// Output bytes of one body and step.
const STEP: usize = 3 * BATCH;

/// The three streams of one body: `a` and `c` read forward, `b` backward.
pub(super) struct Lanes<'a> {
    buf: &'a [u8],
    cursors: [Cursor; 3],
    /// Where stream A has to end. B and C have to meet.
    first_end: usize,
}

impl<'a> Lanes<'a> {
    /// Finds the streams of a body. A reads forward from its first byte, up to the split; C forward from there; B backward
    /// from its end.
    pub(super) fn parse(mut body: Input<'a>) -> Result<Self> {
        let split = body.u16_le(Part::HuffmanStream)?;
        let first = body.take(split, Part::HuffmanStream)?;
        let ((buf, first), (_, shared)) = (first.parts(), body.parts());
        let cursors = [first.start, shared.end, shared.start].map(|at| Cursor { at, bit: 0 });
        Ok(Self { buf, cursors, first_end: first.end })
    }

    /// Decodes the rest of a body. The first symbol is one of stream A.
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
        // No cursor has looked for its end on the way. If all are where they should be, they have read what was meant for them.
        let [a, b, c] = self.cursors;
        let exact = a.end() == self.first_end && c.end() == b.begin();
        if exact { Ok(()) } else { Err(Error::Malformed(Part::HuffmanStream)) }
    }

    #[inline(always)]
    fn words(&self) -> [Word; 3] {
        let [a, b, c] = self.cursors;
        [a.forward(self.buf), b.backward(self.buf), c.forward(self.buf)]
    }

    #[inline(always)]
    fn advance(&mut self, [from_a, from_b, from_c]: [Word; 3]) {
        let [a, b, c] = &mut self.cursors;
        a.advance(from_a);
        b.retreat(from_b);
        c.advance(from_c);
    }
}

/// Decodes whole steps of all bodies, as many as the shortest output has room for, or fewer with [`Unchecked`] loads;
/// returns how many bytes of each output that fills.
#[inline(always)]
pub(super) fn lockstep<L: Loads, const BODIES: usize>(
    table: &Table,
    lanes: &mut [Lanes<'_>; BODIES],
    outputs: [&mut [u8]; BODIES],
) -> usize {
    let mut outputs = outputs.map(|output| output.as_chunks_mut::<STEP>().0);
    let count = outputs.iter().map(|steps| steps.len()).min().unwrap_or_default();
    // Masked here, where it can stay in a register, an index needs no other check.
    let (entries, mask) = (&table.entries, table.mask & (SLOTS - 1));
    for step in 0..count {
        let Some(mut words) = L::words(lanes) else { return step * STEP };
        let slots = outputs.each_mut().map(|steps| &mut steps[step]);
        for symbol in 0..BATCH {
            for body in 0..BODIES {
                for lane in 0..3 {
                    slots[body][3 * symbol + lane] = words[body][lane].symbol(entries, mask);
                }
            }
        }
        for body in 0..BODIES {
            lanes[body].advance(words[body]);
        }
    }
    count * STEP
}

/// How the words of a step are loaded.
pub(super) trait Loads {
    /// The next word of each stream; `None` if they have to be loaded another way.
    fn words<const BODIES: usize>(lanes: &[Lanes<'_>; BODIES]) -> Option<[[Word; 3]; BODIES]>;
}

/// Looks at every load.
pub(super) struct Checked;

impl Loads for Checked {
    #[inline(always)]
    fn words<const BODIES: usize>(lanes: &[Lanes<'_>; BODIES]) -> Option<[[Word; 3]; BODIES]> {
        Some(core::array::from_fn(|body| lanes[body].words()))
    }
}

/// Looks once for all loads of a step. Near the ends of a stream, where words are not whole, it does not load at all.
#[cfg(not(feature = "safe-only"))]
pub(super) struct Unchecked;

#[cfg(not(feature = "safe-only"))]
impl Loads for Unchecked {
    #[inline(always)]
    #[expect(unsafe_code, reason = "twelve comparisons for thirty symbols are a tenth of the speed")]
    fn words<const BODIES: usize>(lanes: &[Lanes<'_>; BODIES]) -> Option<[[Word; 3]; BODIES]> {
        let are_whole = lanes.iter().fold(true, |whole, lanes| {
            let [a, b, c] = lanes.cursors;
            let last = lanes.buf.len().checked_sub(8);
            whole & last.is_some_and(|last| a.at.max(c.at) <= last && (8..=lanes.buf.len()).contains(&b.at))
        });
        are_whole.then(|| {
            core::array::from_fn(|body| {
                let Lanes { buf, cursors: [a, b, c], .. } = &lanes[body];
                // SAFETY: 8 bytes of the buffer can be read from `a` and `c` on, and before `b`.
                unsafe {
                    let load = |at: usize| buf.as_ptr().add(at).cast::<u64>().read_unaligned();
                    let word = |bits: u64, bit| Word { bits: bits >> bit, used: bit };
                    [
                        word(u64::from_le(load(a.at)), a.bit),
                        word(u64::from_be(load(b.at - 8)), b.bit),
                        word(u64::from_le(load(c.at)), c.bit),
                    ]
                }
            })
        })
    }
}

/// A 64-bit window on a stream, and how many of its bits are used up, in the low byte of `used`.
#[derive(Clone, Copy)]
pub(super) struct Word {
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
        // The symbol above the length is carried along; only the low byte is ever looked at, and 7 + 55 fit.
        self.used += u32::from(entry);
        entry.to_le_bytes()[1]
    }
}

/// A place in a stream: a byte and up to seven bits beyond (forward) or before (backward) it.
#[derive(Clone, Copy)]
struct Cursor {
    at: usize,
    bit: u32,
}

impl Cursor {
    #[inline(always)]
    fn forward(self, buf: &[u8]) -> Word {
        Word { bits: u64::from_le_bytes(word_at(buf, self.at)) >> self.bit, used: self.bit }
    }

    #[inline(always)]
    fn backward(self, buf: &[u8]) -> Word {
        Word { bits: u64::from_be_bytes(word_before(buf, self.at)) >> self.bit, used: self.bit }
    }

    #[inline(always)]
    fn advance(&mut self, word: Word) {
        self.at += (word.used >> 3 & 31) as usize;
        self.bit = word.used & 7;
    }

    #[inline(always)]
    fn retreat(&mut self, word: Word) {
        // Stops at zero: a cursor that far before its stream can never meet the other one.
        self.at = self.at.saturating_sub((word.used >> 3 & 31) as usize);
        self.bit = word.used & 7;
    }

    /// The first byte that a forward stream has not touched.
    fn end(self) -> usize {
        self.at + usize::from(self.bit > 0)
    }

    /// The last byte that a backward stream has touched.
    fn begin(self) -> usize {
        self.at.wrapping_sub(usize::from(self.bit > 0))
    }
}
