//! One command, as both fast loops run it.
#![expect(unsafe_code, reason = "Kraken as a whole doubles its speed, see benches/oodle.rs")]
#![expect(
    clippy::inline_always,
    reason = "bodies must be compiled with the processor features of their callers"
)]

use crate::copy::{add_literals, copy_literals, copy_match};

/// Resolved command.
#[derive(Clone, Copy, Default)]
pub(super) struct Step {
    pub(super) run: u32,
    pub(super) len: u32,
    pub(super) distance: u32,
}

/// Returns the literal run and the match length of a command, and the position in the length list after them.
///
/// # Safety
/// Two entries can be read at `lengths + at`.
#[inline(always)]
pub(super) unsafe fn lengths(lengths: *const u32, at: usize, command: usize) -> (usize, usize, usize) {
    let (run, len) = (command & 3, command >> 2 & 15);
    // Long counts are read in any case, and chosen without a branch: which commands are long cannot be
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

/// Copies the run and the match of one step.
///
/// # Safety
/// The run ends within the literals, and with the match within the output, with margins after both; the
/// distance and `last`, the distance before it, are at least 8 and within the output.
#[inline(always)]
pub(super) unsafe fn copy_step<const DELTA: bool>(
    step: Step,
    dst: *mut u8,
    literals: *const u8,
    last: usize,
) {
    let (run, len, distance) = (step.run as usize, step.len as usize, step.distance as usize);
    // SAFETY: by contract.
    unsafe {
        if DELTA {
            add_literals(literals, dst, last, run);
        } else {
            copy_literals(literals, dst, run);
        }
        copy_match(dst.add(run), distance, len);
    }
}
