//! Fast command loop of Mermaid: as many short commands at a time as there is room for, then the long one
//! that ended the batch, if any.
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
const BATCH: usize = 64;

/// Far matches ahead whose sources are fetched.
const PREFETCH_AHEAD: usize = 16;

/// Runs commands of one half while there is room for whole-word copies; the plain loop does the rest and
/// gives the verdict.
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
    // Near matches reach at most this far back, so halves that start later need no check of their source.
    if half.start >= usize::from(u16::MAX) {
        while run.batch::<DELTA, false>(commands) && run.long::<DELTA>(commands) {}
    } else {
        while run.batch::<DELTA, true>(commands) && run.long::<DELTA>(commands) {}
    }
    *progress = run.at;
}

/// State of the loop. Invariants between two commands:
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

/// Progress of a batch, with pointers in place of indices, and the recent distance negated: this saves an
/// instruction each, where a short command takes two dozen.
struct Cursor {
    dst: *mut u8,
    literal: *const u8,
    near: *const u16,
    far: usize,
    back: isize,
}

impl Run<'_, '_> {
    /// Runs short commands and short far matches. True if another command ended the batch; false if room or
    /// commands ended it.
    #[inline(always)]
    fn batch<const DELTA: bool, const CHECKED: bool>(&mut self, commands: &[u8]) -> bool {
        let mut at = self.cursor();
        let mut rest = commands.get(self.at.command..).unwrap_or_default();
        let ended_by_long = 'room: loop {
            let literals_left =
                self.streams.literals.len() - (at.literal.addr() - self.streams.literals.as_ptr().addr());
            let output_left = self.limit.saturating_sub(at.dst.addr() - self.base.addr());
            // A short command has at most 7 literals, and no command in a batch makes more than 28 bytes of
            // output. One check of room per batch, instead of one per command.
            let room = (output_left / 32).min(literals_left / 8).min(rest.len()).min(BATCH);
            let (codes, after) = rest.split_at(room);
            if room == 0 {
                break false;
            }
            prefetch_page(at.dst);
            for (done, code) in codes.iter().enumerate() {
                let code = usize::from(*code);
                // SAFETY: there is room for each of the commands.
                let runs = unsafe {
                    // Below 3 are commands with a length byte; 3 to 23 are far matches of fixed lengths.
                    if code < 0x18 {
                        code > 2 && self.far(&mut at, code)
                    } else {
                        self.short::<DELTA, CHECKED>(&mut at, code)
                    }
                };
                if !runs {
                    rest = rest.get(done..).unwrap_or_default();
                    break 'room code < 0x18;
                }
            }
            rest = after;
        };
        self.at = self.progress(&at, commands.len() - rest.len());
        ended_by_long
    }

    /// Runs a command with a short match at the next near offset or the recent distance. Returns false, with
    /// nothing done, if that reaches back too far.
    ///
    /// # Safety
    /// 32 bytes are left of the output, and 8 of the literals.
    #[inline(always)]
    unsafe fn short<const DELTA: bool, const CHECKED: bool>(&self, at: &mut Cursor, code: usize) -> bool {
        let is_new = code < 0x80;
        // Always 8 literals and 16 bytes of match: a short command has no more, and the excess is
        // overwritten.
        // SAFETY: by contract, and the distance is in range; an offset that no command asks for is one of the
        // readable ones after the list.
        unsafe {
            let new = usize::from(u16::from_le(at.near.read_unaligned())).cast_signed();
            // Both distances are at hand, and one is chosen without a branch.
            let back = core::hint::select_unpredictable(is_new, new.wrapping_neg(), at.back);
            if CHECKED && at.dst.addr() - self.base.addr() + (code & 7) < back.unsigned_abs() {
                return false;
            }
            // Delta literals are relative to the distance before this command's.
            if DELTA {
                add8(at.literal, at.dst.offset(at.back), at.dst);
            } else {
                copy8(at.literal, at.dst);
            }
            at.back = back;
            at.dst = at.dst.add(code & 7);
            let src = at.dst.offset(back);
            copy8(src, at.dst);
            copy8(src.add(8), at.dst.add(8));
            at.dst = at.dst.add(code >> 3 & 15);
            at.literal = at.literal.add(code & 7);
            at.near = at.near.add(usize::from(is_new));
        }
        true
    }

    /// Runs a command that is a far match of up to 28 bytes. Returns false, with nothing done, if it is too
    /// near.
    ///
    /// # Safety
    /// 32 bytes are left of the output.
    #[inline(always)]
    unsafe fn far(&self, at: &mut Cursor, code: usize) -> bool {
        let distance = self.far_distance(at.far, at.dst.addr() - self.base.addr());
        if distance < MIN_DISTANCE {
            return false;
        }
        at.back = distance.cast_signed().wrapping_neg();
        // SAFETY: by contract, and the distance is in range.
        unsafe {
            // In words of 8, because the source may be as near as 8 bytes.
            let src = at.dst.offset(at.back);
            copy8(src, at.dst);
            copy8(src.add(8), at.dst.add(8));
            copy8(src.add(16), at.dst.add(16));
            copy8(src.add(24), at.dst.add(24));
            at.dst = at.dst.add(code + 5);
        }
        at.far += 1;
        true
    }

    fn cursor(&self) -> Cursor {
        let Progress { pos, literal, near, far, recent, .. } = self.at;
        // SAFETY: all of these are places in their lists, by what holds between two commands.
        unsafe {
            Cursor {
                dst: self.base.add(pos),
                literal: self.streams.literals.as_ptr().add(literal),
                near: self.streams.near.as_ptr().cast::<u16>().add(near),
                far,
                back: recent.cast_signed().wrapping_neg(),
            }
        }
    }

    fn progress(&self, at: &Cursor, command: usize) -> Progress {
        Progress {
            pos: at.dst.addr() - self.base.addr(),
            command,
            literal: at.literal.addr() - self.streams.literals.as_ptr().addr(),
            near: (at.near.addr() - self.streams.near.as_ptr().addr()) / size_of::<u16>(),
            far: at.far,
            recent: at.back.unsigned_abs(),
            ..self.at
        }
    }

    /// Returns the distance of far match `at` for a position in the output, and fetches the source of a later
    /// one.
    #[inline(always)]
    fn far_distance(&self, at: usize, pos: usize) -> usize {
        let far = self.half.far.as_ptr();
        // SAFETY: a command asks for this offset, so the list has it, and readable ones after it.
        let (offset, ahead) = unsafe { (*far.add(at) as usize, *far.add(at + PREFETCH_AHEAD) as usize) };
        prefetch(self.base.wrapping_add(self.half.start).wrapping_sub(ahead));
        // Offsets count from the start of the half, so the position inside it is added.
        offset + (pos - self.half.start)
    }

    /// Runs one long command. Returns false, with nothing done, if it does not fit.
    #[inline(always)]
    fn long<const DELTA: bool>(&mut self, commands: &[u8]) -> bool {
        let Some(code) = commands.get(self.at.command).map(|code| usize::from(*code)) else { return false };
        let mut next = self.at;
        next.command += 1;
        // The smallest value of each form, which the length byte adds to.
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
                self.far_distance(self.at.far, next.pos)
            }
        };
        // One comparison for both ends of the range, as everywhere: a distance below 8 wraps.
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

    /// Reads the next length; `None` if the bytes end.
    #[inline(always)]
    fn length(&self, at: &mut usize) -> Option<usize> {
        let lengths = self.streams.lengths.bytes();
        let first = usize::from(*lengths.get(*at)?);
        *at += 1;
        // Up to 251 a byte is enough; above, its low bits continue in a word that counts in fours.
        if first <= 251 {
            return Some(first);
        }
        let word = lengths.get(*at..)?.first_chunk()?;
        *at += 2;
        Some(first + 4 * usize::from(u16::from_le_bytes(*word)))
    }
}
