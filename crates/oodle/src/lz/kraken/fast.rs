//! The fast command loop: whole-word copies, one rarely-taken branch for all checks.
#![expect(unsafe_code, reason = "Kraken as a whole doubles its speed, see benches/oodle.rs")]
#![expect(
    clippy::inline_always,
    reason = "bodies must be compiled with the processor features of their callers"
)]
#![expect(clippy::indexing_slicing, reason = "no more steps are resolved than there are")]
#![expect(clippy::needless_bitwise_bool, reason = "one branch for several checks")]
#![expect(clippy::cast_possible_truncation, reason = "a step lies within the output of a chunk")]

use super::streams::{MIN_DISTANCE, Progress, Streams};
use crate::backend::Backend;
use crate::copy::{MARGIN, add_literals, copy_literals, copy_match, prefetch, prefetch_page};
use crate::lz::chunk::Window;
#[cfg(target_arch = "x86_64")]
use crate::lz::recent::Shuffle;
use crate::lz::recent::{self, CommandLoop, Recent};

/// Runs commands while there is room for whole-word copies; the plain loop does the rest and gives the verdict.
pub(super) fn advance<const DELTA: bool>(
    backend: Backend,
    streams: &Streams<'_>,
    window: &mut Window<'_>,
    progress: &mut Progress,
) {
    recent::run(backend, Commands::<DELTA> { streams, window, progress });
}

/// The commands of a chunk, its output, and how far it is decoded.
struct Commands<'r, 's, 'd, const DELTA: bool> {
    streams: &'r Streams<'s>,
    window: &'r mut Window<'d>,
    progress: &'r mut Progress,
}

impl<const DELTA: bool> CommandLoop<3> for Commands<'_, '_, '_, DELTA> {
    #[cfg(target_arch = "x86_64")]
    type Vector = Shuffle;

    #[inline(always)]
    fn run<R: Recent<3>>(self, proof: R::Proof) {
        if self.window.end > NEAR_HISTORY {
            self.advance::<true, R>(proof);
        } else {
            self.advance::<false, R>(proof);
        }
    }
}

/// Commands that are resolved before their bytes are copied: far sources arrive in the cache meanwhile.
const BATCH: usize = 64;

/// So many bytes of history are in the cache anyway.
const NEAR_HISTORY: usize = 0x4_0000;

/// A command, resolved.
#[derive(Clone, Copy, Default)]
struct Step {
    run: u32,
    len: u32,
    distance: u32,
}

impl<const DELTA: bool> Commands<'_, '_, '_, DELTA> {
    /// The loop: resolve a batch of commands, then copy. What holds between two batches:
    ///
    /// - `pos <= limit`, and `limit + MARGIN` is within the output;
    /// - `literal <= literal_end`, and [`SLACK`](crate::views::SLACK) bytes after that can be read;
    /// - as many list entries are used as the commands so far ask for, and [`Streams`] holds as many as all of them do;
    /// - every recent distance is at least 8 and reaches no further back than the output's start.
    #[inline(always)]
    fn advance<const PREFETCH: bool, R: Recent<3>>(self, proof: R::Proof) {
        let Self { streams, window, progress } = self;
        let limit = window.end.min(window.dst.len().saturating_sub(MARGIN));
        let base = window.dst.as_mut_ptr();
        let resolver = Resolver::<R> { streams, limit, proof };
        let mut steps = [Step::default(); BATCH];
        let mut last = progress.recent[0] as usize;
        for commands in streams.commands.bytes().chunks(BATCH) {
            // First without looking where the commands lead: nothing is written yet, so one look at the end of the batch is
            // enough. Only a batch that leads outside is resolved again, up to the command that does.
            let before = *progress;
            let prefetch = PREFETCH.then_some(base.cast_const());
            let (mut count, fits) = resolver.resolve::<false>(commands, prefetch, progress, &mut steps);
            if !fits {
                *progress = before;
                (count, _) = resolver.resolve::<true>(commands, None, progress, &mut steps);
            }
            let (dst, literals) =
                (base.wrapping_add(before.pos), streams.literals.as_ptr().wrapping_add(before.literal));
            prefetch_page(dst);
            // SAFETY: the resolver has checked that each run ends within the literals and, with its match, within `limit`, and that
            // the distances are in range.
            unsafe { copy_steps::<DELTA>(&steps[..count], dst, literals, &mut last) };
            if !fits {
                return;
            }
        }
        // After the last command, the rest of the chunk is literals.
        let left = (streams.literals.len() - progress.literal).min(limit.saturating_sub(progress.pos));
        if left == 0 {
            return;
        }
        // SAFETY: the run ends within the literals and within `limit`.
        unsafe {
            let dst = base.add(progress.pos);
            let literals = streams.literals.as_ptr().add(progress.literal);
            if DELTA {
                add_literals(literals, dst, last, left);
            } else {
                copy_literals(literals, dst, left);
            }
        }
        progress.pos += left;
        progress.literal += left;
    }
}

/// Copies what steps ask for to `dst`, on.
///
/// # Safety
/// The runs end within the literals, and with the matches within the output, with margins after both; distances, the last one before
/// these included, are at least 8 and within the output.
#[inline(always)]
unsafe fn copy_steps<const DELTA: bool>(
    steps: &[Step],
    mut dst: *mut u8,
    mut literals: *const u8,
    last: &mut usize,
) {
    for step in steps {
        let (run, len, distance) = (step.run as usize, step.len as usize, step.distance as usize);
        // SAFETY: by contract.
        unsafe {
            if DELTA {
                add_literals(literals, dst, *last, run);
            } else {
                copy_literals(literals, dst, run);
            }
            dst = dst.add(run);
            copy_match(dst, distance, len);
            dst = dst.add(len);
            literals = literals.add(run);
        }
        *last = distance;
    }
}

/// Turns commands into steps: where each run and match ends, and how far back it reaches.
struct Resolver<'r, 's, R: Recent<3>> {
    streams: &'r Streams<'s>,
    /// Where the output of a command may end at most.
    limit: usize,
    proof: R::Proof,
}

impl<R: Recent<3>> Resolver<'_, '_, R> {
    /// Resolves commands and moves `progress` past them; returns how many, and whether all of them fit. With `CHECKED`,
    /// stops before the first that does not; else, steps and progress are worthless if not all fit.
    #[inline(always)]
    fn resolve<const CHECKED: bool>(
        &self,
        commands: &[u8],
        prefetch_from: Option<*const u8>,
        progress: &mut Progress,
        steps: &mut [Step; BATCH],
    ) -> (usize, bool) {
        let Self { streams, limit, proof } = *self;
        let mut recent = R::new(progress.recent, proof);
        let Progress { mut pos, mut literal, mut length, mut offset, .. } = *progress;
        let literal_end = streams.literals.len();
        let mut all_near = true;
        let mut done = 0;
        for (command, step) in commands.iter().zip(steps) {
            let command = usize::from(*command);
            // SAFETY: an entry that no command asks for is one of the readable entries after the list.
            let (run, len, after) = unsafe { lengths(streams.values.lengths.as_ptr(), length, command) };
            // SAFETY: as for the lengths.
            let new = unsafe { *streams.values.offsets.as_ptr().add(offset) };
            let index = command >> 6;
            let moved = recent.moved(index, new);
            let distance = moved.front();
            let match_at = pos + run;
            // One comparison for both ends of the range: a distance below 8 wraps to a huge number.
            let near = (distance as usize).wrapping_sub(MIN_DISTANCE) <= match_at - MIN_DISTANCE;
            if CHECKED && !(near & (match_at + len <= limit) & (literal + run <= literal_end)) {
                break;
            }
            all_near &= near;
            if let Some(base) = prefetch_from {
                prefetch(base.wrapping_add(match_at).wrapping_sub(distance as usize));
            }
            *step = Step { run: run as u32, len: len as u32, distance };
            recent = moved;
            literal += run;
            pos = match_at + len;
            length = after;
            offset += usize::from(index == 3);
            done += 1;
        }
        let (command, recent) = (progress.command + done, recent.entries());
        *progress = Progress { pos, command, literal, offset, length, recent };
        (done, all_near & (pos <= limit) & (literal <= literal_end) & (done == commands.len()))
    }
}

/// The literal run and the match length of a command, and the place in the length list after them.
///
/// # Safety
/// Two entries can be read at `lengths + at`.
#[inline(always)]
unsafe fn lengths(lengths: *const u32, at: usize, command: usize) -> (usize, usize, usize) {
    let (run, len) = (command & 3, command >> 2 & 15);
    // Long counts are read whether or not they are needed, and then chosen without a branch: which commands are long cannot be
    // predicted.
    // SAFETY: by contract; `next` is `at` or the entry after it.
    unsafe {
        let next = at + usize::from(run == 3);
        let (long_run, long_len) = (*lengths.add(at) as usize, *lengths.add(next) as usize);
        let run = core::hint::select_unpredictable(run == 3, long_run, run);
        let after = next + usize::from(len == 15);
        (run, core::hint::select_unpredictable(len == 15, long_len + 14, len + 2), after)
    }
}
