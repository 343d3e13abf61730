//! Result of packing.

use crate::id::RawChunkId;
use crate::objection::{Finding, ProjectFile};
use crate::release::Verdict;
use crate::version::TocVersion;
use crate::wire::MAX_PATH_LEN;
use std::io;
use std::path::PathBuf;

/// Result of packing.
#[derive(Debug, Default)]
pub struct Packed {
    /// Number of chunks in the container.
    pub chunks: u64,
    /// Uncompressed size of the chunks, in bytes.
    pub raw_bytes: u64,
    /// Size of all `.ucas` files, in bytes.
    pub stored_bytes: u64,
    /// Number of `.ucas` files.
    pub partitions: u32,
    /// Evidence for the engine release, unless it was specified.
    pub verdict: Option<Verdict>,
    /// Skipped files, with the reason.
    pub skipped: Vec<(PathBuf, SkipReason)>,
    /// Skipped files that exist once in a project.
    pub project_files: Vec<(PathBuf, ProjectFile)>,
    /// Objections that did not prevent packing, and notes on automatic decisions.
    pub warnings: Vec<Finding>,
}

/// Reason that a file of a folder was skipped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SkipReason {
    /// Refused by the operating system.
    #[error("cannot be read: {0}")]
    Unreadable(#[source] io::Error),
    /// Unfinished file of another run.
    #[error("unfinished file of another run")]
    Unfinished,
    /// Neither file nor folder: a device, a pipe, a socket.
    #[error("not a file or folder")]
    NotAFile,
    /// Path below the mount point that is too long.
    #[error("its path has {0} bytes, expected at most {MAX_PATH_LEN}")]
    PathTooLong(usize),
    /// Symbolic link without a target.
    #[error("broken symbolic link ({0})")]
    BrokenLink(#[source] io::Error),
    /// Symbolic link to a target outside of the folder.
    #[error("symbolic link out of the folder, to {}", .0.display())]
    LinkOut(PathBuf),
    /// Symbolic link to a folder, whose files are packed under their own paths.
    #[error("symbolic link to a folder; its files are packed under their own path")]
    LinkToFolder,
    /// Part of a package without a header.
    #[error("has no .uasset or .umap beside it")]
    NoHeader,
    /// Second header of the same package.
    #[error("is a second file of the same name")]
    SameName,
    /// Optional segment of a package.
    #[error("is an optional segment, which is not supported")]
    OptionalSegment,
    /// File whose chunk type does not exist in this version of the container.
    #[error("toc version {0} has no chunk type for it")]
    NoChunkType(TocVersion),
    /// Second file with the same chunk id.
    #[error("same chunk id, {id}, as {}", first.display())]
    SameChunkId {
        /// The chunk id.
        id: RawChunkId,
        /// File that was packed under it.
        first: PathBuf,
    },
}
