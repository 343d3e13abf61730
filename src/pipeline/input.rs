//! What a run reads: a container with its plan.

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
    /// The `.utoc`, for messages.
    pub path: PathBuf,
    /// Its table of contents.
    pub table: Arc<Table>,
    /// Its data.
    pub source: Arc<dyn Source>,
    /// How to decrypt it, if it is encrypted.
    pub cipher: Option<Cipher>,
    /// Which hash function its writer used.
    pub hash_kind: ChunkHashKind,
    /// What to read.
    pub plan: Plan,
}
