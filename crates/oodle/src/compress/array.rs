//! Array writer: raw, one repeated byte, or Huffman, always with a long header.

use alloc::vec::Vec;

use super::bits::be24;
use super::counts::{Counts, FRACTION};
use super::huffman;

/// Length below which arrays stay raw: a table of code lengths would cost more than it saves.
const MIN_CODED_LEN: usize = 32;

/// Bytes of the header of a coded array.
const CODED_HEADER_LEN: usize = 5;

/// Length from which one repeated byte is written as an array of that kind, which has 6 bytes.
const MIN_FILL_LEN: usize = 6;

/// Appends `bytes` in the shortest form.
pub(super) fn write(out: &mut Vec<u8>, bytes: &[u8]) {
    write_counted(out, bytes, &Counts::of(bytes));
}

/// Appends `bytes`, whose counts are known, in the shortest form.
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
        // The header needs the stored length, so the payload is written first, after a placeholder.
        let header_at = out.len();
        out.extend([0; CODED_HEADER_LEN]);
        let payload_at = out.len();
        let coding = huffman::append(out, bytes, counts);
        let stored_len = out.len() - payload_at;
        if let Some(coding) = coding
            // A raw array has a header of 3 bytes.
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

/// Encodes `bytes` if the result has fewer than `len` bytes.
pub(super) fn shorter(bytes: &[u8], len: usize) -> Option<Vec<u8>> {
    let counts = Counts::of(bytes);
    // The entropy is a lower bound for any table, so hopeless cases are recognised without encoding.
    if counts.least_bits() > (8 * len as u64) << FRACTION {
        return None;
    }
    let mut array = Vec::new();
    write_counted(&mut array, bytes, &counts);
    Some(array).filter(|array| array.len() < len)
}

/// Appends `bytes` as a raw array.
pub(super) fn write_raw(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend(be24(bytes.len()));
    out.extend(bytes);
}

/// Returns the long header of a coded array: 4 bits coding, 18 bits raw length less 1, 18 bits stored length.
fn header(coding: usize, stored_len: usize, raw_len: usize) -> [u8; CODED_HEADER_LEN] {
    let word = (coding as u64) << 36 | (raw_len as u64 - 1) << 18 | stored_len as u64;
    // 40 bits, big-endian: the lowest five of eight bytes.
    let [_, _, _, bytes @ ..] = word.to_be_bytes();
    bytes
}
