//! Zstandard by ruzstd. It decodes into its own buffer, which holds the window, and copies from there.

use super::LEVELS;
use super::frame::Frame;
use crate::codec::{Codec, DecodeProblem, EncodeProblem, LevelRange, Scratch};
use ::ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use ::ruzstd::io::Read;
use xxhash_rust::xxh64::xxh64;

/// Longest block, in bytes, whose decoder is kept. A decoder never shrinks its buffer, so one used for a
/// longer block is dropped.
const KEPT_LEN: usize = 256 << 10;

/// Zstandard frames, by ruzstd.
#[derive(Debug)]
pub(in crate::codec) struct Ruzstd;

impl Codec for Ruzstd {
    fn decode(&self, block: &[u8], out: &mut [u8], scratch: &mut Scratch) -> Result<(), DecodeProblem> {
        let frame = Frame::parse(block)?;
        DecodeProblem::check_end(frame.rest.len())?;
        if let Some(len) = frame.content_len {
            // usize::MAX can never be the expected length, so a content length that does not fit fails the
            // check.
            DecodeProblem::check_len(usize::try_from(len).unwrap_or(usize::MAX), out.len())?;
        }
        let found = scratch.with(|kept: &mut Option<FrameDecoder>| {
            let found = run(kept.get_or_insert_default(), &frame, out);
            kept.take_if(|_| out.len() > KEPT_LEN);
            found
        })?;
        DecodeProblem::check_len(found, out.len())?;
        // The C library checks it too; ruzstd leaves it to the caller. The frame stores the low 32 bits of
        // XXH64.
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

    /// Tables, literals and sequences of a block, and the buffer, which may be twice as long as needed.
    fn scratch_len(&self, raw_len: usize) -> usize {
        // Huffman and FSE tables, and a block of at most 128 KiB as literals and sequences.
        let fixed = 4 << 20;
        if raw_len > KEPT_LEN { fixed + raw_len.saturating_mul(2) } else { fixed }
    }
}

/// Decodes one block at a time and stops when `dst` is full. Returns the decoded length, at most one more
/// than that of `dst`.
fn run(decoder: &mut FrameDecoder, frame: &Frame<'_>, dst: &mut [u8]) -> Result<usize, DecodeProblem> {
    let (header, mut blocks) = (header(frame, dst.len()), frame.blocks);
    decoder.reset(&header[..]).map_err(DecodeProblem::malformed)?;
    let mut found = 0;
    loop {
        let has_ended = decoder
            .decode_blocks(&mut blocks, BlockDecodingStrategy::UptoBlocks(1))
            .map_err(DecodeProblem::malformed)?;
        let to = dst.get_mut(found..).unwrap_or_default();
        // Reading after each block keeps ruzstd's buffer at one window and one block.
        found += decoder.read(to).map_err(DecodeProblem::malformed)?;
        // Bytes are left though `dst` is full: the frame is too long, by how much does not matter.
        if decoder.can_collect() > 0 {
            return Ok(dst.len().saturating_add(1));
        }
        if has_ended {
            return Ok(found);
        }
    }
}

/// Returns a header to use instead of the frame's own, with a window no longer than the content: ruzstd
/// allocates the whole window, which even a small frame may declare as 4 GiB.
///
/// It declares a single segment, so the window is the content length (8 bytes), and no checksum.
fn header(frame: &Frame<'_>, content_len: usize) -> [u8; 13] {
    let window = frame.window.min(content_len as u64);
    // The magic, then the descriptor 0xE0: an 8-byte content length (bits 6–7), single segment (bit 5).
    let mut header = [0x28, 0xB5, 0x2F, 0xFD, 0xE0, 0, 0, 0, 0, 0, 0, 0, 0];
    if let Some(len) = header.last_chunk_mut() {
        *len = window.to_le_bytes();
    }
    header
}
