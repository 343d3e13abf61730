use super::{count, counted};
use std::fmt;

/// What is wrong with a piece of a file, and where: the error of everything that parses a slice.
///
/// It knows offsets and field names but no file; callers add that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fault {
    /// Byte offset of the field, counted from the start of the slice that was parsed.
    pub offset: u64,
    /// Name of the field, in the words of the module that documents its structure.
    pub field: &'static str,
    /// What was found, and what was expected.
    pub kind: FaultKind,
}

/// What is wrong with a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FaultKind {
    /// The structure goes on past the end of the bytes.
    Truncated {
        /// Bytes that the field takes.
        needed: u64,
        /// Bytes that are left.
        left: u64,
    },
    /// A number that must have one value has another.
    Unexpected {
        /// The value in the file.
        found: u64,
        /// The only value that makes sense here.
        expected: u64,
    },
    /// A number is larger than its structure allows.
    TooLarge {
        /// The value in the file.
        found: u64,
        /// The largest value allowed.
        limit: u64,
    },
    /// A number is smaller than its structure allows.
    TooSmall {
        /// The value in the file.
        found: u64,
        /// The smallest value allowed.
        limit: u64,
    },
    /// A number that cannot be negative is.
    Negative {
        /// The value in the file.
        found: i64,
    },
    /// A length or distance does not divide into records.
    NotMultiple {
        /// The value in the file.
        found: u64,
        /// Bytes of one record.
        unit: u64,
    },
    /// A version, or another number that selects a layout, that is not supported.
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
    /// Links lead back to an entry that was already visited.
    Cycle {
        /// The entry that was reached twice.
        index: u64,
    },
    /// Bytes that should identify the structure do not.
    BadMagic,
    /// A string has no terminating NUL, or a length that cannot be.
    BadString,
    /// A string is longer than any that makes sense there.
    TooLong {
        /// The longest allowed, in bytes.
        limit: u64,
    },
    /// A compressed stream is damaged, or does not have the length that is recorded for it.
    BadStream {
        /// The bytes that it should give.
        expected: u64,
    },
    /// Something that is described elsewhere, and nowhere at all.
    Unknown,
    /// Bytes are left after the last field.
    Trailing {
        /// How many.
        left: u64,
    },
}

impl FaultKind {
    /// An index outside a table of `count` entries.
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
