//! The kinds of streams that can be written.

/// The kind of stream to write: the faster to decode, the larger.
///
/// Leviathan, which is decoded, cannot be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compressor {
    /// Smallest.
    Kraken,
    /// Decodes about twice as fast as Kraken.
    Mermaid,
    /// Decodes fastest: nothing is entropy-coded.
    Selkie,
}
