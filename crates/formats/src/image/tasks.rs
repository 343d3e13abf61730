//! Work on a picture in bands of rows, for callers with threads.

use std::fmt;

/// Work on some rows of a picture.
pub struct RowTask<'p>(Box<dyn FnOnce() + Send + 'p>);

impl<'p> RowTask<'p> {
    pub(super) fn new(work: impl FnOnce() + Send + 'p) -> Self {
        Self(Box::new(work))
    }

    /// Does the work.
    pub fn run(self) {
        (self.0)();
    }
}

impl fmt::Debug for RowTask<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RowTask").finish_non_exhaustive()
    }
}

/// Runs all tasks, in any order and on any threads, and returns when they are done.
pub type RunTasks<'r> = dyn Fn(Vec<RowTask<'_>>) + 'r;

/// Runs tasks on this thread.
pub fn run_here(tasks: Vec<RowTask<'_>>) {
    tasks.into_iter().for_each(RowTask::run);
}

/// Pixels of a band: it takes much longer than to start a task, and stays in caches.
const BAND: usize = 1 << 16;

/// Returns the number of rows of a band: a multiple of 4, the height of a block.
pub(super) fn rows_of_band(width: u32) -> usize {
    (BAND / (width as usize).max(1)).next_multiple_of(4).max(4)
}
