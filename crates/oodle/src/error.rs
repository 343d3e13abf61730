//! Errors of Oodle streams: small and copyable, without position or path.

use core::fmt;

/// Error while decoding a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A codec in the block header that Unreal Engine never writes (LZNA 5, BitKnit 11, LZB16 2, …).
    UnsupportedCodec(u8),
    /// An input that ends inside this part.
    Truncated(StreamPart),
    /// A part that contradicts itself or what came before it.
    Malformed(StreamPart),
    /// This many bytes of input after the output is full.
    TrailingInput(usize),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnsupportedCodec(id) => write!(
                f,
                "Oodle codec {id} is not supported (known: 6 Kraken, 10 Mermaid and Selkie, 12 Leviathan)"
            ),
            Self::Truncated(part) => write!(f, "Oodle {part} ends early"),
            Self::Malformed(part) => write!(f, "Oodle {part} is malformed"),
            Self::TrailingInput(1) => f.write_str("1 byte is left over after an Oodle stream"),
            Self::TrailingInput(len) => write!(f, "{len} bytes are left over after an Oodle stream"),
        }
    }
}

impl core::error::Error for Error {}

/// Part of a stream in which a fault was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StreamPart {
    /// The two bytes at every 256 KiB of output.
    BlockHeader,
    /// The three (or more) bytes after a block header.
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

impl fmt::Display for StreamPart {
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

/// Result of everything that can find a fault in a stream.
pub(crate) type Result<T> = core::result::Result<T, Error>;
