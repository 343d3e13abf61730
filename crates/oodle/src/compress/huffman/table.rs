//! Table of the code lengths, which precedes the streams.
#![expect(clippy::indexing_slicing, reason = "as many symbols as there are bytes")]

use alloc::vec::Vec;

use crate::compress::bits::MsbWriter;

/// Number of symbols up to which the table names each of them.
const MAX_SPARSE: usize = 4;

/// Capacity to start with, in bytes: tables are seldom longer.
const TABLE_LEN: usize = 256;

/// Appends the table of the lengths of `symbols`, in order.
pub(super) fn append(out: &mut Vec<u8>, lengths: &[u8; 256], symbols: &[u8]) {
    let mut used = [(0, 0); 256];
    for (used, byte) in used.iter_mut().zip(symbols) {
        *used = (usize::from(*byte), i32::from(lengths[usize::from(*byte)]));
    }
    let used = &used[..symbols.len()];
    let mut bits = MsbWriter::with_capacity(TABLE_LEN);
    if used.len() <= MAX_SPARSE {
        write_sparse(&mut bits, used);
    } else {
        write_new(&mut bits, used);
    }
    out.extend(bits.finish());
}

fn write_sparse(bits: &mut MsbWriter, used: &[(usize, i32)]) {
    let longest = used.iter().map(|(_, len)| *len).max().unwrap_or(1);
    // Bits that hold any length less one.
    let width = 32 - (longest - 1).leading_zeros();
    bits.put(0b00, 2);
    bits.put(used.len(), 8);
    bits.put(width as usize, 3);
    for (byte, len) in used {
        bits.put(*byte, 8);
        bits.put((len - 1).cast_unsigned() as usize, width);
    }
}

fn write_new(bits: &mut MsbWriter, used: &[(usize, i32)]) {
    let residuals = &residuals(used)[..used.len()];
    // Each residual takes one bit more than its high part in unary, and `rice` low bits: four parameters are
    // tried.
    let cost = |rice: &u32| residuals.iter().map(|residual| (residual >> rice) + 1 + rice).sum::<u32>();
    let rice = (0..4).min_by_key(cost).unwrap_or(0);
    let ranges = Ranges::new(used);
    bits.put(0b10, 2);
    bits.put(rice as usize, 2);
    bits.put(used.len() - 1, 8);
    ranges.write_count(bits, used.len());
    // All unary numbers come first, so that the decoder can read them in one pass.
    for residual in residuals {
        bits.put_unary(residual >> rice);
    }
    for (exponent, _, _) in &ranges.numbers {
        bits.put_unary(*exponent);
    }
    for residual in residuals {
        bits.put(*residual as usize, rice);
    }
    for (_, mantissa, width) in &ranges.numbers {
        bits.put(*mantissa, *width);
    }
}

/// Returns the lengths as zigzag-coded differences from a running mean.
fn residuals(used: &[(usize, i32)]) -> [u32; 256] {
    let (mut residuals, mut sum) = ([0; 256], 30);
    for (residual, (_, len)) in residuals.iter_mut().zip(used) {
        let delta = len - 1 - (sum >> 2);
        sum += delta;
        *residual = (delta << 1 ^ delta >> 31).cast_unsigned();
    }
    residuals
}

/// Numbers that describe the ranges of an alphabet: exponent, mantissa, width of the mantissa in bits.
struct Ranges {
    numbers: Vec<(u32, usize, u32)>,
}

impl Ranges {
    fn new(used: &[(usize, i32)]) -> Self {
        let mut ranges = Self { numbers: Vec::with_capacity(2 * used.len().min(257 - used.len())) };
        let mut end = 0;
        let mut len = 0;
        for (byte, _) in used {
            // A gap ends the range before it. A range that starts with symbol 0 has no gap, which makes the
            // count of numbers even.
            if *byte != end {
                if len > 0 {
                    ranges.push_len(len);
                }
                ranges.push_gap(byte - end);
                len = 0;
            }
            len += 1;
            end = byte + 1;
        }
        ranges
    }

    fn push_len(&mut self, len: usize) {
        let exponent = len.ilog2();
        self.numbers.push((exponent, len - (1 << exponent), exponent));
    }

    fn push_gap(&mut self, gap: usize) {
        // Gaps are at least 1, and stored plus one, so that the exponent is at least 1 and can be reduced by
        // one.
        let width = (gap + 1).ilog2();
        self.numbers.push((width - 1, gap + 1 - (1 << width), width));
    }

    /// Writes the number of numbers in truncated binary: a bit less for the smallest values.
    fn write_count(&self, bits: &mut MsbWriter, symbols: usize) {
        if symbols == 256 {
            return;
        }
        let alphabet = 2 * symbols.min(257 - symbols);
        let width = (alphabet - 1).ilog2() + 1;
        let short = (1 << width) - alphabet;
        let count = self.numbers.len();
        if count < short {
            bits.put(count, width - 1);
        } else {
            bits.put(count + short, width);
        }
    }
}
