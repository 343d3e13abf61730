//! Parts that Huffman and tANS tables share: runs of unary numbers, and the alphabet as a few ranges of
//! symbols.
//!
//! ```text
//!   alphabet   A B C D . . . x y z      2 ranges: (gap before) 4 symbols, gap of 3, the rest
//!   numbers    exponents first, all in unary; then the mantissas, in as many bits as the exponents say
//! ```
//!
//! Unary numbers are stored together because a whole word of them can be read at once: each is the distance
//! to the next 1.
#![expect(
    clippy::inline_always,
    reason = "bodies must be compiled with the processor features of their callers"
)]

use crate::bits::{Forward, PEEK_BITS, top_bits};

/// Most numbers that describe the ranges of an alphabet.
const MAX_RANGES: usize = 256;

/// Buffer for one unary number per symbol and per range.
pub(super) type Unary = [u8; 256 + MAX_RANGES];

/// Symbols of a range that are written at once.
const STEP: usize = 16;

/// Symbols in the order of their codes, with room for a last step that is only needed in part.
pub(super) type Symbols = [u8; 256 + STEP];

/// Reads the number of numbers that describe the ranges of `count` symbols, in truncated binary.
#[inline(always)]
pub(super) fn range_count(bits: &mut Forward<'_>, count: usize) -> usize {
    // Symbols and gaps alternate, so neither the present nor the absent ones allow more ranges than there are
    // of them. All 256 symbols are one range.
    let alphabet = 2 * count.min(257 - count);
    if count == 256 {
        return 0;
    }
    let width = (alphabet - 1).ilog2() + 1;
    let short = (1 << width) - alphabet;
    let value = bits.take(width - 1) as usize;
    // The smallest values take one bit less than the others.
    if value < short { value } else { 2 * value + usize::from(bits.flag()) - short }
}

/// Reads `out.len()` numbers, each stored as that many 0 bits and a 1.
#[inline(always)]
pub(super) fn unary_run(bits: &mut Forward<'_>, out: &mut [u8]) -> Option<()> {
    let mut word = bits.peek();
    let mut left = PEEK_BITS;
    for slot in out {
        // The next number is the count of zeros on top of the word: one instruction, no loop over bits.
        let mut zeros = word.leading_zeros();
        // The 1 lies beyond the valid bits, so the word is reloaded at the first bit that is not used.
        if zeros >= left {
            bits.skip(PEEK_BITS - left);
            left = PEEK_BITS;
            word = bits.peek();
            zeros = word.leading_zeros();
        }
        // No number of any table is larger than 31.
        *slot = u8::try_from(zeros).ok().filter(|zeros| *zeros < 32)?;
        word <<= zeros + 1;
        // A number that reaches beyond the reloaded word would be longer than any table allows.
        left = left.checked_sub(zeros + 1)?;
    }
    bits.skip(PEEK_BITS - left);
    Some(())
}

/// Reads the ranges of an alphabet of `count` symbols; `exponents` are the unary numbers read before.
#[inline(always)]
pub(super) fn symbol_ranges(
    bits: &mut Forward<'_>,
    exponents: &[u8],
    count: usize,
    symbols: &mut Symbols,
) -> Option<()> {
    // An odd count starts with the gap before the first range. Otherwise symbol 0 is present.
    let (pairs, odd) = exponents.as_chunks_from_odd();
    let mut start = match odd {
        Some(gap) => {
            let skip = exponent(gap)? + 1;
            let mut word = bits.peek();
            bits.skip(skip);
            shift_out(&mut word, skip) - 1
        }
        None => 0,
    };
    let mut filled = 0;
    // One load holds the mantissas of several ranges.
    for pairs in pairs.chunks(PAIRS) {
        let mut word = bits.peek();
        for [len, skip] in pairs {
            let (len, skip) = (exponent(*len)?, exponent(*skip)? + 1);
            bits.skip(len + skip);
            let len = shift_out(&mut word, len);
            let skip = shift_out(&mut word, skip) - 1;
            write_range(symbols, &mut filled, start, len)?;
            start += len + skip;
        }
    }
    // The last range is not stored: it takes the rest of the symbols, and must have at least one.
    let rest = count.checked_sub(filled).filter(|rest| *rest > 0)?;
    write_range(symbols, &mut filled, start, rest)
}

/// Splits a slice into an odd first element and pairs.
trait OddThenPairs {
    fn as_chunks_from_odd(&self) -> (&[[u8; 2]], Option<u8>);
}

impl OddThenPairs for [u8] {
    fn as_chunks_from_odd(&self) -> (&[[u8; 2]], Option<u8>) {
        let (odd, pairs) = self.as_rchunks();
        (pairs, odd.first().copied())
    }
}

/// Ranges whose lengths and gaps, up to 8 bits each, fit into one word.
const PAIRS: usize = PEEK_BITS as usize / 16;

/// Checks the exponent of a length, or of a gap less 1. A length of 256 is impossible: a gap follows it, and
/// leaves no symbol for the last range.
#[inline(always)]
fn exponent(exponent: u8) -> Option<u32> {
    Some(u32::from(exponent)).filter(|exponent| *exponent < 8)
}

/// Takes a number of at least 1, whose mantissa is at the top of the word.
#[inline(always)]
fn shift_out(word: &mut u64, exponent: u32) -> usize {
    let mantissa = top_bits(*word, exponent) as usize;
    *word <<= exponent;
    mantissa + (1 << exponent)
}

/// Writes a range in whole steps, because most are shorter than one; the next range overwrites the excess.
#[inline(always)]
fn write_range(symbols: &mut Symbols, filled: &mut usize, start: usize, len: usize) -> Option<()> {
    const STEPS: [u8; STEP + 1] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];
    let [steps @ .., all] = STEPS;
    // Checked before anything is written: the range must end within the alphabet.
    let mut first = u8::try_from(start).ok().filter(|_| start + len <= 256)?;
    let mut at = *filled;
    *filled = Some(at + len).filter(|end| *end <= 256)?;
    while at < *filled {
        // Sixteen consecutive symbols at once; those beyond 255 wrap, and are excess in any case.
        *symbols.get_mut(at..)?.first_chunk_mut()? = steps.map(|step| first.wrapping_add(step));
        first = first.wrapping_add(all);
        at += STEP;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::{Input, SLACK};

    #[test]
    fn ranges_longer_and_shorter_than_a_step_join() {
        // Lengths 1, 17 (exponent 4, mantissa 1) and 16, gaps 1, 2 and 3, and the rest of 50 symbols.
        let exponents = [0, 0, 4, 0, 4, 1];
        let bits: [(u64, u32); 6] = [(0, 0), (0, 1), (1, 4), (1, 1), (0, 4), (0, 2)];
        let (word, used) =
            bits.iter().fold((0, 0), |(word, used), (value, len)| (word << len | value, used + len));
        let mut buf = [0; 2 * SLACK + 8];
        buf[SLACK..SLACK + 8].copy_from_slice(&(word << (64 - used)).to_be_bytes());
        let mut bits = Forward::new(Input::new(&buf, SLACK..SLACK + 8));
        let mut symbols: Symbols = [0; _];
        let read = symbol_ranges(&mut bits, &exponents, 50, &mut symbols);
        // The last gap: exponent 1, two bits of 0, so 4 - 1.
        let wanted = (0..1).chain(2..19).chain(21..37).chain(40..56);
        assert_eq!(read, Some(()));
        assert!(symbols[..50].iter().map(|symbol| usize::from(*symbol)).eq(wanted));
        assert_eq!(bits.bytes_used(), used.div_ceil(8) as usize);
    }

    #[test]
    fn ranges_beyond_the_last_symbol_are_refused() {
        let buf = [0; 2 * SLACK + 8];
        for (exponents, count) in
            [(&[7, 7, 7, 0][..], 200), (&[8, 0], 200), (&[0, 8], 200), (&[5, 0], 32), (&[6, 7], 200)]
        {
            let mut bits = Forward::new(Input::new(&buf, SLACK..SLACK + 8));
            let mut symbols: Symbols = [0; _];
            assert_eq!(symbol_ranges(&mut bits, exponents, count, &mut symbols), None, "{exponents:?}");
        }
    }
}
