//! Whole jobs, with several numbers of threads.

use super::meter::{Run, run};
use super::subject::Subject;
use serde::Serialize;
use std::path::Path;
use std::sync::Arc;
use uncask::error::{Error, Result};
use uncask::game::{Cpu, DirectorySink, Outcome, Overwrite, UnpackOptions};

/// A whole job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum BenchJob {
    /// Reads and decodes everything, and discards it.
    Decode,
    /// Reads, decodes and hashes everything.
    Verify,
    /// Reads, decodes and hashes everything, and writes it into a new folder.
    Unpack,
}

impl BenchJob {
    /// All jobs.
    pub(crate) const ALL: [Self; 3] = [Self::Decode, Self::Verify, Self::Unpack];

    /// Its name.
    #[must_use]
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Decode => "decode",
            Self::Verify => "verify",
            Self::Unpack => "unpack",
        }
    }
}

/// Runs a job once; `folder` is for its files. The time to start threads is not counted.
pub(super) fn run_job(
    subject: &Subject,
    job: BenchJob,
    threads: usize,
    memory: u64,
    folder: &Path,
) -> Result<Run> {
    // Threads and runtime are started before the clock.
    let cpu = Cpu::new(threads).map_err(Error::io("start threads", folder))?;
    let (game, entries) = (subject.game.on_workers(cpu, memory), &subject.entries);
    let (run, outcome) = match job {
        BenchJob::Decode => run(|| game.decode(entries)),
        BenchJob::Verify => run(|| game.verify(entries, false)),
        BenchJob::Unpack => run(|| {
            let sink = Arc::new(DirectorySink::open(folder)?);
            let outputs = game.outputs(entries, None);
            let options =
                UnpackOptions { overwrite: Overwrite::Always, verify: true, ..UnpackOptions::default() };
            game.unpack(outputs, sink, options)
        }),
    };
    // A job that skipped work would be too fast.
    first_problem(outcome?).map_or(Ok(run), Err)
}

/// The first problem of a job: the figures of one that failed mean nothing.
fn first_problem(mut outcome: Outcome) -> Option<Error> {
    outcome.failures.append(&mut outcome.mismatches);
    outcome.failures.into_iter().next().map(|failure| failure.error)
}
