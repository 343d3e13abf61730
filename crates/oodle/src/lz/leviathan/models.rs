//! Literal models of the fast loop.
#![expect(unsafe_code, reason = "see fast.rs")]
#![expect(
    clippy::inline_always,
    reason = "bodies must be compiled with the processor features of their callers"
)]
#![expect(clippy::indexing_slicing, reason = "list numbers are masked")]

use super::streams::{MIN_DISTANCE, Streams};
use crate::copy::{add_literals, copy_literals};

/// Positions in the literal lists.
pub(super) type Cursors = [usize; 16];

/// Model of literals: turns runs of them into output.
pub(super) trait Literals {
    /// Smallest distance of matches in this model.
    const MIN_DISTANCE: usize;

    /// True if `run` more literals are available.
    fn fit(streams: &Streams<'_>, cursors: &Cursors, run: usize) -> bool;

    /// Writes `run` literals to `dst`, which is `at` bytes into the chunk; `last` is the distance of the last
    /// match.
    ///
    /// # Safety
    /// [`Literals::fit`] is true; the bytes at the cursors, and as many bytes after them as the chunk has
    /// plus [`MARGIN`](crate::copy::MARGIN), can be read in `lists`; `run + MARGIN` bytes can be written at
    /// `dst`; `last` is at least `Self::MIN_DISTANCE`, and that many bytes before `dst` can be read.
    unsafe fn copy(lists: *const u8, cursors: &mut Cursors, dst: *mut u8, at: usize, last: usize, run: usize);
}

/// One list, relative to the byte at the last distance.
pub(super) struct Delta;

/// One list of raw literals.
pub(super) struct Raw;

/// Two lists: the first literal of each run, and the others.
pub(super) struct DeltaFirst;

/// One list for each value of the low bits of the position.
pub(super) struct Positional<const MASK: usize>;

/// One list for each high nibble of the byte before.
pub(super) struct Nibble;

impl Literals for Delta {
    const MIN_DISTANCE: usize = MIN_DISTANCE;

    #[inline(always)]
    fn fit(streams: &Streams<'_>, cursors: &Cursors, run: usize) -> bool {
        cursors[0] + run <= streams.literals.array.len()
    }

    #[inline(always)]
    unsafe fn copy(lists: *const u8, cursors: &mut Cursors, dst: *mut u8, _: usize, last: usize, run: usize) {
        // SAFETY: by contract.
        unsafe { add_literals(lists.add(cursors[0]), dst, last, run) };
        cursors[0] += run;
    }
}

impl Literals for Raw {
    const MIN_DISTANCE: usize = 1;

    #[inline(always)]
    fn fit(streams: &Streams<'_>, cursors: &Cursors, run: usize) -> bool {
        cursors[0] + run <= streams.literals.array.len()
    }

    #[inline(always)]
    unsafe fn copy(lists: *const u8, cursors: &mut Cursors, dst: *mut u8, _: usize, _: usize, run: usize) {
        // SAFETY: by contract.
        unsafe { copy_literals(lists.add(cursors[0]), dst, run) };
        cursors[0] += run;
    }
}

impl Literals for DeltaFirst {
    const MIN_DISTANCE: usize = MIN_DISTANCE;

    #[inline(always)]
    fn fit(_: &Streams<'_>, _: &Cursors, _: usize) -> bool {
        // Several lists: cursors may run over the end of their list into the next. The plain loop finds it,
        // and the array has room for it.
        true
    }

    #[inline(always)]
    unsafe fn copy(lists: *const u8, cursors: &mut Cursors, dst: *mut u8, _: usize, last: usize, run: usize) {
        // An empty run reads a literal as well, but consumes none: no branch is needed.
        let first = usize::from(run > 0);
        // SAFETY: by contract; for an empty run, what is written will be overwritten.
        unsafe {
            dst.write((*lists.add(cursors[1])).wrapping_add(*dst.sub(last)));
            add_literals(lists.add(cursors[0]), dst.add(1), last, run - first);
        }
        cursors[1] += first;
        cursors[0] += run - first;
    }
}

impl<const MASK: usize> Literals for Positional<MASK> {
    const MIN_DISTANCE: usize = MIN_DISTANCE;

    #[inline(always)]
    fn fit(_: &Streams<'_>, _: &Cursors, _: usize) -> bool {
        true
    }

    #[inline(always)]
    unsafe fn copy(
        lists: *const u8,
        cursors: &mut Cursors,
        dst: *mut u8,
        at: usize,
        last: usize,
        run: usize,
    ) {
        // The list changes with every byte, so words cannot be copied.
        for index in 0..run {
            let cursor = &mut cursors[(at + index) & MASK & 15];
            // SAFETY: by contract.
            unsafe {
                let dst = dst.add(index);
                dst.write((*lists.add(*cursor)).wrapping_add(*dst.sub(last)));
            }
            *cursor += 1;
        }
    }
}

impl Literals for Nibble {
    const MIN_DISTANCE: usize = 1;

    #[inline(always)]
    fn fit(_: &Streams<'_>, _: &Cursors, _: usize) -> bool {
        true
    }

    #[inline(always)]
    unsafe fn copy(lists: *const u8, cursors: &mut Cursors, dst: *mut u8, _: usize, _: usize, run: usize) {
        // SAFETY: by contract: `last` is at least 1.
        let mut before = unsafe { *dst.sub(1) };
        // Each byte chooses the list of the next: a chain that cannot be shortened.
        for index in 0..run {
            let cursor = &mut cursors[usize::from(before >> 4)];
            // SAFETY: by contract.
            unsafe {
                before = *lists.add(*cursor);
                dst.add(index).write(before);
            }
            *cursor += 1;
        }
    }
}
