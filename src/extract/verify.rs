use super::Outcome;
use super::drive::Drive;
use super::inputs::Inputs;
use crate::pipeline::Context;
use crate::report::Observer;
use crate::store::{Entry, Store};

/// Reads chunks and compares them with the hashes in their tables of contents. `context` must check hashes.
pub async fn verify(
    store: &Store,
    entries: &[Entry],
    context: &Context,
    fail_fast: bool,
    observer: &dyn Observer,
) -> Outcome {
    let inputs = Inputs::new(store, entries, context, true);
    let mut outcome = Outcome::default();
    let drive = Drive { store, context, observer, writer: None, strict: true, fail_fast };
    drive.run(inputs, &mut outcome).await;
    outcome
}
