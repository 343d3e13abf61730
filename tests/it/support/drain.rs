//! Runs a plan and gathers what comes out.

use futures_util::StreamExt;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use uncask::container::ChunkIndex;
use uncask::crypto::Cipher;
use uncask::error::Error;
use uncask::job::Context;
use uncask::pipeline::{Check, Input, Plan, Selection, run};
use uncask::source::Source;
use uncask::table::Table;

/// The delivery of a chunk.
#[derive(Debug)]
pub(crate) struct Delivered {
    /// Its bytes, as far as they came.
    pub(crate) bytes: Vec<u8>,
    /// The check of its hash, as the last piece reported it.
    pub(crate) check: Check,
    /// In how many pieces it came; none if its plan was rejected.
    pub(crate) pieces: usize,
    /// The first error.
    pub(crate) error: Option<Error>,
}

impl Delivered {
    /// True if it arrived and matches the table of contents.
    pub(crate) fn is_good(&self) -> bool {
        self.error.is_none() && self.check == Check::Match
    }
}

/// A run's input: some chunks of one container.
pub(crate) fn input(
    toc: &Arc<Table>,
    source: &Arc<impl Source + 'static>,
    cipher: Option<Cipher>,
    wanted: impl IntoIterator<Item = Selection>,
) -> Input {
    let plan = Plan::new(toc, Path::new("(memory)"), &**source, wanted);
    Input {
        path: PathBuf::from("(memory)"),
        table: Arc::clone(toc),
        source: Arc::clone(source) as Arc<dyn Source>,
        cipher,
        hash_kind: toc.chunk_hash_kind(),
        plan,
    }
}

/// All of every chunk.
pub(crate) fn everything(toc: &Table) -> Vec<Selection> {
    toc.chunks().map(Selection::whole).collect()
}

/// Runs an input to its end. Pieces of a chunk must come in order and without gaps.
pub(crate) async fn drain(mut input: Input, context: &Context) -> BTreeMap<ChunkIndex, Delivered> {
    let mut chunks = BTreeMap::new();
    for rejected in std::mem::take(&mut input.plan.rejected) {
        let (bytes, check, error) = (Vec::new(), Check::Skipped, Some(rejected.error));
        chunks.insert(rejected.chunk, Delivered { bytes, check, pieces: 0, error });
    }
    let mut decoded = Box::pin(run(Arc::from([input]), context, None));
    while let Some(mut batch) = decoded.next().await {
        for piece in std::mem::take(&mut batch.pieces) {
            let chunk = chunks.entry(piece.piece.chunk).or_insert_with(|| Delivered {
                bytes: Vec::new(),
                check: Check::Skipped,
                pieces: 0,
                error: None,
            });
            if chunk.error.is_none() && piece.piece.entire {
                assert_eq!(chunk.bytes.len() as u64, piece.piece.offset, "pieces follow each other");
            }
            chunk.bytes.extend_from_slice(batch.bytes(&piece));
            chunk.check = piece.check;
            chunk.pieces += 1;
            if let Err(error) = piece.result {
                chunk.error.get_or_insert(error);
            }
        }
    }
    chunks
}
