//! Buffers and tables that are reused from block to block.

use alloc::{boxed::Box, vec, vec::Vec};
use core::ops::Range;

use crate::backend::Backend;
use crate::entropy::Tables;
use crate::error::{Error, Result, StreamPart};
use crate::views::{Arena, Input, SLACK};

/// Most raw bytes of one quantum; its stored form is never larger.
const QUANTUM: usize = 0x4_0000;

/// Memory for all decoded arrays of one 128 KiB chunk. The format's own encoders keep within 432 KiB.
const ARENA: usize = 0x18_0000;

/// Most list entries of one chunk: half its bytes, as every command makes at least two.
const ENTRIES: usize = 0x1_0000;

/// Working memory of [`decompress`](super::decompress): keep one per thread and use it for every block.
#[derive(Debug)]
pub struct Scratch {
    input: Vec<u8>,
    work: Work,
}

/// Memory that the decoder of one chunk needs besides its input and output.
#[derive(Debug)]
pub(crate) struct Work {
    arena: Vec<u8>,
    pub(crate) tables: Box<Tables>,
    offsets: Vec<u32>,
    lengths: Vec<u32>,
    pub(crate) backend: Backend,
}

/// Parts of [`Work`], borrowed separately.
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
    /// Size of the memory that it takes, in bytes.
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

    /// Fills all memory with a byte, as earlier blocks might have left it.
    #[cfg(test)]
    pub(crate) fn poison(&mut self, byte: u8) {
        let end = self.input.len();
        // No block is ever staged before its slack.
        self.input.get_mut(SLACK..end).unwrap_or_default().fill(byte);
        self.work.arena.fill(byte);
        self.work.offsets.fill(u32::from_le_bytes([byte; 4]));
        self.work.lengths.fill(u32::from_le_bytes([byte; 4]));
    }

    /// Returns a padded view of `src[range]`: in place if enough bytes surround it, else of a copy.
    pub(crate) fn stage<'a>(
        &'a mut self,
        src: &'a [u8],
        range: Range<usize>,
    ) -> Result<(Input<'a>, &'a mut Work)> {
        if range.start >= SLACK && range.end + SLACK <= src.len() {
            return Ok((Input::new(src, range), &mut self.work));
        }
        let payload = src.get(range).ok_or(Error::Truncated(StreamPart::QuantumHeader))?;
        let staged = SLACK..SLACK + payload.len();
        // Nothing beyond the slack: a bit reader that has left its region may reach any part of its buffer.
        let view =
            self.input.get_mut(..staged.end + SLACK).ok_or(Error::Malformed(StreamPart::QuantumHeader))?;
        let (copy, after) = view.split_at_mut(staged.end);
        copy.get_mut(SLACK..).unwrap_or_default().copy_from_slice(payload);
        // The slack after the copy is cleared, since it may decide which fault is found first.
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
