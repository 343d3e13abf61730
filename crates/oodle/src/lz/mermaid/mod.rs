//! Mermaid and Selkie chunks.
//!
//! ```text
//!   literals │ commands │ split │ near offsets (u16) │ far offsets of both halves (u24) │ length bytes
//!
//!   command   0x18..=0x7F   c & 7 literals, match of c >> 3 & 15 bytes at the next near offset
//!             0x80..=0xFF   c & 7 literals, match of c >> 3 & 15 bytes at the recent distance
//!             0             64 literals and more
//!             1             match of 91 bytes and more at the next near offset
//!             2             match of 29 bytes and more at the next far offset
//!             0x03..=0x17   match of c + 5 bytes at the next far offset
//! ```
//!
//! A chunk is processed in two halves of up to 64 KiB. Far offsets count back from the start of their half.

#[cfg(not(feature = "safe-only"))]
mod fast;
mod plain;

use super::{Window, count, has_delta_literals};
use crate::backend::Backend;
use crate::entropy::Entropy;
use crate::error::{OodleError, Part, Result};
use crate::scratch::{Arena, Input, Padded, Parts, SLACK};

/// Matches are never nearer.
const MIN_DISTANCE: usize = 8;

/// Output bytes of the first half.
const HALF_LEN: usize = 0x1_0000;

/// A far offset of this size, this far from the start, takes a byte more.
const FAR_ESCAPE: usize = 0xC0_0000;

/// The lists of one chunk. Invariant: the commands ask for all near and far offsets and no more.
struct Streams<'a> {
    literals: Padded<'a>,
    halves: [Half<'a>; 2],
    /// Near offsets, two bytes each.
    near: Padded<'a>,
    lengths: Padded<'a>,
}

/// What belongs to one half.
struct Half<'a> {
    commands: Padded<'a>,
    /// Distances back from the start of the half; readable entries follow.
    far: &'a [u32],
    far_count: usize,
    /// The output of this half.
    start: usize,
    end: usize,
}

/// Decodes a chunk whose output starts at `first`.
pub(crate) fn decode(
    chunk: Input<'_>,
    mode: u8,
    window: &mut Window<'_>,
    first: usize,
    parts: Parts<'_>,
) -> Result<()> {
    let delta = has_delta_literals(mode)?;
    let backend = parts.backend;
    let streams = Streams::read(chunk, window, parts)?;
    if delta {
        run::<true>(backend, &streams, window, first)
    } else {
        run::<false>(backend, &streams, window, first)
    }
}

/// How far a chunk is decoded: places in the output and in each list, and the recent distance.
#[derive(Clone, Copy)]
struct Progress {
    pos: usize,
    command: usize,
    literal: usize,
    near: usize,
    far: usize,
    length: usize,
    recent: usize,
}

fn run<const DELTA: bool>(
    backend: Backend,
    streams: &Streams<'_>,
    window: &mut Window<'_>,
    first: usize,
) -> Result<()> {
    let mut progress =
        Progress { pos: first, command: 0, literal: 0, near: 0, far: 0, length: 0, recent: MIN_DISTANCE };
    for half in &streams.halves {
        match backend {
            Backend::Safe => {}
            #[cfg(not(feature = "safe-only"))]
            _ => fast::advance::<DELTA>(backend, streams, half, window, &mut progress),
        }
        plain::finish_half::<DELTA>(streams, half, window, &mut progress)?;
    }
    let used_up = progress.literal == streams.literals.len() && progress.length == streams.lengths.len();
    if used_up { Ok(()) } else { Err(OodleError::Malformed(Part::Commands)) }
}

impl<'a> Streams<'a> {
    fn read(mut chunk: Input<'a>, window: &Window<'_>, mut parts: Parts<'a>) -> Result<Self> {
        let mut entropy = Entropy::new(parts.tables, parts.backend);
        let raw_len = window.end - window.start;
        let literals = entropy.array(&mut chunk, &mut parts.arena, raw_len)?;
        let commands = entropy.array(&mut chunk, &mut parts.arena, raw_len)?;
        let split = if raw_len > HALF_LEN { chunk.u16_le(Part::Commands)? } else { commands.len() };
        let (first, second) = commands.split(split).ok_or(OodleError::Malformed(Part::Commands))?;
        let near = read_near(&mut entropy, &mut chunk, &mut parts.arena, raw_len)?;
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
        let streams = Self { literals, halves, near, lengths: chunk.padded() };
        if streams.is_consistent() { Ok(streams) } else { Err(OodleError::Malformed(Part::Commands)) }
    }

    /// Whether the commands ask for exactly as many offsets as there are.
    fn is_consistent(&self) -> bool {
        let count_near = |half: &Half<'_>| {
            count(half.commands.bytes(), |command| u8::from((0x18..0x80).contains(&command) || command == 1))
        };
        let near = self.halves.iter().map(count_near).sum::<usize>();
        let far_match = self.halves.iter().all(|half| {
            count(half.commands.bytes(), |command| u8::from((2..0x18).contains(&command))) == half.far_count
        });
        far_match && 2 * near == self.near.len()
    }
}

/// Reads the near offsets: in place, or as an array of high and an array of low bytes.
fn read_near<'a>(
    entropy: &mut Entropy<'_>,
    chunk: &mut Input<'a>,
    arena: &mut Arena<'a>,
    raw_len: usize,
) -> Result<Padded<'a>> {
    const CODED: usize = 0xFFFF;
    let count = chunk.u16_le(Part::Offsets)?;
    if count != CODED {
        return Ok(chunk.take(2 * count, Part::Offsets)?.padded());
    }
    let high = entropy.array(chunk, arena, raw_len / 2)?;
    let low = entropy.array(chunk, arena, raw_len / 2)?;
    if high.len() != low.len() {
        return Err(OodleError::Malformed(Part::Offsets));
    }
    let buf = arena.take(2 * low.len())?;
    for (pair, (low, high)) in buf.as_chunks_mut().0.iter_mut().zip(low.bytes().iter().zip(high.bytes())) {
        *pair = [*low, *high];
    }
    Ok(Padded::new(buf, 2 * low.len()))
}

/// Reads how many far offsets each half has.
fn far_counts(chunk: &mut Input<'_>) -> Result<[usize; 2]> {
    let word = chunk.u24_le(Part::Offsets)?;
    let mut count = |short| if short == 0xFFF { chunk.u16_le(Part::Offsets) } else { Ok(short) };
    Ok([count(word >> 12)?, count(word & 0xFFF)?])
}

/// Reads the far offsets of a half that starts at `start`.
fn read_far<'a>(
    chunk: &mut Input<'_>,
    slots: &'a mut [u32],
    count: usize,
    start: usize,
) -> Result<&'a [u32]> {
    const FAULT: OodleError = OodleError::Malformed(Part::Offsets);
    if count + SLACK > slots.len() {
        return Err(FAULT);
    }
    for slot in slots.iter_mut().take(count) {
        let mut offset = chunk.u24_le(Part::Offsets)?;
        if offset >= FAR_ESCAPE && start >= FAR_ESCAPE - 1 {
            offset += usize::from(chunk.u8(Part::Offsets)?) << 22;
        }
        *slot = u32::try_from(offset).ok().filter(|_| offset <= start).ok_or(FAULT)?;
    }
    Ok(slots)
}
