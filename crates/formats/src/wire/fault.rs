use super::{count, counted};
use std::fmt;

/// Error in a piece of a file, with its position: the error type of everything that parses a slice.
///
/// It contains offsets and field names, but no file; callers add that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fault {
    /// Byte offset of the field, from the start of the parsed slice.
    pub offset: u64,
    /// Field name, in the words of the module that documents the structure.
    pub field: &'static str,
    /// Values found and expected.
    pub kind: FaultKind,
}

/// Kind of error in a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FaultKind {
    /// The structure extends past the end of the bytes.
    Truncated {
        /// Length of the field in bytes.
        needed: u64,
        /// Remaining bytes.
        left: u64,
    },
    /// A number with only one valid value has another.
    Unexpected {
        /// The value in the file.
        found: u64,
        /// Only valid value.
        expected: u64,
    },
    /// A number exceeds the limit of its structure.
    TooLarge {
        /// The value in the file.
        found: u64,
        /// The largest value allowed.
        limit: u64,
    },
    /// A number is below the minimum of its structure.
    TooSmall {
        /// The value in the file.
        found: u64,
        /// The smallest value allowed.
        limit: u64,
    },
    /// A number is negative but must not be.
    Negative {
        /// The value in the file.
        found: i64,
    },
    /// A length or distance is not a multiple of the record length.
    NotMultiple {
        /// The value in the file.
        found: u64,
        /// Length of one record in bytes.
        unit: u64,
    },
    /// A version, or another number selecting a layout, is not supported.
    Unsupported {
        /// The value in the file.
        found: i64,
    },
    /// An index points past the end of its table.
    OutOfRange {
        /// The index in the file.
        index: u64,
        /// Number of entries in the table.
        count: u64,
    },
    /// Links lead back to a visited entry.
    Cycle {
        /// Entry reached twice.
        index: u64,
    },
    /// The magic is wrong.
    BadMagic,
    /// A string has no terminating NUL, or an impossible length.
    BadString,
    /// A string is longer than the limit.
    TooLong {
        /// Limit in bytes.
        limit: u64,
    },
    /// A compressed stream is damaged, or does not have its recorded length.
    BadStream {
        /// Expected length in bytes.
        expected: u64,
    },
    /// Its description should be elsewhere, but was not found.
    Unknown,
    /// Bytes remain after the last field.
    Trailing {
        /// Number of bytes.
        left: u64,
    },
}

impl FaultKind {
    /// Creates the error for an index outside a table of `count` entries.
    #[must_use]
    pub fn out_of_range(index: impl Into<u64>, count: usize) -> Self {
        Self::OutOfRange { index: index.into(), count: count as u64 }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}, offset {:#x}", self.field, self.kind, self.offset)
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = |number| counted(number, "byte", "bytes");
        match *self {
            Self::Truncated { needed, left } => {
                write!(f, "cut off ({} left, {} needed)", bytes(left), count(needed))
            }
            Self::Unexpected { found, expected } => write!(f, "found {found}, expected {expected}"),
            Self::TooLarge { found, limit } => write!(f, "found {found}, expected at most {limit}"),
            Self::TooSmall { found, limit } => write!(f, "found {found}, expected at least {limit}"),
            Self::Negative { found } => write!(f, "found {found}, expected a number that is not negative"),
            Self::NotMultiple { found, unit } => write!(f, "found {found}, expected a multiple of {unit}"),
            Self::Unsupported { found } => write!(f, "found {found}, which is not supported"),
            Self::OutOfRange { index, count } => {
                write!(
                    f,
                    "index {index} is out of range, the table has {}",
                    counted(count, "entry", "entries")
                )
            }
            Self::Cycle { index } => write!(f, "leads back to entry {index}, which was visited before"),
            Self::BadMagic => f.write_str("wrong magic"),
            Self::BadStream { expected } => write!(f, "does not decompress to {}", bytes(expected)),
            Self::TooLong { limit } => write!(f, "longer than {}", bytes(limit)),
            Self::Unknown => f.write_str("not known"),
            Self::BadString => f.write_str("not a valid string"),
            Self::Trailing { left } => write!(f, "{} left after the end", bytes(left)),
        }
    }
}

impl std::error::Error for Fault {}
