//! Input of a run: a container with its plan.

use super::Plan;
use crate::crypto::Cipher;
use crate::source::Source;
use crate::table::Table;
use crate::version::ChunkHashKind;
use std::path::PathBuf;
use std::sync::Arc;

/// One container's share of a run.
#[derive(Debug)]
pub struct Input {
    /// Path of the `.utoc`, for messages.
    pub path: PathBuf,
    /// Table of contents.
    pub table: Arc<Table>,
    /// Data.
    pub source: Arc<dyn Source>,
    /// Cipher, if it is encrypted.
    pub cipher: Option<Cipher>,
    /// Hash function that its writer used.
    pub hash_kind: ChunkHashKind,
    /// Chunks to read.
    pub plan: Plan,
}
