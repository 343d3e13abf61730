use super::existing::keeps;
use super::inputs::{Inputs, failure};
use super::outputs::Outputs;
use super::run::ChunkRun;
use super::writer::Writer;
use crate::job::{Context, Failure, Outcome};
use crate::sink::{Overwrite, Sink};
use crate::store::{Entry, Store};
use std::sync::Arc;

/// How chunks are written out.
#[derive(Debug, Clone, Copy, Default)]
pub struct UnpackOptions {
    /// What to do about files that are there already.
    pub overwrite: Overwrite,
    /// Check content against the recorded hashes.
    pub verify: bool,
    /// Write no content with the wrong hash, and nothing of a pak whose index has one.
    pub strict: bool,
    /// End at the first problem.
    pub fail_fast: bool,
}

/// Writes chunks into a sink, each into the file that `outputs` says.
pub async fn unpack(
    store: &Store,
    outputs: Outputs,
    sink: Arc<dyn Sink>,
    context: &Context,
    options: UnpackOptions,
) -> Outcome {
    let mut outcome = Outcome::default();
    let kept = context.cpu().map(outputs.iter(), |output| keeps(options.overwrite, store, &*sink, output));
    let mut entries = outcome.leave(outputs.iter().map(|output| output.entry), kept);
    entries.sort_unstable();
    let distrusted = if options.strict { take_distrusted(store, &mut entries) } else { Vec::new() };
    let mut inputs = Inputs::new(store, &entries, context, options.verify);
    inputs.failures.extend(distrusted);
    let mut outputs = outputs;
    outcome.clashes = std::mem::take(&mut outputs.clashes);
    let writer = Writer::new(store, &inputs, sink, Arc::new(outputs), options.strict);
    let run = ChunkRun {
        store,
        context,
        writer: Some(Arc::new(writer)),
        strict: options.strict,
        fail_fast: options.fail_fast,
    };
    run.run(inputs, &mut outcome).await;
    outcome
}

/// Takes away the entries of paks whose index does not have the hash recorded for it: their names may be forged.
fn take_distrusted(store: &Store, entries: &mut Vec<Entry>) -> Vec<Failure> {
    let problem = |entry: &Entry| store.container(*entry)?.index_errors().next();
    let distrusted =
        entries.iter().filter_map(|entry| Some(failure(store, *entry, problem(entry)?))).collect();
    entries.retain(|entry| problem(entry).is_none());
    distrusted
}
