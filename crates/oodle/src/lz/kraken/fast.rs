//! The fast command loop: what commands mean is resolved some of them at a time, then their bytes are copied.
#![expect(
    clippy::inline_always,
    reason = "bodies must be compiled with the processor features of their callers"
)]
#![expect(
    clippy::cast_possible_truncation,
    reason = "lengths are entries of a list of u32, and 14 more at most"
)]

use super::streams::{MIN_DISTANCE, Progress, Streams};
use crate::backend::Backend;
use crate::lz::integers::entry;
#[cfg(all(target_arch = "x86_64", not(feature = "safe-only")))]
use crate::lz::recent::Shuffle;
use crate::lz::recent::{self, CommandLoop, Recent};
use crate::lz::writer::{Source, Writer};

/// Runs all commands of a sound chunk, and the literals after them; stops before a command that asks for what cannot be. The
/// plain loop goes on from there and gives the verdict.
pub(super) fn advance<const DELTA: bool>(
    backend: Backend,
    streams: &Streams<'_>,
    out: &mut [u8],
    progress: &mut Progress,
) {
    recent::run(backend, Commands::<DELTA> { streams, out, progress });
}

/// The commands of a chunk, its output, and how far it is decoded.
struct Commands<'r, 's, 'd, const DELTA: bool> {
    streams: &'r Streams<'s>,
    out: &'d mut [u8],
    progress: &'r mut Progress,
}

impl<'d, const DELTA: bool> CommandLoop<'d, 3> for Commands<'_, '_, 'd, DELTA> {
    #[cfg(all(target_arch = "x86_64", not(feature = "safe-only")))]
    type Vector = Shuffle;

    #[inline(always)]
    fn run<R: Recent<3>, W: Writer<'d>>(self, proof: R::Proof) {
        if self.out.len() > NEAR_HISTORY {
            self.advance::<true, R, W>(proof);
        } else {
            self.advance::<false, R, W>(proof);
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

impl<'d, const DELTA: bool> Commands<'_, '_, 'd, DELTA> {
    #[inline(always)]
    fn advance<const PREFETCH: bool, R: Recent<3>, W: Writer<'d>>(self, proof: R::Proof) {
        let Self { streams, out, progress } = self;
        let mut out = W::new(out, progress.pos);
        let mut literals = Source::new(streams.literals, progress.literal);
        let mut steps = [Step::default(); BATCH];
        let [mut last, ..] = progress.recent.map(|distance| distance as usize);
        for commands in streams.commands.bytes().chunks(BATCH) {
            let before = *progress;
            resolve::<R>(streams, commands, progress, &mut steps, proof, |match_at, distance| {
                if PREFETCH {
                    out.prefetch(match_at.wrapping_sub(distance));
                }
            });
            out.prefetch_page();
            for (done, step) in steps.iter().take(commands.len()).enumerate() {
                let (pos, literal) = (out.pos(), literals.used());
                let (run, len, distance) = (step.run as usize, step.len as usize, step.distance as usize);
                if !(out.literals::<DELTA>(&mut literals, run, last)
                    && out.copy_match::<MIN_DISTANCE>(distance, len))
                {
                    // Where this command starts: the commands before it are resolved once more, without those after it.
                    *progress = before;
                    let commands = commands.get(..done).unwrap_or_default();
                    resolve::<R>(streams, commands, progress, &mut steps, proof, |_, _| {});
                    *progress = Progress { pos, literal, ..*progress };
                    return;
                }
                last = distance;
            }
            *progress = Progress { pos: out.pos(), literal: literals.used(), ..*progress };
        }
        // After the last command, the rest of the chunk is literals.
        if out.literals::<DELTA>(&mut literals, streams.literals.len() - progress.literal, last) {
            *progress = Progress { pos: out.pos(), literal: literals.used(), ..*progress };
        }
    }
}

/// Finds out how long the run and the match of each command are, and how far back the match reaches, and moves `progress`
/// past the commands (but for the literals). Nothing is checked: whoever copies has to look anyway.
#[inline(always)]
fn resolve<R: Recent<3>>(
    streams: &Streams<'_>,
    commands: &[u8],
    progress: &mut Progress,
    steps: &mut [Step; BATCH],
    proof: R::Proof,
    mut look: impl FnMut(usize, usize),
) {
    let mut recent = R::new(progress.recent, proof);
    let Progress { mut pos, mut length, mut offset, .. } = *progress;
    let (offsets, lengths) = (streams.values.offsets, streams.values.lengths);
    for (command, step) in commands.iter().zip(steps) {
        let command = usize::from(*command);
        let (run, len) = (command & 3, command >> 2 & 15);
        // Long counts are read whether or not they are needed, and then chosen without a branch: which commands are long cannot
        // be predicted.
        let long_run = entry(lengths, length);
        length += usize::from(run == 3);
        let long_len = entry(lengths, length).wrapping_add(14);
        length += usize::from(len == 15);
        let run = core::hint::select_unpredictable(run == 3, long_run, run as u32);
        let len = core::hint::select_unpredictable(len == 15, long_len, len as u32 + 2);
        // So is the next offset.
        let index = command >> 6;
        recent = recent.moved(index, entry(offsets, offset));
        offset += usize::from(index == 3);
        let distance = recent.front();
        pos = pos.wrapping_add(run as usize);
        look(pos, distance as usize);
        pos = pos.wrapping_add(len as usize);
        *step = Step { run, len, distance };
    }
    let command = progress.command + commands.len();
    *progress = Progress { pos, command, offset, length, recent: recent.entries(), ..*progress };
}
