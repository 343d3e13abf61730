//! Huffman arrays: a table of code lengths, then three or six interleaved bit streams.
//!
//! ```text
//!   3 streams:  lengths │ u16 a │ A →      │ C →    ← B │        output byte i: A, B, C for i mod 3 = 0, 1, 2
//!                               └─ a bytes ┘
//!   6 streams:  lengths │ u24 m │ three streams (m bytes): first half │ three streams: second half
//! ```
//!
//! A stream is read least significant bit first, B from its last byte back. No code is longer than 11 bits, so five
//! symbols fit into one 64-bit load.
#![expect(
    clippy::inline_always,
    reason = "bodies must be compiled with the processor features of their callers"
)]
#![expect(clippy::indexing_slicing, reason = "lengths are at most 11, codes and symbols are masked")]

#[cfg(not(feature = "safe-only"))]
mod fast;
mod streams;

use super::lengths::{CodeLengths, MAX_LEN};
use crate::backend::Backend;
use crate::bits::Forward;
use crate::error::{OodleError, Part, Result};
use crate::scratch::Input;
use streams::Body;

const SLOTS: usize = 1 << MAX_LEN;

/// What the next bits of a stream mean: the length of the code in the low byte, the symbol in the high one.
///
/// Invariant: `mask < SLOTS`, and each of the first `mask + 1` entries has a length of 1 to 11.
#[derive(Debug)]
pub(crate) struct Table {
    entries: [u16; SLOTS],
    mask: usize,
}

impl Default for Table {
    fn default() -> Self {
        Self { entries: [1; SLOTS], mask: 1 }
    }
}

/// Decodes an array of three streams.
pub(super) fn decode_three(
    table: &mut Table,
    backend: Backend,
    payload: Input<'_>,
    dst: &mut [u8],
) -> Result<()> {
    let Some(body) = backend.run(
        #[inline(always)]
        || table.build(payload, dst),
    )?
    else {
        return Ok(());
    };
    streams::decode(table, backend, [Body::parse(body)?], [dst])
}

/// Decodes an array of six streams.
pub(super) fn decode_six(
    table: &mut Table,
    backend: Backend,
    payload: Input<'_>,
    dst: &mut [u8],
) -> Result<()> {
    let Some(mut body) = backend.run(
        #[inline(always)]
        || table.build(payload, dst),
    )?
    else {
        return Ok(());
    };
    let split = body.u24_le(Part::HuffmanStream)?;
    let first = Body::parse(body.take(split, Part::HuffmanStream)?)?;
    let (first_half, second_half) = dst.split_at_mut(dst.len().div_ceil(2));
    streams::decode(table, backend, [first, Body::parse(body)?], [first_half, second_half])
}

impl Table {
    /// Reads the code lengths and returns what follows them, or fills `dst` if there is but one symbol.
    #[inline(always)]
    fn build<'a>(&mut self, mut payload: Input<'a>, dst: &mut [u8]) -> Result<Option<Input<'a>>> {
        const FAULT: OodleError = OodleError::Malformed(Part::CodeLengths);
        let mut bits = Forward::new(payload);
        let table = CodeLengths::read(&mut bits).ok_or(FAULT)?;
        payload.take(bits.bytes_used(), Part::CodeLengths)?;
        let (symbols, lengths) = table.entries();
        if let [symbol] = symbols {
            dst.fill(*symbol);
            return if payload.is_empty() { Ok(None) } else { Err(FAULT) };
        }
        self.fill(symbols, lengths).ok_or(FAULT)?;
        Ok(Some(payload))
    }

    /// Assigns canonical codes. They arrive bit-reversed, so a table for codes of up to `len` bits is the table for
    /// `len - 1` bits twice, with the codes of `len` bits put in.
    #[inline(always)]
    fn fill(&mut self, symbols: &[u8], lengths: &[u8]) -> Option<()> {
        let mut counts = [0usize; 16];
        for length in lengths {
            counts[usize::from(*length & 15)] += 1;
        }
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
            let (low, high) = self.entries.split_at_mut(size);
            high[..size].copy_from_slice(low);
            size *= 2;
            code <<= 1;
            for symbol in symbols.by_ref().take(counts[usize::from(length)]) {
                let slot = usize::from(code.reverse_bits() >> (16 - length));
                self.entries[slot & (SLOTS - 1)] = u16::from(*symbol) << 8 | length;
                code += 1;
            }
            if usize::from(code) == size {
                break;
            }
        }
        self.mask = size - 1;
    }
}
