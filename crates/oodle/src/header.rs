//! Headers of blocks, quanta and chunks. Numbers of three bytes are big-endian.
//!
//! ```text
//!   block     r s 0 0 1 1 0 0 │ c i i i i i i i       restart, stored raw │ checksum, decoder id
//!
//!   quantum   . . . . . . │ 18 bits: stored size - 1  │ (checksum: 3 bytes)
//!             0 0 0 0 0 1 │ all ones                  │ byte             that byte, repeated
//!
//!   chunk     1 │ m m m m │ 19 bits: stored size      │ LZ in literal mode m; raw bytes if the size is the raw size
//!             0 …                                     the header of an array, see `entropy`
//! ```

use super::error::{Error, Result, StreamPart};

/// Output bytes per block and quantum.
pub(super) const BLOCK_LEN: usize = 0x4_0000;

/// Output bytes per chunk.
pub(super) const CHUNK_LEN: usize = 0x2_0000;

/// Codec of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Codec {
    Kraken,
    Mermaid,
    Leviathan,
}

/// Header of two bytes at every 256 KiB of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BlockHeader {
    pub(super) codec: Codec,
    /// True if the history starts here.
    pub(super) restart: bool,
    /// True if raw bytes follow, without a quantum header.
    pub(super) stored: bool,
    /// True if three bytes of checksum follow the size of a quantum.
    pub(super) checksum: bool,
}

impl BlockHeader {
    pub(super) fn parse(src: &[u8]) -> Result<(Self, &[u8])> {
        let ([first, second], rest) =
            src.split_first_chunk().ok_or(Error::Truncated(StreamPart::BlockHeader))?;
        // The low nibble is always 12, and the two bits above it are zero in all codecs.
        if first & 0x3F != 0x0C {
            return Err(Error::Malformed(StreamPart::BlockHeader));
        }
        let codec = match second & 0x7F {
            6 => Codec::Kraken,
            10 => Codec::Mermaid,
            12 => Codec::Leviathan,
            other => return Err(Error::UnsupportedCodec(other)),
        };
        let header = Self {
            codec,
            restart: first & 0x80 != 0,
            stored: first & 0x40 != 0,
            checksum: second & 0x80 != 0,
        };
        Ok((header, rest))
    }
}

/// Content of a quantum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quantum {
    /// One byte, repeated.
    Fill(u8),
    /// This many stored bytes.
    Payload(usize),
}

impl Quantum {
    pub(super) fn parse(src: &[u8], checksum: bool) -> Result<(Self, &[u8])> {
        // The size is stored less 1, so all ones would be a whole block of raw bytes. The block header has a
        // flag for those, which leaves the value free for quanta without a payload.
        const SPECIAL: usize = 0x3_FFFF;
        let (word, rest) = be24(src, StreamPart::QuantumHeader)?;
        if word & SPECIAL != SPECIAL {
            // The algorithm of the checksum is not public, so it is skipped.
            let skip = if checksum { 3 } else { 0 };
            let rest = rest.get(skip..).ok_or(Error::Truncated(StreamPart::QuantumHeader))?;
            return Ok((Self::Payload((word & SPECIAL) + 1), rest));
        }
        // Bits 18 and above must be exactly 1; other special quanta are unknown.
        if word >> 18 != 1 {
            return Err(Error::Malformed(StreamPart::QuantumHeader));
        }
        let (byte, rest) = rest.split_first().ok_or(Error::Truncated(StreamPart::QuantumHeader))?;
        Ok((Self::Fill(*byte), rest))
    }
}

/// Content of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Chunk {
    /// One entropy-coded array, whose header starts at the chunk's first byte.
    Array,
    /// An LZ chunk of this many stored bytes.
    Lz { mode: u8, stored_len: usize },
    /// Raw bytes.
    Raw,
}

impl Chunk {
    pub(super) const HEADER_LEN: usize = 3;

    /// Reads the header of a chunk of `raw_len` bytes of output.
    pub(super) fn parse(src: &[u8], raw_len: usize) -> Result<Self> {
        let (word, rest) = be24(src, StreamPart::ChunkHeader)?;
        if rest.is_empty() {
            return Err(Error::Truncated(StreamPart::ChunkHeader));
        }
        // An array that is a whole chunk has the long header, in which this bit is 0. It starts right here,
        // not after this word.
        if word & 0x80_0000 == 0 {
            return Ok(Self::Array);
        }
        let stored_len = word & 0x7_FFFF;
        let mode = word.to_le_bytes()[2] >> 3 & 15;
        // LZ data as large as its output would be a waste, so that size stands for raw bytes.
        match stored_len {
            _ if stored_len < raw_len => Ok(Self::Lz { mode, stored_len }),
            _ if stored_len == raw_len && mode == 0 => Ok(Self::Raw),
            _ => Err(Error::Malformed(StreamPart::ChunkHeader)),
        }
    }
}

fn be24(src: &[u8], part: StreamPart) -> Result<(usize, &[u8])> {
    let ([a, b, c], rest) = src.split_first_chunk().ok_or(Error::Truncated(part))?;
    Ok((usize::from(*a) << 16 | usize::from(*b) << 8 | usize::from(*c), rest))
}
