//! ruzstd. It decodes blocks into a buffer of its own that holds the window, from where they are copied.

use super::LEVELS;
use super::frame::Frame;
use crate::codec::{Codec, DecodeProblem, EncodeProblem, LevelRange, Scratch};
use ::ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use ::ruzstd::io::Read;
use xxhash_rust::xxh64::xxh64;

/// Blocks of up to this many bytes share a decoder. It keeps its buffer, so one that was made for a longer block is dropped.
const KEPT_LEN: usize = 256 << 10;

/// Zstandard frames, by ruzstd.
#[derive(Debug)]
pub(in crate::codec) struct Ruzstd;

impl Codec for Ruzstd {
    fn decode(&self, block: &[u8], out: &mut [u8], scratch: &mut Scratch) -> Result<(), DecodeProblem> {
        let frame = Frame::parse(block)?;
        DecodeProblem::check_end(frame.rest.len())?;
        if let Some(len) = frame.content_len {
            DecodeProblem::check_len(usize::try_from(len).unwrap_or(usize::MAX), out.len())?;
        }
        let found = scratch.with(|kept: &mut Option<FrameDecoder>| {
            let found = run(kept.get_or_insert_default(), &frame, out);
            kept.take_if(|_| out.len() > KEPT_LEN);
            found
        })?;
        DecodeProblem::check_len(found, out.len())?;
        // As the C library does; ruzstd leaves it to its caller.
        let is_wrong = |checksum| u64::from(checksum) != xxh64(out, 0) & 0xFFFF_FFFF;
        if frame.checksum.is_some_and(is_wrong) {
            return Err(DecodeProblem::malformed("wrong checksum"));
        }
        Ok(())
    }

    fn encode(&self, _: &[u8], _: i32, _: &mut Vec<u8>, _: &mut Scratch) -> Result<(), EncodeProblem> {
        Err(EncodeProblem::NotBuilt { feature: "zstd" })
    }

    fn levels(&self) -> Option<LevelRange> {
        Some(LEVELS)
    }

    /// Tables, literals and sequences of a block, and the buffer, which may have twice the length that it needs.
    fn scratch_len(&self, raw_len: usize) -> usize {
        let fixed = 4 << 20;
        if raw_len > KEPT_LEN { fixed + raw_len.saturating_mul(2) } else { fixed }
    }
}

/// Decodes block for block, and stops when `dst` is full; gives the length, at most one more than that of `dst`.
fn run(decoder: &mut FrameDecoder, frame: &Frame<'_>, dst: &mut [u8]) -> Result<usize, DecodeProblem> {
    let (header, mut blocks) = (header(frame, dst.len()), frame.blocks);
    decoder.reset(&header[..]).map_err(DecodeProblem::malformed)?;
    let mut found = 0;
    loop {
        let has_ended = decoder
            .decode_blocks(&mut blocks, BlockDecodingStrategy::UptoBlocks(1))
            .map_err(DecodeProblem::malformed)?;
        let to = dst.get_mut(found..).unwrap_or_default();
        found += decoder.read(to).map_err(DecodeProblem::malformed)?;
        if decoder.can_collect() > 0 {
            return Ok(dst.len().saturating_add(1));
        }
        if has_ended {
            return Ok(found);
        }
    }
}

/// A header in place of the frame's own, for a window that is no longer than the content: all of a window is allocated, and
/// that of a small frame may be 4 GiB.
///
/// It is for a single segment, so the window is the content length, in eight bytes; and without a checksum.
fn header(frame: &Frame<'_>, content_len: usize) -> [u8; 13] {
    let window = frame.window.min(content_len as u64);
    let mut header = [0x28, 0xB5, 0x2F, 0xFD, 0xE0, 0, 0, 0, 0, 0, 0, 0, 0];
    if let Some(len) = header.last_chunk_mut() {
        *len = window.to_le_bytes();
    }
    header
}
