//! Runs read plans to completion, and counts completed chunks.

use super::inputs::{Inputs, failure};
use super::writer::ChunkWriter;
use crate::container::ChunkIndex;
use crate::error::Error;
use crate::job::{Context, Outcome, Tally};
use crate::pipeline::{Check, PieceResult, Tap, run_tapped};
use crate::store::Store;
use futures_util::StreamExt;
use std::path::Path;
use std::sync::Arc;

/// Settings for reading chunks.
pub(super) struct ChunkRun<'a> {
    pub store: &'a Store,
    pub context: &'a Context,
    /// Writer of the chunks; `None` to check them only.
    pub writer: Option<Arc<dyn ChunkWriter>>,
    /// Treat a chunk with a wrong hash as failed.
    pub strict: bool,
    /// End the job at the first problem.
    pub fail_fast: bool,
}

impl ChunkRun<'_> {
    /// Runs the plans and adds to an outcome.
    pub(super) async fn run<T>(&self, mut inputs: Inputs, outcome: &mut Outcome<T>) {
        let mut tally = Tally::new(self.context, self.fail_fast, outcome);
        let (chunks, raw_bytes) = inputs.totals();
        tally.planned(chunks, raw_bytes);
        // Rejected chunks never reach the pipeline; they count as failures right away.
        for rejected in std::mem::take(&mut inputs.failures) {
            tally.failed(rejected);
        }
        let tap = self.writer.clone().map(|writer| writer as Arc<dyn Tap>);
        let mut decoded = Box::pin(run_tapped(Arc::clone(&inputs.inputs), self.context, tap));
        // The error of a chunk that comes in several pieces, kept until its last piece.
        let mut large = None;
        while let Some(mut batch) = decoded.next().await {
            let (mut chunks, mut raw_bytes) = (0, 0);
            // The error of a piece was already handled by the tap, which ran on the worker; only the counts are left.
            for piece in std::mem::take(&mut batch.pieces) {
                raw_bytes += piece.piece.len as u64;
                chunks += u64::from(piece.piece.last);
                let chunk = piece.piece.chunk;
                if let Some(done) = self.settle(batch.input, piece, &mut large) {
                    self.count(&inputs, (batch.input, chunk), done, &mut tally);
                }
            }
            tally.advanced(chunks, raw_bytes);
        }
    }

    /// Result of a chunk, returned with its last piece: its error if any, and its hash check.
    fn settle(
        &self,
        input: usize,
        done: PieceResult,
        large: &mut Option<Error>,
    ) -> Option<(Option<Error>, Check)> {
        let PieceResult { piece, result, check, .. } = done;
        // A chunk in a single piece was written and closed by the worker.
        if piece.first && piece.last {
            return Some((result.err(), check));
        }
        if piece.first {
            *large = None;
        }
        // The first error is the cause; errors of later pieces are likely its consequences.
        if let Err(error) = result {
            large.get_or_insert(error);
        }
        if !piece.last {
            return None;
        }
        // Finish even a failed chunk, so that its temporary file is removed.
        let keep = large.is_none() && !(self.strict && check.is_wrong());
        let finished = self.writer.as_ref().map_or(Ok(()), |writer| writer.finish(input, piece.chunk, keep));
        Some((large.take().or(finished.err()), check))
    }

    fn count<T>(
        &self,
        inputs: &Inputs,
        (input, chunk): (usize, ChunkIndex),
        (error, check): (Option<Error>, Check),
        tally: &mut Tally<'_, T>,
    ) {
        let entry = inputs.entry(input, chunk);
        if let Some(error) = error {
            return tally.failed(failure(self.store, entry, error));
        }
        tally.outcome.unhashed += u64::from(check == Check::NotRecorded);
        let path = inputs.inputs.get(input).map_or(Path::new(""), |input| &input.path);
        let mismatch = check.error(path);
        // A wrong hash is reported but written, unless the job is strict.
        if mismatch.is_none() || !self.strict {
            let container = self.store.container(entry);
            tally.came_through(container.map_or(0, |container| container.table().chunk_len(chunk)));
        }
        if let Some(error) = mismatch {
            tally.mismatched(failure(self.store, entry, error));
        }
    }
}
