//! Lists of a Mermaid or Selkie chunk.

use crate::entropy::{Arrays as _, Entropy};
use crate::error::{Error, Result, StreamPart};
use crate::lz::chunk::Window;
use crate::scratch::Parts;
use crate::views::{Arena, Input, Padded, SLACK};

/// Smallest distance of a match.
pub(super) const MIN_DISTANCE: usize = 8;

/// Output bytes of the first half.
const HALF_LEN: usize = 0x1_0000;

/// Size from which a far offset takes another byte, if the history is that long.
const FAR_ESCAPE: usize = 0xC0_0000;

/// Lists of one chunk. Invariants: near offsets are at least [`MIN_DISTANCE`]; and, after the check, the
/// commands ask for all near and far offsets and no more.
pub(in crate::lz) struct Streams<'a> {
    pub(super) literals: Padded<'a>,
    pub(super) halves: [Half<'a>; 2],
    /// Near offsets, two bytes each.
    pub(super) near: Padded<'a>,
    pub(super) lengths: Padded<'a>,
}

/// Lists of one half.
pub(super) struct Half<'a> {
    pub(super) commands: Padded<'a>,
    /// Distances back from the start of the half; readable entries follow.
    pub(super) far: &'a [u32],
    pub(super) far_count: usize,
    /// Output range of this half.
    pub(super) start: usize,
    pub(super) end: usize,
}

/// Progress in a chunk: positions in the output and in each list, and the recent distance.
#[derive(Clone, Copy)]
pub(super) struct Progress {
    pub(super) pos: usize,
    pub(super) command: usize,
    pub(super) literal: usize,
    pub(super) near: usize,
    pub(super) far: usize,
    pub(super) length: usize,
    pub(super) recent: usize,
}

impl Progress {
    /// Start of a chunk, where the recent distance is 8.
    pub(super) fn new(first: usize) -> Self {
        Self { pos: first, command: 0, literal: 0, near: 0, far: 0, length: 0, recent: 8 }
    }
}

impl<'a> Streams<'a> {
    pub(super) fn parse(mut chunk: Input<'a>, window: &Window<'_>, mut parts: Parts<'a>) -> Result<Self> {
        let mut entropy = Entropy::new(parts.tables, parts.backend);
        let raw_len = window.chunk_len();
        // Literals and commands of both halves are one array each; the commands are split where the second
        // half starts.
        let literals = entropy.array(&mut chunk, &mut parts.arena, raw_len)?;
        let commands = entropy.array(&mut chunk, &mut parts.arena, raw_len)?;
        let split = if raw_len > HALF_LEN { chunk.u16_le(StreamPart::Commands)? } else { commands.len() };
        let (first, second) = commands.split(split).ok_or(Error::Malformed(StreamPart::Commands))?;
        let near = read_near(&mut entropy, &mut chunk, &mut parts.arena, raw_len)?;
        // Checked here and not per match, so that near matches need one comparison less.
        let nearest = parts.backend.run(
            #[inline(always)]
            || near.bytes().as_chunks().0.iter().map(|near| u16::from_le_bytes(*near)).min(),
        );
        if nearest.is_some_and(|nearest| usize::from(nearest) < MIN_DISTANCE) {
            return Err(Error::Malformed(StreamPart::Match));
        }
        let [first_count, second_count] = far_counts(&mut chunk)?;
        let middle = window.end.min(window.start + HALF_LEN);
        let (first_far, second_far) = parts.offsets.split_at_mut(parts.offsets.len() / 2);
        let halves = [
            Half {
                commands: first,
                far: read_far(&mut chunk, first_far, first_count, window.start)?,
                far_count: first_count,
                start: window.start,
                end: middle,
            },
            Half {
                commands: second,
                far: read_far(&mut chunk, second_far, second_count, middle)?,
                far_count: second_count,
                start: middle,
                end: window.end,
            },
        ];
        // The length bytes have no header: they are the rest of the chunk.
        Ok(Self { literals, halves, near, lengths: chunk.padded() })
    }
}

/// Reads the near offsets: in place, or as an array of high bytes and one of low bytes.
fn read_near<'a>(
    entropy: &mut Entropy<'_>,
    chunk: &mut Input<'a>,
    arena: &mut Arena<'a>,
    raw_len: usize,
) -> Result<Padded<'a>> {
    const CODED: usize = 0xFFFF;
    let count = chunk.u16_le(StreamPart::Offsets)?;
    if count != CODED {
        return Ok(chunk.take(2 * count, StreamPart::Offsets)?.padded());
    }
    let high = entropy.array(chunk, arena, raw_len / 2)?;
    let low = entropy.array(chunk, arena, raw_len / 2)?;
    if high.len() != low.len() {
        return Err(Error::Malformed(StreamPart::Offsets));
    }
    let buf = arena.take(2 * low.len())?;
    // High bytes repeat far more often than low ones, so they are coded apart, and joined here.
    for (pair, (low, high)) in buf.as_chunks_mut().0.iter_mut().zip(low.bytes().iter().zip(high.bytes())) {
        *pair = [*low, *high];
    }
    Ok(Padded::new(buf, 2 * low.len()))
}

/// Reads the number of far offsets in each half.
fn far_counts(chunk: &mut Input<'_>) -> Result<[usize; 2]> {
    let word = chunk.u24_le(StreamPart::Offsets)?;
    // 12 bits each; 4095 announces the real number.
    let mut count = |short| if short == 0xFFF { chunk.u16_le(StreamPart::Offsets) } else { Ok(short) };
    Ok([count(word >> 12)?, count(word & 0xFFF)?])
}

/// Reads the far offsets of a half that starts at `start`.
fn read_far<'a>(
    chunk: &mut Input<'_>,
    slots: &'a mut [u32],
    count: usize,
    start: usize,
) -> Result<&'a [u32]> {
    const FAULT: Error = Error::Malformed(StreamPart::Offsets);
    // Loops read entries after the end of the list, so room for them is needed as well.
    if count + SLACK > slots.len() {
        return Err(FAULT);
    }
    let offsets = slots.iter_mut().take(count);
    // The history is nearly always too short for larger offsets.
    if start < FAR_ESCAPE - 1 {
        let stored = chunk.take(3 * count, StreamPart::Offsets)?.bytes();
        let mut farthest = 0;
        for (slot, [low, middle, high]) in offsets.zip(stored.as_chunks().0) {
            *slot = u32::from_le_bytes([*low, *middle, *high, 0]);
            farthest = farthest.max(*slot);
        }
        // No offset may reach beyond the start of the history.
        return if farthest as usize <= start { Ok(slots) } else { Err(FAULT) };
    }
    for slot in offsets {
        let mut offset = chunk.u24_le(StreamPart::Offsets)?;
        if offset >= FAR_ESCAPE && start >= FAR_ESCAPE - 1 {
            // The fourth byte counts in units of 2^22.
            offset += usize::from(chunk.u8(StreamPart::Offsets)?) << 22;
        }
        *slot = u32::try_from(offset).ok().filter(|_| offset <= start).ok_or(FAULT)?;
    }
    Ok(slots)
}
