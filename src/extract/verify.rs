use super::inputs::{Inputs, failure};
use super::run::ChunkRun;
use crate::container::ChunkIndex;
use crate::error::Error;
use crate::job::{Context, Failure, Outcome, Subject, Tally};
use crate::store::{Container, Entry, Store};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Reads chunks and compares them with the hashes in their tables of contents, and checks that the engine's look-up
/// finds them; for paks, also checks the hashes of the index. `context` must check hashes.
pub async fn verify(store: &Store, entries: &[Entry], context: &Context, fail_fast: bool) -> Outcome {
    let inputs = Inputs::new(store, entries, context, true);
    let mut outcome = Outcome::default();
    let mut tally = Tally::new(context, fail_fast, &mut outcome);
    for wrong in wrong_indices(store, entries).into_iter().chain(misplaced(store, entries)) {
        tally.mismatched(wrong);
    }
    drop(tally);
    ChunkRun { store, context, writer: None, strict: true, fail_fast }.run(inputs, &mut outcome).await;
    outcome
}

/// Failed index checks of the paks that contain the entries.
fn wrong_indices(store: &Store, entries: &[Entry]) -> Vec<Failure> {
    // Each container once, in store order, however many of its chunks are selected.
    let containers: BTreeSet<usize> = entries.iter().map(|entry| entry.container).collect();
    let containers = containers.into_iter().filter_map(|at| store.containers().get(at));
    let failure = |container: &Container, error| {
        let path = container.path().display().to_string();
        Failure { subject: Subject::File, path, error }
    };
    let failures = |container: &'_ Container| -> Vec<Failure> {
        container.index_errors().map(|error| failure(container, error)).collect()
    };
    containers.flat_map(|container| failures(container)).collect()
}

/// The entries not found by way of their table's perfect hash.
fn misplaced(store: &Store, entries: &[Entry]) -> Vec<Failure> {
    let mut by_container: HashMap<usize, HashSet<ChunkIndex>> = HashMap::new();
    let mut misplaced = Vec::new();
    for entry in entries {
        let Some(container) = store.container(*entry) else { continue };
        // One pass over a table finds all its misplaced chunks.
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
            let path = container.path().to_owned();
            misplaced.push(failure(store, *entry, Error::Misplaced { path }));
        }
    }
    misplaced
}
