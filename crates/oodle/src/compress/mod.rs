//! Compact encoder: Kraken, Mermaid and Selkie streams for repacking, tests and benchmarks.
//!
//! It uses what real encoders use most: raw, Huffman and one-byte arrays, near offsets only in Mermaid, lazy
//! parsing over hash chains; depending on [`Effort`], a fast parse over a hash table, or an optimal one, and arrays
//! in parts. The
//! output is never larger than the input by more than two bytes per 256 KiB.

mod array;
mod bits;
mod candidates;
mod compressor;
mod counts;
mod fast;
mod huffman;
mod kraken;
mod lists;
mod literals;
mod matcher;
mod mermaid;
mod near;
mod near_prices;
mod optimal;
mod parse;
mod parts;
mod prices;
mod room;
mod sample;
mod sequence;
mod step;

use alloc::vec::Vec;

use super::header::{BLOCK_LEN, CHUNK_LEN};
use array::Forms;
use bits::be24;
pub use compressor::{Compressor, Effort};
use matcher::Finder;
pub use room::Matcher;
use room::Room;

/// Length up to which chunks are not parsed: matches cannot pay for the lists.
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
    out.reserve(src.len() + 2 * src.len().div_ceil(BLOCK_LEN));
    let Matcher { places, effort, room } = matcher;
    let mut encoder = Encoder { compressor, finder: places.start(src, compressor, *effort), room, out };
    let mut start = 0;
    while start < src.len() {
        let end = src.len().min(start + BLOCK_LEN);
        encoder.write_block(start, end);
        start = end;
    }
}

/// Encoder of one stream.
struct Encoder<'m> {
    compressor: Compressor,
    finder: Finder<'m>,
    room: &'m mut Room,
    out: &'m mut Vec<u8>,
}

impl Encoder<'_> {
    fn write_block(&mut self, start: usize, end: usize) {
        const STORED: u8 = 0x40;
        let Self { compressor, finder, out, .. } = self;
        // The first block restarts the decoder: there is no history before it.
        let restart = if start == 0 { 0x80 } else { 0 };
        let id = match compressor {
            Compressor::Kraken => 6,
            Compressor::Mermaid | Compressor::Selkie => 10,
        };
        let raw = finder.bytes(start, end);
        // One repeated byte: the special size 0x3FFFF, then the byte.
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
            self.write_chunk(chunk_start, chunk_end);
            chunk_start = chunk_end;
        }
        let out = &mut *self.out;
        let stored_len = out.len() - quantum_at;
        // Stored raw, a block has neither chunks nor the 3 bytes of the quantum header.
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
    fn write_chunk(&mut self, start: usize, end: usize) {
        const IS_LZ: usize = 0x80_0000;
        let Self { compressor, finder, room, out } = self;
        let raw = finder.bytes(start, end);
        let header_at = out.len();
        let body_at = header_at + 3;
        let mut mode = None;
        if raw.len() > MIN_LZ_LEN {
            out.extend([0; 3]);
            mode = Some(match compressor {
                Compressor::Kraken => kraken::encode(finder, room, start, end, out),
                Compressor::Mermaid => mermaid::encode(finder, room, start, end, true, out),
                Compressor::Selkie => mermaid::encode(finder, room, start, end, false, out),
            });
        }
        // A chunk as long as its output would read as raw bytes.
        let mode = mode.filter(|_| out.len() - body_at < raw.len());
        let best_len = if mode.is_some() { out.len() - header_at } else { raw.len() + 3 };
        // The fast effort tries one form only: an array where there is nothing to match.
        let tries_array =
            *compressor != Compressor::Selkie && (finder.effort() != Effort::Fast || mode.is_none());
        if tries_array && let Some(array) = array::shorter(raw, best_len, Forms::of(finder.effort())) {
            out.truncate(header_at);
            out.extend(array);
            return;
        }
        let word = match mode {
            Some(mode) => mode << 19 | (out.len() - body_at),
            None => {
                out.truncate(header_at);
                out.extend([0; 3]);
                out.extend(raw);
                raw.len()
            }
        };
        out.splice(header_at..body_at, be24(IS_LZ | word));
    }
}
