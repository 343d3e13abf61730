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

/// Appends the stream of `src`. Level 1 is Selkie, 2 Mermaid, 3 Kraken: the faster to decode, the larger. Level 4 is Kraken by
/// an optimal parse.
pub(super) fn compress(src: &[u8], level: i32, out: &mut Vec<u8>, scratch: &mut Scratch) {
    let compressor = match level {
        1 => Compressor::Selkie,
        2 => Compressor::Mermaid,
        _ => Compressor::Kraken,
    };
    let matcher = scratch.encoder.get_or_insert_default();
    matcher.set_effort(if level >= 4 { Effort::Optimal } else { Effort::Normal });
    uncask_oodle::compress(compressor, src, out, matcher);
}
