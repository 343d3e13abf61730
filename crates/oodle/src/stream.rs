//! The outer loops: blocks of a stream, chunks of a quantum.

use super::entropy::Entropy;
use super::error::{OodleError, Part, Result};
use super::header::{BLOCK_LEN, BlockHeader, CHUNK_LEN, Chunk, Codec, Quantum};
use super::lz::{self, Window, kraken, leviathan, mermaid};
use super::scratch::{Input, Scratch, Work};

/// Decodes one stream into all of `dst`.
///
/// Reads nothing outside `src`, writes nothing outside `dst`; whatever the input, the result is an error or exactly
/// `dst.len()` bytes. After an error, `dst` holds bytes of no meaning.
///
/// ```
/// use uncask_oodle::{Scratch, decompress};
///
/// let mut text = [0; 5];
/// decompress(&[0x8C, 0x06, 0x07, 0xFF, 0xFF, b'a'], &mut text, &mut Scratch::default())?;
/// assert_eq!(&text, b"aaaaa");
/// # Ok::<(), uncask_oodle::OodleError>(())
/// ```
pub fn decompress(src: &[u8], dst: &mut [u8], scratch: &mut Scratch) -> Result<()> {
    let mut rest = src;
    let mut base = 0;
    let mut at = 0;
    while at < dst.len() {
        let (header, after) = BlockHeader::parse(rest)?;
        let end = dst.len().min(at + BLOCK_LEN);
        if header.restart {
            base = at;
        }
        let history = dst.get_mut(base..).unwrap_or_default();
        let block = Window { dst: history, start: at - base, end: end - base };
        rest = if header.stored {
            fill_raw(after, block, Part::BlockHeader)?
        } else {
            decode_quantum(src, after, header, block, scratch)?
        };
        at = end;
    }
    if rest.is_empty() { Ok(()) } else { Err(OodleError::TrailingInput(rest.len())) }
}

/// Copies as many bytes as the window takes; returns the rest.
fn fill_raw<'s>(src: &'s [u8], mut window: Window<'_>, part: Part) -> Result<&'s [u8]> {
    let out = window.chunk();
    let (raw, rest) = src.split_at_checked(out.len()).ok_or(OodleError::Truncated(part))?;
    out.copy_from_slice(raw);
    Ok(rest)
}

/// Decodes the quantum at the front of `after`, which is the end of `src`; returns what follows it.
fn decode_quantum<'s>(
    src: &'s [u8],
    after: &'s [u8],
    header: BlockHeader,
    mut block: Window<'_>,
    scratch: &mut Scratch,
) -> Result<&'s [u8]> {
    let (quantum, after) = Quantum::parse(after, header.checksum)?;
    let stored_len = match quantum {
        Quantum::Fill(byte) => {
            block.chunk().fill(byte);
            return Ok(after);
        }
        Quantum::Payload(len) => len,
    };
    let (payload, rest) =
        after.split_at_checked(stored_len).ok_or(OodleError::Truncated(Part::QuantumHeader))?;
    match stored_len.cmp(&block.chunk().len()) {
        std::cmp::Ordering::Greater => return Err(OodleError::Malformed(Part::QuantumHeader)),
        std::cmp::Ordering::Equal => return fill_raw(payload, block, Part::QuantumHeader).map(|_| rest),
        std::cmp::Ordering::Less => {}
    }
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
    if input.is_empty() { Ok(()) } else { Err(OodleError::Malformed(Part::QuantumHeader)) }
}

fn decode_chunk(input: &mut Input<'_>, codec: Codec, window: &mut Window<'_>, work: &mut Work) -> Result<()> {
    let out = window.chunk();
    let (mode, stored_len) = match Chunk::parse(input.bytes(), out.len())? {
        Chunk::Array => {
            let parts = work.parts();
            let len = Entropy::new(parts.tables, parts.backend).array_into(input, out, parts.arena)?;
            return if len == out.len() { Ok(()) } else { Err(OodleError::Malformed(Part::ChunkHeader)) };
        }
        Chunk::Raw => {
            input.take(Chunk::HEADER_LEN, Part::ChunkHeader)?;
            out.copy_from_slice(input.take(out.len(), Part::ChunkHeader)?.bytes());
            return Ok(());
        }
        Chunk::Lz { mode, stored_len } => (mode, stored_len),
    };
    input.take(Chunk::HEADER_LEN, Part::ChunkHeader)?;
    let mut chunk = input.take(stored_len, Part::ChunkHeader)?;
    let first = lz::first_bytes(&mut chunk, window)?;
    match codec {
        Codec::Kraken => kraken::decode(chunk, mode, window, first, work.parts()),
        Codec::Mermaid => mermaid::decode(chunk, mode, window, first, work.parts()),
        Codec::Leviathan => leviathan::decode(chunk, mode, window, first, work.parts()),
    }
}
