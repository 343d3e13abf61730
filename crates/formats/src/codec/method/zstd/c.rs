//! The C library, through its safe wrapper.

use super::LEVELS;
use crate::codec::{Codec, DecodeProblem, EncodeProblem, LevelRange, Scratch};
use ::zstd::zstd_safe::{self, CCtx, DCtx, get_error_name};

/// Zstandard frames, by the C library.
#[derive(Debug)]
pub(in crate::codec) struct LibZstd;

/// A reusable decoding context.
#[derive(Default)]
struct Decoder(DCtx<'static>);

/// A reusable encoding context.
#[derive(Default)]
struct Encoder(CCtx<'static>);

impl Codec for LibZstd {
    fn decode(&self, block: &[u8], out: &mut [u8], scratch: &mut Scratch) -> Result<(), DecodeProblem> {
        let malformed = |code| DecodeProblem::malformed(get_error_name(code));
        // The library itself would accept several frames in a row, and skip frames of other magic.
        let frame_len = zstd_safe::find_frame_compressed_size(block).map_err(malformed)?;
        DecodeProblem::check_end(block.len().saturating_sub(frame_len))?;
        // A content length in the frame header gives a better message than a full output buffer.
        if let Ok(Some(len)) = zstd_safe::get_frame_content_size(block) {
            DecodeProblem::check_len(usize::try_from(len).unwrap_or(usize::MAX), out.len())?;
        }
        let found = scratch.with(|decoder: &mut Decoder| decoder.0.decompress(out, block));
        DecodeProblem::check_len(found.map_err(malformed)?, out.len())
    }

    fn encode(
        &self,
        bytes: &[u8],
        level: i32,
        out: &mut Vec<u8>,
        scratch: &mut Scratch,
    ) -> Result<(), EncodeProblem> {
        // `compress` writes into the spare capacity of an empty `Vec`, so the worst case is reserved first.
        out.reserve(zstd_safe::compress_bound(bytes.len()));
        let written = scratch.with(|encoder: &mut Encoder| encoder.0.compress(out, bytes, level));
        written.map(drop).map_err(|code| EncodeProblem::failed(get_error_name(code)))
    }

    fn levels(&self) -> Option<LevelRange> {
        Some(LEVELS)
    }

    fn scratch_len(&self, _: usize) -> usize {
        256 << 10
    }

    /// Enough for blocks of usual size.
    fn encoder_len(&self, _: i32) -> usize {
        2 << 20
    }
}
