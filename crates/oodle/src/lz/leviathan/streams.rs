//! The lists of a Leviathan chunk.

use crate::entropy::{Arrays as _, Entropy};
use crate::error::{Error, Part, Result};
use crate::lz::chunk::FromMode;
use crate::lz::integers::{Integers, Values, read_offsets};
use crate::scratch::Parts;
use crate::views::{Arena, Input, Padded};

/// Nearer matches may not overlap themselves, and the delta models do not have them at all.
pub(super) const MIN_DISTANCE: usize = 8;

/// The first byte of a section with eight command lists.
const MULTI_COMMANDS: u8 = 0x83;

/// How literals are coded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::lz) enum Model {
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
    pub(super) fn lists(self) -> usize {
        match self {
            Self::Delta | Self::Raw => 1,
            Self::DeltaFirst => 2,
            Self::Delta4 => 4,
            Self::Nibble | Self::Delta16 => 16,
        }
    }

    pub(super) fn is_delta(self) -> bool {
        !matches!(self, Self::Raw | Self::Nibble)
    }
}

impl FromMode for Model {
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
}

/// The lists of one chunk. Invariant, once it is checked: the commands ask for all offsets and lengths and no more.
pub(in crate::lz) struct Streams<'a> {
    pub(super) literals: Multi<'a>,
    pub(super) commands: Multi<'a>,
    pub(super) multi_commands: bool,
    pub(super) values: Values<'a>,
}

/// Several lists in one array, one after the other.
#[derive(Clone, Copy)]
pub(super) struct Multi<'a> {
    pub(super) array: Padded<'a>,
    /// Where each list ends; those that do not exist are empty.
    pub(super) ends: [usize; 16],
    pub(super) lists: usize,
}

/// How far a chunk is decoded: places in the output and in each list, and the recent distances.
#[derive(Clone, Copy)]
pub(super) struct Progress {
    pub(super) pos: usize,
    pub(super) done: usize,
    pub(super) literals: [usize; 16],
    pub(super) commands: [usize; 16],
    pub(super) offset: usize,
    /// Lengths of literal runs are taken from here on …
    pub(super) front: usize,
    /// … and those of matches from here back.
    pub(super) back: usize,
    pub(super) recent: [u32; 7],
}

impl Progress {
    /// The start of a chunk. Every recent distance is 8 there.
    pub(super) fn new(streams: &Streams<'_>, first: usize) -> Self {
        Self {
            pos: first,
            done: 0,
            literals: streams.literals.starts(),
            commands: streams.commands.starts(),
            offset: 0,
            front: 0,
            back: streams.values.length_count,
            recent: [8; 7],
        }
    }
}

impl<'a> Streams<'a> {
    pub(super) fn parse(
        mut chunk: Input<'a>,
        raw_len: usize,
        model: Model,
        mut parts: Parts<'a>,
    ) -> Result<Self> {
        let mut entropy = Entropy::new(parts.tables, parts.backend);
        let arena = &mut parts.arena;
        let (coding, offsets) = read_offsets(&mut entropy, &mut chunk, arena, raw_len / 3)?;
        let lengths = entropy.array(&mut chunk, arena, raw_len / 5)?;
        let literals = Multi::read(&mut entropy, &mut chunk, arena, raw_len, model.lists())?;
        let multi_commands = chunk.first() == Some(MULTI_COMMANDS);
        if chunk.first().is_some_and(|first| first & 0x80 != 0 && first != MULTI_COMMANDS) {
            return Err(Error::Malformed(Part::Commands));
        }
        if multi_commands {
            chunk.u8(Part::Commands)?;
        }
        let lists = if multi_commands { 8 } else { 1 };
        let commands = Multi::read(&mut entropy, &mut chunk, arena, raw_len, lists)?;
        let integers = Integers { coding, offsets, lengths, bits: chunk, excess: None };
        let values = integers.unpack(parts.backend, parts.offsets, parts.lengths)?;
        Ok(Self { literals, commands, multi_commands, values })
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
    pub(super) fn starts(&self) -> [usize; 16] {
        // A list that does not exist is empty, at the end.
        let ends = self.ends.iter().take(self.lists - 1).copied();
        let mut starts = [self.array.len(); 16];
        starts.iter_mut().zip(core::iter::once(0).chain(ends)).for_each(|(slot, start)| *slot = start);
        starts
    }
}
