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

/// How hard to look for the shortest stream; what is written decodes equally fast.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// The first match is taken: two to three times as fast as [`Effort::Normal`], and larger: Kraken and
    /// Mermaid by 3 to 14 %, Selkie by 9 to 24 %.
    Fast,
    /// The best of a few matches is taken, unless the next position has a better one.
    #[default]
    Normal,
    /// Of all ways to cut the input into matches, the cheapest.
    Optimal,
}
