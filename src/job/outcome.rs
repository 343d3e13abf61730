//! Outcomes of jobs of any kind.

use super::Context;
use crate::error::Error;
use crate::id::RawChunkId;
use crate::report::Event;
use crate::sink::{NameClash, PutOutcome};

/// Kind of items that a job counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// Chunks of containers, and files of paks.
    #[default]
    Chunk,
    /// Packages, of one or more chunks or files.
    Package,
    /// Files outside of containers.
    File,
}

impl Kind {
    /// Its name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chunk => "chunk",
            Self::Package => "package",
            Self::File => "file",
        }
    }
}

/// Item that a failure is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Subject {
    /// A chunk.
    Chunk(RawChunkId),
    /// A package.
    Package,
    /// A file.
    File,
}

impl Subject {
    /// Its kind.
    #[must_use]
    pub const fn kind(self) -> Kind {
        match self {
            Self::Chunk(_) => Kind::Chunk,
            Self::Package => Kind::Package,
            Self::File => Kind::File,
        }
    }

    /// The id of a chunk.
    #[must_use]
    pub const fn chunk(self) -> Option<RawChunkId> {
        match self {
            Self::Chunk(id) => Some(id),
            Self::Package | Self::File => None,
        }
    }
}

/// An item that failed, or does not match its record.
#[derive(Debug)]
pub struct Failure {
    /// The item; for a chunk with its id.
    pub subject: Subject,
    /// Its path, or the id of a chunk without one.
    pub path: String,
    /// The error.
    pub error: Error,
}

/// Outcome of a job: counts, failures and results.
#[derive(Debug, Default)]
pub struct Outcome<T = ()> {
    /// Kind of items counted.
    pub kind: Kind,
    /// Number of items done, without unchanged and kept ones.
    pub count: u64,
    /// Their uncompressed length, in bytes.
    pub raw_bytes: u64,
    /// Number of items whose files existed with the right content.
    pub unchanged: u64,
    /// Number of items whose files existed and were left alone.
    pub kept: u64,
    /// Number of items without a recorded hash to check.
    pub unhashed: u64,
    /// Number of exports with unreadable values, in jobs that read values.
    pub unread_exports: u64,
    /// True if the job was cancelled before its end.
    pub cancelled: bool,
    /// Items that could not be read or written.
    pub failures: Vec<Failure>,
    /// Items that could be read, but do not match their container: content or an index with another hash than recorded,
    /// or a chunk that the engine would not find. Such content still counts as done, unless the job is strict.
    pub mismatches: Vec<Failure>,
    /// Paths changed to keep them distinct.
    pub clashes: Vec<NameClash>,
    /// Further results of the job.
    pub done: T,
}

impl<T> Outcome<T> {
    /// True if there were no problems at all.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        self.problems().next().is_none() && self.unread_exports == 0 && !self.cancelled
    }

    /// Failures and mismatches.
    pub fn problems(&self) -> impl Iterator<Item = &Failure> {
        self.failures.iter().chain(&self.mismatches)
    }

    /// An empty outcome.
    pub(crate) fn of(kind: Kind) -> Self
    where
        T: Default,
    {
        Self { kind, ..Self::default() }
    }

    /// Counts the items whose files stay, and returns the others.
    pub(crate) fn leave<I>(
        &mut self,
        items: impl IntoIterator<Item = I>,
        stays: impl IntoIterator<Item = Option<PutOutcome>>,
    ) -> Vec<I> {
        let mut others = Vec::new();
        // Files that stay are never read, so they are counted here, before the job starts.
        for (item, stays) in items.into_iter().zip(stays) {
            match stays {
                Some(stays) => self.count_left(stays),
                None => others.push(item),
            }
        }
        others
    }

    /// Counts an item by the result of writing it.
    pub(crate) const fn count_left(&mut self, outcome: PutOutcome) {
        match outcome {
            PutOutcome::Written => self.count += 1,
            PutOutcome::Unchanged => self.unchanged += 1,
            PutOutcome::Kept => self.kept += 1,
        }
    }

    /// Counts an item that was counted as done by the result of writing it instead.
    pub(crate) const fn recount(&mut self, outcome: PutOutcome, raw_len: u64) {
        self.count -= 1;
        // The length of what is written: files that stay are not.
        if !matches!(outcome, PutOutcome::Written) {
            self.raw_bytes -= raw_len;
        }
        self.count_left(outcome);
    }

    /// Adds the problems of a part that was run as a job of its own.
    pub(crate) fn add_problems<U>(&mut self, part: Outcome<U>) {
        // Counts are left alone: the caller counts the part's items in its own way.
        self.failures.extend(part.failures);
        self.mismatches.extend(part.mismatches);
        self.clashes.extend(part.clashes);
        self.cancelled |= part.cancelled;
    }
}

/// Counts results, notifies the observer, and cancels the job at its first problem if requested.
pub(crate) struct Tally<'a, T = ()> {
    context: &'a Context,
    /// Cancel the job at its first problem.
    fail_fast: bool,
    pub outcome: &'a mut Outcome<T>,
}

impl<'a, T> Tally<'a, T> {
    pub(crate) const fn new(context: &'a Context, fail_fast: bool, outcome: &'a mut Outcome<T>) -> Self {
        Self { context, fail_fast, outcome }
    }

    /// Resources of the job.
    pub(crate) const fn context(&self) -> &'a Context {
        self.context
    }

    /// Reports the amount of work to come.
    pub(crate) fn planned(&self, count: u64, raw_bytes: u64) {
        self.context.observer().on(&Event::Planned { chunks: count, raw_bytes });
    }

    /// Reports progress, including failed items.
    pub(crate) fn advanced(&self, count: u64, raw_bytes: u64) {
        self.context.observer().on(&Event::Advanced { chunks: count, raw_bytes });
    }

    /// Counts a finished item.
    pub(crate) fn came_through(&mut self, raw_bytes: u64) {
        self.outcome.count += 1;
        self.outcome.raw_bytes += raw_bytes;
    }

    /// Counts a failed item. Items not begun after a cancel are no failures.
    pub(crate) fn failed(&mut self, failure: Failure) {
        if !matches!(failure.error, Error::Cancelled) {
            self.report(&failure);
            self.outcome.failures.push(failure);
        }
    }

    /// Counts an item that does not match its container.
    pub(crate) fn mismatched(&mut self, failure: Failure) {
        self.report(&failure);
        self.outcome.mismatches.push(failure);
    }

    fn report(&self, failure: &Failure) {
        self.context.observer().on(&Event::Chunk { path: &failure.path, error: &failure.error });
        if self.fail_fast {
            // Cancel rather than return: items already begun still finish, so no temporary file is left.
            self.context.cancel_token().cancel();
        }
    }
}

impl<T> Drop for Tally<'_, T> {
    fn drop(&mut self) {
        // Checked at the end, since the token may be cancelled from anywhere.
        self.outcome.cancelled |= self.context.cancel_token().is_cancelled();
    }
}
