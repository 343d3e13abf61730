//! Runs plans: bounded, cancellable, with errors by chunk.

use super::batch::{Batch, Cursor};
use super::context::{Context, Shared};
use super::decoded::Decoded;
use super::input::Input;
use super::job::Job;
use super::large::LargeChunk;
use super::tap::Tap;
use futures_util::{Stream, StreamExt, stream};
use std::sync::Arc;

/// Runs the plans of all inputs, one after the other. Batches come out in the order of the plans. Dropping the
/// stream gives up what has not started.
///
/// Must be polled inside a Tokio runtime.
pub fn run(
    inputs: Arc<[Input]>,
    context: &Context,
    tap: Option<Arc<dyn Tap>>,
) -> impl Stream<Item = Decoded> + Send + use<> {
    start(inputs, context, tap, true)
}

/// Runs plans for those who only want to know what became of the chunks: workers keep the buffers, and the bytes are
/// gone when a batch comes out. The tap has seen them, or copied them from file to file.
pub fn run_tapped(
    inputs: Arc<[Input]>,
    context: &Context,
    tap: Option<Arc<dyn Tap>>,
) -> impl Stream<Item = Decoded> + Send + use<> {
    start(inputs, context, tap, false)
}

fn start(
    inputs: Arc<[Input]>,
    context: &Context,
    tap: Option<Arc<dyn Tap>>,
    keeps_bytes: bool,
) -> impl Stream<Item = Decoded> + Send + use<> {
    let shared = Arc::clone(&context.shared);
    let in_flight = shared.cpu.threads() * 3 + 2;
    let jobs = Jobs {
        inputs: Arc::clone(&inputs),
        shared: Arc::clone(&shared),
        input: 0,
        cursor: Cursor::default(),
    };
    let batches = stream::unfold(jobs, async |mut jobs| {
        let (input, batch) = jobs.next()?;
        // Paid for here, in order and before the job exists, so that a waiting batch never holds up an earlier one.
        let lease = jobs.shared.budget.lease(batch.price()).await;
        jobs.announce(input, &batch);
        let buffers = jobs.shared.large_buffers(&batch);
        Some(((input, batch, lease, buffers), jobs))
    });
    let verify = shared.verify;
    let decoded = batches
        .map(move |(input, batch, lease, buffers)| {
            let (inputs, shared) = (Arc::clone(&inputs), Arc::clone(&shared));
            let job = Job { inputs, shared, tap: tap.clone(), input, keeps_bytes };
            job.run(Arc::new(batch), lease, buffers)
        })
        .buffered(in_flight);
    decoded.scan(LargeChunk::default(), move |large, mut decoded| {
        if verify {
            large.follow(&mut decoded);
        }
        std::future::ready(Some(decoded))
    })
}

/// The batches of all inputs.
struct Jobs {
    inputs: Arc<[Input]>,
    shared: Arc<Shared>,
    input: usize,
    cursor: Cursor,
}

impl Jobs {
    /// The next batch; none once the run was cancelled, so that only what has started is still to come.
    fn next(&mut self) -> Option<(usize, Batch)> {
        if self.shared.is_cancelled() {
            return None;
        }
        while let Some(input) = self.inputs.get(self.input) {
            if let Some(batch) = self.cursor.next(&input.plan, &input.table, self.shared.batch_len) {
                return Some((self.input, batch));
            }
            self.input += 1;
            self.cursor = Cursor::default();
        }
        None
    }

    /// Lets the system start reading while the batch waits for a worker.
    fn announce(&self, input: usize, batch: &Batch) {
        let source = self.inputs.get(input).and_then(|input| input.source.blocking());
        if let Some(source) = source {
            batch.extents.iter().for_each(|extent| source.announce(&extent.range));
        }
    }
}
