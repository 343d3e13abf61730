//! Plain command loop of Kraken.

use super::streams::{MIN_DISTANCE, Progress, Streams};
use crate::error::{Error, Result, StreamPart};
use crate::lz::chunk::Window;
use crate::lz::plain::Output;
use crate::lz::recent::{Recent as _, Scalar};

/// Decodes the rest of a chunk.
pub(super) fn finish<const DELTA: bool>(
    streams: &Streams<'_>,
    window: &mut Window<'_>,
    progress: &mut Progress,
) -> Result<()> {
    let mut out = Output::new(window, progress.pos);
    let mut literals = streams.literals.bytes().get(progress.literal..).unwrap_or_default();
    let (offsets, lengths) = (streams.values.offsets, streams.values.lengths);
    let Progress { mut offset, mut length, .. } = *progress;
    let mut recent = Scalar::new(progress.recent, ());
    for command in streams.commands.bytes().get(progress.command..).unwrap_or_default() {
        let command = usize::from(*command);
        let (run, len, index) = (command & 3, command >> 2 & 15, command >> 6);
        // A count that is too large for the command is the next entry of the list of lengths. It is read in
        // any case, and chosen without a branch: which commands are long cannot be predicted.
        let (long_run, is_long_run) = (entry(lengths, length), run == 3);
        length += usize::from(is_long_run);
        let (long_len, is_long_len) = (entry(lengths, length).saturating_add(14), len == 15);
        length += usize::from(is_long_len);
        let run = core::hint::select_unpredictable(is_long_run, long_run, run);
        let len = core::hint::select_unpredictable(is_long_len, long_len, len + 2);
        // Structured data repeats at few distances. The last three need no offset; the one used moves to the
        // front.
        let last = recent.front() as usize;
        recent = recent.moved(index, offsets.get(offset).copied().unwrap_or_default());
        offset += usize::from(index == 3);
        let distance = recent.front() as usize;
        // Delta literals are relative to the distance before this command's.
        out.literals::<DELTA>(&mut literals, run, last)?;
        // The format has no nearer matches, and the word copies rely on that.
        if distance < MIN_DISTANCE {
            return Err(Error::Malformed(StreamPart::Match));
        }
        out.copy_match(distance, len)?;
    }
    // The literals after the last match need no command: all that are left belong there.
    let tail = literals.len();
    out.literals::<DELTA>(&mut literals, tail, recent.front() as usize)?;
    // The commands ask for exactly all offsets and lengths: [`Streams`] was checked for it.
    if out.left() == 0 { Ok(()) } else { Err(Error::Malformed(StreamPart::Commands)) }
}

/// Returns an entry of a list, or 0 after its end.
fn entry(list: &[u32], at: usize) -> usize {
    list.get(at).map_or(0, |entry| *entry as usize)
}
