//! Comparison of content with the table of contents.

use crate::container::ChunkIndex;
use crate::error::Error;
use crate::id::ChunkHash;
use crate::table::Table;
use crate::version::ChunkHashKind;
use std::path::Path;

/// Result of comparing a chunk with its recorded hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Check {
    /// The content matches the table of contents.
    Match,
    /// The content differs.
    Mismatch {
        /// Hash of the content.
        found: ChunkHash,
        /// Hash in the table of contents.
        expected: ChunkHash,
    },
    /// The table of contents has no hash.
    NotRecorded,
    /// The table of contents has a hash, but the bytes that it covers could not be assembled or read.
    NotCompared,
    /// Checking was not requested, or only part of the chunk was read.
    Skipped,
}

impl Check {
    /// Compares the content of a chunk with the hash in its table of contents. `usual` is the hash function
    /// that the writer should have used; some third-party packers use the other one, which is accepted as
    /// well.
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

    /// True if the content differs, or may differ, from the table of contents.
    #[must_use]
    pub const fn is_wrong(self) -> bool {
        matches!(self, Self::Mismatch { .. } | Self::NotCompared)
    }

    /// Returns an error about the container at `path` if the check [is wrong](Self::is_wrong).
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
