//! Oodle streams, by `uncask-oodle`. With the feature `oodle-sdk`, the vendor's own library decodes them.

use crate::codec::{Codec, DecodeProblem, EncodeProblem, LevelRange, Scratch};
use uncask_oodle::{Compressor, Effort, Matcher};

/// Oodle LZ streams: one is all of a block.
#[derive(Debug)]
pub(super) struct Oodle;

impl Codec for Oodle {
    #[cfg(not(feature = "oodle-sdk"))]
    fn decode(&self, block: &[u8], out: &mut [u8], scratch: &mut Scratch) -> Result<(), DecodeProblem> {
        Ok(scratch.with(|tables| uncask_oodle::decompress(block, out, tables))?)
    }

    /// Links `oo2core`, through `oodle-safe`. Checksums, which Unreal does not write, are not checked.
    #[cfg(feature = "oodle-sdk")]
    fn decode(&self, block: &[u8], out: &mut [u8], _: &mut Scratch) -> Result<(), DecodeProblem> {
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
        // From 1 to 3, the better a block compresses, the longer a game takes to decode it. 0 and 4 decode like 3, and
        // differ from it in how long it takes to write them.
        let (compressor, effort) = match level {
            0 => (Compressor::Kraken, Effort::Fast),
            1 => (Compressor::Selkie, Effort::Normal),
            2 => (Compressor::Mermaid, Effort::Normal),
            3 => (Compressor::Kraken, Effort::Normal),
            _ => (Compressor::Kraken, Effort::Optimal),
        };
        scratch.with(|matcher: &mut Matcher| {
            matcher.set_effort(effort);
            uncask_oodle::compress(compressor, bytes, out, matcher);
        });
        Ok(())
    }

    fn levels(&self) -> Option<LevelRange> {
        Some(LevelRange { lowest: 0, highest: 4, usual: 3 })
    }

    fn scratch_len(&self, _: usize) -> usize {
        uncask_oodle::Scratch::LEN
    }

    /// The places of a window of a mebibyte, and the lists of a chunk; of the optimal parser, all that it may choose from.
    fn encoder_len(&self, level: i32) -> usize {
        if level >= 4 { 18 << 20 } else { 7 << 20 }
    }
}
