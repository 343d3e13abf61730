//! Runs a job while Python waits: without the interpreter's lock, with progress, until Ctrl-C.

use crate::errors;
use crate::outcomes;
use pyo3::prelude::*;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use uncask::GameError;
use uncask::game::{ChunkJob, Progress};

/// Interval at which progress is shown and Ctrl-C is looked for.
const TICK: Duration = Duration::from_millis(50);

/// Does the work of a job on a thread of its own. `progress` is called by this one, some twenty times a second; an exception in it
/// ends the job, as does Ctrl-C, and is what comes out once the job has cleaned up.
pub(crate) fn run<'g, T: Send>(
    py: Python<'_>,
    job: ChunkJob<'g>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(ChunkJob<'g>) -> Result<T, GameError> + Send,
) -> PyResult<T> {
    let progress = progress.map(|progress| progress.clone().unbind());
    let done = py.detach(|| wait(job, progress.as_ref(), work))?;
    done.map_err(|error| errors::raise(py, &error))
}

fn wait<'g, T: Send>(
    job: ChunkJob<'g>,
    progress: Option<&Py<PyAny>>,
    work: impl FnOnce(ChunkJob<'g>) -> Result<T, GameError> + Send,
) -> PyResult<Result<T, GameError>> {
    let cancel = job.cancel_token().clone();
    let latest = Arc::new(Mutex::new(None));
    let job = if progress.is_some() {
        let latest = Arc::clone(&latest);
        job.on_progress(move |now| *latest.lock().unwrap_or_else(PoisonError::into_inner) = Some(now))
    } else {
        job
    };
    let take = || latest.lock().unwrap_or_else(PoisonError::into_inner).take();
    std::thread::scope(|scope| {
        let (send, done) = channel();
        let worker = scope.spawn(move || drop(send.send(work(job))));
        let mut problem = None;
        let result = loop {
            match done.recv_timeout(TICK) {
                Ok(result) => break result,
                Err(RecvTimeoutError::Disconnected) => match worker.join() {
                    Err(panic) => std::panic::resume_unwind(panic),
                    Ok(()) => unreachable!("a worker that ends has sent its result"),
                },
                Err(RecvTimeoutError::Timeout) if problem.is_some() => {}
                Err(RecvTimeoutError::Timeout) => {
                    if let Err(error) = Python::attach(|py| tick(py, progress, take())) {
                        cancel.cancel();
                        problem = Some(error);
                    }
                }
            }
        };
        match problem {
            Some(problem) => Err(problem),
            None => Python::attach(|py| tick(py, progress, take())).map(|()| result),
        }
    })
}

fn tick(py: Python<'_>, progress: Option<&Py<PyAny>>, now: Option<Progress>) -> PyResult<()> {
    py.check_signals()?;
    match progress.zip(now) {
        Some((progress, now)) => progress.call1(py, (outcomes::progress(py, now)?,)).map(|_| ()),
        None => Ok(()),
    }
}
