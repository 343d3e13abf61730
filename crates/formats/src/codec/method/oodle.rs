//! Oodle streams, by `uncask-oodle`; with the feature `oodle-sdk`, by the vendor's own library.

use crate::codec::{Codec, DecodeProblem, EncodeProblem, LevelRange, Scratch};
use uncask_oodle::{Compressor, Effort, Matcher};

/// Oodle LZ streams: one stream per block.
#[derive(Debug)]
pub(super) struct Oodle;

impl Codec for Oodle {
    #[cfg(not(feature = "oodle-sdk"))]
    fn decode(&self, block: &[u8], out: &mut [u8], scratch: &mut Scratch) -> Result<(), DecodeProblem> {
        Ok(scratch.with(|tables| uncask_oodle::decompress(block, out, tables))?)
    }

    /// Links `oo2core`, through `oodle-safe`. Unreal writes no checksums, so none are checked.
    #[cfg(feature = "oodle-sdk")]
    fn decode(&self, block: &[u8], out: &mut [u8], _: &mut Scratch) -> Result<(), DecodeProblem> {
        // The library refuses an empty output, but an empty block is a valid one.
        if out.is_empty() {
            return DecodeProblem::check_end(block.len());
        }
        let expected = out.len();
        let found = oodle_safe::decompress(block, out, None, None, None, None)
            .map_err(|_| DecodeProblem::malformed("the library refuses it"))?;
        DecodeProblem::check_len(found, expected)
    }

    fn encode(
        &self,
        bytes: &[u8],
        level: i32,
        out: &mut Vec<u8>,
        scratch: &mut Scratch,
    ) -> Result<(), EncodeProblem> {
        // Levels 1 to 3 compress better and decode slower, in this order. 0 and 4 decode like 3, and 5 nearly so:
        // they differ from it in encoding time.
        let (compressor, effort) = match level {
            0 => (Compressor::Kraken, Effort::Fast),
            1 => (Compressor::Selkie, Effort::Normal),
            2 => (Compressor::Mermaid, Effort::Normal),
            3 => (Compressor::Kraken, Effort::Normal),
            4 => (Compressor::Kraken, Effort::Optimal),
            // Level 5: the caller has checked the range.
            _ => (Compressor::Kraken, Effort::Smallest),
        };
        scratch.with(|matcher: &mut Matcher| {
            matcher.set_effort(effort);
            uncask_oodle::compress(compressor, bytes, out, matcher);
        });
        Ok(())
    }

    fn levels(&self) -> Option<LevelRange> {
        Some(LevelRange { lowest: 0, highest: 5, usual: 3 })
    }

    fn scratch_len(&self, _: usize) -> usize {
        uncask_oodle::Scratch::LEN
    }

    /// Match positions for a 1 MiB window and the lists of a chunk; the optimal parser also keeps all its
    /// candidates, and parts of arrays have counts.
    fn encoder_len(&self, level: i32) -> usize {
        if level >= 4 { 18 << 20 } else { 7 << 20 }
    }
}
