//! Lists of a Kraken chunk.

use crate::entropy::{Arrays as _, Entropy};
use crate::error::{Error, Result, StreamPart};
use crate::lz::integers::{Integers, Values, read_offsets};
use crate::scratch::Parts;
use crate::views::{Input, Padded};

/// Smallest distance of a match.
pub(super) const MIN_DISTANCE: usize = 8;

/// Lists of one chunk. Invariant after the check: the commands ask for all offsets and lengths and no more.
pub(in crate::lz) struct Streams<'a> {
    pub(super) literals: Padded<'a>,
    pub(super) commands: Padded<'a>,
    pub(super) values: Values<'a>,
}

/// Progress in a chunk: positions in the output and in each list, and the recent distances.
#[derive(Clone, Copy)]
pub(super) struct Progress {
    pub(super) pos: usize,
    pub(super) command: usize,
    pub(super) literal: usize,
    pub(super) offset: usize,
    pub(super) length: usize,
    pub(super) recent: [u32; 3],
}

impl Progress {
    /// Start of a chunk, where every recent distance is 8.
    pub(super) fn new(first: usize) -> Self {
        Self { pos: first, command: 0, literal: 0, offset: 0, length: 0, recent: [8; 3] }
    }
}

impl<'a> Streams<'a> {
    pub(super) fn parse(mut chunk: Input<'a>, raw_len: usize, mut parts: Parts<'a>) -> Result<Self> {
        let mut entropy = Entropy::new(parts.tables, parts.backend);
        let excess = take_excess(&mut chunk)?;
        let literals = entropy.array(&mut chunk, &mut parts.arena, raw_len)?;
        // Every command makes at least two bytes.
        let commands = entropy.array(&mut chunk, &mut parts.arena, raw_len / 2)?;
        let (coding, offsets) = read_offsets(&mut entropy, &mut chunk, &mut parts.arena, commands.len())?;
        let lengths = entropy.array(&mut chunk, &mut parts.arena, raw_len / 4)?;
        // The rest of the chunk are the extra bits.
        let integers = Integers { coding, offsets, lengths, bits: chunk, excess };
        let values = integers.unpack(parts.backend, parts.offsets, parts.lengths)?;
        Ok(Self { literals, commands, values })
    }
}

/// Splits off the bit area that some encoders give the long lengths, if there is one.
fn take_excess<'a>(chunk: &mut Input<'a>) -> Result<Option<Input<'a>>> {
    let Some(flag) = chunk.first().filter(|first| first & 0x80 != 0) else { return Ok(None) };
    if flag & 0x40 != 0 {
        return Err(Error::Malformed(StreamPart::Lengths));
    }
    chunk.u8(StreamPart::Lengths)?;
    // Up to 31 in the flag itself; above, another byte counts in units of 32.
    let mut len = usize::from(flag & 63);
    if len > 31 {
        len += 32 * usize::from(chunk.u8(StreamPart::Lengths)?);
    }
    chunk.take_back(len, StreamPart::Lengths).map(Some)
}
