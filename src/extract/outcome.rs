use crate::error::Error;
use crate::id::RawChunkId;
use crate::sink::{NameClash, PutOutcome};
use crate::store::Entry;

/// Kind of thing that a job works on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Subject {
    /// A chunk.
    Chunk(RawChunkId),
    /// A package, which may be several chunks or files.
    Package,
    /// A file that belongs to no container.
    File,
}

impl Subject {
    /// Its name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chunk(_) => "chunk",
            Self::Package => "package",
            Self::File => "file",
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

/// Something that did not make it, or whose content is not what it should be.
#[derive(Debug)]
pub struct Failure {
    /// Kind of thing, with the id of a chunk.
    pub subject: Subject,
    /// Its path, or the name of a chunk by its id.
    pub path: String,
    /// What went wrong.
    pub error: Error,
}

/// What became of a job.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Chunks that came through.
    pub chunks: u64,
    /// Their uncompressed size in bytes.
    pub raw_bytes: u64,
    /// Chunks that did not need to be written.
    pub skipped: u64,
    /// Those of them whose files were there already, and were found to be right.
    pub already_there: u64,
    /// Chunks that the table of contents has no hash for, so that nothing could be compared.
    pub unhashed: u64,
    /// Whether the job was given up before its end.
    pub cancelled: bool,
    /// Chunks that could not be read or written.
    pub failures: Vec<Failure>,
    /// Chunks whose content does not have the recorded hash, or could not be compared with it. They count as having come through, unless the job is
    /// strict.
    pub mismatches: Vec<Failure>,
    /// Exports of packages whose values could not be read, in jobs that read values.
    pub unread_exports: u64,
    /// Chunks that their container's perfect hash does not lead to, so that the engine would not find them.
    pub misplaced: Vec<(RawChunkId, String)>,
    /// Parts of the indices of paks that do not have the hash recorded for them.
    pub indices: Vec<Error>,
    /// Paths that had to change so that no two files meet.
    pub clashes: Vec<NameClash>,
}

impl Outcome {
    /// Whether nothing went wrong.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        self.problems().next().is_none()
            && self.unread_exports == 0
            && self.misplaced.is_empty()
            && self.indices.is_empty()
            && !self.cancelled
    }

    /// Counts the chunks whose files may stay, and returns the others.
    pub(super) fn skip(
        &mut self,
        entries: impl Iterator<Item = Entry>,
        kept: Vec<Option<PutOutcome>>,
    ) -> Vec<Entry> {
        let wanted = entries.zip(kept).filter(|(_, kept)| kept.map(|kept| self.count_kept(kept)).is_none());
        wanted.map(|(entry, _)| entry).collect()
    }

    /// Counts a chunk whose files stay.
    pub(super) fn count_kept(&mut self, kept: PutOutcome) {
        self.skipped += 1;
        self.already_there += u64::from(kept == PutOutcome::Unchanged);
    }

    /// Failures and mismatches.
    pub fn problems(&self) -> impl Iterator<Item = &Failure> {
        self.failures.iter().chain(&self.mismatches)
    }
}
