//! The fast command loop.
#![expect(
    clippy::inline_always,
    reason = "bodies must be compiled with the processor features of their callers"
)]

use super::streams::{Half, MIN_DISTANCE, Progress, Streams};
use crate::backend::Backend;
#[cfg(not(feature = "safe-only"))]
use crate::lz::writer::Pointers;
use crate::lz::writer::{FIRST_FAR, ShortLists, Slices, Source, Writer};

/// Runs all commands of one half of a sound chunk; stops before a command that asks for what cannot be. The plain loop goes
/// on from there, does the literals after the last command, and gives the verdict.
pub(super) fn advance<const DELTA: bool>(
    backend: Backend,
    streams: &Streams<'_>,
    half: &Half<'_>,
    out: &mut [u8],
    progress: &mut Progress,
) {
    match backend {
        Backend::Plain => {}
        Backend::Safe => advance_with::<DELTA, Slices<'_>>(streams, half, out, progress),
        #[cfg(not(feature = "safe-only"))]
        _ => backend.run(
            #[inline(always)]
            || advance_with::<DELTA, Pointers<'_>>(streams, half, out, progress),
        ),
    }
}

/// The loop: short commands, which are nearly all, many at a time; then the one that has ended that.
#[inline(always)]
fn advance_with<'d, const DELTA: bool, W: Writer<'d>>(
    streams: &Streams<'_>,
    half: &Half<'_>,
    out: &'d mut [u8],
    progress: &mut Progress,
) {
    let mut out = W::new(out, progress.pos);
    let mut lists = ShortLists {
        literals: Source::new(streams.literals, progress.literal),
        near: streams.near.pairs(),
        near_at: progress.near,
        far: half.far,
        far_at: progress.far,
        far_base: half.start,
        recent: progress.recent,
    };
    let Progress { mut command, mut length, .. } = *progress;
    loop {
        let commands = half.commands.bytes().get(command..).unwrap_or_default();
        command += out.shorts::<DELTA>(commands, &mut lists);
        let Some(code) = half.commands.bytes().get(command) else { break };
        let done = if *code >= FIRST_FAR {
            out.short::<DELTA>(*code, &mut lists)
        } else {
            long::<DELTA, W>(*code, &mut out, &mut lists, streams.lengths, &mut length).is_some()
        };
        if !done {
            break;
        }
        command += 1;
    }
    let ShortLists { literals, near_at: near, far_at: far, recent, .. } = lists;
    *progress = Progress { pos: out.pos(), command, literal: literals.used(), near, far, length, recent };
}

/// Runs one of the commands with a count of their own. `None`, and nothing is used up, if it cannot be.
#[inline(always)]
fn long<'d, const DELTA: bool, W: Writer<'d>>(
    code: u8,
    out: &mut W,
    lists: &mut ShortLists<'_>,
    lengths: &[u8],
    length: &mut usize,
) -> Option<()> {
    let mut after = *length;
    let count = long_count(lengths, &mut after)?;
    let done = if code == 0 {
        out.literals::<DELTA>(&mut lists.literals, count + 64, lists.recent)
    } else {
        let (distance, len) = match code {
            1 => (usize::from(u16::from_le_bytes(*lists.near.get(lists.near_at)?)), count + 91),
            _ => (lists.far_distance(out.pos())?, count + 29),
        };
        let done = out.copy_match::<MIN_DISTANCE>(distance, len);
        if done {
            lists.near_at += usize::from(code == 1);
            lists.far_at += usize::from(code != 1);
            lists.recent = distance;
        }
        done
    };
    *length = if done { after } else { *length };
    done.then_some(())
}

/// The next value of the length bytes, unless they end.
#[inline(always)]
fn long_count(lengths: &[u8], at: &mut usize) -> Option<usize> {
    let first = usize::from(*lengths.get(*at)?);
    *at += 1;
    if first <= 251 {
        return Some(first);
    }
    let word = lengths.get(*at..)?.first_chunk()?;
    *at += 2;
    Some(first + 4 * usize::from(u16::from_le_bytes(*word)))
}
