//! The fast command loop: as many short commands at a time as there is room for, then the long one that ended the batch.
#![expect(unsafe_code, reason = "several times the plain loop, see benches/oodle.rs")]
#![expect(
    clippy::inline_always,
    reason = "bodies must be compiled with the processor features of their callers"
)]
#![expect(clippy::cast_ptr_alignment, reason = "only unaligned reads go through these pointers")]

use super::streams::{Half, MIN_DISTANCE, Progress, Streams};
use crate::backend::Backend;
use crate::copy::{MARGIN, add_literals, add8, copy_literals, copy_match, copy8, prefetch, prefetch_page};
use crate::lz::chunk::Window;

/// Short commands per batch.
const BATCH: usize = 24;

/// How many far matches ahead their sources are asked for.
const PREFETCH_AHEAD: usize = 16;

/// Runs commands of one half while there is room for whole-word copies; the plain loop does the rest and gives the
/// verdict.
pub(super) fn advance<const DELTA: bool>(
    backend: Backend,
    streams: &Streams<'_>,
    half: &Half<'_>,
    window: &mut Window<'_>,
    progress: &mut Progress,
) {
    backend.run(
        #[inline(always)]
        || advance_with::<DELTA>(streams, half, window, progress),
    );
}

#[inline(always)]
fn advance_with<const DELTA: bool>(
    streams: &Streams<'_>,
    half: &Half<'_>,
    window: &mut Window<'_>,
    progress: &mut Progress,
) {
    let mut run = Run {
        streams,
        half,
        base: window.dst.as_mut_ptr(),
        limit: half.end.min(window.dst.len().saturating_sub(MARGIN)),
        at: *progress,
    };
    let commands = half.commands.bytes();
    while run.batch::<DELTA>(commands) && run.long::<DELTA>(commands) {}
    *progress = run.at;
}

/// The loop's state. What holds between two commands:
///
/// - `at.pos <= limit` (or no command is run), and `limit + MARGIN` is within the output;
/// - `at.literal` is within the literals, after which `SLACK` bytes can be read;
/// - as many near and far offsets are used as the commands so far ask for, and [`Streams`] holds as many as all do;
/// - `at.recent` is at least 8 and reaches no further back than the output's start.
struct Run<'r, 's> {
    streams: &'r Streams<'s>,
    half: &'r Half<'s>,
    base: *mut u8,
    limit: usize,
    at: Progress,
}

impl Run<'_, '_> {
    /// Runs short commands. True if a long command ended that; false if room, commands or patience did.
    #[inline(always)]
    fn batch<const DELTA: bool>(&mut self, commands: &[u8]) -> bool {
        let literals = self.streams.literals.as_ptr();
        let near_offsets = self.streams.near.as_ptr().cast::<u16>();
        let base = self.base;
        let Progress { mut pos, mut command, mut literal, mut near, mut recent, .. } = self.at;
        let ended_by_long = 'room: loop {
            let left = commands.len() - command;
            let literals_left = self.streams.literals.len() - literal;
            // A short command has at most 7 literals and 22 bytes of output.
            let room = (self.limit.saturating_sub(pos) / 32).min(literals_left / 8).min(left).min(BATCH);
            if room == 0 {
                break false;
            }
            prefetch_page(base.wrapping_add(pos));
            for _ in 0..room {
                // SAFETY: `room` commands are left.
                let code = unsafe { *commands.as_ptr().add(command) } as usize;
                if code < 0x18 {
                    break 'room true;
                }
                // SAFETY: an offset that no command asks for is one of the readable ones after the list.
                let new = usize::from(u16::from_le(unsafe { near_offsets.add(near).read_unaligned() }));
                let is_new = code < 0x80;
                let distance = core::hint::select_unpredictable(is_new, new, recent);
                let match_at = pos + (code & 7);
                if distance.wrapping_sub(MIN_DISTANCE) > match_at - MIN_DISTANCE {
                    break 'room false;
                }
                // Always 8 literals and 16 bytes of match: a short command has no more, and what is too much is overwritten.
                // SAFETY: there is room for the command by the choice of `room`; its distance is in range.
                unsafe {
                    let dst = base.add(pos);
                    if DELTA {
                        add8(literals.add(literal), dst.sub(recent), dst);
                    } else {
                        copy8(literals.add(literal), dst);
                    }
                    let dst = base.add(match_at);
                    let src = dst.sub(distance);
                    copy8(src, dst);
                    copy8(src.add(8), dst.add(8));
                }
                recent = distance;
                literal += code & 7;
                pos = match_at + (code >> 3 & 15);
                near += usize::from(is_new);
                command += 1;
            }
        };
        self.at = Progress { pos, command, literal, near, recent, ..self.at };
        ended_by_long
    }

    /// Runs one long command. False, and nothing done, if it does not fit.
    #[inline(always)]
    fn long<const DELTA: bool>(&mut self, commands: &[u8]) -> bool {
        let Some(code) = commands.get(self.at.command).map(|code| usize::from(*code)) else { return false };
        let mut next = self.at;
        next.command += 1;
        let extra = match code {
            0 => 64,
            1 => 91,
            2 => 29,
            _ => 5 + code,
        };
        let Some(len) = (if code < 3 { self.length(&mut next.length) } else { Some(0) }) else {
            return false;
        };
        let len = len + extra;
        if code == 0 {
            return self.long_literals::<DELTA>(next, len);
        }
        // SAFETY: the command asks for an offset, so the list has one.
        let distance = unsafe {
            if code == 1 {
                next.near += 1;
                let at = self.streams.near.as_ptr().cast::<u16>().add(self.at.near);
                usize::from(u16::from_le(at.read_unaligned()))
            } else {
                next.far += 1;
                let ahead = *self.half.far.as_ptr().add(self.at.far + PREFETCH_AHEAD) as usize;
                prefetch(self.base.wrapping_add(self.half.start).wrapping_sub(ahead));
                *self.half.far.as_ptr().add(self.at.far) as usize + (next.pos - self.half.start)
            }
        };
        if distance.wrapping_sub(MIN_DISTANCE) > next.pos - MIN_DISTANCE || next.pos + len > self.limit {
            return false;
        }
        // SAFETY: the match ends within `limit`; its distance is in range.
        unsafe { copy_match(self.base.add(next.pos), distance, len) };
        next.recent = distance;
        next.pos += len;
        self.at = next;
        true
    }

    #[inline(always)]
    fn long_literals<const DELTA: bool>(&mut self, mut next: Progress, len: usize) -> bool {
        if next.pos + len > self.limit || next.literal + len > self.streams.literals.len() {
            return false;
        }
        // SAFETY: the run ends within the literals and within `limit`.
        unsafe {
            let (src, dst) = (self.streams.literals.as_ptr().add(next.literal), self.base.add(next.pos));
            if DELTA {
                add_literals(src, dst, next.recent, len);
            } else {
                copy_literals(src, dst, len);
            }
        }
        next.pos += len;
        next.literal += len;
        self.at = next;
        true
    }

    /// The next value of the length bytes, unless they end.
    #[inline(always)]
    fn length(&self, at: &mut usize) -> Option<usize> {
        let lengths = self.streams.lengths.bytes();
        let first = usize::from(*lengths.get(*at)?);
        *at += 1;
        if first <= 251 {
            return Some(first);
        }
        let word = lengths.get(*at..)?.first_chunk()?;
        *at += 2;
        Some(first + 4 * usize::from(u16::from_le_bytes(*word)))
    }
}
