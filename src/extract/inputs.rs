//! Turns entries of a store into inputs of the pipeline.

use crate::container::ChunkIndex;
use crate::error::{Error, Result};
use crate::job::{Context, Failure, Subject};
use crate::pipeline::{Input, Plan, Rejected, Selection, run};
use crate::store::{Container, Entry, Store};
use futures_util::StreamExt;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// Read plans for all containers of a job.
#[derive(Debug)]
pub(super) struct Inputs {
    /// One input per container.
    pub inputs: Arc<[Input]>,
    /// Position in the store of each input's container.
    pub containers: Vec<usize>,
    /// Chunks that cannot be read.
    pub failures: Vec<Failure>,
}

impl Inputs {
    /// Plans to read every entry in full.
    pub(super) fn new(store: &Store, entries: &[Entry], context: &Context, verify: bool) -> Self {
        Self::with_range(store, entries, 0..u64::MAX, context, verify)
    }

    /// Plans to read the same range of each entry.
    pub(super) fn with_range(
        store: &Store,
        entries: &[Entry],
        range: Range<u64>,
        context: &Context,
        verify: bool,
    ) -> Self {
        // One plan per container, in store order, so that reads of a file are sorted and can be merged.
        let mut by_container: BTreeMap<usize, Vec<ChunkIndex>> = BTreeMap::new();
        for entry in entries {
            by_container.entry(entry.container).or_default().push(entry.chunk);
        }
        let (mut inputs, mut containers, mut failures) = (Vec::new(), Vec::new(), Vec::new());
        for (at, chunks) in by_container {
            let Some(container) = store.containers().get(at) else { continue };
            let wanted = chunks.into_iter().map(|chunk| Selection { chunk, range: range.clone() });
            let mut input = plan(container, wanted);
            for rejected in std::mem::take(&mut input.plan.rejected) {
                failures.push(failure(store, Entry { container: at, chunk: rejected.chunk }, rejected.error));
            }
            // Only chunks of several batches are hashed piece by piece and need the function in advance; finding it
            // costs a read.
            if verify && input.plan.has_chunk_over(context.batch_len()) {
                input.hash_kind = container.hash_kind();
            }
            inputs.push(input);
            containers.push(at);
        }
        Self { inputs: inputs.into(), containers, failures }
    }

    /// The entry of a chunk of an input.
    pub(super) fn entry(&self, input: usize, chunk: ChunkIndex) -> Entry {
        Entry { container: self.containers.get(input).copied().unwrap_or(usize::MAX), chunk }
    }

    /// Total number of chunks and bytes.
    pub(super) fn totals(&self) -> (u64, u64) {
        let plans = || self.inputs.iter().map(|input| &input.plan);
        (plans().map(|plan| plan.chunks.len() as u64).sum(), plans().map(|plan| plan.raw_len).sum())
    }
}

/// The failure of an entry.
pub(super) fn failure(store: &Store, entry: Entry, error: Error) -> Failure {
    let subject = store.chunk_id(entry).map_or(Subject::File, Subject::Chunk);
    Failure { subject, path: store.display_path(entry), error }
}

fn plan(container: &Container, wanted: impl Iterator<Item = Selection>) -> Input {
    let source = container.source();
    // Locked chunks fail one by one: a pak may hold plain and encrypted files side by side.
    let (locked, open): (Vec<Selection>, Vec<Selection>) =
        wanted.partition(|selection| container.locked_for(selection.chunk).is_some());
    let mut plan = Plan::new(container.table(), container.path(), &*source, open);
    let rejected = |selection: Selection| {
        let error = container.locked_for(selection.chunk)?.same_key_problem();
        Some(Rejected { chunk: selection.chunk, error })
    };
    plan.rejected.extend(locked.into_iter().filter_map(rejected));
    Input {
        path: container.path().to_owned(),
        table: Arc::clone(container.table()),
        source,
        cipher: container.cipher().cloned(),
        hash_kind: container.table().chunk_hash_kind(),
        plan,
    }
}

/// Reads a chunk and passes its bytes to `each`, in order, one batch at a time.
pub async fn read_chunk(
    store: &Store,
    entry: Entry,
    context: &Context,
    mut each: impl FnMut(&[u8]) -> Result<()>,
) -> Result<crate::pipeline::Check> {
    // The whole chunk is one input, so pieces arrive in order, and the last one has the check of all.
    let mut inputs = Inputs::new(store, &[entry], context, true);
    if let Some(failure) = inputs.failures.pop() {
        return Err(failure.error);
    }
    let mut check = crate::pipeline::Check::Skipped;
    let mut decoded = Box::pin(run(inputs.inputs, context, None));
    while let Some(mut batch) = decoded.next().await {
        for piece in std::mem::take(&mut batch.pieces) {
            each(batch.bytes(&piece))?;
            piece.result?;
            check = piece.check;
        }
    }
    Ok(check)
}
