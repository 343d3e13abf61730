//! What commands use up.
#![expect(
    clippy::inline_always,
    reason = "a writer has to live in registers, so all of it belongs into the loop"
)]

use crate::views::Padded;

/// The literals of a chunk, or one list of them, used up from the front. Invariant: `at <= list.len()`.
#[derive(Clone, Copy)]
pub(in crate::lz) struct Source<'a> {
    pub(super) list: Padded<'a>,
    pub(super) at: usize,
}

impl<'a> Source<'a> {
    /// What is left of a list after its first `at` bytes.
    pub(in crate::lz) fn new(list: Padded<'a>, at: usize) -> Self {
        Self { list, at: at.min(list.len()) }
    }

    /// How many bytes are used up.
    #[inline(always)]
    pub(in crate::lz) fn used(&self) -> usize {
        self.at
    }

    /// How many bytes the list has.
    pub(in crate::lz) fn end(&self) -> usize {
        self.list.len()
    }

    /// The next `run` bytes, if there are as many.
    #[inline(always)]
    pub(super) fn peek(&self, run: usize) -> Option<&'a [u8]> {
        self.list.bytes().get(self.at..)?.get(..run)
    }

    /// How many bytes are left.
    #[cfg(not(feature = "safe-only"))]
    #[inline(always)]
    pub(super) fn left(&self) -> usize {
        self.list.len() - self.at
    }

    /// Uses up `run` bytes, of which the caller knows that they are there.
    #[inline(always)]
    pub(super) fn skip(&mut self, run: usize) {
        self.at += run;
    }

    /// Whether there are as many bytes left as a run has that is copied at one go.
    #[inline(always)]
    pub(super) fn is_easy(&self) -> bool {
        self.at + EASY_RUN <= self.list.len()
    }

    /// The next byte. At least [`SLACK`](crate::views::SLACK) more bytes can be read than there are left.
    #[cfg(not(feature = "safe-only"))]
    #[inline(always)]
    pub(super) fn as_ptr(&self) -> *const u8 {
        self.list.as_ptr().wrapping_add(self.at)
    }
}

/// Matches of Mermaid are never nearer.
pub(super) const MIN_DISTANCE: usize = 8;

/// Longer runs of literals are rare.
pub(super) const EASY_RUN: usize = 16;

/// What short commands of Mermaid use up.
pub(in crate::lz) struct ShortLists<'a> {
    pub(in crate::lz) literals: Source<'a>,
    /// All near offsets, and how many are used up.
    pub(in crate::lz) near: &'a [[u8; 2]],
    pub(in crate::lz) near_at: usize,
    /// All far offsets, and how many are used up.
    pub(in crate::lz) far: &'a [u32],
    pub(in crate::lz) far_at: usize,
    /// What far offsets count back from.
    pub(in crate::lz) far_base: usize,
    /// The distance of the last match.
    pub(in crate::lz) recent: usize,
}

/// The first command with literals; those below are far matches, or long.
pub(super) const FIRST_SHORT: u8 = 0x18;

/// The first command that is a far match of a length of its own.
pub(in crate::lz) const FIRST_FAR: u8 = 3;

impl ShortLists<'_> {
    /// The distance of a near match of a short command: a new one, or that of the last match.
    #[inline(always)]
    pub(super) fn near_distance(&self, command: u8) -> Option<usize> {
        let new = usize::from(u16::from_le_bytes(*self.near.get(self.near_at)?));
        Some(if command < 0x80 { new } else { self.recent })
    }

    /// The distance of a far match at `pos`.
    pub(in crate::lz) fn far_distance(&self, pos: usize) -> Option<usize> {
        Some(*self.far.get(self.far_at)? as usize + (pos - self.far_base))
    }
}

/// How much longer than its command a far match is.
pub(super) const FAR_LEN: usize = 5;

/// The literals of a short command, and the length of its match.
#[inline(always)]
pub(super) fn short_counts(command: u8) -> (usize, usize) {
    (usize::from(command & 7), usize::from(command >> 3 & 15))
}
