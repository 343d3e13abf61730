//! Huffman arrays: optimal codes of up to 11 bits, their table, and three or six streams.
#![expect(clippy::indexing_slicing, reason = "tables of 256, indexed by bytes")]

mod lengths;
mod streams;
mod table;

use alloc::vec::Vec;

use super::counts::Counts;
use streams::Codes;

/// Length from which six streams are written: they decode faster, but cost a few bytes more.
const SIX_STREAMS_LEN: usize = 1200;

/// Appends the payload of `bytes`, whose counts are known; returns the type of the array. `None` if it would
/// not be shorter: the caller then removes the appended bytes.
pub(super) fn append(out: &mut Vec<u8>, bytes: &[u8], counts: &Counts) -> Option<usize> {
    let (mut used, mut count) = ([0; 256], 0);
    for (byte, times) in (0..=255).zip(counts.0) {
        used[count & 0xFF] = byte;
        count += usize::from(times > 0);
    }
    let used = &used[..count];
    let lengths = lengths::of(counts, used)?;
    let bits =
        counts.0.iter().zip(lengths).map(|(count, len)| *count as usize * usize::from(len)).sum::<usize>();
    // Checked before anything is written: the lengths alone tell the size of all streams.
    if bits.div_ceil(8) >= bytes.len() {
        return None;
    }
    let codes = Codes::new(&lengths, used);
    table::append(out, &lengths, used);
    if bytes.len() < SIX_STREAMS_LEN {
        codes.append_streams(out, bytes)?;
        return Some(2);
    }
    let (first, second) = bytes.split_at(bytes.len().div_ceil(2));
    let len_at = out.len();
    out.extend([0; 3]);
    codes.append_streams(out, first)?;
    let [low, middle, high, ..] = (out.len() - len_at - 3).to_le_bytes();
    // The size of the first half precedes it, but is known only now.
    out.splice(len_at..len_at + 3, [low, middle, high]);
    codes.append_streams(out, second)?;
    Some(4)
}
