//! Fast command loop for chunks whose history is in the cache: it resolves and copies command by command.
//! While copies wait for bytes that were just written, the processor resolves the next command.
#![expect(unsafe_code, reason = "Kraken as a whole doubles its speed, see benches/oodle.rs")]
#![expect(
    clippy::inline_always,
    reason = "bodies must be compiled with the processor features of their callers"
)]
#![expect(clippy::cast_possible_truncation, reason = "a step lies within the output of a chunk")]
#![expect(clippy::needless_bitwise_bool, reason = "one branch for several checks")]

use super::step::{Step, copy_step, lengths};
use super::streams::{MIN_DISTANCE, Progress, Streams};
use crate::lz::chunk::Window;
use crate::lz::recent::Recent;

/// Limit of the bytes that one command can ask for: a long length has 19 bits.
const REACH: usize = 1 << 22;

/// Position in the lists and in the output, as pointers, with the recent distances there. Indices are slower:
/// their bases take registers as well, and none are left.
#[derive(Clone, Copy)]
struct Cursor<R> {
    dst: *mut u8,
    literal: *const u8,
    length: *const u32,
    offset: *const u32,
    recent: R,
}

/// Runs commands while there is room for whole-word copies, up to `limit`; returns true if all of them are
/// done. The invariants before each command are those of the loop for long histories.
#[inline(always)]
pub(super) fn advance<const DELTA: bool, R: Recent<3>>(
    streams: &Streams<'_>,
    window: &mut Window<'_>,
    progress: &mut Progress,
    limit: usize,
    proof: R::Proof,
) -> bool {
    let base = window.dst.as_mut_ptr();
    let limit = base.wrapping_add(limit);
    let literal_end = streams.literals.as_ptr().wrapping_add(streams.literals.len());
    // Positions are compared before they are known to be inside, so none may wrap around the address space.
    if limit.addr().max(literal_end.addr()) > usize::MAX - REACH {
        return false;
    }
    let mut last = progress.recent[0] as usize;
    let mut at = Cursor::<R>::new(progress, streams, base, proof);
    let commands = streams.commands.bytes();
    let mut done = 0;
    for command in commands {
        let command = usize::from(*command);
        // SAFETY: an entry that no command asks for is one of the readable entries after its list.
        let ((run, len, used), new) = unsafe { (lengths(at.length, 0, command), *at.offset) };
        let recent = at.recent.moved(command >> 6, new);
        let distance = recent.front();
        let match_at = at.dst.wrapping_add(run);
        let end = match_at.wrapping_add(len);
        // One comparison for both ends of the range: a distance below 8 wraps to a huge number.
        let far =
            (distance as usize).wrapping_sub(MIN_DISTANCE) > match_at.addr() - base.addr() - MIN_DISTANCE;
        // Output, literals and distance in one branch, which valid data take only near the end.
        if far | (end > limit) | (at.literal.wrapping_add(run) > literal_end) {
            break;
        }
        let step = Step { run: run as u32, len: len as u32, distance };
        // SAFETY: it is checked that the run ends within the literals and, with the match, within `limit`,
        // and that the distance is in range.
        unsafe { copy_step::<DELTA>(step, at.dst, at.literal, last) };
        last = distance as usize;
        at = Cursor {
            dst: end,
            literal: at.literal.wrapping_add(run),
            // List entries are consumed without branches: the fields of the command are added as numbers.
            length: at.length.wrapping_add(used),
            offset: at.offset.wrapping_add(usize::from(command >= 0xC0)),
            recent,
        };
        done += 1;
    }
    at.save(progress, streams, base, done);
    done == commands.len()
}

impl<R: Recent<3>> Cursor<R> {
    #[inline(always)]
    fn new(progress: &Progress, streams: &Streams<'_>, base: *mut u8, proof: R::Proof) -> Self {
        let Progress { pos, literal, offset, length, recent, .. } = *progress;
        Self {
            dst: base.wrapping_add(pos),
            literal: streams.literals.as_ptr().wrapping_add(literal),
            length: streams.values.lengths.as_ptr().wrapping_add(length),
            offset: streams.values.offsets.as_ptr().wrapping_add(offset),
            recent: R::new(recent, proof),
        }
    }

    /// Records the position, `done` commands after the one in `progress`.
    #[inline(always)]
    fn save(self, progress: &mut Progress, streams: &Streams<'_>, base: *mut u8, done: usize) {
        let values = &streams.values;
        *progress = Progress {
            pos: self.dst.addr() - base.addr(),
            command: progress.command + done,
            literal: self.literal.addr() - streams.literals.as_ptr().addr(),
            offset: (self.offset.addr() - values.offsets.as_ptr().addr()) / size_of::<u32>(),
            length: (self.length.addr() - values.lengths.as_ptr().addr()) / size_of::<u32>(),
            recent: self.recent.entries(),
        };
    }
}
