//! The plain command loop.

use super::streams::{MIN_DISTANCE, Progress, Streams};
use crate::error::{Error, Part, Result};
use crate::lz::chunk::Window;
use crate::lz::plain::{Output, take};

/// Decodes the rest of a chunk.
pub(super) fn finish<const DELTA: bool>(
    streams: &Streams<'_>,
    window: &mut Window<'_>,
    progress: &mut Progress,
) -> Result<()> {
    let mut out = Output::new(window, progress.pos);
    let mut literals = streams.literals.bytes().get(progress.literal..).unwrap_or_default();
    let mut offsets = streams.values.offsets.iter().take(streams.values.offset_count).skip(progress.offset);
    let mut lengths = streams.values.lengths.iter().take(streams.values.length_count).skip(progress.length);
    let mut next_length = || lengths.next().map(|len| *len as usize).ok_or(Error::Malformed(Part::Lengths));
    let mut recent = progress.recent.map(|distance| distance as usize);
    for command in streams.commands.bytes().get(progress.command..).unwrap_or_default() {
        // A count that is too large for the command is the next one in the list of lengths.
        let run = match usize::from(command & 3) {
            3 => next_length()?,
            short => short,
        };
        let len = match usize::from(command >> 2 & 15) {
            15 => next_length()? + 14,
            short => short + 2,
        };
        copy_literals::<DELTA>(&mut out, take(&mut literals, run)?, recent[0])?;
        // Structured data repeats at few distances. The last three need no offset; the one used moves to the front.
        recent = match (command >> 6, recent) {
            (0, _) => recent,
            (1, [a, b, c]) => [b, a, c],
            (2, [a, b, c]) => [c, a, b],
            (_, [a, b, _]) => {
                let offset = offsets.next().ok_or(Error::Malformed(Part::Offsets))?;
                [*offset as usize, a, b]
            }
        };
        if recent[0] < MIN_DISTANCE {
            return Err(Error::Malformed(Part::Match));
        }
        out.copy_match(recent[0], len)?;
    }
    // No command is needed for the literals after the last match: all that are left belong there.
    copy_literals::<DELTA>(&mut out, literals, recent[0])?;
    let used_up = offsets.next().is_none() && lengths.next().is_none();
    if used_up && out.left() == 0 { Ok(()) } else { Err(Error::Malformed(Part::Commands)) }
}

fn copy_literals<const DELTA: bool>(out: &mut Output<'_>, literals: &[u8], last: usize) -> Result<()> {
    if DELTA { out.add(literals, last) } else { out.copy(literals) }
}
