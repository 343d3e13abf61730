//! A modest encoder: Kraken, Mermaid and Selkie streams for repacking, tests and benchmarks.
//!
//! It keeps to what the streams of real encoders do: raw, Huffman and one-byte arrays, near offsets only in Mermaid,
//! lazy parsing over hash chains; as [`Effort`] asks for it, a fast parse over a hash table, or for Kraken an optimal one.
//! Nothing that it writes is larger than the input by more than two bytes per 256 KiB.

mod array;
mod bits;
mod compressor;
mod counts;
mod fast;
mod huffman;
mod kraken;
mod lists;
mod literals;
mod matcher;
mod mermaid;
mod optimal;
mod parse;
mod prices;
mod sequence;

use alloc::vec::Vec;

use super::header::{BLOCK_LEN, CHUNK_LEN};
use bits::be24;
pub use compressor::{Compressor, Effort};
use matcher::Finder;
pub use matcher::Matcher;

/// Chunks that are not longer are not worth matching.
const MIN_LZ_LEN: usize = 128;

/// Appends the stream of `src` to `out`.
///
/// ```
/// use uncask_oodle::{Compressor, Matcher, Scratch, compress, decompress};
///
/// let text = b"to be, or not to be, ".repeat(40);
/// let mut stored = Vec::new();
/// compress(Compressor::Kraken, &text, &mut stored, &mut Matcher::default());
/// assert!(stored.len() < 100);
///
/// let mut raw = vec![0; text.len()];
/// decompress(&stored, &mut raw, &mut Scratch::default())?;
/// assert_eq!(raw, text);
/// # Ok::<(), uncask_oodle::Error>(())
/// ```
pub fn compress(compressor: Compressor, src: &[u8], out: &mut Vec<u8>, matcher: &mut Matcher) {
    let mut finder = matcher.start(src, compressor);
    let mut start = 0;
    while start < src.len() {
        let end = src.len().min(start + BLOCK_LEN);
        write_block(compressor, &mut finder, start, end, out);
        start = end;
    }
}

fn write_block(compressor: Compressor, finder: &mut Finder<'_>, start: usize, end: usize, out: &mut Vec<u8>) {
    const STORED: u8 = 0x40;
    let restart = if start == 0 { 0x80 } else { 0 };
    let id = match compressor {
        Compressor::Kraken => 6,
        Compressor::Mermaid | Compressor::Selkie => 10,
    };
    let raw = finder.bytes(start, end);
    if let [first, rest @ ..] = raw
        && rest.len() >= 4
        && rest.iter().all(|byte| byte == first)
    {
        out.extend([0x0C | restart, id, 0x07, 0xFF, 0xFF, *first]);
        return;
    }
    let header_at = out.len();
    out.extend([0x0C | restart, id, 0, 0, 0]);
    let quantum_at = out.len();
    let mut chunk_start = start;
    while chunk_start < end {
        let chunk_end = end.min(chunk_start + CHUNK_LEN);
        write_chunk(compressor, finder, chunk_start, chunk_end, out);
        chunk_start = chunk_end;
    }
    let stored_len = out.len() - quantum_at;
    if stored_len + 3 < raw.len() {
        let word = be24(stored_len - 1);
        out.splice(quantum_at - word.len()..quantum_at, word);
    } else {
        out.truncate(header_at);
        out.extend([0x0C | STORED | restart, id]);
        out.extend(raw);
    }
}

/// Appends a chunk: LZ, one array, or raw bytes, whichever is smallest.
fn write_chunk(compressor: Compressor, finder: &mut Finder<'_>, start: usize, end: usize, out: &mut Vec<u8>) {
    const IS_LZ: usize = 0x80_0000;
    let raw = finder.bytes(start, end);
    let mut best_len = raw.len() + 3;
    let mut lz = None;
    if raw.len() > MIN_LZ_LEN {
        let (mode, body) = match compressor {
            Compressor::Kraken => kraken::encode(finder, start, end),
            Compressor::Mermaid => mermaid::encode(finder, start, end, true),
            Compressor::Selkie => mermaid::encode(finder, start, end, false),
        };
        if body.len() < raw.len() {
            best_len = body.len() + 3;
            lz = Some((mode, body));
        }
    }
    // The fast way tries one form: an array only where there is nothing to match.
    let tries_array = compressor != Compressor::Selkie && (finder.effort() != Effort::Fast || lz.is_none());
    if tries_array && let Some(array) = array::shorter(raw, best_len) {
        out.extend(array);
    } else if let Some((mode, body)) = lz {
        out.extend(be24(IS_LZ | mode << 19 | body.len()));
        out.extend(body);
    } else {
        out.extend(be24(IS_LZ | raw.len()));
        out.extend(raw);
    }
}
