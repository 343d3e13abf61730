//! The LZ stage: commands, literals and matches make the bytes of a chunk.

mod integers;
pub(super) mod kraken;
pub(super) mod leviathan;
pub(super) mod mermaid;
mod plain;
#[cfg(not(feature = "safe-only"))]
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

/// Whether Kraken and Mermaid tell literals relative to the byte at the last distance.
fn has_delta_literals(mode: u8) -> Result<bool> {
    match mode {
        0 => Ok(true),
        1 => Ok(false),
        _ => Err(OodleError::Malformed(Part::ChunkHeader)),
    }
}

/// How many list entries commands ask for, each of them up to two.
fn count(commands: &[u8], entries: impl Fn(u8) -> u8) -> usize {
    // Small sums first: the compiler counts a whole vector of commands at a time.
    let small_sum = |commands: &[u8]| commands.iter().map(|command| entries(*command)).sum::<u8>();
    commands.chunks(127).map(|commands| usize::from(small_sum(commands))).sum()
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
