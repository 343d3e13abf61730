use super::existing::keeps;
use super::inputs::{Inputs, failure};
use super::outputs::Outputs;
use super::run::ChunkRun;
use super::writer::Writer;
use crate::job::{Context, Failure, Outcome};
use crate::sink::{Overwrite, Sink};
use crate::store::{Entry, Store};
use std::sync::Arc;

/// Options for writing chunks.
#[derive(Debug, Clone, Copy, Default)]
pub struct UnpackOptions {
    /// Treatment of existing files.
    pub overwrite: Overwrite,
    /// Check content against the recorded hashes.
    pub verify: bool,
    /// Skip content with a wrong hash, and paks whose index has one.
    pub strict: bool,
    /// End the job at the first problem.
    pub fail_fast: bool,
}

/// Writes chunks into a sink, each to its file in `outputs`.
pub async fn unpack(
    store: &Store,
    outputs: Outputs,
    sink: Arc<dyn Sink>,
    context: &Context,
    options: UnpackOptions,
) -> Outcome {
    let mut outcome = Outcome::default();
    // Comparing existing files means hashing them, so it runs on all threads.
    let kept = context.cpu().map(outputs.iter(), |output| keeps(options.overwrite, store, &*sink, output));
    let mut entries = outcome.leave(outputs.iter().map(|output| output.entry), kept);
    // In store order, so that data files are read front to back.
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

/// Removes entries of paks with a bad index hash: their names may be forged.
fn take_distrusted(store: &Store, entries: &mut Vec<Entry>) -> Vec<Failure> {
    let problem = |entry: &Entry| store.container(*entry)?.index_errors().next();
    let distrusted =
        entries.iter().filter_map(|entry| Some(failure(store, *entry, problem(entry)?))).collect();
    entries.retain(|entry| problem(entry).is_none());
    distrusted
}
