//! Packages of Unreal Engine 3 that are compressed as a whole.
//!
//! ```text
//! file    header, with four u32 for each chunk: offset, size, stored offset, stored size │ chunk │ chunk │ …
//! chunk   u32 tag │ u32 block size │ u32 stored size │ u32 size │ two u32 for each block: stored size, size │ blocks
//! ```
//!
//! Offsets in the header and the tables count in the uncompressed file; the chunks rebuild it from their
//! first offset on, without gaps. Blocks are zlib streams; games also use LZO and LZX, which are not
//! supported.
//!
//! No real file is available: tested on one made from `TestUC3.u`. Sources: the package sheet, section 8.6;
//! the structures of chunks and blocks as described by Gildor (forum topic 297) and in UELib
//! `UnrealCompressedChunk`.

use super::Summary;
use crate::package::legacy::TAG;
use crate::wire::{Fault, FaultKind, Reader};
use flate2::{Decompress, FlushDecompress, Status};
use std::borrow::Cow;

/// Largest accepted ratio of content to file length; real packages shrink to about a third.
const MAX_RATIO: u64 = 32;

/// Compression flag of zlib. LZO is 2, LZX is 4.
const ZLIB: u32 = 1;

/// Returns the uncompressed file. Only the length of its header is right, not the content.
pub(super) fn content<'a>(bytes: &'a [u8], summary: &Summary) -> Result<Cow<'a, [u8]>, Fault> {
    let Some([first, ..]) = summary.compressed_chunks.first() else { return Ok(Cow::Borrowed(bytes)) };
    let flags = summary.compression_flags.unwrap_or(0);
    if flags & ZLIB == 0 {
        let field = match flags {
            2 => "classic header: LZO compression",
            4 => "classic header: LZX compression",
            _ => "classic header: compression",
        };
        return Err(Fault { offset: 0, field, kind: FaultKind::Unsupported { found: flags.into() } });
    }
    let fault = |kind| Fault { offset: 0, field: "classic header: compressed chunks", kind };
    let total: u64 = summary.compressed_chunks.iter().map(|[_, len, ..]| u64::from(*len)).sum();
    // Checked before anything is allocated: the chunk table is the only source for the length.
    let limit = bytes.len() as u64 * MAX_RATIO;
    if total > limit {
        return Err(fault(FaultKind::TooLarge { found: total, limit }));
    }
    // The header is stored uncompressed before the first chunk and keeps its length in the rebuilt file.
    let head = usize::try_from(*first).ok().and_then(|len| bytes.get(..len));
    let too_far = FaultKind::TooLarge { found: (*first).into(), limit: bytes.len() as u64 };
    let head = head.ok_or_else(|| fault(too_far))?;
    let mut content = Vec::with_capacity(head.len() + usize::try_from(total).unwrap_or(0));
    content.extend_from_slice(head);
    for [offset, len, stored_offset, stored_len] in &summary.compressed_chunks {
        // A gap or an overlap would shift every later offset of the tables.
        if u64::from(*offset) != content.len() as u64 {
            let (found, expected) = ((*offset).into(), content.len() as u64);
            return Err(fault(FaultKind::Unexpected { found, expected }));
        }
        let (start, end) = (u64::from(*stored_offset), u64::from(*stored_offset) + u64::from(*stored_len));
        let chunk = Reader::section(bytes, start, end, "compressed chunk")?;
        append_chunk(chunk, *len, &mut content)?;
    }
    Ok(Cow::Owned(content))
}

/// Appends the content of a chunk whose uncompressed length must be `len` bytes.
fn append_chunk(mut r: Reader<'_>, len: u32, content: &mut Vec<u8>) -> Result<(), Fault> {
    expect(&mut r, "compressed chunk: tag", TAG)?;
    // Block sizes follow explicitly, so neither number is needed.
    r.u32("compressed chunk: block size")?;
    r.u32("compressed chunk: stored size")?;
    expect(&mut r, "compressed chunk: size", len)?;
    let mut left = len;
    let mut blocks = Vec::new();
    while left > 0 {
        let at = r.clone();
        let (stored_len, len) = (r.u32("compressed block: stored size")?, r.u32("compressed block: size")?);
        // A block of no bytes would keep this loop from ending.
        if len == 0 || len > left {
            let kind = FaultKind::TooLarge { found: len.into(), limit: left.into() };
            return Err(at.fault("compressed block: size", kind));
        }
        left -= len;
        blocks.push((stored_len, len));
    }
    for (stored_len, len) in blocks {
        let at = r.clone();
        // The stored size is bounded by the reader; `start + len` by `left`, which comes from the checked
        // total.
        let stored = r.bytes64("compressed block", stored_len.into())?;
        let start = content.len();
        content.resize(start + len as usize, 0);
        let (_, to) = content.split_at_mut(start);
        let mut stream = Decompress::new(true);
        let ended = matches!(stream.decompress(stored, to, FlushDecompress::Finish), Ok(Status::StreamEnd));
        // Both are needed: a stream may end early, or fill the block without an end.
        if !ended || stream.total_out() != u64::from(len) {
            return Err(at.fault("compressed block", FaultKind::BadStream { expected: len.into() }));
        }
    }
    Ok(())
}

fn expect(r: &mut Reader<'_>, field: &'static str, expected: u32) -> Result<(), Fault> {
    let at = r.clone();
    let found = r.u32(field)?;
    if found == expected {
        return Ok(());
    }
    Err(at.fault(field, FaultKind::Unexpected { found: found.into(), expected: expected.into() }))
}
