//! The literal models of the fast loop.
#![expect(
    clippy::inline_always,
    reason = "bodies must be compiled with the processor features of their callers"
)]
#![expect(clippy::indexing_slicing, reason = "list numbers are masked")]

use super::streams::{MIN_DISTANCE, Multi};
use crate::lz::writer::{Source, Writer};

/// How far the literal lists are read.
pub(super) type Cursors = [usize; 16];

/// How runs of literals become output.
pub(super) trait Literals<'a>: Sized {
    /// The least distance that matches may have.
    const MIN_DISTANCE: usize;

    /// Goes on in lists that are used up as far as the cursors say.
    fn new(lists: &Multi<'a>, cursors: &Cursors) -> Self;

    /// How far the lists are used up.
    fn cursors(&self) -> Cursors;

    /// Appends `run` literals. `at` is how many bytes of the chunk there are already, `last` the distance of the last match.
    /// False if there are not so many.
    fn copy<'d>(&mut self, out: &mut impl Writer<'d>, at: usize, last: usize, run: usize) -> bool;
}

/// One list: as they are, or relative to the byte at the last distance.
pub(super) struct Plain<'a, const DELTA: bool>(Source<'a>);

/// Two lists, relative to the byte at the last distance: the first literal of each run, and the others.
pub(super) struct DeltaFirst<'a> {
    lists: Lists<'a>,
    others: Source<'a>,
}

/// A list for each value of the low bits of the position, relative to the byte at the last distance.
pub(super) struct Positional<'a, const MASK: usize>(Lists<'a>);

/// A list for each high nibble of the byte before.
pub(super) struct Nibble<'a>(Lists<'a>);

/// Lists from which bytes are taken one by one.
struct Lists<'a> {
    bytes: &'a [u8],
    cursors: Cursors,
}

impl<'a> Lists<'a> {
    fn new(lists: &Multi<'a>, cursors: &Cursors) -> Self {
        Self { bytes: lists.array.bytes(), cursors: *cursors }
    }

    /// The next byte of a list. One that runs over its end takes bytes of the next list, which the plain loop will notice.
    #[inline(always)]
    fn next(&mut self, list: usize) -> Option<u8> {
        let cursor = &mut self.cursors[list & 15];
        let byte = self.bytes.get(*cursor);
        *cursor += 1;
        byte.copied()
    }
}

impl<'a, const DELTA: bool> Literals<'a> for Plain<'a, DELTA> {
    const MIN_DISTANCE: usize = if DELTA { MIN_DISTANCE } else { 1 };

    #[inline(always)]
    fn new(lists: &Multi<'a>, cursors: &Cursors) -> Self {
        Self(Source::new(lists.array, cursors[0]))
    }

    #[inline(always)]
    fn cursors(&self) -> Cursors {
        // Lists that do not exist are empty, at the end.
        let mut cursors = [self.0.end(); 16];
        cursors[0] = self.0.used();
        cursors
    }

    #[inline(always)]
    fn copy<'d>(&mut self, out: &mut impl Writer<'d>, _: usize, last: usize, run: usize) -> bool {
        out.literals::<DELTA>(&mut self.0, run, last)
    }
}

impl<'a> Literals<'a> for DeltaFirst<'a> {
    const MIN_DISTANCE: usize = MIN_DISTANCE;

    #[inline(always)]
    fn new(lists: &Multi<'a>, cursors: &Cursors) -> Self {
        Self { lists: Lists::new(lists, cursors), others: Source::new(lists.array, cursors[0]) }
    }

    #[inline(always)]
    fn cursors(&self) -> Cursors {
        let mut cursors = self.lists.cursors;
        cursors[0] = self.others.used();
        cursors
    }

    #[inline(always)]
    fn copy<'d>(&mut self, out: &mut impl Writer<'d>, _: usize, last: usize, run: usize) -> bool {
        let Self { lists, others } = self;
        let first = usize::from(run > 0);
        out.bytewise(first, last, |base| Some(lists.next(1)?.wrapping_add(base)))
            && out.literals::<true>(others, run - first, last)
    }
}

impl<'a, const MASK: usize> Literals<'a> for Positional<'a, MASK> {
    const MIN_DISTANCE: usize = MIN_DISTANCE;

    #[inline(always)]
    fn new(lists: &Multi<'a>, cursors: &Cursors) -> Self {
        Self(Lists::new(lists, cursors))
    }

    #[inline(always)]
    fn cursors(&self) -> Cursors {
        self.0.cursors
    }

    #[inline(always)]
    fn copy<'d>(&mut self, out: &mut impl Writer<'d>, at: usize, last: usize, run: usize) -> bool {
        let mut place = at;
        out.bytewise(run, last, |base| {
            let literal = self.0.next(place & MASK)?;
            place += 1;
            Some(literal.wrapping_add(base))
        })
    }
}

impl<'a> Literals<'a> for Nibble<'a> {
    const MIN_DISTANCE: usize = 1;

    #[inline(always)]
    fn new(lists: &Multi<'a>, cursors: &Cursors) -> Self {
        Self(Lists::new(lists, cursors))
    }

    #[inline(always)]
    fn cursors(&self) -> Cursors {
        self.0.cursors
    }

    #[inline(always)]
    fn copy<'d>(&mut self, out: &mut impl Writer<'d>, _: usize, _: usize, run: usize) -> bool {
        // Known without a look at the output from the second byte on: the next look-up waits for it.
        let mut before = out.last_byte();
        out.bytewise(run, 1, |_| {
            before = self.0.next(usize::from(before >> 4))?;
            Some(before)
        })
    }
}
