//! Runs plans: bounded, cancellable, with errors per chunk.

use super::batch::{Batch, Cursor};
use super::batch_work::BatchWork;
use super::buffers::Buffers;
use super::decoded::Decoded;
use super::input::Input;
use super::large::LargeChunk;
use super::tap::Tap;
use crate::job::{self, Context};
use futures_util::{Stream, StreamExt};
use std::sync::Arc;

/// Runs the plans of all inputs, one after the other. Batches arrive in the order of the plans. Dropping the
/// stream cancels everything that has not started.
///
/// Must be polled inside a Tokio runtime.
pub fn run(
    inputs: Arc<[Input]>,
    context: &Context,
    tap: Option<Arc<dyn Tap>>,
) -> impl Stream<Item = Decoded> + Send + use<> {
    start(inputs, context, tap, true)
}

/// Runs plans for receivers that only want the results: workers keep the buffers, and the bytes are gone when
/// a batch arrives. The tap has seen them, or copied them from file to file.
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
    let in_flight = context.cpu().threads() * 3 + 2;
    let cut = Cut {
        inputs: Arc::clone(&inputs),
        batch_len: context.batch_len(),
        input: 0,
        cursor: Cursor::default(),
    };
    let (verify, context) = (context.verifies(), context.clone());
    let price = |(_, batch): &(usize, Batch)| batch.price();
    let of_job = context.clone();
    let work = move |(input, batch): (usize, Batch), lease| {
        announce(&inputs, input, &batch);
        let buffers = Buffers::of_large(&batch, &context);
        let (inputs, context) = (Arc::clone(&inputs), context.clone());
        let work = BatchWork { inputs, context, tap: tap.clone(), input, keeps_bytes };
        work.run(Arc::new(batch), lease, buffers)
    };
    let decoded = job::start(cut, &of_job, in_flight, price, work);
    // Hashes of large chunks are completed here, where batches are in order again.
    decoded.scan(LargeChunk::default(), move |large, mut decoded| {
        if verify {
            large.follow(&mut decoded);
        }
        std::future::ready(Some(decoded))
    })
}

/// Cuts the plans of all inputs into batches, on demand.
struct Cut {
    inputs: Arc<[Input]>,
    batch_len: u64,
    input: usize,
    cursor: Cursor,
}

impl Iterator for Cut {
    type Item = (usize, Batch);

    fn next(&mut self) -> Option<Self::Item> {
        while let Some(input) = self.inputs.get(self.input) {
            if let Some(batch) = self.cursor.next(&input.plan, &input.table, self.batch_len) {
                return Some((self.input, batch));
            }
            self.input += 1;
            self.cursor = Cursor::default();
        }
        None
    }
}

/// Lets the system start reading while the batch waits for a worker.
fn announce(inputs: &[Input], input: usize, batch: &Batch) {
    let source = inputs.get(input).and_then(|input| input.source.blocking());
    if let Some(source) = source {
        batch.extents.iter().for_each(|extent| source.announce(&extent.range));
    }
}
