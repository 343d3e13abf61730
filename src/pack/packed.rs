//! What packing made.

use super::walk::LeftOut;
use crate::objection::{Finding, ProjectFile};
use crate::release::Verdict;
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
    pub skipped: LeftOut,
    /// Files that the whole project has once, and that were left out for that.
    pub project_files: Vec<(PathBuf, ProjectFile)>,
    /// Objections that did not prevent it, and notes on decisions that were made for the caller.
    pub warnings: Vec<Finding>,
}
