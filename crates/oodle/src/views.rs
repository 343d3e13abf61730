//! Padded views of memory: compressed bytes, decoded arrays, and memory for more of these.
//!
//! ```text
//!   … slack │ region │ slack …        Input:  64 readable bytes on both sides
//!           │ array  │ slack …        Padded: 64 readable bytes after it
//! ```
//!
//! Decoders load whole words at any cursor inside a view, a little before it and a little after it, because
//! every view keeps [`SLACK`] readable bytes around itself. The content of those bytes never reaches the
//! output. It may decide which fault of a bad stream is found first, so around a staged copy they are zeros:
//! the verdict then depends on the stream alone, not on earlier uses of the scratch.

use crate::error::{Error, Result, StreamPart};
use core::ops::Range;

/// Readable bytes before and after an [`Input`], and after a [`Padded`] array.
pub(crate) const SLACK: usize = 64;

/// Region of compressed bytes that is consumed from the front.
///
/// Invariant: at least [`SLACK`] bytes of `buf` lie before `pos` and after `end`, and `pos <= end`.
#[derive(Clone, Copy)]
pub(crate) struct Input<'a> {
    buf: &'a [u8],
    pos: usize,
    end: usize,
}

impl<'a> Input<'a> {
    pub(crate) fn new(buf: &'a [u8], range: Range<usize>) -> Self {
        assert!(range.start >= SLACK && range.start <= range.end && range.end + SLACK <= buf.len());
        Self { buf, pos: range.start, end: range.end }
    }

    /// Returns the whole buffer, and the range of this region in it.
    #[inline]
    pub(crate) fn parts(self) -> (&'a [u8], Range<usize>) {
        (self.buf, self.pos..self.end)
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.end - self.pos
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.pos == self.end
    }

    /// Returns exactly the bytes of the region.
    #[inline]
    pub(crate) fn bytes(self) -> &'a [u8] {
        self.buf.get(self.pos..self.end).unwrap_or_default()
    }

    /// Returns the region as an array that needs no decoding.
    pub(crate) fn padded(self) -> Padded<'a> {
        Padded::new(self.buf.get(self.pos..).unwrap_or_default(), self.len())
    }

    pub(crate) fn first(&self) -> Option<u8> {
        self.bytes().first().copied()
    }

    /// Splits `len` bytes off the front.
    #[inline]
    pub(crate) fn take(&mut self, len: usize, part: StreamPart) -> Result<Self> {
        if len > self.len() {
            return Err(Error::Truncated(part));
        }
        let front = Self { end: self.pos + len, ..*self };
        self.pos += len;
        Ok(front)
    }

    /// Splits `len` bytes off the back.
    pub(crate) fn take_back(&mut self, len: usize, part: StreamPart) -> Result<Self> {
        let at = self.len().checked_sub(len).ok_or(Error::Truncated(part))?;
        let mut rest = *self;
        *self = rest.take(at, part)?;
        Ok(rest)
    }

    /// Splits `N` bytes off the front, by value.
    #[inline]
    pub(crate) fn array<const N: usize>(&mut self, part: StreamPart) -> Result<[u8; N]> {
        let taken = self.take(N, part)?;
        taken.bytes().first_chunk().copied().ok_or(Error::Truncated(part))
    }

    pub(crate) fn u8(&mut self, part: StreamPart) -> Result<u8> {
        Ok(u8::from_le_bytes(self.array(part)?))
    }

    pub(crate) fn u16_le(&mut self, part: StreamPart) -> Result<usize> {
        Ok(usize::from(u16::from_le_bytes(self.array(part)?)))
    }

    pub(crate) fn u24_le(&mut self, part: StreamPart) -> Result<usize> {
        let [a, b, c] = self.array(part)?;
        Ok(usize::from(a) | usize::from(b) << 8 | usize::from(c) << 16)
    }

    pub(crate) fn u24_be(&mut self, part: StreamPart) -> Result<usize> {
        let [a, b, c] = self.array(part)?;
        Ok(usize::from(a) << 16 | usize::from(b) << 8 | usize::from(c))
    }
}

/// Decoded array. Invariant: at least [`SLACK`] bytes of `buf` lie after the first `len`.
#[derive(Clone, Copy)]
pub(crate) struct Padded<'a> {
    buf: &'a [u8],
    len: usize,
}

impl<'a> Padded<'a> {
    pub(crate) fn new(buf: &'a [u8], len: usize) -> Self {
        assert!(len + SLACK <= buf.len());
        Self { buf, len }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Returns a pointer to the first byte; everything up to [`SLACK`] bytes after the array can be read from
    /// it.
    #[cfg(not(feature = "safe-only"))]
    #[inline]
    pub(crate) fn as_ptr(self) -> *const u8 {
        self.buf.as_ptr()
    }

    /// Splits the array; the second part serves as slack of the first.
    pub(crate) fn split(self, at: usize) -> Option<(Self, Self)> {
        let rest = self.len.checked_sub(at)?;
        Some((Self { len: at, ..self }, Self { buf: self.buf.get(at..)?, len: rest }))
    }

    /// Returns exactly the bytes of the array.
    #[inline]
    pub(crate) fn bytes(self) -> &'a [u8] {
        self.buf.get(..self.len).unwrap_or_default()
    }
}

/// Memory that is handed out front to back, and taken back all at once.
pub(crate) struct Arena<'a> {
    rest: &'a mut [u8],
}

impl<'a> Arena<'a> {
    pub(crate) fn new(memory: &'a mut [u8]) -> Self {
        Self { rest: memory }
    }

    /// Returns the largest length that [`Arena::take`] can still hand out.
    pub(crate) fn left(&self) -> usize {
        self.rest.len().saturating_sub(SLACK)
    }

    /// Hands out `len` bytes, with [`SLACK`] bytes after them.
    pub(crate) fn take(&mut self, len: usize) -> Result<&'a mut [u8]> {
        let wanted = (len + SLACK).next_multiple_of(SLACK);
        let rest = core::mem::take(&mut self.rest);
        let (taken, rest) = rest.split_at_mut_checked(wanted).ok_or(Error::Malformed(StreamPart::Array))?;
        self.rest = rest;
        Ok(taken)
    }

    /// Returns an arena inside this one: its memory is free again once it is dropped.
    pub(crate) fn nested(&mut self) -> Arena<'_> {
        Arena { rest: self.rest }
    }
}
