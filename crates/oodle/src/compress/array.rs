//! Arrays: raw, one repeated byte, or Huffman, always with a long header.

use alloc::vec::Vec;

use super::bits::be24;
use super::counts::{Counts, FRACTION};
use super::huffman;

/// Arrays that are shorter stay raw.
const MIN_CODED_LEN: usize = 32;

/// The header of an array that is not raw.
const CODED_HEADER_LEN: usize = 5;

/// A one-byte array is shorter than a raw one from this length on.
const MIN_FILL_LEN: usize = 6;

/// Appends `bytes` in their shortest form.
pub(super) fn write(out: &mut Vec<u8>, bytes: &[u8]) {
    write_counted(out, bytes, &Counts::of(bytes));
}

/// Appends `bytes`, which occur as `counts` says, in their shortest form.
pub(super) fn write_counted(out: &mut Vec<u8>, bytes: &[u8], counts: &Counts) {
    const RUN_LENGTH: usize = 3;
    if let Some(first) = bytes.first()
        && bytes.len() >= MIN_FILL_LEN
        && counts.are_all(*first)
    {
        out.extend(header(RUN_LENGTH, 1, bytes.len()));
        out.push(*first);
        return;
    }
    if bytes.len() >= MIN_CODED_LEN {
        let header_at = out.len();
        out.extend([0; CODED_HEADER_LEN]);
        let payload_at = out.len();
        let coding = huffman::append(out, bytes, counts);
        let stored_len = out.len() - payload_at;
        if let Some(coding) = coding
            && stored_len + CODED_HEADER_LEN < bytes.len() + 3
        {
            let header = header(coding, stored_len, bytes.len());
            out.splice(header_at..payload_at, header);
            return;
        }
        out.truncate(header_at);
    }
    write_raw(out, bytes);
}

/// The array of `bytes`, if it has less than `len` bytes.
pub(super) fn shorter(bytes: &[u8], len: usize) -> Option<Vec<u8>> {
    let counts = Counts::of(bytes);
    if counts.least_bits() > (8 * len as u64) << FRACTION {
        return None;
    }
    let mut array = Vec::new();
    write_counted(&mut array, bytes, &counts);
    Some(array).filter(|array| array.len() < len)
}

/// Appends `bytes` as they are.
pub(super) fn write_raw(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend(be24(bytes.len()));
    out.extend(bytes);
}

/// The long header of a coded array.
fn header(coding: usize, stored_len: usize, raw_len: usize) -> [u8; CODED_HEADER_LEN] {
    let word = (coding as u64) << 36 | (raw_len as u64 - 1) << 18 | stored_len as u64;
    let [_, _, _, bytes @ ..] = word.to_be_bytes();
    bytes
}
