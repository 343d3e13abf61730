//! The table of the code lengths, before the streams.
#![expect(clippy::indexing_slicing, reason = "as many symbols as there are bytes")]

use alloc::vec::Vec;

use crate::compress::bits::MsbWriter;

/// Tables of that few symbols name them one by one.
const MAX_SPARSE: usize = 4;

/// Tables are seldom longer.
const TABLE_LEN: usize = 256;

/// Appends the table of these lengths, of the symbols that have a code, in order.
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
    let cost = |rice: &u32| residuals.iter().map(|residual| (residual >> rice) + 1 + rice).sum::<u32>();
    let rice = (0..4).min_by_key(cost).unwrap_or(0);
    let ranges = Ranges::new(used);
    bits.put(0b10, 2);
    bits.put(rice as usize, 2);
    bits.put(used.len() - 1, 8);
    ranges.write_count(bits, used.len());
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

/// Lengths against a running mean, zigzag.
fn residuals(used: &[(usize, i32)]) -> [u32; 256] {
    let (mut residuals, mut sum) = ([0; 256], 30);
    for (residual, (_, len)) in residuals.iter_mut().zip(used) {
        let delta = len - 1 - (sum >> 2);
        sum += delta;
        *residual = (delta << 1 ^ delta >> 31).cast_unsigned();
    }
    residuals
}

/// The numbers that describe the ranges of an alphabet: exponent, mantissa, bits of the mantissa.
struct Ranges {
    numbers: Vec<(u32, usize, u32)>,
}

impl Ranges {
    fn new(used: &[(usize, i32)]) -> Self {
        let mut ranges = Self { numbers: Vec::with_capacity(2 * used.len().min(257 - used.len())) };
        let mut end = 0;
        let mut len = 0;
        for (byte, _) in used {
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
        let width = (gap + 1).ilog2();
        self.numbers.push((width - 1, gap + 1 - (1 << width), width));
    }

    /// How many numbers there are, in truncated binary.
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
