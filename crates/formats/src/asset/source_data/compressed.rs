//! Compression of editor data: compressed buffers, or in UE4 streams of compressed blocks.
//!
//! ```text
//! stream   i64 tag │ i64 bytes of a block │ i64 stored, raw │ { i64 stored, raw } until the raw ones are all │ blocks
//! ```

use super::error::unexpected;
use crate::codec::{Method, Scratch, decode};
use crate::package::legacy::TAG;
use crate::package::{BufferMethod, CompressedBuffer};
use crate::wire::{Fault, FaultKind, Reader};

/// Bytes of the header of a compressed buffer.
const HEADER: usize = 64;
/// Raw bytes of a block if a stream does not record them.
const BLOCK: u64 = 0x2_0000;

/// Decompresses a compressed buffer of at most `limit` raw bytes, and checks the recorded hash.
pub fn unwrap(stored: &[u8], limit: u64) -> Result<Vec<u8>, Fault> {
    let buffer = CompressedBuffer::parse(stored)?;
    let field = "compressed buffer: raw size";
    let len = room(buffer.raw_len, limit, field)?;
    let mut r = Reader::new(stored);
    r.bytes("compressed buffer: header", HEADER)?;
    let method = match buffer.method {
        // Stored without compression, the data follow the header directly, without a list of blocks.
        BufferMethod::None => {
            let bytes = r.bytes("compressed buffer: data", len)?.to_vec();
            return checked(&buffer, bytes);
        }
        BufferMethod::Oodle => Method::Oodle,
        BufferMethod::Lz4 => Method::Lz4,
    };
    r.bytes("compressed buffer: blocks", 4 * buffer.blocks.len())?;
    // The size is only believed if the blocks can fill it: nothing more is allocated.
    let blocks = (buffer.blocks.len() as u64).saturating_mul(buffer.block_len);
    if blocks < buffer.raw_len {
        let kind = FaultKind::TooLarge { found: buffer.raw_len, limit: blocks };
        return Err(Fault { offset: 0, field, kind });
    }
    let mut bytes = vec![0; len];
    let mut scratch = Scratch::default();
    let block_len = usize::try_from(buffer.block_len).unwrap_or(usize::MAX);
    let parts = bytes.chunks_mut(block_len.max(1));
    if parts.len() != buffer.blocks.len() {
        let kind = unexpected(buffer.blocks.len() as u64, parts.len() as u64);
        return Err(Fault { offset: 0, field: "compressed buffer: block count", kind });
    }
    for (part, stored_len) in parts.zip(&buffer.blocks) {
        let block = r.bytes("compressed buffer: block", *stored_len as usize)?;
        // Blocks that compression would not shrink are stored raw.
        let method = if block.len() == part.len() { Method::None } else { method };
        decoded((method, block), part, &mut scratch, "compressed buffer: block")?;
    }
    checked(&buffer, bytes)
}

fn checked(buffer: &CompressedBuffer, bytes: Vec<u8>) -> Result<Vec<u8>, Fault> {
    let kind = FaultKind::BadStream { expected: buffer.raw_len };
    let fault = Fault { offset: 0, field: "compressed buffer: content with the recorded hash", kind };
    if *blake3::hash(&bytes).as_bytes() == buffer.raw_hash { Ok(bytes) } else { Err(fault) }
}

fn decoded(
    (method, block): (Method, &[u8]),
    part: &mut [u8],
    scratch: &mut Scratch,
    field: &'static str,
) -> Result<(), Fault> {
    let kind = FaultKind::BadStream { expected: part.len() as u64 };
    decode(method, block, part, scratch).map_err(|_| Fault { offset: 0, field, kind })
}

/// Decompresses a stream of Zlib blocks of at most `limit` raw bytes.
pub fn inflate(stored: &[u8], limit: u64) -> Result<Vec<u8>, Fault> {
    let mut r = Reader::new(stored);
    let (len, sizes) = stream_header(&mut r, limit)?;
    let (mut bytes, mut scratch) = (vec![0; len], Scratch::default());
    let mut left = &mut bytes[..];
    for [stored_len, raw_len] in sizes {
        let block = r.bytes64("compressed stream: block", stored_len)?;
        // Blocks fill the output in order; the header's sums were checked to match it.
        let part = usize::try_from(raw_len).ok().and_then(|len| left.split_off_mut(..len));
        let part = part.ok_or_else(|| r.fault("compressed stream: block", unexpected(raw_len, 0)))?;
        decoded((Method::Zlib, block), part, &mut scratch, "compressed stream: block")?;
    }
    Ok(bytes)
}

/// Reads the header of a stream: its raw length, at most `limit`, and the stored and raw length of each
/// block. Both add up to the totals.
fn stream_header(r: &mut Reader<'_>, limit: u64) -> Result<(usize, Vec<[u64; 2]>), Fault> {
    let at = r.clone();
    let tag = r.u64("compressed stream: tag")?;
    if tag != u64::from(TAG) {
        return Err(at.fault("compressed stream: tag", FaultKind::BadMagic));
    }
    // The tag in place of the block size means the default.
    let block_len = match r.u64("compressed stream: block size")? {
        len if len == tag => BLOCK,
        len => len,
    };
    let totals = [r.u64("compressed stream: size")?, r.u64("compressed stream: raw size")?];
    let len = room(totals[1], limit, "compressed stream: raw size")?;
    let at = r.clone();
    let count = if block_len == 0 { None } else { Some(totals[1].div_ceil(block_len)) };
    // Each block takes 16 bytes of header: a larger count cannot be real.
    let count =
        count.and_then(|count| usize::try_from(count).ok()).filter(|count| *count <= r.remaining() / 16);
    let kind = FaultKind::Unsupported { found: i64::try_from(block_len).unwrap_or(i64::MAX) };
    let count = count.ok_or_else(|| at.fault("compressed stream: block size", kind))?;
    let sizes = r.repeat(count, |r| {
        Ok([r.u64("compressed stream: size of a block")?, r.u64("compressed stream: raw size of a block")?])
    })?;
    // Both totals are recorded as well, so a damaged table is found before anything is decompressed.
    for (at, total) in totals.into_iter().enumerate() {
        let sizes = sizes.iter().filter_map(|pair| pair.get(at));
        let sum = sizes.fold(0_u64, |sum, len| sum.saturating_add(*len));
        if sum != total {
            return Err(r.fault("compressed stream: sizes of blocks", unexpected(sum, total)));
        }
    }
    Ok((len, sizes))
}

fn room(len: u64, limit: u64, field: &'static str) -> Result<usize, Fault> {
    let kind = FaultKind::TooLarge { found: len, limit };
    let fits = usize::try_from(len).ok().filter(|_| len <= limit);
    fits.ok_or(Fault { offset: 0, field, kind })
}
