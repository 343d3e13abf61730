//! The fast command loop, one for each literal model.
#![expect(
    clippy::inline_always,
    reason = "bodies must be compiled with the processor features of their callers"
)]
#![expect(clippy::indexing_slicing, reason = "list numbers are masked")]

use super::models::{DeltaFirst, Literals, Nibble, Plain, Positional};
use super::streams::{MIN_DISTANCE, Model, Progress, Streams};
use crate::backend::Backend;
use crate::lz::chunk::Window;
use crate::lz::integers::entry;
#[cfg(all(target_arch = "x86_64", not(feature = "safe-only")))]
use crate::lz::recent::Permute;
use crate::lz::recent::{self, CommandLoop, Recent};
use crate::lz::writer::Writer;
use core::marker::PhantomData;
use core::ops::Range;

/// Runs all commands of a sound chunk; stops before a command that asks for what cannot be. The plain loop goes on from
/// there, does the literals after the last command, and gives the verdict.
pub(super) fn advance(
    backend: Backend,
    streams: &Streams<'_>,
    model: Model,
    window: &mut Window<'_>,
    progress: &mut Progress,
) {
    match model {
        Model::Delta => advance_model::<Plain<'_, true>>(backend, streams, window, progress),
        Model::Raw => advance_model::<Plain<'_, false>>(backend, streams, window, progress),
        Model::DeltaFirst => advance_model::<DeltaFirst<'_>>(backend, streams, window, progress),
        Model::Delta4 => advance_model::<Positional<'_, 3>>(backend, streams, window, progress),
        Model::Nibble => advance_model::<Nibble<'_>>(backend, streams, window, progress),
        Model::Delta16 => advance_model::<Positional<'_, 15>>(backend, streams, window, progress),
    }
}

fn advance_model<'s, L: Literals<'s>>(
    backend: Backend,
    streams: &Streams<'s>,
    window: &mut Window<'_>,
    progress: &mut Progress,
) {
    let (start, out) = (window.start, window.out());
    recent::run(backend, Commands { streams, start, out, progress, model: PhantomData::<L> });
}

/// The commands of a chunk, its output, how far it is decoded, and how its literals are coded.
struct Commands<'r, 's, 'd, L> {
    streams: &'r Streams<'s>,
    /// Where the chunk starts in the output, which ends where the chunk does.
    start: usize,
    out: &'d mut [u8],
    progress: &'r mut Progress,
    model: PhantomData<L>,
}

impl<'d, 's, L: Literals<'s>> CommandLoop<'d, 7> for Commands<'_, 's, 'd, L> {
    #[cfg(all(target_arch = "x86_64", not(feature = "safe-only")))]
    type Vector = Permute;

    #[inline(always)]
    fn run<R: Recent<7>, W: Writer<'d>>(self, proof: R::Proof) {
        let Self { streams, start, out, progress, .. } = self;
        let chunk = start..out.len();
        let out = W::new(out, progress.pos);
        if streams.multi_commands {
            advance_with::<L, R, W, 7>(streams, chunk, out, progress, proof);
        } else {
            advance_with::<L, R, W, 0>(streams, chunk, out, progress, proof);
        }
    }
}

/// The loop; the low bits of the position that `LISTS` keeps choose the command list.
#[inline(always)]
fn advance_with<'s, 'd, L: Literals<'s>, R: Recent<7>, W: Writer<'d>, const LISTS: usize>(
    streams: &Streams<'s>,
    chunk: Range<usize>,
    mut out: W,
    progress: &mut Progress,
    proof: R::Proof,
) {
    let Range { start, end } = chunk;
    let commands = streams.commands.array.bytes();
    let (offsets, lengths) = (streams.values.offsets, streams.values.lengths);
    // Made here and not by the caller: handed in, the seven distances of `Scalar` go through memory, for a sixth of the speed.
    let mut recent = R::new(progress.recent, proof);
    let mut literals = L::new(&streams.literals, &progress.literals);
    let mut places = progress.commands;
    let Progress { mut pos, mut front, mut back, mut offset, mut done, .. } = *progress;
    loop {
        let list = pos.wrapping_sub(start) & LISTS;
        let cursor = places[list];
        if cursor >= streams.commands.ends[list] {
            break;
        }
        let Some(command) = commands.get(cursor).map(|command| usize::from(*command)) else { break };
        let (run, len, index) = (command >> 3 & 3, command & 7, command >> 5);
        // Read whether or not they are asked for, and chosen without a branch: which counts are long cannot be predicted.
        let long_run = entry(lengths, front) as usize;
        let long_len = entry(lengths, back.wrapping_sub(1)) as usize;
        let run = core::hint::select_unpredictable(run == 3, long_run, run);
        let is_long = len == 7;
        let len = core::hint::select_unpredictable(is_long, long_len + 6, len + 2);
        let moved = recent.moved(index, entry(offsets, offset));
        let distance = moved.front() as usize;
        // Nearer matches must not overlap themselves: then whole-word copies are exact for them, too.
        if distance < L::MIN_DISTANCE.max(len.min(MIN_DISTANCE)) {
            break;
        }
        // Before the literals, which could not be put back into their lists.
        let match_at = pos + run;
        if distance > match_at || match_at + len > end {
            break;
        }
        let before = recent.front() as usize;
        if !(literals.copy(&mut out, pos - start, before, run) && out.copy_match::<1>(distance, len)) {
            break;
        }
        places[list] = cursor + 1;
        front += usize::from(command >> 3 & 3 == 3);
        back = back.wrapping_sub(usize::from(is_long));
        offset += usize::from(index == 7);
        recent = moved;
        pos = match_at + len;
        done += 1;
    }
    let literals = literals.cursors();
    *progress =
        Progress { pos, front, back, offset, done, literals, commands: places, recent: recent.entries() };
}
