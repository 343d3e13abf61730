//! Weights of a tANS table: relative to a running mean, or by name.

use super::super::lengths::unzigzag;
use super::super::ranges::{Symbols, Unary, range_count, symbol_ranges, unary_run};
use crate::bits::Forward;

/// Symbols in ascending order, each with its share of the table. Invariant: each weight is at least 1, and
/// their sum is the table size.
pub(super) struct Weights {
    count: usize,
    symbols: Symbols,
    shares: [u16; 256],
}

impl Weights {
    /// Reads the weights of a table of `1 << log` slots; `None` if they do not fill it exactly.
    pub(super) fn read(bits: &mut Forward<'_>, log: u32) -> Option<Self> {
        let mut weights = Self { count: 0, symbols: [0; _], shares: [0; 256] };
        let read = if bits.flag() { Self::read_dense } else { Self::read_sparse };
        read(&mut weights, bits, log)?;
        Some(weights)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (u8, usize)> {
        let weights = self.shares.iter().map(|weight| usize::from(*weight));
        self.symbols.iter().copied().zip(weights).take(self.count)
    }

    fn read_dense(&mut self, bits: &mut Forward<'_>, log: u32) -> Option<()> {
        let offset = bits.take(3);
        // A single symbol has no tANS form: it would need no bits.
        let count = Some(bits.take(8) as usize + 1).filter(|count| *count >= 2)?;
        let ranges = range_count(bits, count);
        let mut unary: Unary = [0; _];
        let unary = unary.get_mut(..count + ranges)?;
        unary_run(bits, unary)?;
        let (exponents, ranges) = unary.split_at(count);
        // Unlike in Huffman tables, the mantissas of the ranges come before those of the weights.
        symbol_ranges(bits, ranges, count, &mut self.symbols)?;
        // Each weight is an Exp-Golomb number of order `offset`. Small numbers, up to twice the prediction,
        // are differences from it, folded so that the sign is in the lowest bit; larger ones are the weight
        // itself. `average` is four times the prediction, and follows the weights, large ones only up to
        // twice the prediction.
        let mut average = 6;
        let mut left = 1i32 << log;
        for (slot, exponent) in self.shares.iter_mut().zip(exponents) {
            let exponent = Some(offset + u32::from(*exponent)).filter(|exponent| *exponent <= 15)?;
            let mut value = (bits.take(exponent) + (1 << exponent)).cast_signed() - (1 << offset);
            let quarter = average >> 2;
            let mut limit = 2 * quarter;
            if value <= limit {
                value = quarter + unzigzag(value.cast_unsigned());
            }
            limit = limit.min(value);
            average += limit - quarter;
            // Never below zero: the weights of hostile input could otherwise wrap around to the right sum.
            left -= value + 1;
            *slot = u16::try_from(value + 1).ok().filter(|weight| left >= 0 && *weight > 0)?;
        }
        self.count = count;
        (left == 0).then_some(())
    }

    fn read_sparse(&mut self, bits: &mut Forward<'_>, log: u32) -> Option<()> {
        let count = bits.take(3) + 1;
        let width = Some(bits.take(4)).filter(|width| (1..=log).contains(width))?;
        // By name, in order of weight, so that each weight is stored as its excess over the one before. The
        // last symbol takes the rest of the table.
        let mut weight = 0;
        let mut left = 1 << log;
        for _ in 0..count {
            let symbol = bits.take(8);
            weight += bits.take(width);
            // Checked before the subtraction, as a sum beyond the table would underflow.
            left = u32::checked_sub(left, weight)?;
            self.insert(u8::try_from(symbol).ok()?, weight)?;
        }
        let symbol = u8::try_from(bits.take(8)).ok()?;
        (left >= weight && left > 1).then_some(())?;
        self.insert(symbol, left)
    }

    /// Inserts a symbol in order; each symbol may come only once.
    fn insert(&mut self, symbol: u8, weight: u32) -> Option<()> {
        let weight = u16::try_from(weight).ok().filter(|weight| *weight > 0)?;
        let at = self.symbols.get(..self.count)?.binary_search(&symbol).err()?;
        self.symbols.copy_within(at..self.count, at + 1);
        self.shares.copy_within(at..self.count, at + 1);
        *self.symbols.get_mut(at)? = symbol;
        *self.shares.get_mut(at)? = weight;
        self.count += 1;
        Some(())
    }
}
