//! Oodle: one stream per block, by `uncask-oodle`, or by the vendor's own library with the feature `oodle-sdk`.

use super::DecodeError;
use uncask_oodle::{Compressor, Effort, Matcher};

/// What Oodle blocks reuse.
#[derive(Default)]
pub(super) struct Scratch {
    #[cfg(not(feature = "oodle-sdk"))]
    decoder: Option<Box<uncask_oodle::Scratch>>,
    encoder: Option<Matcher>,
}

#[cfg(not(feature = "oodle-sdk"))]
pub(super) fn decompress(src: &[u8], dst: &mut [u8], scratch: &mut Scratch) -> Result<(), DecodeError> {
    Ok(uncask_oodle::decompress(src, dst, scratch.decoder.get_or_insert_default())?)
}

#[cfg(feature = "oodle-sdk")]
pub(super) fn decompress(src: &[u8], dst: &mut [u8], _: &mut Scratch) -> Result<(), DecodeError> {
    super::oodle_sdk::decompress(src, dst)
}

/// Appends the stream of `src`. Level 1 is Selkie, 2 Mermaid, 3 Kraken: the faster to decode, the larger. Level 0 is Kraken
/// by a fast parse, 4 by an optimal one: these differ in how long it takes to write them.
pub(super) fn compress(src: &[u8], level: i32, out: &mut Vec<u8>, scratch: &mut Scratch) {
    let (compressor, effort) = match level {
        0 => (Compressor::Kraken, Effort::Fast),
        1 => (Compressor::Selkie, Effort::Normal),
        2 => (Compressor::Mermaid, Effort::Normal),
        3 => (Compressor::Kraken, Effort::Normal),
        _ => (Compressor::Kraken, Effort::Optimal),
    };
    let matcher = scratch.encoder.get_or_insert_default();
    matcher.set_effort(effort);
    uncask_oodle::compress(compressor, src, out, matcher);
}
