//! Arrays: raw, one repeated byte, or Huffman, always with a long header.

use alloc::vec::Vec;

use super::bits::be24;
use super::huffman;

/// Arrays that are shorter stay raw.
const MIN_CODED_LEN: usize = 32;

/// A one-byte array is shorter than a raw one from this length on.
const MIN_FILL_LEN: usize = 6;

/// The literal modes of a chunk.
const DELTA_LITERALS: usize = 0;
const RAW_LITERALS: usize = 1;

/// Appends `bytes` in their shortest form.
pub(super) fn write(out: &mut Vec<u8>, bytes: &[u8]) {
    const RUN_LENGTH: usize = 3;
    if let [first, rest @ ..] = bytes
        && bytes.len() >= MIN_FILL_LEN
        && rest.iter().all(|byte| byte == first)
    {
        write_header(out, RUN_LENGTH, 1, bytes.len());
        out.push(*first);
        return;
    }
    if bytes.len() >= MIN_CODED_LEN
        && let Some((coding, payload)) = huffman::encode(bytes)
        && payload.len() + 5 < bytes.len() + 3
    {
        write_header(out, coding, payload.len(), bytes.len());
        out.extend(payload);
        return;
    }
    write_raw(out, bytes);
}

/// The array of `bytes`, if it has less than `len` bytes.
pub(super) fn shorter(bytes: &[u8], len: usize) -> Option<Vec<u8>> {
    if huffman::least_bits(bytes) > (8 * len as u64) << huffman::FRACTION {
        return None;
    }
    let mut array = Vec::new();
    write(&mut array, bytes);
    Some(array).filter(|array| array.len() < len)
}

/// Appends the literals of a chunk, raw or as differences; returns the literal mode.
pub(super) fn write_literals(out: &mut Vec<u8>, raw: &[u8], delta: &[u8], entropy: bool) -> usize {
    if !entropy {
        write_raw(out, raw);
        return RAW_LITERALS;
    }
    if prefers_delta(raw, delta) {
        write(out, delta);
        return DELTA_LITERALS;
    }
    write(out, raw);
    RAW_LITERALS
}

/// Whether literals are smaller as differences. These decode more slowly: they have to be worth it.
pub(super) fn prefers_delta(raw: &[u8], delta: &[u8]) -> bool {
    huffman::least_bits(delta) * 102 < huffman::least_bits(raw) * 100
}

/// Appends `bytes` as they are.
pub(super) fn write_raw(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend(be24(bytes.len()));
    out.extend(bytes);
}

fn write_header(out: &mut Vec<u8>, coding: usize, stored_len: usize, raw_len: usize) {
    let word = (coding as u64) << 36 | (raw_len as u64 - 1) << 18 | stored_len as u64;
    let [_, _, _, bytes @ ..] = word.to_be_bytes();
    out.extend(bytes);
}
