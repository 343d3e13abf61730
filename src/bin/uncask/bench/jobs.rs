//! Whole jobs, with several numbers of threads.

use super::meter::{Run, run};
use super::subject::Subject;
use serde::Serialize;
use std::path::Path;
use std::sync::Arc;
use uncask::error::{Error, Result};
use uncask::extract::{Outputs, UnpackOptions, unpack, verify};
use uncask::job::{Budget, Context, Cpu, Outcome};
use uncask::sink::{DirectorySink, Overwrite};

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

    /// True if it compares content with hashes.
    const fn verifies(self) -> bool {
        !matches!(self, Self::Decode)
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
    let context = Context::new(cpu, Budget::new(memory), job.verifies());
    let runtime =
        tokio::runtime::Builder::new_current_thread().build().map_err(Error::io("start threads", folder))?;
    let (store, entries) = (&subject.store, &subject.entries);
    let (run, outcome) = match job {
        BenchJob::Decode | BenchJob::Verify => {
            run(|| Ok(runtime.block_on(verify(store, entries, &context, false))))
        }
        BenchJob::Unpack => run(|| {
            let sink = Arc::new(DirectorySink::open(folder)?);
            let outputs = Outputs::new(store, entries, None);
            let options =
                UnpackOptions { overwrite: Overwrite::Always, verify: true, ..UnpackOptions::default() };
            Ok(runtime.block_on(unpack(store, outputs, sink, &context, options)))
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
