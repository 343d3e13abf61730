//! LZ stage: commands, literals and matches make the bytes of a chunk.
//!
//! ```text
//!   (8 first bytes, without a history) │ lists, in the order of the codec
//!
//!   command = literal run, then a match: length, and a recent distance or a new one from the offsets
//! ```
//!
//! Each codec has a plain command loop, which checks every access, and a fast one, which stops where it
//! cannot prove that whole-word copies stay inside. The plain loop does the rest, so that only it has to
//! judge.

mod chunk;
mod integers;
mod kraken;
mod leviathan;
mod mermaid;
mod plain;
mod recent;

use crate::error::Result;
use crate::header::Codec;
use crate::scratch::Parts;
use crate::views::Input;
pub(crate) use chunk::Window;

/// Decodes an LZ chunk into its place in the output.
pub(crate) fn decode(
    codec: Codec,
    chunk: Input<'_>,
    mode: u8,
    window: &mut Window<'_>,
    parts: Parts<'_>,
) -> Result<()> {
    match codec {
        Codec::Kraken => chunk::decode::<kraken::Streams<'_>>(chunk, mode, window, parts),
        Codec::Mermaid => chunk::decode::<mermaid::Streams<'_>>(chunk, mode, window, parts),
        Codec::Leviathan => chunk::decode::<leviathan::Streams<'_>>(chunk, mode, window, parts),
    }
}
