//! What can be wrong with an Oodle stream: small, copyable, without position or path.

use std::fmt;

/// Why a stream could not be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OodleError {
    /// The block header names a codec that Unreal Engine never writes (LZNA 5, BitKnit 11, LZB16 2, …).
    #[error("Oodle codec {0} is not supported (known: 6 Kraken, 10 Mermaid and Selkie, 12 Leviathan)")]
    UnsupportedCodec(u8),
    /// The input ends inside a part.
    #[error("Oodle {0} ends early")]
    Truncated(Part),
    /// A part contradicts itself or what came before it.
    #[error("Oodle {0} is malformed")]
    Malformed(Part),
    /// The output is full, but input is left.
    #[error("{0} bytes are left over behind an Oodle stream")]
    TrailingInput(usize),
}

/// The part of a stream in which a fault was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Part {
    /// The two bytes at every 256 KiB of output.
    BlockHeader,
    /// The three (or more) bytes behind a block header.
    QuantumHeader,
    /// The three bytes at every 128 KiB of output.
    ChunkHeader,
    /// The header of an entropy-coded array, or an array that is larger or deeper than its place allows.
    Array,
    /// A table of Huffman code lengths.
    CodeLengths,
    /// Huffman-coded symbols.
    HuffmanStream,
    /// A tANS table or its symbols.
    Tans,
    /// Run-length commands.
    RunLength,
    /// A concatenation of arrays.
    Concat,
    /// Arrays that are assembled from intervals of other arrays.
    MultiArray,
    /// The list of match distances.
    Offsets,
    /// The list of long lengths.
    Lengths,
    /// The command list.
    Commands,
    /// Literal bytes.
    Literals,
    /// A match that reaches outside the history or the output.
    Match,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::BlockHeader => "block header",
            Self::QuantumHeader => "quantum header",
            Self::ChunkHeader => "chunk header",
            Self::Array => "array",
            Self::CodeLengths => "Huffman code lengths",
            Self::HuffmanStream => "Huffman stream",
            Self::Tans => "tANS array",
            Self::RunLength => "run-length array",
            Self::Concat => "concatenated array",
            Self::MultiArray => "multi-array",
            Self::Offsets => "offset list",
            Self::Lengths => "length list",
            Self::Commands => "command list",
            Self::Literals => "literal list",
            Self::Match => "match",
        })
    }
}

/// Shorthand of this room.
pub(crate) type Result<T> = std::result::Result<T, OodleError>;
