//! Kinds of errors, and who can raise a limit: callers decide by them.

/// Coarse kind of an [`Error`](super::Error): what a caller decides by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The operating system refused something.
    Io,
    /// A structure does not follow its format.
    Malformed,
    /// Data that should be there is not.
    Missing,
    /// Something we cannot read.
    Unsupported,
    /// A key is missing or wrong.
    Key,
    /// Content is damaged.
    Corrupt,
    /// A limit was reached.
    Limit,
    /// Cancelled.
    Cancelled,
    /// A bug of ours.
    Internal,
}

impl ErrorKind {
    /// The word for it in JSON output.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Io => "io",
            Self::Malformed => "malformed",
            Self::Missing => "missing",
            Self::Unsupported => "unsupported",
            Self::Key => "key",
            Self::Corrupt => "corrupt",
            Self::Limit => "limit",
            Self::Cancelled => "cancelled",
            Self::Internal => "internal",
        }
    }
}

/// Who sets a limit, and so who can raise it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Bound {
    /// The memory that the caller allows.
    Memory,
    /// The output that the caller allows.
    Output,
    /// The format, or what real files need: nobody can raise it.
    Fixed,
}
