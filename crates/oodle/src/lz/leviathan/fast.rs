//! Fast command loop of Leviathan, compiled for each literal model.
#![expect(unsafe_code, reason = "several times the plain loop, see benches/oodle.rs")]
#![expect(
    clippy::inline_always,
    reason = "bodies must be compiled with the processor features of their callers"
)]
#![expect(clippy::indexing_slicing, reason = "list numbers are masked")]

use super::models::{Delta, DeltaFirst, Literals, Nibble, Positional, Raw};
use super::streams::{MIN_DISTANCE, Model, Progress, Streams};
use crate::backend::Backend;
use crate::copy::{MARGIN, copy_match, prefetch};
use crate::lz::chunk::Window;
#[cfg(target_arch = "x86_64")]
use crate::lz::recent::Permute;
use crate::lz::recent::{self, CommandLoop, Recent};
use core::marker::PhantomData;

/// Distance in the offset list at which sources are fetched ahead.
const PREFETCH_AHEAD: usize = 16;

/// Approximate output of that many commands, in bytes.
const OUTPUT_AHEAD: usize = 256;

/// Runs commands while there is room for whole-word copies; the plain loop does the rest and gives the
/// verdict.
pub(super) fn advance(
    backend: Backend,
    streams: &Streams<'_>,
    model: Model,
    window: &mut Window<'_>,
    progress: &mut Progress,
) {
    match model {
        Model::Delta => advance_model::<Delta>(backend, streams, window, progress),
        Model::Raw => advance_model::<Raw>(backend, streams, window, progress),
        Model::DeltaFirst => advance_model::<DeltaFirst>(backend, streams, window, progress),
        Model::Delta4 => advance_model::<Positional<3>>(backend, streams, window, progress),
        Model::Nibble => advance_model::<Nibble>(backend, streams, window, progress),
        Model::Delta16 => advance_model::<Positional<15>>(backend, streams, window, progress),
    }
}

fn advance_model<L: Literals>(
    backend: Backend,
    streams: &Streams<'_>,
    window: &mut Window<'_>,
    progress: &mut Progress,
) {
    recent::run(backend, Commands { streams, window, progress, model: PhantomData::<L> });
}

/// Commands of a chunk, its output, the progress of decoding, and the model of its literals.
struct Commands<'r, 's, 'd, L> {
    streams: &'r Streams<'s>,
    window: &'r mut Window<'d>,
    progress: &'r mut Progress,
    model: PhantomData<L>,
}

impl<L: Literals> CommandLoop<7> for Commands<'_, '_, '_, L> {
    #[cfg(target_arch = "x86_64")]
    type Vector = Permute;

    #[inline(always)]
    fn run<R: Recent<7>>(self, proof: R::Proof) {
        let Self { streams, window, progress, .. } = self;
        // One or eight command lists: a constant, so that the common case has no index to compute.
        if streams.multi_commands {
            advance_with::<L, R, 7>(streams, window, progress, proof);
        } else {
            advance_with::<L, R, 0>(streams, window, progress, proof);
        }
    }
}

/// Runs the loop; the low bits of the position in `LISTS` choose the command list. Invariants between two
/// commands:
///
/// - `pos <= limit`, and `limit + MARGIN` is within the output;
/// - as many list entries are used as the commands so far ask for, and [`Streams`] holds as many as all of them do;
/// - literal cursors have moved by no more bytes than the chunk has, which their array has room for;
/// - every recent distance is at least 1 (8 in delta models) and reaches no further back than the output's start.
#[inline(always)]
fn advance_with<L: Literals, R: Recent<7>, const LISTS: usize>(
    streams: &Streams<'_>,
    window: &mut Window<'_>,
    progress: &mut Progress,
    proof: R::Proof,
) {
    let limit = window.end.min(window.dst.len().saturating_sub(MARGIN));
    let start = window.start;
    let base = window.dst.as_mut_ptr();
    let commands = streams.commands.array.as_ptr();
    let lengths = streams.values.lengths.as_ptr();
    let offsets = streams.values.offsets.as_ptr();
    // Created here and not by the caller: passed in, the seven distances of `Scalar` go through memory, which
    // costs a sixth of the speed.
    let mut recent = R::new(progress.recent, proof);
    let mut literals = progress.literals;
    let mut places = progress.commands;
    let Progress { mut pos, mut front, mut back, mut offset, mut done, .. } = *progress;
    loop {
        // The command comes from the list of the output position, as it is before the literals.
        let list = pos.wrapping_sub(start) & LISTS;
        let cursor = places[list];
        if cursor >= streams.commands.ends[list] {
            // The list is empty: this is the end of the chunk, or a fault that the plain loop will find.
            break;
        }
        // SAFETY: the cursor is within its list.
        let command = usize::from(unsafe { *commands.add(cursor) });
        let (run, len, index) = (command >> 3 & 3, command & 7, command >> 5);
        // SAFETY: entries that no command asks for are readable ones before (`back` is at least 1 then) or
        // after: `SLACK` of them, which is more than `PREFETCH_AHEAD`.
        let (long_run, long_len, new, ahead) = unsafe {
            (
                *lengths.add(front) as usize,
                *lengths.add(back.saturating_sub(1)) as usize,
                *offsets.add(offset),
                *offsets.add(offset + PREFETCH_AHEAD) as usize,
            )
        };
        prefetch(base.wrapping_add(pos + OUTPUT_AHEAD).wrapping_sub(ahead));
        // Chosen without a branch: which counts are long cannot be predicted.
        let run = core::hint::select_unpredictable(run == 3, long_run, run);
        let is_long = len == 7;
        let len = core::hint::select_unpredictable(is_long, long_len + 6, len + 2);
        let moved = recent.moved(index, new);
        let distance = moved.front() as usize;
        let match_at = pos + run;
        // Nearer matches must not overlap themselves: whole-word copies are then exact for them as well.
        let least = L::MIN_DISTANCE.max(len.min(MIN_DISTANCE));
        let far = distance.wrapping_sub(least) > match_at - least;
        if (match_at + len > limit) | far | !L::fit(streams, &literals, run) {
            break;
        }
        // SAFETY: literals and match end within `limit`; the distances are in range.
        unsafe {
            let before = recent.front() as usize;
            let dst = base.add(pos);
            L::copy(streams.literals.array.as_ptr(), &mut literals, dst, pos - start, before, run);
            let dst = base.add(match_at);
            copy_match(dst, distance, len);
        }
        // State changes only after the copies: a command that does not fit is left to the plain loop.
        places[list] = cursor + 1;
        front += usize::from(command >> 3 & 3 == 3);
        // Long matches take lengths from the back, long runs from the front.
        back -= usize::from(is_long);
        offset += usize::from(index == 7);
        recent = moved;
        pos = match_at + len;
        done += 1;
    }
    *progress =
        Progress { pos, front, back, offset, done, literals, commands: places, recent: recent.entries() };
}
