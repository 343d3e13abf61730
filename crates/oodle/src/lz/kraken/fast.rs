//! Fast command loop: whole-word copies, and one rarely taken branch for all checks.
#![expect(unsafe_code, reason = "Kraken as a whole doubles its speed, see benches/oodle.rs")]
#![expect(
    clippy::inline_always,
    reason = "bodies must be compiled with the processor features of their callers"
)]
#![expect(clippy::indexing_slicing, reason = "no more steps are resolved than there are")]
#![expect(clippy::cast_possible_truncation, reason = "a step lies within the output of a chunk")]

use super::near;
use super::step::{Step, copy_step, lengths};
use super::streams::{MIN_DISTANCE, Progress, Streams};
use crate::backend::Backend;
use crate::copy::{MARGIN, add_literals, copy_literals, prefetch, prefetch_page};
use crate::lz::chunk::Window;
#[cfg(target_arch = "x86_64")]
use crate::lz::recent::Shuffle;
use crate::lz::recent::{self, CommandLoop, Recent};

/// Runs commands while there is room for whole-word copies; the plain loop does the rest and gives the
/// verdict.
pub(super) fn advance<const DELTA: bool>(
    backend: Backend,
    streams: &Streams<'_>,
    window: &mut Window<'_>,
    progress: &mut Progress,
) {
    recent::run(backend, Commands::<DELTA> { streams, window, progress });
}

/// Commands of a chunk, its output, and the progress of decoding.
struct Commands<'r, 's, 'd, const DELTA: bool> {
    streams: &'r Streams<'s>,
    window: &'r mut Window<'d>,
    progress: &'r mut Progress,
}

impl<const DELTA: bool> CommandLoop<3> for Commands<'_, '_, '_, DELTA> {
    #[cfg(target_arch = "x86_64")]
    type Vector = Shuffle;

    #[inline(always)]
    fn run<R: Recent<3>>(mut self, proof: R::Proof) {
        // Copies may write a margin too much, so the loop ends that far before the end of the memory, not of
        // the chunk.
        let limit = self.window.end.min(self.window.dst.len().saturating_sub(MARGIN));
        // A long history does not fit into the cache, so sources are fetched ahead; for a short one that
        // would cost more than it saves.
        let all_done = if self.window.end > NEAR_HISTORY {
            self.advance_far::<R>(limit, proof)
        } else {
            near::advance::<DELTA, R>(self.streams, self.window, self.progress, limit, proof)
        };
        if all_done {
            self.copy_tail(limit);
        }
    }
}

/// Commands that are resolved before their bytes are copied, so that far sources arrive in the cache
/// meanwhile.
const BATCH: usize = 64;

/// Bytes of history that are in the cache in any case.
const NEAR_HISTORY: usize = 0x4_0000;

/// Invariants before each command, here and in [`near`]:
///
/// - `pos <= limit`, and `limit + MARGIN` is within the output;
/// - `literal <= literal_end`, and [`SLACK`](crate::views::SLACK) bytes after that can be read;
/// - as many list entries are used as the commands so far ask for, and [`Streams`] holds as many as all of them do;
/// - every recent distance is at least 8 and reaches no further back than the output's start.
impl<const DELTA: bool> Commands<'_, '_, '_, DELTA> {
    /// Resolves batches of commands, and copies each. Returns true if all commands are done.
    #[inline(always)]
    fn advance_far<R: Recent<3>>(&mut self, limit: usize, proof: R::Proof) -> bool {
        let resolver = Resolver { streams: self.streams, limit };
        let base = self.window.dst.as_mut_ptr();
        let mut steps = [Step::default(); BATCH];
        let mut last = self.progress.recent[0] as usize;
        for commands in self.streams.commands.bytes().chunks(BATCH) {
            // The batch is first resolved without checks: nothing is written yet, so one check at its end is
            // enough. Only a batch that leads outside is resolved again, up to the command that does.
            let place = Place::<R>::new(self.progress, proof);
            let (mut after, mut count, fits) =
                resolver.resolve::<R, false>(place, commands, Some(base), &mut steps);
            if !fits {
                (after, count, _) = resolver.resolve::<R, true>(place, commands, None, &mut steps);
            }
            // The lists advance for the whole batch; only copies are left to do.
            after.save(self.progress);
            let mut dst = base.wrapping_add(place.pos);
            let mut literals = self.streams.literals.as_ptr().wrapping_add(place.literal);
            prefetch_page(dst);
            // Literals use the distance of the match before, so it is carried from step to step.
            for step in &steps[..count] {
                // SAFETY: the resolver has checked that each run ends within the literals and, with its
                // match, within `limit`, and that the distances are in range.
                unsafe { copy_step::<DELTA>(*step, dst, literals, last) };
                dst = dst.wrapping_add((step.run + step.len) as usize);
                literals = literals.wrapping_add(step.run as usize);
                last = step.distance as usize;
            }
            // The plain loop takes over at the command that did not fit, and decides whether it is valid.
            if !fits {
                return false;
            }
        }
        true
    }

    /// Copies the literals after the last command, which end the chunk.
    #[inline(always)]
    fn copy_tail(self, limit: usize) {
        let Self { streams, window, progress } = self;
        let left = (streams.literals.len() - progress.literal).min(limit.saturating_sub(progress.pos));
        if left == 0 {
            return;
        }
        // SAFETY: the run ends within the literals and within `limit`.
        unsafe {
            let dst = window.dst.as_mut_ptr().add(progress.pos);
            let literals = streams.literals.as_ptr().add(progress.literal);
            if DELTA {
                add_literals(literals, dst, progress.recent[0] as usize, left);
            } else {
                copy_literals(literals, dst, left);
            }
        }
        progress.pos += left;
        progress.literal += left;
    }
}

/// Position in the lists and in the output, with the recent distances there.
#[derive(Clone, Copy)]
struct Place<R> {
    pos: usize,
    command: usize,
    literal: usize,
    length: usize,
    offset: usize,
    recent: R,
}

impl<R: Recent<3>> Place<R> {
    #[inline(always)]
    fn new(progress: &Progress, proof: R::Proof) -> Self {
        let Progress { pos, command, literal, offset, length, recent } = *progress;
        Self { pos, command, literal, length, offset, recent: R::new(recent, proof) }
    }

    #[inline(always)]
    fn save(self, progress: &mut Progress) {
        let Self { pos, command, literal, length, offset, recent } = self;
        *progress = Progress { pos, command, literal, offset, length, recent: recent.entries() };
    }
}

/// Resolver of commands into steps: length of run and match, and distance.
struct Resolver<'r, 's> {
    streams: &'r Streams<'s>,
    /// Limit of the output position after a command.
    limit: usize,
}

impl Resolver<'_, '_> {
    /// True if runs end within the literals, and matches within the output, up to this place.
    #[inline(always)]
    fn has_room<R>(&self, place: &Place<R>) -> bool {
        (place.pos <= self.limit) & (place.literal <= self.streams.literals.len())
    }

    /// Resolves one command at a place: its step, the place after it, and true if its distance is in range.
    #[inline(always)]
    fn step<R: Recent<3>>(&self, place: Place<R>, command: u8) -> (Step, Place<R>, bool) {
        let command = usize::from(command);
        let values = &self.streams.values;
        // SAFETY: an entry that no command asks for is one of the readable entries after the list.
        let (run, len, length) = unsafe { lengths(values.lengths.as_ptr(), place.length, command) };
        // SAFETY: as for the lengths.
        let new = unsafe { *values.offsets.as_ptr().add(place.offset) };
        let index = command >> 6;
        // All four cases by one shuffle or by conditional moves: the index is as good as random.
        let recent = place.recent.moved(index, new);
        let distance = recent.front();
        let match_at = place.pos + run;
        // One comparison for both ends of the range: a distance below 8 wraps to a huge number.
        let near = (distance as usize).wrapping_sub(MIN_DISTANCE) <= match_at - MIN_DISTANCE;
        let after = Place {
            pos: match_at + len,
            command: place.command + 1,
            literal: place.literal + run,
            length,
            // Only a new distance consumes an offset.
            offset: place.offset + usize::from(index == 3),
            recent,
        };
        (Step { run: run as u32, len: len as u32, distance }, after, near)
    }

    /// Resolves commands; returns the place after them, their number, and true if all of them fit. With
    /// `CHECKED`, stops before the first that does not; otherwise steps and place are worthless unless all
    /// fit.
    #[inline(always)]
    fn resolve<R: Recent<3>, const CHECKED: bool>(
        &self,
        mut place: Place<R>,
        commands: &[u8],
        prefetch_from: Option<*mut u8>,
        steps: &mut [Step; BATCH],
    ) -> (Place<R>, usize, bool) {
        let mut all_near = true;
        let mut done = 0;
        for (command, slot) in commands.iter().zip(steps) {
            let (step, next, near) = self.step(place, *command);
            if CHECKED && !(near & self.has_room(&next)) {
                break;
            }
            all_near &= near;
            // Asked for now, and needed when the batch is copied: memory is far slower than resolving.
            if let Some(base) = prefetch_from {
                let source = (next.pos - step.len as usize).wrapping_sub(step.distance as usize);
                prefetch(base.cast_const().wrapping_add(source));
            }
            *slot = step;
            place = next;
            done += 1;
        }
        (place, done, all_near & self.has_room(&place) & (done == commands.len()))
    }
}
