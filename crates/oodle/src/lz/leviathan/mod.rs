//! Leviathan chunks.
//!
//! ```text
//!   (scale) offsets (low parts) │ lengths │ literals (1, 2, 4 or 16 lists) │ commands (1 or 8 lists) │ extra bits
//!
//!   command   7 6 5 4 3 2 1 0
//!             │     │   └ match length - 2, or 7: length list from the back + 6
//!             │     └ literal run: 0, 1, 2, or 3: length list from the front
//!             └ recent distance 0 to 6, or 7: next offset
//! ```

#[cfg(not(feature = "safe-only"))]
mod fast;
#[cfg(not(feature = "safe-only"))]
mod models;
mod plain;

use super::integers::{Integers, Lists, read_offsets};
use super::{Window, count};
use crate::backend::Backend;
use crate::entropy::Entropy;
use crate::error::{OodleError, Part, Result};
use crate::scratch::{Arena, Input, Padded, Parts};

/// Nearer matches may not overlap themselves, and the delta models do not have them at all.
const MIN_DISTANCE: usize = 8;

/// What recent distances are at the start of a chunk.
const FIRST_RECENT: [u32; 7] = [8; 7];

/// The first byte of a section with eight command lists.
const MULTI_COMMANDS: u8 = 0x83;

/// How literals are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Model {
    /// Relative to the byte at the last distance.
    Delta,
    Raw,
    /// As `Delta`; the first literal of each run has a list of its own.
    DeltaFirst,
    /// As `Delta`, one list per position modulo 4.
    Delta4,
    /// One list per high nibble of the byte before.
    Nibble,
    /// As `Delta`, one list per position modulo 16. No real stream of this kind is known.
    Delta16,
}

impl Model {
    fn from_mode(mode: u8) -> Option<Self> {
        Some(match mode {
            0 => Self::Delta,
            1 => Self::Raw,
            2 => Self::DeltaFirst,
            3 => Self::Delta4,
            4 => Self::Nibble,
            5 => Self::Delta16,
            _ => return None,
        })
    }

    fn lists(self) -> usize {
        match self {
            Self::Delta | Self::Raw => 1,
            Self::DeltaFirst => 2,
            Self::Delta4 => 4,
            Self::Nibble | Self::Delta16 => 16,
        }
    }

    fn is_delta(self) -> bool {
        !matches!(self, Self::Raw | Self::Nibble)
    }
}

/// Several lists in one array, one behind the other.
#[derive(Clone, Copy)]
struct Multi<'a> {
    array: Padded<'a>,
    /// Where each list ends; those that do not exist are empty.
    ends: [usize; 16],
    lists: usize,
}

/// The lists of one chunk. Invariant: the commands ask for all offsets and lengths and no more.
struct Streams<'a> {
    literals: Multi<'a>,
    commands: Multi<'a>,
    multi_commands: bool,
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
    let model = Model::from_mode(mode).ok_or(OodleError::Malformed(Part::ChunkHeader))?;
    let backend = parts.backend;
    let streams = Streams::read(chunk, window.end - window.start, model, parts)?;
    let mut progress = Progress {
        pos: first,
        done: 0,
        literals: streams.literals.starts(),
        commands: streams.commands.starts(),
        offset: 0,
        front: 0,
        back: streams.lists.length_count,
        recent: FIRST_RECENT,
    };
    match backend {
        Backend::Safe => {}
        #[cfg(not(feature = "safe-only"))]
        _ => fast::advance(backend, &streams, model, window, &mut progress),
    }
    plain::finish(&streams, model, window, &mut progress)
}

/// How far a chunk is decoded: places in the output and in each list, and the recent distances.
#[derive(Clone, Copy)]
struct Progress {
    pos: usize,
    done: usize,
    literals: [usize; 16],
    commands: [usize; 16],
    offset: usize,
    /// Lengths of literal runs are taken from here on …
    front: usize,
    /// … and those of matches from here back.
    back: usize,
    recent: [u32; 7],
}

impl<'a> Streams<'a> {
    fn read(mut chunk: Input<'a>, raw_len: usize, model: Model, mut parts: Parts<'a>) -> Result<Self> {
        let mut entropy = Entropy::new(parts.tables, parts.backend);
        let arena = &mut parts.arena;
        let (coding, offsets) = read_offsets(&mut entropy, &mut chunk, arena, raw_len / 3)?;
        let lengths = entropy.array(&mut chunk, arena, raw_len / 5)?;
        let literals = Multi::read(&mut entropy, &mut chunk, arena, raw_len, model.lists())?;
        let multi_commands = chunk.first() == Some(MULTI_COMMANDS);
        if chunk.first().is_some_and(|first| first & 0x80 != 0 && first != MULTI_COMMANDS) {
            return Err(OodleError::Malformed(Part::Commands));
        }
        if multi_commands {
            chunk.u8(Part::Commands)?;
        }
        let lists = if multi_commands { 8 } else { 1 };
        let commands = Multi::read(&mut entropy, &mut chunk, arena, raw_len, lists)?;
        let integers = Integers { coding, offsets, lengths, bits: chunk, excess: None };
        let lists = integers.unpack(parts.backend, parts.offsets, parts.lengths)?;
        let streams = Self { literals, commands, multi_commands, lists };
        if streams.is_consistent() { Ok(streams) } else { Err(OodleError::Malformed(Part::Commands)) }
    }

    /// Whether the commands ask for exactly as many list entries as there are.
    fn is_consistent(&self) -> bool {
        let commands = self.commands.array.bytes();
        let offsets = count(commands, |command| u8::from(command >= 0xE0));
        let lengths =
            count(commands, |command| u8::from(command & 7 == 7) + u8::from(command & 0x18 == 0x18));
        offsets == self.lists.offset_count && lengths == self.lists.length_count
    }
}

impl<'a> Multi<'a> {
    /// Reads one list as an array, several as a multi-array section.
    fn read(
        entropy: &mut Entropy<'_>,
        chunk: &mut Input<'a>,
        arena: &mut Arena<'a>,
        limit: usize,
        lists: usize,
    ) -> Result<Self> {
        if lists == 1 {
            let array = entropy.array(chunk, arena, limit)?;
            return Ok(Self { array, ends: [array.len(); 16], lists });
        }
        // Kernels may run cursors over the ends of their lists, by as many bytes as the chunk has, before that is found.
        let buf = arena.take(2 * limit)?;
        let mut ends = [0; 16];
        let (used, unused) = ends.split_at_mut(lists);
        entropy.multi_array(chunk, buf.get_mut(..limit).unwrap_or_default(), used, arena.nested())?;
        let len = used.last().copied().unwrap_or_default();
        unused.fill(len);
        Ok(Self { array: Padded::new(buf, len), ends, lists })
    }

    /// Where each list starts.
    fn starts(&self) -> [usize; 16] {
        // A list that does not exist is empty, at the end.
        let ends = self.ends.iter().take(self.lists - 1).copied();
        let mut starts = [self.array.len(); 16];
        starts.iter_mut().zip(std::iter::once(0).chain(ends)).for_each(|(slot, start)| *slot = start);
        starts
    }
}
