//! Lists of a Leviathan chunk.

use crate::entropy::{Arrays as _, Entropy};
use crate::error::{Error, Result, StreamPart};
use crate::lz::chunk::FromMode;
use crate::lz::integers::{Integers, Values, read_offsets};
use crate::scratch::Parts;
use crate::views::{Arena, Input, Padded};

/// Distance below which matches may not overlap themselves, and which delta models do not allow at all.
pub(super) const MIN_DISTANCE: usize = 8;

/// First byte of a section with eight command lists.
const MULTI_COMMANDS: u8 = 0x83;

/// Model of literals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::lz) enum Model {
    /// Relative to the byte at the last distance.
    Delta,
    Raw,
    /// As `Delta`, with a separate list for the first literal of each run.
    DeltaFirst,
    /// As `Delta`, with one list per position modulo 4.
    Delta4,
    /// One list per high nibble of the byte before.
    Nibble,
    /// As `Delta`, with one list per position modulo 16. No real stream of this kind is known.
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

/// Lists of one chunk. Invariant after the check: the commands ask for all offsets and lengths and no more.
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
    /// End of each list; missing lists are empty.
    pub(super) ends: [usize; 16],
    pub(super) lists: usize,
}

/// Progress in a chunk: positions in the output and in each list, and the recent distances.
#[derive(Clone, Copy)]
pub(super) struct Progress {
    pub(super) pos: usize,
    pub(super) done: usize,
    pub(super) literals: [usize; 16],
    pub(super) commands: [usize; 16],
    pub(super) offset: usize,
    /// Next length of a literal run …
    pub(super) front: usize,
    /// … and the end of those of matches, which are taken backwards.
    pub(super) back: usize,
    pub(super) recent: [u32; 7],
}

impl Progress {
    /// Start of a chunk, where every recent distance is 8.
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
        // Unlike Kraken's, offsets and lengths come before literals and commands.
        let (coding, offsets) = read_offsets(&mut entropy, &mut chunk, arena, raw_len / 3)?;
        let lengths = entropy.array(&mut chunk, arena, raw_len / 5)?;
        let literals = Multi::read(&mut entropy, &mut chunk, arena, raw_len, model.lists())?;
        let multi_commands = chunk.first() == Some(MULTI_COMMANDS);
        // The top bit is free here, since commands always have a long header.
        if chunk.first().is_some_and(|first| first & 0x80 != 0 && first != MULTI_COMMANDS) {
            return Err(Error::Malformed(StreamPart::Commands));
        }
        if multi_commands {
            chunk.u8(StreamPart::Commands)?;
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
        // Kernels may run cursors over the ends of their lists, by up to as many bytes as the chunk has,
        // before it is noticed.
        let buf = arena.take(2 * limit)?;
        let mut ends = [0; 16];
        let (used, unused) = ends.split_at_mut(lists);
        entropy.multi_array(chunk, buf.get_mut(..limit).unwrap_or_default(), used, arena.nested())?;
        let len = used.last().copied().unwrap_or_default();
        unused.fill(len);
        Ok(Self { array: Padded::new(buf, len), ends, lists })
    }

    /// Returns the start of each list.
    pub(super) fn starts(&self) -> [usize; 16] {
        // A missing list is empty, at the end.
        let ends = self.ends.iter().take(self.lists - 1).copied();
        let mut starts = [self.array.len(); 16];
        starts.iter_mut().zip(core::iter::once(0).chain(ends)).for_each(|(slot, start)| *slot = start);
        starts
    }

    /// Returns the rest of each list from its cursor on; `None` if a cursor has left its list.
    pub(super) fn lists(&self, cursors: &[usize; 16]) -> Option<[&'a [u8]; 16]> {
        let mut lists = [&[][..]; 16];
        for (list, (at, end)) in lists.iter_mut().zip(cursors.iter().zip(self.ends)) {
            *list = self.array.bytes().get(*at..end)?;
        }
        Some(lists)
    }
}
