//! Outer loops: blocks of a stream, chunks of a quantum.
//!
//! ```text
//!   stream    block (256 KiB of output)       │ block (the next 256 KiB) │ … │ block (the rest)
//!   quantum   chunk (128 KiB of output) │ chunk (the rest)
//! ```
//!
//! Matches reach back over chunks and blocks, to the start of the stream or the last block that restarts. The
//! output itself is the history, so blocks have to be decoded in order.

use super::entropy::{Arrays as _, Entropy};
use super::error::{Error, Result, StreamPart};
use super::header::{BLOCK_LEN, BlockHeader, CHUNK_LEN, Chunk, Codec, Quantum};
use super::lz::{self, Window};
use crate::scratch::{Scratch, Work};
use crate::views::Input;

/// Decodes one stream into all of `dst`.
///
/// Reads nothing outside `src` and writes nothing outside `dst`; whatever the input, the result is an error
/// or exactly `dst.len()` bytes. After an error, the content of `dst` is meaningless.
///
/// ```
/// use uncask_oodle::{Scratch, decompress};
///
/// let mut text = [0; 5];
/// decompress(&[0x8C, 0x06, 0x07, 0xFF, 0xFF, b'a'], &mut text, &mut Scratch::default())?;
/// assert_eq!(&text, b"aaaaa");
/// # Ok::<(), uncask_oodle::Error>(())
/// ```
pub fn decompress(src: &[u8], dst: &mut [u8], scratch: &mut Scratch) -> Result<()> {
    let mut rest = src;
    let mut base = 0;
    let mut at = 0;
    while at < dst.len() {
        let (header, after) = BlockHeader::parse(rest)?;
        let end = dst.len().min(at + BLOCK_LEN);
        // Matches reach back to `base`. A block that restarts can be decoded without anything before it.
        if header.restart {
            base = at;
        }
        let history = dst.get_mut(base..).unwrap_or_default();
        let block = Window { dst: history, start: at - base, end: end - base };
        rest = if header.stored {
            fill_raw(after, block, StreamPart::BlockHeader)?
        } else {
            decode_quantum(src, after, header, block, scratch)?
        };
        at = end;
    }
    if rest.is_empty() { Ok(()) } else { Err(Error::TrailingInput(rest.len())) }
}

/// Copies as many bytes as the window takes, and returns the rest.
fn fill_raw<'s>(src: &'s [u8], mut window: Window<'_>, part: StreamPart) -> Result<&'s [u8]> {
    let out = window.chunk();
    let (raw, rest) = src.split_at_checked(out.len()).ok_or(Error::Truncated(part))?;
    out.copy_from_slice(raw);
    Ok(rest)
}

/// Decodes the quantum at the front of `after`, which is the end of `src`, and returns the rest.
fn decode_quantum<'s>(
    src: &'s [u8],
    after: &'s [u8],
    header: BlockHeader,
    mut block: Window<'_>,
    scratch: &mut Scratch,
) -> Result<&'s [u8]> {
    let (quantum, after) = Quantum::parse(after, header.checksum)?;
    let stored_len = match quantum {
        // Before any scratch is touched: such blocks are frequent, and cost next to nothing.
        Quantum::Fill(byte) => {
            block.chunk().fill(byte);
            return Ok(after);
        }
        Quantum::Payload(len) => len,
    };
    let (payload, rest) =
        after.split_at_checked(stored_len).ok_or(Error::Truncated(StreamPart::QuantumHeader))?;
    // The size alone tells how the payload is stored: smaller than the output is coded, the same size is raw.
    match stored_len.cmp(&block.chunk().len()) {
        core::cmp::Ordering::Greater => return Err(Error::Malformed(StreamPart::QuantumHeader)),
        core::cmp::Ordering::Equal => {
            return fill_raw(payload, block, StreamPart::QuantumHeader).map(|_| rest);
        }
        core::cmp::Ordering::Less => {}
    }
    // Decoders load whole words around what they read. Inside the stream, its other bytes serve as that
    // slack; near its ends, the payload is copied to a place with slack.
    let end = src.len() - rest.len();
    let (input, work) = scratch.stage(src, end - stored_len..end)?;
    decode_chunks(input, header.codec, block, work)?;
    Ok(rest)
}

fn decode_chunks(mut input: Input<'_>, codec: Codec, mut block: Window<'_>, work: &mut Work) -> Result<()> {
    let end = block.end;
    while block.start < end {
        block.end = end.min(block.start + CHUNK_LEN);
        decode_chunk(&mut input, codec, &mut block, work)?;
        block.start = block.end;
    }
    // The chunks must use up the quantum exactly.
    if input.is_empty() { Ok(()) } else { Err(Error::Malformed(StreamPart::QuantumHeader)) }
}

fn decode_chunk(input: &mut Input<'_>, codec: Codec, window: &mut Window<'_>, work: &mut Work) -> Result<()> {
    let out = window.chunk();
    let (mode, stored_len) = match Chunk::parse(input.bytes(), out.len())? {
        Chunk::Array => {
            // The array header is at the chunk's first byte, in place of a chunk header.
            let parts = work.parts();
            let len = Entropy::new(parts.tables, parts.backend).array_into(input, out, parts.arena)?;
            return if len == out.len() { Ok(()) } else { Err(Error::Malformed(StreamPart::ChunkHeader)) };
        }
        Chunk::Raw => {
            input.take(Chunk::HEADER_LEN, StreamPart::ChunkHeader)?;
            out.copy_from_slice(input.take(out.len(), StreamPart::ChunkHeader)?.bytes());
            return Ok(());
        }
        Chunk::Lz { mode, stored_len } => (mode, stored_len),
    };
    input.take(Chunk::HEADER_LEN, StreamPart::ChunkHeader)?;
    let chunk = input.take(stored_len, StreamPart::ChunkHeader)?;
    lz::decode(codec, chunk, mode, window, work.parts())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Backend, Compressor, Matcher, compress};
    use alloc::{vec, vec::Vec};

    /// Returns the verdict about a stream after the scratch was filled with a byte.
    fn verdict(src: &[u8], len: usize, scratch: &mut Scratch, before: u8) -> Result<Vec<u8>> {
        scratch.poison(before);
        let mut raw = vec![before; len];
        decompress(src, &mut raw, scratch).map(|()| raw)
    }

    #[test]
    fn the_verdict_does_not_depend_on_what_the_scratch_held() {
        let text: Vec<u8> =
            (0..6000_u32).map(|at| (((at * at) >> 9) ^ (at >> 3)).to_le_bytes()[0] & 0x3F).collect();
        let mut scratches: Vec<Scratch> = Backend::all().into_iter().map(Scratch::with_backend).collect();
        let (mut random, mut faults) = (1_u64, 0);
        for compressor in [Compressor::Kraken, Compressor::Mermaid, Compressor::Selkie] {
            let mut sound = Vec::new();
            compress(compressor, &text, &mut sound, &mut Matcher::default());
            for case in 0..1000 {
                let mut src = sound.clone();
                // Most faults are in headers and tables, which are at the start.
                let reach = if case % 4 == 0 { src.len() } else { src.len().min(48) };
                for _ in 0..=case % 3 {
                    random = random.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
                    let at = (random >> 33) as usize % reach;
                    src[at] ^= 1 << (random >> 29 & 7);
                }
                let mut seen: Vec<Result<Vec<u8>>> = Vec::new();
                for scratch in &mut scratches {
                    seen.extend([0, 0xFF, 0x5A].map(|before| verdict(&src, text.len(), scratch, before)));
                }
                faults += usize::from(seen[0].is_err());
                assert!(
                    seen.windows(2).all(|pair| pair[0] == pair[1]),
                    "{compressor:?}, case {case}: {seen:?}"
                );
            }
        }
        assert!(faults > 750, "{faults} faults");
    }
}
