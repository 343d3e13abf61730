//! The plain command loop.

use super::streams::{Half, MIN_DISTANCE, Progress, Streams};
use crate::error::{Error, Part, Result};
use crate::lz::chunk::Window;
use crate::lz::plain::{Output, take};

/// What the commands consume.
struct State<'a, const DELTA: bool> {
    literals: &'a [u8],
    near: &'a [u8],
    lengths: &'a [u8],
    recent: usize,
}

/// Decodes the rest of a half.
pub(super) fn finish_half<const DELTA: bool>(
    streams: &Streams<'_>,
    half: &Half<'_>,
    window: &mut Window<'_>,
    progress: &mut Progress,
) -> Result<()> {
    let mut state = State::<DELTA> {
        literals: streams.literals.bytes().get(progress.literal..).unwrap_or_default(),
        near: streams.near.bytes().get(2 * progress.near..).unwrap_or_default(),
        lengths: streams.lengths.bytes().get(progress.length..).unwrap_or_default(),
        recent: progress.recent,
    };
    let mut half_window = Window { dst: window.dst, start: half.start, end: half.end };
    let mut out = Output::new(&mut half_window, progress.pos);
    let mut far = half.far.iter().take(half.far_count).skip(progress.far);
    for command in half.commands.bytes().get(progress.command..).unwrap_or_default() {
        // All but the rare long forms are one byte that is taken apart by shifts: that is why this codec is faster than Kraken,
        // and compresses less.
        match usize::from(*command) {
            0 => {
                let run = state.length()? + 64;
                state.copy_literals(&mut out, run)?;
            }
            1 => {
                let len = state.length()? + 91;
                state.recent = state.near()?;
                state.copy_match(&mut out, len)?;
            }
            command @ 2..0x18 => {
                let len = if command == 2 { state.length()? + 29 } else { command + 5 };
                // A far offset counts from the start of the half, so the same bytes have the same offset throughout it.
                let offset = far.next().ok_or(Error::Malformed(Part::Offsets))?;
                state.recent = *offset as usize + (out.pos() - half.start);
                state.copy_match(&mut out, len)?;
            }
            command => {
                state.copy_literals(&mut out, command & 7)?;
                if command < 0x80 {
                    state.recent = state.near()?;
                }
                state.copy_match(&mut out, command >> 3 & 15)?;
            }
        }
    }
    let tail = out.left();
    state.copy_literals(&mut out, tail)?;
    *progress = Progress {
        pos: half.end,
        command: 0,
        literal: streams.literals.len() - state.literals.len(),
        near: (streams.near.len() - state.near.len()) / 2,
        far: 0,
        length: streams.lengths.len() - state.lengths.len(),
        recent: state.recent,
    };
    Ok(())
}

impl<const DELTA: bool> State<'_, DELTA> {
    /// One byte up to 251; above, two bytes more, which count in fours.
    fn length(&mut self) -> Result<usize> {
        const EARLY: Error = Error::Malformed(Part::Lengths);
        let first = usize::from(*self.lengths.split_off_first().ok_or(EARLY)?);
        if first <= 251 {
            return Ok(first);
        }
        let (word, rest) = self.lengths.split_first_chunk().ok_or(EARLY)?;
        self.lengths = rest;
        Ok(first + 4 * usize::from(u16::from_le_bytes(*word)))
    }

    fn near(&mut self) -> Result<usize> {
        let (word, rest) = self.near.split_first_chunk().ok_or(Error::Malformed(Part::Offsets))?;
        self.near = rest;
        Ok(usize::from(u16::from_le_bytes(*word)))
    }

    fn copy_literals(&mut self, out: &mut Output<'_>, len: usize) -> Result<()> {
        let literals = take(&mut self.literals, len)?;
        if DELTA { out.add(literals, self.recent) } else { out.copy(literals) }
    }

    fn copy_match(&mut self, out: &mut Output<'_>, len: usize) -> Result<()> {
        // A short command may have literals only; the distance that it names is taken all the same.
        if len == 0 {
            return Ok(());
        }
        if self.recent < MIN_DISTANCE {
            return Err(Error::Malformed(Part::Match));
        }
        out.copy_match(self.recent, len)
    }
}
