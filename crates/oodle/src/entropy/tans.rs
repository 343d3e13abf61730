//! tANS arrays: five interleaved states over one pair of bit streams.
//!
//! ```text
//!   bit 0 │ 2 bits: log2 of the table size - 8 │ bit: dense or sparse │ weights
//!   │ (byte) streams: forward →  ← backward
//! ```
//!
//! A state is a slot of the table. The slot holds a symbol, which is emitted, and a range of slots, from
//! which some bits of the stream choose the next state. A symbol with twice the weight has twice the slots,
//! and each of them reads one bit less. Weights need not be powers of two, so symbols can cost fractions of
//! bits, unlike Huffman codes. Five states take turns, because each has to wait for its own look-up.
#![expect(
    clippy::inline_always,
    reason = "bodies must be compiled with the processor features of their callers"
)]
#![expect(clippy::indexing_slicing, reason = "slots are masked, states are counted modulo their number")]

mod weights;

use crate::backend::Backend;
use crate::bits::Forward;
use crate::error::{Error, Result, StreamPart};
use crate::views::Input;
use weights::Weights;

const MAX_SLOTS: usize = 1 << 11;

/// Number of states that take turns.
const STATES: usize = 5;

/// Slot of the table: the emitted symbol, and the way to the next state.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    base: u16,
    bits: u8,
    symbol: u8,
}

/// State table. Invariant after [`Table::fill`]: of the first `1 << log` entries, every `base` plus any
/// number of `bits` bits is again below `1 << log`.
#[derive(Debug)]
pub(crate) struct Table {
    entries: [Entry; MAX_SLOTS],
    log: u32,
}

impl Default for Table {
    fn default() -> Self {
        Self { entries: [Entry::default(); MAX_SLOTS], log: 8 }
    }
}

/// Decodes a tANS array.
pub(super) fn decode(
    table: &mut Table,
    backend: Backend,
    mut payload: Input<'_>,
    dst: &mut [u8],
) -> Result<()> {
    const FAULT: Error = Error::Malformed(StreamPart::Tans);
    // The states alone take bits from both ends, and the last five output bytes are states.
    if payload.len() < 8 || dst.len() < STATES {
        return Err(FAULT);
    }
    let mut bits = Forward::new(payload);
    // The first bit is reserved.
    if bits.flag() {
        return Err(FAULT);
    }
    table.log = bits.take(2) + 8;
    let weights = Weights::read(&mut bits, table.log).ok_or(FAULT)?;
    table.fill(&weights);
    payload.take(bits.bytes_used(), StreamPart::Tans)?;
    let complete = backend.run(
        #[inline(always)]
        || table.symbols(payload, dst),
    );
    complete.ok_or(FAULT)
}

impl Table {
    /// Spreads every symbol evenly over four segments of the table; symbols of weight 1 go to its end.
    fn fill(&mut self, weights: &Weights) {
        // A symbol of weight 1 has one slot, which reads `log` bits and so leads anywhere.
        let slots = 1usize << self.log;
        let single = weights.iter().filter(|(_, weight)| *weight == 1).count();
        let spread = slots - single;
        // Four segments of equal size, up to one slot.
        let mut cursors = [0; 4];
        let mut start = 0;
        for (segment, cursor) in cursors.iter_mut().enumerate() {
            *cursor = start;
            start += spread / 4 + usize::from(segment < spread % 4);
        }
        let mut total = 0usize;
        let mut last = spread;
        for (symbol, weight) in weights.iter() {
            if weight == 1 {
                self.entries[last & (MAX_SLOTS - 1)] =
                    Entry { base: 0, bits: self.log.to_le_bytes()[0], symbol };
                last += 1;
                continue;
            }
            // A symbol of weight w has the states w to 2w - 1. They are dealt to the four segments in turn,
            // starting where the symbol before it stopped, so that the slots of each symbol are spread all
            // over the table.
            let mut state = weight;
            for (segment, cursor) in cursors.iter_mut().enumerate() {
                let count = (weight + (total.wrapping_sub(segment + 1) & 3)) / 4;
                for _ in 0..count {
                    self.entries[*cursor & (MAX_SLOTS - 1)] = self.entry(symbol, state);
                    *cursor += 1;
                    state += 1;
                }
            }
            total += weight;
        }
    }

    /// Returns the slot of one state of a symbol. Shifted left until it is at least the table size, a state
    /// names the first of the slots that follow it; the shifted-in bits choose among them. Over all states of
    /// a symbol, each slot comes up once.
    #[expect(clippy::cast_possible_truncation, reason = "below the table size, and at most 11")]
    fn entry(&self, symbol: u8, state: usize) -> Entry {
        let bits = self.log - state.ilog2();
        Entry { base: ((state << bits) & ((1 << self.log) - 1)) as u16, bits: bits as u8, symbol }
    }

    /// Decodes five symbols from the forward stream, then five from the backward one, and so on. The last
    /// five bytes are the final states themselves.
    #[inline(always)]
    fn symbols(&self, body: Input<'_>, dst: &mut [u8]) -> Option<()> {
        let mut streams = Streams { body, forward: 0, backward: 0 };
        let mut states = streams.first_states(self.log);
        let (emitted, last) = dst.split_at_mut(dst.len() - STATES);
        for rounds in emitted.chunks_mut(2 * STATES) {
            let (round, next_round) = rounds.split_at_mut(rounds.len().min(STATES));
            // One load per round: five symbols take at most 55 bits.
            let mut word = streams.forward();
            streams.forward += self.round(&mut word, &mut states, round);
            let mut word = streams.backward();
            streams.backward += self.round(&mut word, &mut states, next_round);
        }
        // A final state is a byte of output, so it must be one.
        for (slot, state) in last.iter_mut().zip(states) {
            *slot = u8::try_from(state).ok()?;
        }
        // Both streams must have used exactly the body. Their bits have not been checked before.
        (streams.forward.div_ceil(8) + streams.backward.div_ceil(8) == body.len()).then_some(())
    }

    /// Emits the symbols of up to five states and advances these; returns the number of bits used.
    #[inline(always)]
    fn round(&self, word: &mut u64, states: &mut [usize; STATES], round: &mut [u8]) -> usize {
        let mut used = 0;
        for (slot, state) in round.iter_mut().zip(states) {
            // The slot holds the symbol, and the number of bits that lead to the next slot.
            // The weights add up to the table size, so every state is a slot; the mask only spares the check.
            let entry = self.entries[*state & (MAX_SLOTS - 1)];
            *slot = entry.symbol;
            *state = usize::from(entry.base) + low_bits(*word, u32::from(entry.bits));
            *word >>= entry.bits & 63;
            used += usize::from(entry.bits);
        }
        used
    }
}

/// Bit streams of a body, least significant bit first, and the number of bits used of each.
struct Streams<'a> {
    body: Input<'a>,
    forward: usize,
    backward: usize,
}

impl Streams<'_> {
    /// Reads the initial states: 0, 2, 4 from the front, 1 and 3 from the back.
    fn first_states(&mut self, log: u32) -> [usize; STATES] {
        core::array::from_fn(|index| {
            let from_front = index.is_multiple_of(2);
            let word = if from_front { self.forward() } else { self.backward() };
            *(if from_front { &mut self.forward } else { &mut self.backward }) += log as usize;
            low_bits(word, log)
        })
    }

    /// Loads at least 57 bits: five times 11, and two more.
    #[inline(always)]
    fn forward(&self) -> u64 {
        let (buf, range) = self.body.parts();
        let at = range.start + (self.forward >> 3);
        let word = buf.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |bytes| u64::from_le_bytes(*bytes));
        word >> (self.forward & 7)
    }

    #[inline(always)]
    fn backward(&self) -> u64 {
        let (buf, range) = self.body.parts();
        let end = range.end.saturating_sub(self.backward >> 3);
        // A big-endian load of the bytes before the end puts the last one lowest, as the stream wants it.
        let word = buf.get(..end).and_then(<[u8]>::last_chunk).map_or(0, |bytes| u64::from_be_bytes(*bytes));
        word >> (self.backward & 7)
    }
}

#[expect(clippy::cast_possible_truncation, reason = "at most 11 bits remain")]
#[inline(always)]
fn low_bits(word: u64, bits: u32) -> usize {
    (word & ((1 << bits) - 1)) as usize
}
