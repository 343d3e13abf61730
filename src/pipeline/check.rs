//! Whether content is what the table of contents says.

use crate::container::ChunkIndex;
use crate::error::Error;
use crate::id::ChunkHash;
use crate::table::Table;
use crate::version::ChunkHashKind;
use std::path::Path;

/// What comparing a chunk with its recorded hash gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Check {
    /// The content is what the table of contents says.
    Match,
    /// It is not.
    Mismatch {
        /// Hash of the content.
        found: ChunkHash,
        /// Hash in the table of contents.
        expected: ChunkHash,
    },
    /// The table of contents has no hash.
    NotRecorded,
    /// It has one, but the bytes that it covers could not be assembled or read.
    NotCompared,
    /// Nobody asked, or only part of the chunk was read.
    Skipped,
}

impl Check {
    /// Compares the content of a chunk with the hash in its table of contents. `usual` is the function that the writer
    /// should have used; third-party packers do not all keep to it, so the other one counts too.
    #[must_use]
    pub fn of(toc: &Table, chunk: ChunkIndex, usual: ChunkHashKind, content: &[u8]) -> Self {
        let expected = match toc.meta(chunk) {
            Some(meta) if !meta.hash.is_zero() => meta.hash,
            _ => return Self::NotRecorded,
        };
        let found = ChunkHash::of(usual, content);
        match Self::compare(found, expected) {
            Self::Mismatch { .. } if ChunkHash::of(usual.other(), content) == expected => Self::Match,
            check => check,
        }
    }

    /// Whether the content is not, or may not be, what the table of contents says.
    #[must_use]
    pub const fn is_wrong(self) -> bool {
        matches!(self, Self::Mismatch { .. } | Self::NotCompared)
    }

    /// What is [wrong](Self::is_wrong), as an error about the container at `path`.
    #[must_use]
    pub fn error(self, path: &Path) -> Option<Error> {
        let path = || path.to_owned();
        match self {
            Self::Mismatch { found, expected } => Some(Error::HashMismatch { found, expected, path: path() }),
            Self::NotCompared => Some(Error::NotCompared { path: path() }),
            Self::Match | Self::NotRecorded | Self::Skipped => None,
        }
    }

    /// Compares a hash with the recorded one.
    pub(super) fn compare(found: ChunkHash, expected: ChunkHash) -> Self {
        if found == expected { Self::Match } else { Self::Mismatch { found, expected } }
    }
}
