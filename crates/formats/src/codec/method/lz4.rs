//! Raw LZ4 blocks, by `lz4_flex` in its safe modes. There is no frame: the table of contents records the
//! sizes.
//!
//! With the feature `liblz4`, the faster C library is tried first. It reports only that a block is bad;
//! `lz4_flex` then finds the reason. For a damaged match of offset 0, the C library gives zeros instead of
//! an error.

use crate::codec::{Codec, DecodeProblem, EncodeProblem, Scratch};
use lz4_flex::block::{
    CompressTable, DecompressError, compress_into_with_table, decompress_into, get_maximum_output_size,
};

/// Raw LZ4 blocks.
#[derive(Debug)]
pub(super) struct Lz4;

impl Codec for Lz4 {
    fn decode(&self, block: &[u8], out: &mut [u8], _: &mut Scratch) -> Result<(), DecodeProblem> {
        #[cfg(feature = "liblz4")]
        if c::decompress(block, out) {
            return Ok(());
        }
        // Reached without the C library, or after it failed: this decoder has an error message for each
        // defect.
        decompress_safely(block, out)
    }

    fn encode(
        &self,
        bytes: &[u8],
        _: i32,
        out: &mut Vec<u8>,
        scratch: &mut Scratch,
    ) -> Result<(), EncodeProblem> {
        #[cfg(feature = "liblz4")]
        if c::compress(bytes, out) {
            return Ok(());
        }
        scratch.with(|table| compress_safely(bytes, out, table))
    }

    fn encoder_len(&self, _: i32) -> usize {
        64 << 10
    }
}

/// A reusable hash table. Always the large one, so that a block's bytes do not depend on the blocks before
/// it.
struct HashTable(CompressTable);

impl Default for HashTable {
    fn default() -> Self {
        Self(CompressTable::large())
    }
}

fn decompress_safely(src: &[u8], dst: &mut [u8]) -> Result<(), DecodeProblem> {
    match decompress_into(src, dst) {
        Ok(found) => DecodeProblem::check_len(found, dst.len()),
        Err(DecompressError::OutputTooSmall { .. }) => Err(DecodeProblem::Long { expected: dst.len() }),
        Err(DecompressError::ExpectedAnotherByte) => Err(DecodeProblem::Truncated { len: src.len() }),
        Err(error) => Err(DecodeProblem::malformed(error)),
    }
}

fn compress_safely(
    src: &[u8],
    out: &mut Vec<u8>,
    HashTable(table): &mut HashTable,
) -> Result<(), EncodeProblem> {
    // Sized for the worst case: the encoder writes into a slice and cannot grow it.
    out.resize(get_maximum_output_size(src.len()), 0);
    let len = compress_into_with_table(src, out, table).map_err(EncodeProblem::failed)?;
    out.truncate(len);
    Ok(())
}

/// The C library.
#[cfg(feature = "liblz4")]
mod c {
    use lz4::block::{compress_bound, compress_to_buffer, decompress_to_buffer};

    /// True if `src` is a block that decodes to exactly `dst`.
    pub(super) fn decompress(src: &[u8], dst: &mut [u8]) -> bool {
        // The library counts in `i32`. A longer block goes to `lz4_flex`.
        let len = i32::try_from(dst.len()).ok();
        len.is_some() && decompress_to_buffer(src, len, dst).is_ok_and(|found| found == dst.len())
    }

    /// Appends `src` as one block to `out`, which is empty; false if the library cannot.
    pub(super) fn compress(src: &[u8], out: &mut Vec<u8>) -> bool {
        let Ok(bound) = compress_bound(src.len()) else { return false };
        out.resize(bound, 0);
        let written = compress_to_buffer(src, None, false, out).ok();
        // After a failure nothing is kept, so that the other encoder starts with an empty buffer.
        out.truncate(written.unwrap_or(0));
        written.is_some()
    }
}

#[cfg(all(test, feature = "liblz4"))]
mod tests {
    use super::*;

    /// Bytes with long and short matches, runs, and noise between them.
    fn content(len: usize) -> Vec<u8> {
        let byte = |n: usize| if n % 1000 < 700 { n * n / 97 % 253 } else { 0 };
        (0..len).map(|n| u8::try_from(byte(n)).unwrap_or(0)).collect()
    }

    /// True for each of the two decoders that takes `src` for exactly `len` bytes; where both do, they
    /// agree. Their output never depends on the previous contents of the buffer.
    fn both(src: &[u8], len: usize) -> (bool, bool) {
        let (mut by_c, mut again, mut safe) = (vec![0x55; len], vec![0xEE; len], vec![0; len]);
        let taken = (c::decompress(src, &mut by_c), decompress_safely(src, &mut safe).is_ok());
        assert_eq!(c::decompress(src, &mut again), taken.0);
        assert!(!taken.0 || by_c == again);
        assert!(taken != (true, true) || by_c == safe);
        taken
    }

    #[test]
    fn each_decodes_what_the_other_makes() {
        for len in [0, 1, 12, 13, 100, 65_535, 65_536, 200_000] {
            let content = content(len);
            let (mut by_c, mut safe) = (Vec::new(), Vec::new());
            assert!(c::compress(&content, &mut by_c), "{len}");
            compress_safely(&content, &mut safe, &mut HashTable::default()).unwrap();
            for mut src in [by_c, safe] {
                let mut raw = vec![0xEE; len];
                assert_eq!(both(&src, len), (true, true), "{len}");
                Lz4.decode(&src, &mut raw, &mut Scratch::default()).unwrap();
                assert!(raw == content, "{len}");
                assert_eq!(both(&src, len + 1), (false, false), "{len}: too short");
                if len > 0 {
                    assert_eq!(both(&src, len - 1), (false, false), "{len}: too long");
                }
                src.pop();
                assert_eq!(both(&src, len), (false, false), "{len}: cut off");
            }
        }
    }

    /// A block has no checksum: damage that leaves it a block gives the same bytes in both.
    #[test]
    fn both_decoders_take_the_same_damaged_blocks() {
        let content = content(3000);
        let mut src = Vec::new();
        assert!(c::compress(&content, &mut src));
        let (mut by_both, mut by_one) = (0, 0);
        for (at, bit) in (0..src.len()).flat_map(|at| (0..8).map(move |bit| (at, bit))) {
            src[at] ^= 1 << bit;
            let (by_c, safe) = both(&src, content.len());
            assert!(by_c || !safe, "bit {bit} of byte {at}");
            by_both += usize::from(safe);
            by_one += usize::from(by_c != safe);
            src[at] ^= 1 << bit;
        }
        // One flipped bit seldom makes an offset of 0.
        assert!(by_both > 100 && by_one * 10 < by_both, "{by_both} by both, {by_one} by one");
    }
}
