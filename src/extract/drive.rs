//! Runs a job and counts its results.

use super::inputs::{Inputs, failure};
use super::writer::ChunkWriter;
use super::{Failure, Outcome};
use crate::container::ChunkIndex;
use crate::error::Error;
use crate::job::Context;
use crate::pipeline::{Check, Decoded, PieceResult, Tap, run_tapped};
use crate::report::Event;
use crate::store::Store;
use futures_util::StreamExt;
use std::path::Path;
use std::sync::Arc;

/// What a job does with what it reads.
pub(super) struct Drive<'a> {
    pub store: &'a Store,
    pub context: &'a Context,
    /// Writes the chunks; without it they are only checked.
    pub writer: Option<Arc<dyn ChunkWriter>>,
    /// A chunk with the wrong hash does not come through.
    pub strict: bool,
    /// The first problem ends the job.
    pub fail_fast: bool,
}

impl Drive<'_> {
    /// Runs the plans to their end, adding to an outcome.
    pub(super) async fn run(&self, mut inputs: Inputs, outcome: &mut Outcome) {
        let (chunks, raw_bytes) = inputs.totals();
        self.context.observer().on(&Event::Planned { chunks, raw_bytes });
        for rejected in std::mem::take(&mut inputs.failures) {
            self.report(rejected, &mut outcome.failures);
        }
        if self.fail_fast && !outcome.is_ok() {
            return;
        }
        let tap = self.writer.clone().map(|writer| writer as Arc<dyn Tap>);
        let mut decoded = Box::pin(run_tapped(Arc::clone(&inputs.inputs), self.context, tap));
        let mut large = None;
        while let Some(mut batch) = decoded.next().await {
            self.account(&inputs, &mut batch, &mut large, outcome);
            if self.fail_fast && !outcome.is_ok() {
                // What has started still comes out, so that no staged file is left behind.
                self.context.cancel();
            }
        }
        outcome.cancelled |= self.context.is_cancelled();
    }

    fn account(
        &self,
        inputs: &Inputs,
        batch: &mut Decoded,
        large: &mut Option<Error>,
        outcome: &mut Outcome,
    ) {
        let (mut chunks, mut raw_bytes) = (0, 0);
        for result in std::mem::take(&mut batch.pieces) {
            raw_bytes += result.piece.len as u64;
            chunks += u64::from(result.piece.last);
            let chunk = result.piece.chunk;
            if let Some((error, check)) = self.settle(batch.input, result, large) {
                self.book(inputs, batch.input, chunk, error, check, outcome);
            }
        }
        self.context.observer().on(&Event::Advanced { chunks, raw_bytes });
    }

    /// Once all pieces of a chunk are through: its error, if it has one, and what checking it gave.
    fn settle(
        &self,
        input: usize,
        done: PieceResult,
        large: &mut Option<Error>,
    ) -> Option<(Option<Error>, Check)> {
        let PieceResult { piece, result, check, .. } = done;
        if piece.first && piece.last {
            return Some((result.err(), check));
        }
        if piece.first {
            *large = None;
        }
        if let Err(error) = result {
            large.get_or_insert(error);
        }
        if !piece.last {
            return None;
        }
        let keep = large.is_none() && !(self.strict && check.is_wrong());
        let finished = self.writer.as_ref().map_or(Ok(()), |writer| writer.finish(input, piece.chunk, keep));
        Some((large.take().or(finished.err()), check))
    }

    fn book(
        &self,
        inputs: &Inputs,
        input: usize,
        chunk: ChunkIndex,
        error: Option<Error>,
        check: Check,
        outcome: &mut Outcome,
    ) {
        let entry = inputs.entry(input, chunk);
        let failed = |error| failure(self.store, entry, error);
        if let Some(Error::Cancelled) = error {
            return;
        }
        if let Some(error) = error {
            return self.report(failed(error), &mut outcome.failures);
        }
        outcome.unhashed += u64::from(check == Check::NotRecorded);
        let path = inputs.inputs.get(input).map_or(Path::new(""), |input| &input.path);
        if let Some(error) = check.error(path) {
            self.report(failed(error), &mut outcome.mismatches);
            if self.strict {
                return;
            }
        }
        outcome.chunks += 1;
        outcome.raw_bytes +=
            self.store.container(entry).map_or(0, |container| container.table().chunk_len(chunk));
    }

    fn report(&self, failure: Failure, list: &mut Vec<Failure>) {
        self.context.observer().on(&Event::Chunk { path: &failure.path, error: &failure.error });
        list.push(failure);
    }
}
