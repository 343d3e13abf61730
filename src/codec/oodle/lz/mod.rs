//! The LZ stage: commands, literals and matches make the bytes of a chunk.

mod integers;
pub(super) mod kraken;
pub(super) mod leviathan;
pub(super) mod mermaid;
mod plain;
#[cfg(not(feature = "oodle-safe-only"))]
mod recent;

use super::error::{OodleError, Part, Result};
use super::scratch::Input;

/// The place of a chunk in the output.
///
/// `dst` starts at the oldest byte that a match may reach; `dst[..start]` is decoded, `dst[start..end]` is this chunk,
/// and what lies behind `end` will be overwritten later, so kernels may write there before.
pub(super) struct Window<'d> {
    pub(super) dst: &'d mut [u8],
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Window<'_> {
    /// The bytes of this chunk.
    pub(super) fn chunk(&mut self) -> &mut [u8] {
        self.dst.get_mut(self.start..self.end).unwrap_or_default()
    }
}

/// Bytes that the first chunk of a history starts with, so that every recent distance (8 at first) points at something.
const FIRST_BYTES: usize = 8;

/// Copies the raw bytes that the first chunk of a history starts with; returns where its LZ data starts.
pub(super) fn first_bytes(chunk: &mut Input<'_>, window: &mut Window<'_>) -> Result<usize> {
    if window.start > 0 {
        return Ok(window.start);
    }
    let raw: [u8; FIRST_BYTES] = chunk.array(Part::ChunkHeader)?;
    let out = window.chunk().first_chunk_mut().ok_or(OodleError::Malformed(Part::ChunkHeader))?;
    *out = raw;
    Ok(FIRST_BYTES)
}
