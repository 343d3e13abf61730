//! Decoding table: the meaning of the next 11 bits of a stream.
//!
//! ```text
//!   slot   bits of a stream, the first one lowest         entry   symbol │ length of its code
//!          x x x x x x x x 1 0 1  ──────────────────────►          'e'   │ 3
//! ```
//!
//! A code of 3 bits fills every slot that ends in it, so one look-up gives the symbol whatever bits follow.
#![expect(
    clippy::inline_always,
    reason = "bodies must be compiled with the processor features of their callers"
)]
#![expect(clippy::indexing_slicing, reason = "lengths are at most 11, codes and symbols are masked")]

use crate::backend::Backend;
use crate::bits::Forward;
use crate::entropy::lengths::{CodeLengths, MAX_LEN};
use crate::error::{Error, Result, StreamPart};
use crate::views::Input;

pub(super) const SLOTS: usize = 1 << MAX_LEN;

/// Meaning of the next bits of a stream: the length of the code in the low byte, the symbol in the high one.
///
/// Invariant: `mask < SLOTS`, and each of the first `mask + 1` entries has a length of 1 to 11.
#[derive(Debug)]
pub(crate) struct Table {
    pub(super) entries: [u16; SLOTS],
    pub(super) mask: usize,
}

impl Default for Table {
    fn default() -> Self {
        Self { entries: [1; SLOTS], mask: 1 }
    }
}

impl Table {
    /// Reads the code lengths and returns the rest of the payload, or fills `dst` if there is only one
    /// symbol.
    pub(super) fn read<'a>(
        &mut self,
        backend: Backend,
        payload: Input<'a>,
        dst: &mut [u8],
    ) -> Result<Option<Input<'a>>> {
        backend.run(
            #[inline(always)]
            || self.build(payload, dst),
        )
    }

    #[inline(always)]
    fn build<'a>(&mut self, mut payload: Input<'a>, dst: &mut [u8]) -> Result<Option<Input<'a>>> {
        const FAULT: Error = Error::Malformed(StreamPart::CodeLengths);
        let mut bits = Forward::new(payload);
        let table = CodeLengths::read(&mut bits).ok_or(FAULT)?;
        // The lengths end at a byte; the streams follow.
        payload.take(bits.bytes_used(), StreamPart::CodeLengths)?;
        let (symbols, lengths) = table.entries();
        // A single symbol needs no code and no streams. Encoders that stay compatible with old decoders write
        // constant arrays this way.
        if let [symbol] = symbols {
            dst.fill(*symbol);
            return if payload.is_empty() { Ok(None) } else { Err(FAULT) };
        }
        self.fill(symbols, lengths).ok_or(FAULT)?;
        Ok(Some(payload))
    }

    /// Assigns canonical codes. They arrive bit-reversed, so the table for codes of up to `len` bits is the
    /// table for `len - 1` bits twice, with the codes of `len` bits added.
    #[inline(always)]
    fn fill(&mut self, symbols: &[u8], lengths: &[u8]) -> Option<()> {
        let mut counts = [0usize; 16];
        for length in lengths {
            counts[usize::from(*length & 15)] += 1;
        }
        // A code of n bits takes 1 / 2^n of all slots. Every slot has a meaning if and only if these shares
        // add up to the whole table. This check is what lets the symbol loops do without any.
        let mut ends = [0usize; 16];
        let mut kraft = 0;
        let mut sum = 0;
        for length in 1..=usize::from(MAX_LEN) {
            ends[length] = sum;
            sum += counts[length];
            kraft += counts[length] << (usize::from(MAX_LEN) - length);
        }
        if kraft != SLOTS {
            return None;
        }
        // A counting sort: symbols by length, and in the given order within a length.
        let mut sorted = [0u8; 256];
        for (symbol, length) in symbols.iter().zip(lengths) {
            let end = &mut ends[usize::from(*length & 15)];
            sorted[*end & 255] = *symbol;
            *end += 1;
        }
        self.fill_sorted(&sorted, &counts);
        Some(())
    }

    #[inline(always)]
    fn fill_sorted(&mut self, sorted: &[u8; 256], counts: &[usize; 16]) {
        let mut symbols = sorted.iter();
        let mut code = 0u16;
        let mut size = 1;
        for length in 1..=u16::from(MAX_LEN) {
            // The meaning of shorter codes does not depend on the added bit, so the new half equals the old
            // one.
            let (low, high) = self.entries.split_at_mut(size);
            high[..size].copy_from_slice(low);
            size *= 2;
            code <<= 1;
            for symbol in symbols.by_ref().take(counts[usize::from(length)]) {
                // Streams deliver the first bit lowest, so the code is reversed to become an index.
                let slot = usize::from(code.reverse_bits() >> (16 - length));
                self.entries[slot & (SLOTS - 1)] = u16::from(*symbol) << 8 | length;
                code += 1;
            }
            // All codes are assigned, so the table ends here: a smaller one takes less of the cache.
            if usize::from(code) == size {
                break;
            }
        }
        self.mask = size - 1;
    }
}
