//! Huffman arrays: optimal codes of up to 11 bits, their table, and three or six streams.
#![expect(clippy::indexing_slicing, reason = "tables of 256, indexed by bytes")]
#![expect(clippy::cast_possible_truncation, reason = "lengths are at most 11")]

use alloc::vec::Vec;

use super::bits::{LsbWriter, MsbWriter};

/// The longest code.
const MAX_LEN: usize = 11;

/// From this length on, six streams are written.
const SIX_STREAMS_LEN: usize = 1200;

/// Tables of that few symbols name them one by one.
const MAX_SPARSE: usize = 4;

/// Encodes `bytes`, which have at least two different values; returns the type of the array and its payload.
pub(super) fn encode(bytes: &[u8]) -> Option<(usize, Vec<u8>)> {
    let lengths = code_lengths(&counts(bytes))?;
    let codes = Codes::new(&lengths);
    let mut payload = write_table(&lengths);
    if bytes.len() < SIX_STREAMS_LEN {
        codes.write_streams(&mut payload, bytes)?;
        return Some((2, payload));
    }
    let (first, second) = bytes.split_at(bytes.len().div_ceil(2));
    let mut body = Vec::new();
    codes.write_streams(&mut body, first)?;
    let [low, middle, high, ..] = body.len().to_le_bytes();
    payload.extend([low, middle, high]);
    payload.append(&mut body);
    codes.write_streams(&mut payload, second)?;
    Some((4, payload))
}

/// The lengths of an optimal code of limited length: 0 for symbols that do not occur.
fn code_lengths(counts: &[u32; 256]) -> Option<[u8; 256]> {
    // Weight and byte as one number sort fastest.
    let mut leaves: Vec<u64> =
        (0..256).zip(counts).map(|(byte, count)| u64::from(*count) << 8 | byte).collect();
    leaves.retain(|leaf| *leaf > 0xFF);
    leaves.sort_unstable();
    let leaves: Vec<(u64, u8)> = leaves.iter().map(|leaf| (leaf >> 8, (leaf & 0xFF) as u8)).collect();
    if leaves.len() < 2 {
        return None;
    }
    if let Some(lengths) = unlimited_lengths(&leaves) {
        return Some(lengths);
    }
    // Package-merge. Each level holds the leaves and the pairs of the level before, by weight; which of them are leaves is enough.
    let mut levels: Vec<Vec<bool>> = Vec::new();
    let mut pairs: Vec<u64> = Vec::new();
    for _ in 0..MAX_LEN {
        let items = merge(&leaves, &pairs);
        pairs = items.as_chunks().0.iter().map(|[(a, _), (b, _)]| a + b).collect();
        levels.push(items.iter().map(|(_, is_leaf)| *is_leaf).collect());
    }
    let mut lengths = [0; 256];
    let mut taken = 2 * leaves.len() - 2;
    for level in levels.iter().rev() {
        let leaf_count = level.iter().take(taken).filter(|is_leaf| **is_leaf).count();
        for (_, byte) in leaves.iter().take(leaf_count) {
            lengths[usize::from(*byte)] += 1;
        }
        taken = 2 * (taken - leaf_count);
    }
    Some(lengths)
}

/// The lengths of an optimal code, if none is too long: Huffman's way. Nodes get heavier and heavier, so leaves and nodes
/// are two queues, and the lightest of all is at the front of one of them.
fn unlimited_lengths(leaves: &[(u64, u8)]) -> Option<[u8; 256]> {
    let inner = leaves.len() - 1;
    let mut weights = [0u64; 256];
    // Of the leaves, then of the inner nodes.
    let mut parents = [0u16; 512];
    let (mut leaf, mut node) = (0, 0);
    for made in 0..inner {
        for _ in 0..2 {
            let takes_leaf = leaf < leaves.len() && (node == made || leaves[leaf].0 <= weights[node]);
            if takes_leaf {
                weights[made] += leaves[leaf].0;
                parents[leaf] = made as u16;
                leaf += 1;
            } else {
                weights[made] += weights[node];
                parents[256 + node] = made as u16;
                node += 1;
            }
        }
    }
    let mut depths = [0u8; 256];
    for node in (0..inner - 1).rev() {
        depths[node] = depths[usize::from(parents[256 + node])] + 1;
        if usize::from(depths[node]) >= MAX_LEN {
            return None;
        }
    }
    let mut lengths = [0; 256];
    for ((_, byte), parent) in leaves.iter().zip(parents) {
        lengths[usize::from(*byte)] = depths[usize::from(parent)] + 1;
    }
    Some(lengths)
}

/// Leaves and pairs, both sorted, as one list by weight: each with whether it is a leaf.
fn merge(leaves: &[(u64, u8)], pairs: &[u64]) -> Vec<(u64, bool)> {
    let mut items = Vec::with_capacity(leaves.len() + pairs.len());
    let mut pairs = pairs.iter().peekable();
    for (weight, _) in leaves {
        while let Some(pair) = pairs.next_if(|pair| *pair < weight) {
            items.push((*pair, false));
        }
        items.push((*weight, true));
    }
    items.extend(pairs.map(|pair| (*pair, false)));
    items
}

/// Least costs are given in this fraction of a bit: 2 to the power of -24.
pub(super) const FRACTION: u32 = 24;

/// The bits that `bytes` take at least, coded one by one with any table, and without the table; in units of
/// [`FRACTION`].
pub(super) fn least_bits(bytes: &[u8]) -> u64 {
    let counts = counts(bytes);
    let all = log2(counts.iter().sum());
    let used = counts.iter().filter(|count| **count > 0);
    used.map(|count| u64::from(*count) * (all - log2(*count))).sum()
}

/// The binary logarithm of a number that is not zero, in units of [`FRACTION`]. Integers only, so that every machine
/// makes the same choices.
pub(super) fn log2(value: u32) -> u64 {
    let Some(whole) = value.checked_ilog2() else { return 0 };
    // The number as 1.x times a power of two. Squaring that doubles its logarithm: if it becomes 2 or more, the next
    // bit of the logarithm is 1.
    let mut mantissa = u64::from(value) << (31 - whole);
    let mut log = u64::from(whole);
    for _ in 0..FRACTION {
        mantissa = (mantissa * mantissa) >> 31;
        let bit = mantissa >> 32;
        mantissa >>= bit;
        log = log << 1 | bit;
    }
    log
}

/// How often each byte occurs.
pub(super) fn counts(bytes: &[u8]) -> [u32; 256] {
    // Two tables: the same byte twice would wait for its own count.
    let mut counts = [[0u32; 256]; 2];
    let (pairs, last) = bytes.as_chunks();
    for [a, b] in pairs {
        counts[0][usize::from(*a)] += 1;
        counts[1][usize::from(*b)] += 1;
    }
    for byte in last {
        counts[0][usize::from(*byte)] += 1;
    }
    core::array::from_fn(|byte| counts[0][byte] + counts[1][byte])
}

/// Canonical codes, bit-reversed as they are written.
struct Codes {
    codes: [(u16, u32); 256],
}

impl Codes {
    fn new(lengths: &[u8; 256]) -> Self {
        let mut codes = [(0, 0); 256];
        let mut code = 0u16;
        for length in 1..=MAX_LEN {
            code <<= 1;
            for (slot, _) in codes.iter_mut().zip(lengths).filter(|(_, len)| usize::from(**len) == length) {
                *slot = (code.reverse_bits() >> (16 - length), length as u32);
                code += 1;
            }
        }
        Self { codes }
    }

    /// Appends three streams; `None` if the first is too long for its size field.
    fn write_streams(&self, out: &mut Vec<u8>, bytes: &[u8]) -> Option<()> {
        let mut streams: [LsbWriter; 3] = Default::default();
        let mut put = |lane: usize, byte: u8| {
            let (code, length) = self.codes[usize::from(byte)];
            streams[lane].put(code, length);
        };
        let (triples, last) = bytes.as_chunks();
        for [a, b, c] in triples {
            put(0, *a);
            put(1, *b);
            put(2, *c);
        }
        last.iter().enumerate().for_each(|(lane, byte)| put(lane, *byte));
        let [a, b, c] = streams.map(LsbWriter::finish);
        out.extend(u16::try_from(a.len()).ok()?.to_le_bytes());
        out.extend(a);
        out.extend(c);
        out.extend(b.iter().rev());
        Some(())
    }
}

fn write_table(lengths: &[u8; 256]) -> Vec<u8> {
    let mut bits = MsbWriter::default();
    let used: Vec<(usize, i32)> = lengths
        .iter()
        .enumerate()
        .filter(|(_, len)| **len > 0)
        .map(|(byte, len)| (byte, i32::from(*len)))
        .collect();
    if used.len() <= MAX_SPARSE {
        write_sparse(&mut bits, &used);
    } else {
        write_new(&mut bits, &used);
    }
    bits.finish()
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
    let residuals = residuals(used);
    let cost = |rice: &u32| residuals.iter().map(|residual| (residual >> rice) + 1 + rice).sum::<u32>();
    let rice = (0..4).min_by_key(cost).unwrap_or(0);
    let ranges = Ranges::new(used);
    bits.put(0b10, 2);
    bits.put(rice as usize, 2);
    bits.put(used.len() - 1, 8);
    ranges.write_count(bits, used.len());
    for residual in &residuals {
        bits.put_unary(residual >> rice);
    }
    for (exponent, _, _) in &ranges.numbers {
        bits.put_unary(*exponent);
    }
    for residual in &residuals {
        bits.put(*residual as usize, rice);
    }
    for (_, mantissa, width) in &ranges.numbers {
        bits.put(*mantissa, *width);
    }
}

/// Lengths against a running mean, zigzag.
fn residuals(used: &[(usize, i32)]) -> Vec<u32> {
    let mut sum = 30;
    let residual = |(_, len): &(usize, i32)| {
        let delta = len - 1 - (sum >> 2);
        sum += delta;
        (delta << 1 ^ delta >> 31).cast_unsigned()
    };
    used.iter().map(residual).collect()
}

/// The numbers that describe the ranges of an alphabet: exponent, mantissa, bits of the mantissa.
struct Ranges {
    numbers: Vec<(u32, usize, u32)>,
}

impl Ranges {
    fn new(used: &[(usize, i32)]) -> Self {
        let mut ranges = Self { numbers: Vec::new() };
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
