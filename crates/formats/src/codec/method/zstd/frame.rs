//! The frame around Zstandard blocks, checked before any block is decoded.
//!
//! ```text
//! magic 28 B5 2F FD │ descriptor u8 │ [window u8] │ [dictionary id: 1, 2 or 4] │ [content length: 1, 2, 4 or 8]
//! block             │ u24: last (1) │ kind (2) │ length (21) │ that many bytes; one byte if it is repeated (kind 1)
//! [checksum u32]    │ the low half of the XXH64 of the content
//! ```
//!
//! Source: RFC 8878, section 3.1.1.

use crate::codec::DecodeProblem;

const MAGIC: [u8; 4] = 0xFD2F_B528_u32.to_le_bytes();

/// Flags of the descriptor.
const SINGLE_SEGMENT: u8 = 1 << 5;
const RESERVED: u8 = 1 << 3;
const CHECKSUM: u8 = 1 << 2;

/// Exponent of the largest window the C library accepts, counted from 1 KiB: 2 GiB.
const MAX_EXPONENT: u8 = 21;

/// One frame at the start of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Frame<'a> {
    /// The blocks with their headers.
    pub(super) blocks: &'a [u8],
    /// The longest distance of a match, in bytes.
    pub(super) window: u64,
    /// Decoded length in bytes, if the frame records it.
    pub(super) content_len: Option<u64>,
    /// Low half of the XXH64 of the content, if the frame has it.
    pub(super) checksum: Option<u32>,
    /// Bytes after the frame.
    pub(super) rest: &'a [u8],
}

impl<'a> Frame<'a> {
    /// Reads the header, and walks the block headers to the end of the frame.
    pub(super) fn parse(src: &'a [u8]) -> Result<Self, DecodeProblem> {
        let mut cursor = Cursor { src, at: 0 };
        if cursor.take(4)? != MAGIC {
            return Err(DecodeProblem::malformed("wrong magic"));
        }
        let [descriptor] = cursor.array()?;
        if descriptor & RESERVED != 0 {
            return Err(DecodeProblem::malformed("a reserved bit of the header is set"));
        }
        let is_single = descriptor & SINGLE_SEGMENT != 0;
        let window = if is_single { None } else { Some(window(cursor.array()?)?) };
        // Two bits of the descriptor: 0, 1, 2 or 4 bytes.
        let id_len = (1 << (descriptor & 3)) >> 1;
        // An id of 0 means the same as none.
        if cursor.number(id_len)? != 0 {
            return Err(DecodeProblem::malformed("it needs a dictionary"));
        }
        // A single segment always has a content length, of at least one byte. The two-byte form counts from
        // 256.
        let content_len = match (descriptor >> 6, is_single) {
            (0, false) => None,
            (0, true) => Some(cursor.number(1)?),
            (1, _) => Some(cursor.number(2)? + 256),
            (2, _) => Some(cursor.number(4)?),
            _ => Some(cursor.number(8)?),
        };
        let start = cursor.at;
        // Nothing records the length of a frame: only the walk over its blocks finds the end.
        while !cursor.skip_block()? {}
        let blocks = src.get(start..cursor.at).unwrap_or_default();
        let checksum =
            if descriptor & CHECKSUM != 0 { Some(u32::from_le_bytes(cursor.array()?)) } else { None };
        let rest = src.get(cursor.at..).unwrap_or_default();
        // A single segment has no window field: matches reach the whole content.
        let window = window.or(content_len).unwrap_or(0);
        Ok(Self { blocks, window, content_len, checksum, rest })
    }
}

/// Decodes a window descriptor to bytes: five bits of exponent above 1 KiB, then three bits of eighths to
/// add.
fn window([byte]: [u8; 1]) -> Result<u64, DecodeProblem> {
    let (exponent, eighths) = (byte >> 3, u64::from(byte & 7));
    if exponent > MAX_EXPONENT {
        return Err(DecodeProblem::malformed("its window is too large"));
    }
    let base = 1_u64 << (10 + exponent);
    Ok(base + base / 8 * eighths)
}

/// A reader over one block that tracks its position.
struct Cursor<'a> {
    src: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    fn take(&mut self, len: usize) -> Result<&'a [u8], DecodeProblem> {
        let taken = self.src.get(self.at..).and_then(|rest| rest.get(..len));
        let taken = taken.ok_or(DecodeProblem::Truncated { len: self.src.len() })?;
        self.at += len;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], DecodeProblem> {
        let taken = self.take(N)?;
        Ok(std::array::from_fn(|n| taken.get(n).copied().unwrap_or(0)))
    }

    /// A little-endian number of up to eight bytes; 0 for none.
    fn number(&mut self, len: usize) -> Result<u64, DecodeProblem> {
        let bytes = self.take(len)?;
        Ok(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    /// Steps over one block; true if it was the last.
    fn skip_block(&mut self) -> Result<bool, DecodeProblem> {
        let [low, mid, high] = self.array()?;
        let word = u32::from_le_bytes([low, mid, high, 0]);
        // Kinds 0 (raw) and 2 (compressed) store that many bytes, 1 (run) stores the byte to repeat.
        let len = match word >> 1 & 3 {
            0 | 2 => word >> 3,
            1 => 1,
            _ => return Err(DecodeProblem::malformed("a block is of a reserved kind")),
        };
        self.take(len as usize)?;
        Ok(word & 1 != 0)
    }
}
