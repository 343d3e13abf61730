//! What packing made.

use crate::id::RawChunkId;
use crate::objection::{Finding, ProjectFile};
use crate::release::Verdict;
use crate::version::TocVersion;
use crate::wire::MAX_PATH_LEN;
use std::io;
use std::path::PathBuf;

/// What was made.
#[derive(Debug, Default)]
pub struct Packed {
    /// Chunks in the container.
    pub chunks: u64,
    /// Their uncompressed bytes.
    pub raw_bytes: u64,
    /// Bytes of all `.ucas` files.
    pub stored_bytes: u64,
    /// Number of `.ucas` files.
    pub partitions: u32,
    /// Evidence for the release, unless it was given.
    pub verdict: Option<Verdict>,
    /// Files that were left out, and why.
    pub skipped: Vec<(PathBuf, SkipReason)>,
    /// Files that the whole project has once, and that were left out for that.
    pub project_files: Vec<(PathBuf, ProjectFile)>,
    /// Objections that did not prevent it, and notes on decisions that were made for the caller.
    pub warnings: Vec<Finding>,
}

/// Reason why a file of a folder was left out.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SkipReason {
    /// The operating system refused it.
    #[error("cannot be read: {0}")]
    Unreadable(#[source] io::Error),
    /// Another run has not finished it.
    #[error("unfinished file of another run")]
    Unfinished,
    /// It is a device, a pipe or the like.
    #[error("not a file or folder")]
    NotAFile,
    /// Its path below the mount point is too long.
    #[error("its path has {0} bytes, expected at most {MAX_PATH_LEN}")]
    PathTooLong(usize),
    /// A symbolic link leads nowhere.
    #[error("broken symbolic link ({0})")]
    BrokenLink(#[source] io::Error),
    /// A symbolic link leads out of the folder.
    #[error("symbolic link out of the folder, to {}", .0.display())]
    LinkOut(PathBuf),
    /// A symbolic link leads to a folder, whose files are packed under their own paths.
    #[error("symbolic link to a folder; its files are packed under their own path")]
    LinkToFolder,
    /// It belongs to a package without a header.
    #[error("has no .uasset or .umap beside it")]
    NoHeader,
    /// Another file is the header of the same package.
    #[error("is a second file of the same name")]
    SameName,
    /// It is an optional segment of a package.
    #[error("is an optional segment, which is not supported")]
    OptionalSegment,
    /// The version of the container has no type for such a chunk.
    #[error("toc version {0} has no chunk type for it")]
    NoChunkType(TocVersion),
    /// Another file is a chunk of the same id.
    #[error("same chunk id, {id}, as {}", first.display())]
    SameChunkId {
        /// The id.
        id: RawChunkId,
        /// The file that was packed.
        first: PathBuf,
    },
}
