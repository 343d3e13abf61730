use crate::wire::counted;
use std::fmt;

/// An oddity of a table of contents that can still be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Notice {
    /// The version is newer than the newest known one, which was used to read the table.
    NewerVersion {
        /// Version in the file.
        found: u8,
        /// Version used to read it.
        read_as: u8,
    },
    /// Undocumented container flag bits, which are ignored.
    UnknownFlags {
        /// The unknown bits.
        bits: u8,
    },
    /// The block size is not a power of two.
    OddBlockSize {
        /// Block size in bytes.
        found: u32,
    },
    /// There are bytes after the last section.
    TrailingBytes {
        /// Number of bytes.
        count: u64,
    },
    /// The directory index has a size, but the flag for it is clear.
    UnflaggedDirectoryIndex,
    /// The perfect hash does not find the chunks; lookups sort the ids instead.
    BrokenPerfectHash,
    /// The perfect hash of the version is absent. Some packers omit it; the engine then uses a map.
    NoPerfectHash,
    /// Signatures are present and were skipped.
    Signed {
        /// Number of block hashes.
        block_hashes: u32,
    },
    /// The content is streamed from a server; blocks may be absent on disk.
    OnDemand,
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NewerVersion { found, read_as } => {
                write!(f, "toc version {found} is newer than any known one; read as version {read_as}")
            }
            Self::UnknownFlags { bits } => write!(f, "unknown container flags {bits:#04x} were ignored"),
            Self::OddBlockSize { found } => write!(f, "compression block size {found} is not a power of two"),
            Self::TrailingBytes { count } => {
                write!(f, "{} left after the last section", counted(*count, "byte", "bytes"))
            }
            Self::UnflaggedDirectoryIndex => {
                f.write_str("a directory index is present although its flag is clear; it is used")
            }
            Self::BrokenPerfectHash => {
                f.write_str("the perfect hash does not find the chunks; they are looked up by sorted id")
            }
            Self::NoPerfectHash => {
                f.write_str("no perfect hash; the engine looks chunks up in a map instead")
            }
            Self::Signed { block_hashes } => {
                write!(
                    f,
                    "signed; the signatures and {} were not checked",
                    counted((*block_hashes).into(), "block hash", "block hashes")
                )
            }
            Self::OnDemand => {
                f.write_str("on-demand container; blocks that were not downloaded cannot be read")
            }
        }
    }
}

impl Notice {
    /// Returns true if it deserves a warning; the others only show in `info`.
    #[must_use]
    pub const fn is_warning(&self) -> bool {
        !matches!(self, Self::NoPerfectHash | Self::Signed { .. } | Self::OnDemand)
    }
}
