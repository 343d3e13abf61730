//! Kinds of streams that can be written.

/// Kind of stream to write; the faster it decodes, the larger it is.
///
/// Leviathan streams can be decoded, but not written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compressor {
    /// Smallest.
    Kraken,
    /// Decodes about twice as fast as Kraken.
    Mermaid,
    /// Decodes fastest: nothing is entropy-coded.
    Selkie,
}

/// Effort spent on a short stream; the result decodes equally fast, but for [`Effort::Smallest`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// Takes the first match found: two to three times as fast as [`Effort::Normal`], and larger: Kraken and
    /// Mermaid by 3 to 14 %, Selkie by 9 to 24 %.
    Fast,
    /// Takes the best of a few matches, unless the next position has a better one.
    #[default]
    Normal,
    /// Takes the cheapest of all ways to cut the input into matches.
    Optimal,
    /// As [`Effort::Optimal`], over more matches, and with codes of their own for parts whose statistics differ: in
    /// 1.5 to 2 times its time, smaller by 2 to 3 %. Decodes up to a seventh slower, since there are more tables.
    /// Selkie, which has no codes, gains less.
    Smallest,
}

impl Effort {
    /// True if all ways to cut the input are compared.
    pub(super) fn parses_optimally(self) -> bool {
        matches!(self, Self::Optimal | Self::Smallest)
    }
}
