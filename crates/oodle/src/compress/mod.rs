//! A modest encoder: Kraken, Mermaid and Selkie streams for repacking, tests and benchmarks.
//!
//! It keeps to what the streams of real encoders do: raw, Huffman and one-byte arrays, near offsets only in Mermaid,
//! lazy parsing over hash chains. Nothing that it writes is larger than the input by more than two bytes per 256 KiB.

mod array;
mod bits;
mod huffman;
mod kraken;
mod matcher;
mod mermaid;

use super::header::{BLOCK_LEN, CHUNK_LEN};
use matcher::Finder;
pub use matcher::Matcher;

/// The kind of stream to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Smallest.
    Kraken,
    /// Decodes about twice as fast.
    Mermaid,
    /// Decodes fastest: nothing is entropy-coded.
    Selkie,
}

/// Chunks that are not longer are not worth matching.
const MIN_LZ_LEN: usize = 128;

/// Appends the stream of `src` to `out`.
///
/// ```
/// use uncask_oodle::{Format, Matcher, Scratch, compress, decompress};
///
/// let text = b"to be, or not to be, ".repeat(40);
/// let mut stored = Vec::new();
/// compress(Format::Kraken, &text, &mut stored, &mut Matcher::default());
/// assert!(stored.len() < 100);
///
/// let mut raw = vec![0; text.len()];
/// decompress(&stored, &mut raw, &mut Scratch::default())?;
/// assert_eq!(raw, text);
/// # Ok::<(), uncask_oodle::OodleError>(())
/// ```
pub fn compress(format: Format, src: &[u8], out: &mut Vec<u8>, matcher: &mut Matcher) {
    let mut finder = matcher.start(src, format);
    let mut start = 0;
    while start < src.len() {
        let end = src.len().min(start + BLOCK_LEN);
        write_block(format, &mut finder, start, end, out);
        start = end;
    }
}

fn write_block(format: Format, finder: &mut Finder<'_>, start: usize, end: usize, out: &mut Vec<u8>) {
    const STORED: u8 = 0x40;
    let restart = if start == 0 { 0x80 } else { 0 };
    let id = match format {
        Format::Kraken => 6,
        Format::Mermaid | Format::Selkie => 10,
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
        write_chunk(format, finder, chunk_start, chunk_end, out);
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
fn write_chunk(format: Format, finder: &mut Finder<'_>, start: usize, end: usize, out: &mut Vec<u8>) {
    const IS_LZ: usize = 0x80_0000;
    let raw = finder.bytes(start, end);
    let mut best_len = raw.len() + 3;
    let mut lz = None;
    if raw.len() > MIN_LZ_LEN {
        let (mode, body) = match format {
            Format::Kraken => kraken::encode(finder, start, end),
            Format::Mermaid => mermaid::encode(finder, start, end, true),
            Format::Selkie => mermaid::encode(finder, start, end, false),
        };
        if body.len() < raw.len() {
            best_len = body.len() + 3;
            lz = Some((mode, body));
        }
    }
    if format != Format::Selkie
        && let Some(array) = array::shorter(raw, best_len)
    {
        out.extend(array);
    } else if let Some((mode, body)) = lz {
        out.extend(be24(IS_LZ | mode << 19 | body.len()));
        out.extend(body);
    } else {
        out.extend(be24(IS_LZ | raw.len()));
        out.extend(raw);
    }
}

/// The low 24 bits, high byte first.
fn be24(value: usize) -> [u8; 3] {
    let [low, middle, high, ..] = value.to_le_bytes();
    [high, middle, low]
}
