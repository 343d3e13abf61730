use super::Outcome;
use super::drive::Drive;
use super::inputs::Inputs;
use crate::container::ChunkIndex;
use crate::error::Error;
use crate::id::RawChunkId;
use crate::job::Context;
use crate::store::{Entry, Store};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Reads chunks and compares them with the hashes in their tables of contents, and looks each one up the way the
/// engine does; of paks, the hashes of the index count, too. `context` must check hashes.
pub async fn verify(store: &Store, entries: &[Entry], context: &Context, fail_fast: bool) -> Outcome {
    let inputs = Inputs::new(store, entries, context, true);
    let (misplaced, indices) = (misplaced(store, entries), wrong_indices(store, entries));
    let mut outcome = Outcome { misplaced, indices, ..Outcome::default() };
    let drive = Drive { store, context, writer: None, strict: true, fail_fast };
    drive.run(inputs, &mut outcome).await;
    outcome
}

/// What is wrong with the indices of the paks that the entries are in.
fn wrong_indices(store: &Store, entries: &[Entry]) -> Vec<Error> {
    let containers: BTreeSet<usize> = entries.iter().map(|entry| entry.container).collect();
    let containers = containers.into_iter().filter_map(|at| store.containers().get(at));
    containers.flat_map(|container| container.index_errors()).collect()
}

/// Those of the entries that the perfect hash does not lead to.
fn misplaced(store: &Store, entries: &[Entry]) -> Vec<(RawChunkId, String)> {
    let mut by_container: HashMap<usize, HashSet<ChunkIndex>> = HashMap::new();
    let mut misplaced = Vec::new();
    for entry in entries {
        let Some(container) = store.container(*entry) else { continue };
        let chunks = by_container.entry(entry.container).or_insert_with(|| {
            container
                .table()
                .iostore()
                .map(crate::container::Toc::misplaced_chunks)
                .unwrap_or_default()
                .into_iter()
                .collect()
        });
        if chunks.contains(&entry.chunk) {
            misplaced.push((store.chunk_id(*entry).unwrap_or_default(), store.display_path(*entry)));
        }
    }
    misplaced
}
