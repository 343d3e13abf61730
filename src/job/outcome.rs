//! Outcomes of jobs, whatever these worked on.

use super::Context;
use crate::error::Error;
use crate::id::RawChunkId;
use crate::report::Event;
use crate::sink::{NameClash, PutOutcome};

/// Kind of thing that a job counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// Chunks of containers, and files of paks.
    #[default]
    Chunk,
    /// Packages, each of which may be several chunks or files.
    Package,
    /// Files that belong to no container.
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

/// Thing that a failure is about.
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

/// Something that did not come through, or whose content is not what it should be.
#[derive(Debug)]
pub struct Failure {
    /// Kind of thing, with the id of a chunk.
    pub subject: Subject,
    /// Its path, or the name of a chunk by its id.
    pub path: String,
    /// The error.
    pub error: Error,
}

/// Outcome of a job: how much came through, what did not, and what else it has to show.
#[derive(Debug, Default)]
pub struct Outcome<T = ()> {
    /// Kind of thing that is counted.
    pub kind: Kind,
    /// Things that came through, without those that were there already or were kept.
    pub count: u64,
    /// Their uncompressed size in bytes.
    pub raw_bytes: u64,
    /// Things whose files were there already, and were found to be right.
    pub unchanged: u64,
    /// Things whose files were there already, and were to be left alone.
    pub kept: u64,
    /// Things without a recorded hash, so that nothing could be compared.
    pub unhashed: u64,
    /// Exports of packages whose values could not be read, in jobs that read values.
    pub unread_exports: u64,
    /// The job was ended before it was done.
    pub cancelled: bool,
    /// Things that could not be read or written.
    pub failures: Vec<Failure>,
    /// Things that could be read, but are not as their container says: content or an index that does not have the recorded hash, or a
    /// chunk that the engine would not find. Content counts as having come through all the same, unless the job is strict.
    pub mismatches: Vec<Failure>,
    /// Paths that had to change so that no two files meet.
    pub clashes: Vec<NameClash>,
    /// Result of the job besides.
    pub done: T,
}

impl<T> Outcome<T> {
    /// True if nothing went wrong.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        self.problems().next().is_none() && self.unread_exports == 0 && !self.cancelled
    }

    /// Failures and mismatches.
    pub fn problems(&self) -> impl Iterator<Item = &Failure> {
        self.failures.iter().chain(&self.mismatches)
    }

    /// An outcome of nothing yet.
    pub(crate) fn of(kind: Kind) -> Self
    where
        T: Default,
    {
        Self { kind, ..Self::default() }
    }

    /// Counts the things whose files stay as they are, and returns the others.
    pub(crate) fn leave<I>(
        &mut self,
        items: impl IntoIterator<Item = I>,
        stays: impl IntoIterator<Item = Option<PutOutcome>>,
    ) -> Vec<I> {
        let mut others = Vec::new();
        for (item, stays) in items.into_iter().zip(stays) {
            match stays {
                Some(stays) => self.count_left(stays),
                None => others.push(item),
            }
        }
        others
    }

    /// Counts a thing whose files stay as they are.
    pub(crate) const fn count_left(&mut self, outcome: PutOutcome) {
        match outcome {
            PutOutcome::Written => self.count += 1,
            PutOutcome::Unchanged => self.unchanged += 1,
            PutOutcome::Kept => self.kept += 1,
        }
    }

    /// Adds what went wrong in a part of the job that was run by itself.
    pub(crate) fn add_problems<U>(&mut self, part: Outcome<U>) {
        self.failures.extend(part.failures);
        self.mismatches.extend(part.mismatches);
        self.clashes.extend(part.clashes);
        self.cancelled |= part.cancelled;
    }
}

/// Counts what comes through, tells the observer of it, and ends the job at its first problem if it is to end there.
pub(crate) struct Tally<'a, T = ()> {
    context: &'a Context,
    /// The first problem ends the job.
    fail_fast: bool,
    pub outcome: &'a mut Outcome<T>,
}

impl<'a, T> Tally<'a, T> {
    pub(crate) const fn new(context: &'a Context, fail_fast: bool, outcome: &'a mut Outcome<T>) -> Self {
        Self { context, fail_fast, outcome }
    }

    /// Surroundings of the job.
    pub(crate) const fn context(&self) -> &'a Context {
        self.context
    }

    /// There is so much to do.
    pub(crate) fn planned(&self, count: u64, raw_bytes: u64) {
        self.context.observer().on(&Event::Planned { chunks: count, raw_bytes });
    }

    /// So much is over, whether it came through or not.
    pub(crate) fn advanced(&self, count: u64, raw_bytes: u64) {
        self.context.observer().on(&Event::Advanced { chunks: count, raw_bytes });
    }

    /// Something came through.
    pub(crate) fn came_through(&mut self, raw_bytes: u64) {
        self.outcome.count += 1;
        self.outcome.raw_bytes += raw_bytes;
    }

    /// Something did not come through. What was not begun for the job's end is no failure.
    pub(crate) fn failed(&mut self, failure: Failure) {
        if !matches!(failure.error, Error::Cancelled) {
            self.report(&failure);
            self.outcome.failures.push(failure);
        }
    }

    /// Something is not as its container says.
    pub(crate) fn mismatched(&mut self, failure: Failure) {
        self.report(&failure);
        self.outcome.mismatches.push(failure);
    }

    fn report(&self, failure: &Failure) {
        self.context.observer().on(&Event::Chunk { path: &failure.path, error: &failure.error });
        if self.fail_fast {
            // What has begun still comes out, so that no staged file is left behind.
            self.context.cancel();
        }
    }
}

impl<T> Drop for Tally<'_, T> {
    fn drop(&mut self) {
        self.outcome.cancelled |= self.context.is_cancelled();
    }
}
