//! Kinds of errors, and the origin of limits, for callers that react to them.

/// Coarse kind of an [`Error`](super::Error), for callers to decide by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// An operation of the operating system failed.
    Io,
    /// A structure does not follow its format.
    Malformed,
    /// Required data is missing.
    Missing,
    /// A valid but unsupported feature.
    Unsupported,
    /// A key is missing or wrong.
    Key,
    /// Content is damaged.
    Corrupt,
    /// A limit was reached.
    Limit,
    /// Cancelled.
    Cancelled,
    /// A bug in this library.
    Internal,
}

impl ErrorKind {
    /// Its name in JSON output.
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

/// Origin of a limit, which decides who can raise it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Bound {
    /// Memory allowed by the caller.
    Memory,
    /// Output size allowed by the caller.
    Output,
    /// The format, or a fixed bound above all real files.
    Fixed,
}
