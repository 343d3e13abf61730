//! Huffman code lengths in three codings: one new and two old.
//!
//! ```text
//!   1 0 …   new:    Rice-coded residuals against a running mean, alphabet as ranges
//!   0 1 …   dense:  runs of absent and present symbols (streams of 2016–2018)
//!   0 0 …   sparse: symbols by name, up to 255 of them
//! ```
//!
//! Only the lengths are stored: codes follow from them, counted up from the shortest. Neighbouring symbols
//! have similar lengths, so the new coding stores the distance of each from a mean of those before: small
//! numbers in few bits.
#![expect(
    clippy::inline_always,
    reason = "bodies must be compiled with the processor features of their callers"
)]

use super::ranges::{Symbols, Unary, range_count, symbol_ranges, unary_run};
use crate::bits::{Forward, top_bits};

/// Longest code.
pub(super) const MAX_LEN: u8 = 11;

/// Symbols that have a code, in the order that decides between codes of equal length.
pub(super) struct CodeLengths {
    count: usize,
    symbols: Symbols,
    lengths: [u8; 256],
}

impl CodeLengths {
    /// Reads a table; `None` if it is malformed. The completeness of the code is not checked here.
    #[inline(always)]
    pub(super) fn read(bits: &mut Forward<'_>) -> Option<Self> {
        let mut table = Self { count: 0, symbols: [0; _], lengths: [0; 256] };
        match bits.take(2) {
            0b10 => table.read_new(bits)?,
            0b01 => table.read_dense(bits)?,
            0b00 => table.read_sparse(bits)?,
            _ => return None,
        }
        Some(table)
    }

    /// Returns the symbols and their lengths, 1 to 11 each (any, for a single symbol).
    pub(super) fn entries(&self) -> (&[u8], &[u8]) {
        let (symbols, _) = self.symbols.split_at(self.count);
        let (lengths, _) = self.lengths.split_at(self.count);
        (symbols, lengths)
    }

    #[inline(always)]
    fn read_new(&mut self, bits: &mut Forward<'_>) -> Option<()> {
        // A residual is a Rice number: its high part in unary, its low `rice` bits as they are. All unary
        // numbers come first, those of the residuals and then the exponents of the ranges, so that one pass
        // reads them a word at a time.
        let rice = bits.take(2);
        let count = bits.take(8) as usize + 1;
        let ranges = range_count(bits, count);
        let mut unary: Unary = [0; _];
        let unary = unary.get_mut(..count + ranges)?;
        unary_run(bits, unary)?;
        // Then the low parts of the residuals, which complete the lengths; last the mantissas of the ranges,
        // which assign them to symbols.
        let (residuals, exponents) = unary.split_at_mut(count);
        low_parts(bits, rice, residuals);
        lengths_from_residuals(residuals, &mut self.lengths)?;
        self.count = count;
        symbol_ranges(bits, exponents, count, &mut self.symbols)
    }

    fn read_dense(&mut self, bits: &mut Forward<'_>) -> Option<()> {
        // Runs of absent and present symbols alternate until all 256 are covered. Each present symbol has a
        // residual against a mean of the lengths before it; `average` is four times that mean, and forgets a
        // quarter with each length.
        let rice = bits.take(2);
        let starts_present = bits.flag();
        let mut average = 32;
        let mut symbol = 0;
        if !starts_present {
            symbol += run(bits)?;
        }
        loop {
            let present = run(bits)?;
            let end = Some(symbol + present).filter(|end| *end <= 256)?;
            for symbol in symbol..end {
                let residual = rice_number(bits, rice)?;
                let length = unzigzag(residual) + ((average + 2) >> 2);
                average = length + ((3 * average + 2) >> 2);
                self.push(u8::try_from(symbol).ok()?, length)?;
            }
            symbol = end;
            if symbol == 256 {
                break;
            }
            symbol += run(bits)?;
            if symbol >= 256 {
                break;
            }
        }
        (symbol == 256 && self.count >= 2).then_some(())
    }

    fn read_sparse(&mut self, bits: &mut Forward<'_>) -> Option<()> {
        // A few symbols cost less by name: 8 bits each, and `width` bits for the length. A single symbol
        // needs no length.
        let count = bits.take(8);
        if count == 1 {
            let symbol = u8::try_from(bits.take(8)).ok()?;
            return self.push(symbol, 1);
        }
        let width = Some(bits.take(3)).filter(|width| *width <= 4 && count > 0)?;
        for _ in 0..count {
            let symbol = u8::try_from(bits.take(8)).ok()?;
            let length = i32::try_from(bits.take(width)).ok()? + 1;
            self.push(symbol, length)?;
        }
        Some(())
    }

    fn push(&mut self, symbol: u8, length: i32) -> Option<()> {
        *self.symbols.get_mut(self.count)? = symbol;
        *self.lengths.get_mut(self.count)? =
            u8::try_from(length).ok().filter(|len| (1..=MAX_LEN).contains(len))?;
        self.count += 1;
        Some(())
    }
}

/// Adds the low `rice` bits to every residual.
#[inline(always)]
fn low_parts(bits: &mut Forward<'_>, rice: u32, residuals: &mut [u8]) {
    if rice == 0 {
        return;
    }
    // 16 times 3 bits at most are taken from one load of 57.
    for residuals in residuals.chunks_mut(16) {
        let mut word = bits.peek();
        for residual in residuals {
            *residual = *residual << rice | (top_bits(word, rice) & 7) as u8;
            word <<= rice;
            bits.skip(rice);
        }
    }
}

/// Undoes the prediction: each length is coded relative to a mean of all before it.
#[inline(always)]
fn lengths_from_residuals(residuals: &[u8], lengths: &mut [u8; 256]) -> Option<()> {
    // The prediction is a quarter of `sum`, for lengths less 1. Each residual moves it by a quarter of
    // itself.
    let mut sum = 30;
    // Faults are collected and checked once at the end: a branch per symbol would cost more than the symbol.
    let mut worst = 0;
    for (length, residual) in lengths.iter_mut().zip(residuals) {
        let delta = unzigzag(u32::from(*residual));
        let value = delta + (sum >> 2);
        sum += delta;
        // 0..=10 is valid; everything else, negative values included, is larger as an unsigned number.
        worst = worst.max(value.cast_unsigned());
        *length = (value & 15).to_le_bytes()[0] + 1;
    }
    (worst < u32::from(MAX_LEN)).then_some(())
}

/// Reads the length of a run in the dense coding, at least 1: Elias gamma with one more bit.
fn run(bits: &mut Forward<'_>) -> Option<u32> {
    let zeros = Some(bits.peek().leading_zeros()).filter(|zeros| *zeros <= 7)?;
    bits.skip(zeros);
    Some(bits.take(zeros + 2) - 1)
}

fn rice_number(bits: &mut Forward<'_>, rice: u32) -> Option<u32> {
    // Longer unary parts would exceed any valid length.
    let high = Some(bits.peek().leading_zeros()).filter(|high| *high <= 20 >> rice)?;
    bits.skip(high + 1);
    Some(high << rice | bits.take(rice))
}

/// Maps 0, 1, 2, 3, … to 0, -1, 1, -2, …
pub(super) fn unzigzag(value: u32) -> i32 {
    (value >> 1).cast_signed() ^ -(value & 1).cast_signed()
}
