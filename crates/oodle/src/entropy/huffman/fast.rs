//! Fast symbol loop: three or six streams in lockstep, five symbols of each per load.
#![expect(unsafe_code, reason = "streams in lockstep; compare kernels in benches/oodle.rs")]
#![expect(
    clippy::inline_always,
    reason = "bodies must be compiled with the processor features of their callers"
)]
#![expect(clippy::indexing_slicing, reason = "loops over arrays, and a masked table index")]
#![expect(clippy::needless_bitwise_bool, reason = "one branch for several checks")]
#![expect(clippy::needless_range_loop, reason = "lanes of two arrays at once, unrolled")]

use super::streams::{Cursor, Lanes};
use super::table::{SLOTS, Table};
use crate::backend::Backend;

/// Symbols per stream and load: 5 codes of up to 11 bits fit into 57.
const BATCH: usize = 5;

/// Output bytes of one body per step.
const STEP: usize = 3 * BATCH;

/// Decodes whole steps of all bodies while no two cursors cross; the plain loop does the rest and gives the
/// verdict. Returns the number of bytes filled in each output.
pub(super) fn advance<const BODIES: usize>(
    table: &Table,
    backend: Backend,
    lanes: &mut [Lanes<'_>; BODIES],
    outputs: [&mut [u8]; BODIES],
) -> usize {
    backend.run(
        #[inline(always)]
        || advance_with(table, lanes, outputs),
    )
}

/// Runs the loop. Loads are in bounds because every cursor is within its region, and more than 8 readable
/// bytes surround a region; stores, because a step is only taken if all outputs have room for it.
#[inline(always)]
fn advance_with<const BODIES: usize>(
    table: &Table,
    lanes: &mut [Lanes<'_>; BODIES],
    outputs: [&mut [u8]; BODIES],
) -> usize {
    // Bodies run in lockstep, so the shorter half of six streams ends the loop for both.
    let room = outputs.iter().map(|output| output.len()).min().unwrap_or_default();
    let outputs = outputs.map(<[u8]>::as_mut_ptr);
    let mut streams: [[Stream; 3]; BODIES] =
        core::array::from_fn(|body| lanes[body].cursors().map(Stream::new));
    let ends: [*const u8; BODIES] = core::array::from_fn(|body| lanes[body].first_end());
    // Loaded once: the compiler cannot know that no output overlaps the table.
    let (entries, mask) = (&table.entries, table.mask & (SLOTS - 1));
    let mut filled = 0;
    while filled + STEP <= room {
        // One branch per step for all cursors. Crossing by less than a load is harmless; equality of the ends
        // is checked later.
        let apart = (0..BODIES).fold(true, |apart, body| {
            let [a, b, c] = &streams[body];
            apart & (a.at <= ends[body]) & (c.at <= b.at)
        });
        if !apart {
            break;
        }
        // SAFETY: `a` lies within its region, `b` and `c` between the ends of theirs.
        let mut words = streams.map(|[a, b, c]| unsafe { [a.forward(), b.backward(), c.forward()] });
        // The innermost loop goes over streams: three or six chains of load, look-up and shift overlap, and
        // hide each other's latency.
        for symbol in 0..BATCH {
            for body in 0..BODIES {
                for lane in 0..3 {
                    let value = words[body][lane].symbol(entries, mask);
                    // SAFETY: `filled + STEP` is within each output.
                    unsafe { outputs[body].add(filled + 3 * symbol + lane).write(value) };
                }
            }
        }
        // After five symbols each stream moves by its whole bytes, and keeps up to seven used bits.
        for (streams, [a, b, c]) in streams.iter_mut().zip(words) {
            streams[0].advance(a);
            streams[1].retreat(b);
            streams[2].advance(c);
        }
        filled += STEP;
    }
    // Pointers become positions again, which the plain loop continues from.
    for (lanes, streams) in lanes.iter_mut().zip(&streams) {
        lanes.advance_to(streams.each_ref().map(|stream| (stream.at, stream.bit)));
    }
    filled
}

/// Position of a stream: a byte, and up to seven used bits.
#[derive(Clone, Copy)]
struct Stream {
    at: *const u8,
    bit: u32,
}

/// 64-bit window on a stream. Its top bit is set before any is used, so the zeros above it count the used
/// bits: six streams with a separate counter each would not fit the registers.
#[derive(Clone, Copy)]
struct Word(u64);

/// Mark at the top of a window. It costs one bit; 7 used ones and 55 of five codes fit below.
const TOP: u64 = 1 << 63;

impl Stream {
    fn new(cursor: Cursor<'_>) -> Self {
        Self { at: cursor.as_ptr(), bit: cursor.bit() }
    }

    /// # Safety
    /// 8 bytes can be read from the cursor on.
    #[inline(always)]
    unsafe fn forward(self) -> Word {
        // SAFETY: by contract.
        let bits = u64::from_le(unsafe { self.at.cast::<u64>().read_unaligned() });
        // Used bits leave at the bottom; the mark moves down with the others.
        Word((bits | TOP) >> self.bit)
    }

    /// # Safety
    /// 8 bytes can be read before the cursor.
    #[inline(always)]
    unsafe fn backward(self) -> Word {
        // SAFETY: by contract.
        // Loaded as big-endian, the byte before the cursor comes lowest: backward streams then work like
        // forward ones.
        let bits = u64::from_be(unsafe { self.at.sub(8).cast::<u64>().read_unaligned() });
        Word((bits | TOP) >> self.bit)
    }

    #[inline(always)]
    fn advance(&mut self, word: Word) {
        // At most 64 bits: 8 bytes, fewer than can be read after a region.
        let used = word.0.leading_zeros();
        self.at = self.at.wrapping_add((used >> 3) as usize);
        self.bit = used & 7;
    }

    #[inline(always)]
    fn retreat(&mut self, word: Word) {
        let used = word.0.leading_zeros();
        self.at = self.at.wrapping_sub((used >> 3) as usize);
        // Backward, whole bytes are subtracted; the used bits count the same way.
        self.bit = used & 7;
    }
}

impl Word {
    #[inline(always)]
    fn symbol(&mut self, entries: &[u16; SLOTS], mask: usize) -> u8 {
        #[expect(clippy::cast_possible_truncation, reason = "masked")]
        // The mask keeps the index inside the table, so no bound is checked.
        let entry = entries[self.0 as usize & mask];
        // The low byte of an entry is the length; the shift takes its low six bits, and the symbol above has
        // no effect.
        self.0 >>= entry & 63;
        entry.to_le_bytes()[1]
    }
}
