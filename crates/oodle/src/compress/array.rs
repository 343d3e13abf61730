//! Array writer: raw, one repeated byte, Huffman, or parts of these kinds.
//!
//! Headers are long, but for those of parts: other places read the top bit of a short header as something else.

use alloc::vec::Vec;

use super::compressor::Effort;
use super::counts::{Counts, FRACTION};
use super::{huffman, parts};

/// Forms in which an array may be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Forms {
    /// Not coded.
    Raw,
    /// Raw, or coded as a whole.
    Whole,
    /// Also in parts with codes of their own.
    Parts,
}

/// Types of coded arrays, beside those of Huffman codes.
const RUN_LENGTH: usize = 3;
const CONCATENATION: usize = 5;

/// Length below which arrays stay raw: a table of code lengths would cost more than it saves.
const MIN_CODED_LEN: usize = 32;

/// Bytes of the long header of a coded array.
const CODED_HEADER_LEN: usize = 5;

/// Bytes of the long header of a raw array.
const RAW_HEADER_LEN: usize = 3;

/// Length from which one repeated byte is written as an array of that kind, which has 6 bytes.
const MIN_FILL_LEN: usize = 6;

/// Length of a coded array from which parts are tried: two of them take a few dozen bytes for their tables.
const MIN_PARTED_LEN: usize = 400;

/// Place of an array, which decides about the length of its header.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Chunk,
    Part,
}

impl Forms {
    /// Forms that are tried with an effort.
    pub(super) fn of(effort: Effort) -> Self {
        match effort {
            Effort::Fast | Effort::Normal | Effort::Optimal => Self::Whole,
            Effort::Smallest => Self::Parts,
        }
    }
}

/// Appends `bytes` in the shortest of these forms.
pub(super) fn write(out: &mut Vec<u8>, bytes: &[u8], forms: Forms) {
    write_counted(out, bytes, &Counts::of(bytes), forms);
}

/// Appends `bytes`, whose counts are known, in the shortest of these forms.
pub(super) fn write_counted(out: &mut Vec<u8>, bytes: &[u8], counts: &Counts, forms: Forms) {
    let at = out.len();
    match forms {
        Forms::Raw => return write_raw(out, bytes, Place::Chunk),
        Forms::Whole | Forms::Parts => write_whole(out, bytes, counts, Place::Chunk),
    }
    if forms == Forms::Parts
        && out.len() - at >= MIN_PARTED_LEN
        && let Some(parted) = parted(bytes, out.len() - at)
    {
        out.truncate(at);
        out.extend(parted);
    }
}

/// Appends `bytes` as a whole, coded or raw.
fn write_whole(out: &mut Vec<u8>, bytes: &[u8], counts: &Counts, place: Place) {
    if let Some(first) = bytes.first()
        && bytes.len() >= MIN_FILL_LEN
        && counts.are_all(*first)
    {
        out.extend(header(RUN_LENGTH, 1, bytes.len(), place));
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
            && stored_len + CODED_HEADER_LEN < bytes.len() + RAW_HEADER_LEN
        {
            out.splice(header_at..payload_at, header(coding, stored_len, bytes.len(), place));
            return;
        }
        out.truncate(header_at);
    }
    write_raw(out, bytes, place);
}

/// Encodes `bytes` in parts if the result has fewer than `len` bytes.
fn parted(bytes: &[u8], len: usize) -> Option<Vec<u8>> {
    let lens = parts::lens(bytes);
    let count = u8::try_from(lens.len()).ok().filter(|count| *count > 1)?;
    let mut parted = Vec::with_capacity(len);
    parted.extend([0; CODED_HEADER_LEN]);
    parted.push(count);
    let mut rest = bytes;
    for len in lens {
        let (part, after) = rest.split_at_checked(len)?;
        write_whole(&mut parted, part, &Counts::of(part), Place::Part);
        rest = after;
    }
    if parted.len() >= len {
        return None;
    }
    let stored_len = parted.len() - CODED_HEADER_LEN;
    parted.splice(..CODED_HEADER_LEN, header(CONCATENATION, stored_len, bytes.len(), Place::Chunk));
    Some(parted)
}

/// Encodes `bytes` if the result has fewer than `len` bytes.
pub(super) fn shorter(bytes: &[u8], len: usize, forms: Forms) -> Option<Vec<u8>> {
    let counts = Counts::of(bytes);
    // The entropy is a lower bound for any one table, so hopeless cases are recognised without encoding. Parts seldom
    // save more than an eighth.
    let most = if forms == Forms::Parts { len + len / 8 } else { len };
    if counts.least_bits() > (8 * most as u64) << FRACTION {
        return None;
    }
    let mut array = Vec::new();
    write_counted(&mut array, bytes, &counts, forms);
    Some(array).filter(|array| array.len() < len)
}

/// Appends `bytes` as a raw array.
fn write_raw(out: &mut Vec<u8>, bytes: &[u8], place: Place) {
    let len = bytes.len();
    if place == Place::Part && len < 1 << 12 {
        out.extend(low_bytes(1 << 15 | len as u64, 2));
    } else {
        out.extend(low_bytes(len as u64, RAW_HEADER_LEN));
    }
    out.extend(bytes);
}

/// Returns the header of a coded array.
fn header(coding: usize, stored_len: usize, raw_len: usize, place: Place) -> impl Iterator<Item = u8> {
    let (coding, stored, raw) = (coding as u64, stored_len as u64, raw_len as u64);
    let saved = raw - stored - 1;
    if place == Place::Part && stored < 1 << 10 && saved < 1 << 10 {
        // A bit, 3 bits type, 10 bits each of what is saved, less 1, and of the stored length.
        return low_bytes(1 << 23 | coding << 20 | saved << 10 | stored, 3);
    }
    // 4 bits type, 18 bits raw length less 1, 18 bits stored length.
    low_bytes(coding << 36 | (raw - 1) << 18 | stored, CODED_HEADER_LEN)
}

/// Returns the lowest bytes of a word, the highest of them first.
fn low_bytes(word: u64, count: usize) -> impl Iterator<Item = u8> {
    word.to_be_bytes().into_iter().skip(size_of::<u64>() - count)
}

#[cfg(test)]
mod tests {
    use super::{Forms, Vec, write};

    /// Every byte twice, none of them sooner than after 255 others.
    fn incompressible() -> Vec<u8> {
        (0..512u32).map(|at| (at * 167 + 13).to_le_bytes()[0]).collect()
    }

    #[test]
    fn an_array_in_parts_has_a_long_header_and_parts_have_short_ones() {
        let (noise, fill) = (incompressible(), [b'B'; 1024]);
        let mut array = Vec::new();
        write(&mut array, &[&noise[..], &fill].concat(), Forms::Parts);
        // Type 5 of 1,536 bytes, stored in 519; two parts.
        let head = [0x50, 0x17, 0xFC, 0x02, 0x07, 2];
        // 512 bytes as they are; type 3, which saves 1,023 of 1,024 bytes.
        let parts = [&[0x82, 0x00], &noise[..], &[0xBF, 0xF8, 0x01, b'B']].concat();
        assert_eq!(array, [&head[..], &parts].concat());
    }

    #[test]
    fn an_array_without_parts_is_as_before() {
        let noise = incompressible();
        let mut array = Vec::new();
        write(&mut array, &noise, Forms::Parts);
        assert_eq!(array, [&[0x00, 0x02, 0x00], &noise[..]].concat());
    }
}
