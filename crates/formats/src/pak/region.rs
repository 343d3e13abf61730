//! Regions of an index: their places and hashes.

use crate::id::ChunkHash;
use crate::version::ChunkHashKind;
use crate::wire::{Fault, FaultKind, Reader};
use std::fmt;

/// A region of the file, and the SHA-1 of its plain content.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Region {
    /// Offset in the file.
    pub offset: u64,
    /// Length in bytes.
    pub len: u64,
    /// SHA-1 of the plain bytes, padding included.
    #[serde(skip)]
    pub hash: [u8; 20],
}

/// Part of an index; the footer has an IV for each, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IndexPart {
    /// Mount point and entries; up to version 9 the paths, too.
    Primary,
    /// Place of each path's entry, by a hash of the path.
    PathHashes,
    /// The paths.
    Directory,
}

/// Error for a part of an index with a wrong hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexMismatch {
    /// Affected part.
    pub part: IndexPart,
    /// Hash of the actual content.
    pub found: ChunkHash,
    /// Recorded hash.
    pub expected: ChunkHash,
}

impl Region {
    /// Reads the place of an index, and checks that it is inside the file.
    pub(super) fn read(r: &mut Reader<'_>, file_len: u64) -> Result<Self, Fault> {
        let at = r.clone();
        let (offset, len) = (r.u64("index offset")?, r.u64("index size")?);
        let hash = r.array("index hash")?;
        match offset.checked_add(len) {
            Some(end) if end <= file_len => Ok(Self { offset, len, hash }),
            end => {
                let found = end.unwrap_or(u64::MAX);
                Err(at.fault("index offset", FaultKind::TooLarge { found, limit: file_len }))
            }
        }
    }

    /// Compares plain bytes with the recorded hash; a zero hash means that none was recorded.
    #[must_use]
    pub fn check(&self, part: IndexPart, plain: &[u8]) -> Option<IndexMismatch> {
        let (found, expected) = (ChunkHash::of(ChunkHashKind::Sha1, plain), ChunkHash(self.hash));
        (found != expected && !expected.is_zero()).then_some(IndexMismatch { part, found, expected })
    }
}

impl fmt::Display for IndexPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Primary => "primary index",
            Self::PathHashes => "path-hash index",
            Self::Directory => "directory index",
        })
    }
}

impl fmt::Display for IndexMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the SHA-1 of the {} is {}, expected {}", self.part, self.found, self.expected)
    }
}
