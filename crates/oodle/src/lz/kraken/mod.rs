//! Kraken chunks.
//!
//! ```text
//!   literals │ commands │ (scale) offsets (low parts) │ lengths │ extra bits of offsets and lengths
//!
//!   command   7 6 5 4 3 2 1 0
//!             │   │       └ literal run: 0, 1, 2, or 3: next length
//!             │   └ match length - 2, or 15: next length + 14
//!             └ recent distance 0, 1, 2, or 3: next offset
//! ```

#[cfg(not(feature = "safe-only"))]
mod fast;
mod plain;

use super::integers::{Integers, Lists, read_offsets};
use super::{Window, count, has_delta_literals};
use crate::backend::Backend;
use crate::entropy::Entropy;
use crate::error::{OodleError, Part, Result};
use crate::scratch::{Input, Padded, Parts};

/// Matches are never nearer.
const MIN_DISTANCE: usize = 8;

/// What recent distances are at the start of a chunk.
const FIRST_RECENT: [u32; 3] = [8; 3];

/// The lists of one chunk. Invariant: the commands ask for all offsets and lengths and no more.
struct Streams<'a> {
    literals: Padded<'a>,
    commands: Padded<'a>,
    lists: Lists<'a>,
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
    let raw_len = window.end - window.start;
    let backend = parts.backend;
    let streams = Streams::read(chunk, raw_len, parts)?;
    if delta {
        run::<true>(backend, &streams, window, first)
    } else {
        run::<false>(backend, &streams, window, first)
    }
}

/// How far a chunk is decoded: places in the output and in each list, and the recent distances.
#[derive(Clone, Copy)]
struct Progress {
    pos: usize,
    command: usize,
    literal: usize,
    offset: usize,
    length: usize,
    recent: [u32; 3],
}

fn run<const DELTA: bool>(
    backend: Backend,
    streams: &Streams<'_>,
    window: &mut Window<'_>,
    first: usize,
) -> Result<()> {
    let mut progress =
        Progress { pos: first, command: 0, literal: 0, offset: 0, length: 0, recent: FIRST_RECENT };
    match backend {
        Backend::Safe => {}
        #[cfg(not(feature = "safe-only"))]
        _ => fast::advance::<DELTA>(backend, streams, window, &mut progress),
    }
    plain::finish::<DELTA>(streams, window, &mut progress)
}

impl<'a> Streams<'a> {
    fn read(mut chunk: Input<'a>, raw_len: usize, mut parts: Parts<'a>) -> Result<Self> {
        let mut entropy = Entropy::new(parts.tables, parts.backend);
        let excess = take_excess(&mut chunk)?;
        let literals = entropy.array(&mut chunk, &mut parts.arena, raw_len)?;
        let commands = entropy.array(&mut chunk, &mut parts.arena, raw_len / 2)?;
        let (coding, offsets) = read_offsets(&mut entropy, &mut chunk, &mut parts.arena, commands.len())?;
        let lengths = entropy.array(&mut chunk, &mut parts.arena, raw_len / 4)?;
        let integers = Integers { coding, offsets, lengths, bits: chunk, excess };
        let lists = integers.unpack(parts.backend, parts.offsets, parts.lengths)?;
        let streams = Self { literals, commands, lists };
        if streams.is_consistent() { Ok(streams) } else { Err(OodleError::Malformed(Part::Commands)) }
    }

    /// Whether the commands ask for exactly as many list entries as there are.
    fn is_consistent(&self) -> bool {
        let commands = self.commands.bytes();
        let offsets = count(commands, |command| u8::from(command >= 0xC0));
        let lengths =
            count(commands, |command| u8::from(command & 3 == 3) + u8::from(command & 0x3C == 0x3C));
        offsets == self.lists.offset_count && lengths == self.lists.length_count
    }
}

/// Splits off the bit area that some encoders give the long lengths, if there is one.
fn take_excess<'a>(chunk: &mut Input<'a>) -> Result<Option<Input<'a>>> {
    let Some(flag) = chunk.first().filter(|first| first & 0x80 != 0) else { return Ok(None) };
    if flag & 0x40 != 0 {
        return Err(OodleError::Malformed(Part::Lengths));
    }
    chunk.u8(Part::Lengths)?;
    let mut len = usize::from(flag & 63);
    if len > 31 {
        len += 32 * usize::from(chunk.u8(Part::Lengths)?);
    }
    chunk.take_back(len, Part::Lengths).map(Some)
}
