//! Buffers and tables that are reused from block to block.

use alloc::{boxed::Box, vec, vec::Vec};
use core::ops::Range;

use crate::backend::Backend;
use crate::entropy::Tables;
use crate::error::{Error, Part, Result};
use crate::views::{Arena, Input, SLACK};

/// The most raw bytes of one quantum; its stored form is never larger.
const QUANTUM: usize = 0x4_0000;

/// Room for all decoded arrays of one 128 KiB chunk. The format's own encoders keep within 432 KiB.
const ARENA: usize = 0x18_0000;

/// The most list entries of one chunk (half its bytes: every command makes at least two).
const ENTRIES: usize = 0x1_0000;

/// Working memory of [`decompress`](super::decompress): keep one per thread and use it for every block.
#[derive(Debug)]
pub struct Scratch {
    input: Vec<u8>,
    work: Work,
}

/// What the decoder of one chunk needs beside its input and output.
#[derive(Debug)]
pub(crate) struct Work {
    arena: Vec<u8>,
    pub(crate) tables: Box<Tables>,
    offsets: Vec<u32>,
    lengths: Vec<u32>,
    pub(crate) backend: Backend,
}

/// The parts of [`Work`], borrowed apart.
pub(crate) struct Parts<'a> {
    pub(crate) arena: Arena<'a>,
    pub(crate) tables: &'a mut Tables,
    pub(crate) offsets: &'a mut [u32],
    pub(crate) lengths: &'a mut [u32],
    pub(crate) backend: Backend,
}

impl Default for Scratch {
    fn default() -> Self {
        Self::with_backend(Backend::detect())
    }
}

impl Scratch {
    /// Bytes of memory that it takes.
    pub const LEN: usize =
        SLACK + QUANTUM + SLACK + ARENA + size_of::<Tables>() + 2 * (ENTRIES + SLACK) * size_of::<u32>();

    /// Scratch whose decoder uses the given kernels instead of the best ones: for tests and measurements.
    #[must_use]
    pub fn with_backend(backend: Backend) -> Self {
        let work = Work {
            arena: vec![0; ARENA],
            tables: Box::default(),
            offsets: vec![0; ENTRIES + SLACK],
            lengths: vec![0; ENTRIES + SLACK],
            backend,
        };
        Self { input: vec![0; SLACK + QUANTUM + SLACK], work }
    }

    /// Fills all memory with a byte, as earlier blocks might have.
    #[cfg(test)]
    pub(crate) fn poison(&mut self, byte: u8) {
        let end = self.input.len();
        // No block is ever staged before its slack.
        self.input.get_mut(SLACK..end).unwrap_or_default().fill(byte);
        self.work.arena.fill(byte);
        self.work.offsets.fill(u32::from_le_bytes([byte; 4]));
        self.work.lengths.fill(u32::from_le_bytes([byte; 4]));
    }

    /// A padded view of `src[range]`: in place where it has neighbours enough, else of a copy.
    pub(crate) fn stage<'a>(
        &'a mut self,
        src: &'a [u8],
        range: Range<usize>,
    ) -> Result<(Input<'a>, &'a mut Work)> {
        if range.start >= SLACK && range.end + SLACK <= src.len() {
            return Ok((Input::new(src, range), &mut self.work));
        }
        let payload = src.get(range).ok_or(Error::Truncated(Part::QuantumHeader))?;
        let staged = SLACK..SLACK + payload.len();
        // Nothing beyond the slack: a bit reader that has left its region may come to any place of its buffer.
        let view = self.input.get_mut(..staged.end + SLACK).ok_or(Error::Malformed(Part::QuantumHeader))?;
        let (copy, after) = view.split_at_mut(staged.end);
        copy.get_mut(SLACK..).unwrap_or_default().copy_from_slice(payload);
        after.fill(0);
        Ok((Input::new(view, staged), &mut self.work))
    }
}

impl Work {
    pub(crate) fn parts(&mut self) -> Parts<'_> {
        Parts {
            arena: Arena::new(&mut self.arena),
            tables: &mut self.tables,
            offsets: &mut self.offsets,
            lengths: &mut self.lengths,
            backend: self.backend,
        }
    }
}
