//! Runs plans: bounded, cancellable, with errors by chunk.

use super::batch::{Batch, Cursor, Piece, StoredRun};
use super::context::{Context, Shared};
use super::decode::bytes_of;
use super::job::Job;
use super::large::LargeChunk;
use super::{Lease, Plan};
use crate::container::ChunkIndex;
use crate::crypto::Cipher;
use crate::error::{Error, Result};
use crate::id::{ChunkHash, tree_hash::PieceHash};
use crate::source::{Buffer, Source};
use crate::table::Table;
use crate::version::ChunkHashKind;
use futures_util::{Stream, StreamExt, stream};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// One container's share of a run.
#[derive(Debug)]
pub struct Input {
    /// The `.utoc`, for messages.
    pub path: PathBuf,
    /// Its table of contents.
    pub table: Arc<Table>,
    /// Its data.
    pub source: Arc<dyn Source>,
    /// How to decrypt it, if it is encrypted.
    pub cipher: Option<Cipher>,
    /// Which hash function its writer used.
    pub hash_kind: ChunkHashKind,
    /// What to read.
    pub plan: Plan,
}

/// What comparing a chunk with its recorded hash gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Check {
    /// The content is what the table of contents says.
    Match,
    /// It is not.
    Mismatch {
        /// Hash of the content.
        found: ChunkHash,
        /// Hash in the table of contents.
        expected: ChunkHash,
    },
    /// The table of contents has no hash.
    NotRecorded,
    /// It has one, but what that is of could not be put together or read.
    NotCompared,
    /// Nobody asked, or only part of the chunk was read.
    Skipped,
}

/// Sees every piece on the worker that decoded it, while it is in its caches. Pieces of one chunk may come in any
/// order and at the same time.
pub trait Tap: Send + Sync {
    /// Takes a piece of a chunk of the `input`-th input. `check` is set for whole chunks. An error fails the chunk.
    fn piece(&self, input: usize, piece: &Piece, bytes: &[u8], check: Check) -> Result<()>;

    /// Whether [`copy`](Self::copy) may be called instead of [`piece`](Self::piece).
    fn copies(&self) -> bool {
        false
    }

    /// Takes a piece that lies as it is in a file, from `position` on. Nothing was checked.
    fn copy(&self, _input: usize, _piece: &Piece, _file: &File, _position: u64) -> Result<()> {
        Ok(())
    }
}

/// What became of a piece.
#[derive(Debug)]
pub struct PieceResult {
    /// Which.
    pub piece: Piece,
    /// Whether its bytes are there.
    pub result: Result<()>,
    /// What checking gave: set for whole chunks, and for the last piece of a chunk that came in several.
    pub check: Check,
    /// Its share of the hash of a chunk that comes in several.
    pub(super) hash: Option<PieceHash>,
    /// Its stored bytes, if they are what the hash of its chunk is of.
    pub(super) run: Option<StoredRun>,
}

/// A decoded batch. Dropping it returns its memory to the budget.
pub struct Decoded {
    /// Position of the input in the list given to [`run`].
    pub input: usize,
    /// What became of each piece.
    pub pieces: Vec<PieceResult>,
    pub(super) stored: Vec<Buffer>,
    pub(super) raw: Buffer,
    pub(super) inputs: Arc<[Input]>,
    pub(super) shared: Arc<Shared>,
    pub(super) _lease: Lease,
}

impl Decoded {
    pub(super) fn input(&self) -> Option<&Input> {
        self.inputs.get(self.input)
    }

    /// The bytes of a piece; empty if it failed, or if they went to the tap of [`run_tapped`] only.
    #[must_use]
    pub fn bytes(&self, piece: &PieceResult) -> &[u8] {
        if piece.result.is_ok() { bytes_of(&piece.piece, &self.stored, &self.raw) } else { &[] }
    }

    /// The stored bytes of a piece, where they are what the hash is of.
    pub(super) fn stored_bytes(&self, piece: &PieceResult) -> Option<&[u8]> {
        let (extent, run) = piece.run.clone()?;
        self.stored.get(extent)?.get(run)
    }
}

impl Drop for Decoded {
    fn drop(&mut self) {
        let raw = std::mem::take(&mut self.raw);
        self.shared.recycle_all(self.stored.drain(..).chain([raw]));
    }
}

/// Runs the plans of all inputs, one after the other. Batches come out in the order of the plans. Dropping the
/// stream gives up what has not started.
///
/// Must be polled inside a Tokio runtime.
pub fn run(
    inputs: Arc<[Input]>,
    context: &Context,
    tap: Option<Arc<dyn Tap>>,
) -> impl Stream<Item = Decoded> + Send + use<> {
    start(inputs, context, tap, true)
}

/// The same for those who only want to know what became of the chunks: workers keep the buffers, and the bytes are
/// gone when a batch comes out. The tap has seen them, or copied them from file to file.
pub fn run_tapped(
    inputs: Arc<[Input]>,
    context: &Context,
    tap: Option<Arc<dyn Tap>>,
) -> impl Stream<Item = Decoded> + Send + use<> {
    start(inputs, context, tap, false)
}

fn start(
    inputs: Arc<[Input]>,
    context: &Context,
    tap: Option<Arc<dyn Tap>>,
    keeps_bytes: bool,
) -> impl Stream<Item = Decoded> + Send + use<> {
    let shared = Arc::clone(&context.shared);
    let in_flight = shared.cpu.threads() * 3 + 2;
    let jobs = Jobs {
        inputs: Arc::clone(&inputs),
        shared: Arc::clone(&shared),
        input: 0,
        cursor: Cursor::default(),
    };
    let batches = stream::unfold(jobs, async |mut jobs| {
        let (input, batch) = jobs.next()?;
        // Paid for here, in order and before the job exists, so that a waiting batch never holds up an earlier one.
        let lease = jobs.shared.budget.lease(batch.price()).await;
        jobs.announce(input, &batch);
        let buffers = jobs.shared.large_buffers(&batch);
        Some(((input, batch, lease, buffers), jobs))
    });
    let verify = shared.verify;
    let decoded = batches
        .map(move |(input, batch, lease, buffers)| {
            let (inputs, shared) = (Arc::clone(&inputs), Arc::clone(&shared));
            let job = Job { inputs, shared, tap: tap.clone(), input, keeps_bytes };
            job.run(Arc::new(batch), lease, buffers)
        })
        .buffered(in_flight);
    decoded.scan(LargeChunk::default(), move |large, mut decoded| {
        if verify {
            large.follow(&mut decoded);
        }
        std::future::ready(Some(decoded))
    })
}

/// The batches of all inputs.
struct Jobs {
    inputs: Arc<[Input]>,
    shared: Arc<Shared>,
    input: usize,
    cursor: Cursor,
}

impl Jobs {
    /// The next batch; none once the run was cancelled, so that only what has started is still to come.
    fn next(&mut self) -> Option<(usize, Batch)> {
        if self.shared.is_cancelled() {
            return None;
        }
        while let Some(input) = self.inputs.get(self.input) {
            if let Some(batch) = self.cursor.next(&input.plan, &input.table, self.shared.batch_len) {
                return Some((self.input, batch));
            }
            self.input += 1;
            self.cursor = Cursor::default();
        }
        None
    }

    /// Lets the system start reading while the batch waits for a worker.
    fn announce(&self, input: usize, batch: &Batch) {
        let source = self.inputs.get(input).and_then(|input| input.source.blocking());
        if let Some(source) = source {
            batch.extents.iter().for_each(|extent| source.announce(&extent.range));
        }
    }
}

impl Check {
    /// Compares the content of a chunk with the hash in its table of contents. `usual` is the function that the writer
    /// should have used; third-party packers do not all keep to it, so the other one counts too.
    #[must_use]
    pub fn of(toc: &Table, chunk: ChunkIndex, usual: ChunkHashKind, content: &[u8]) -> Self {
        let expected = match toc.meta(chunk) {
            Some(meta) if !meta.hash.is_zero() => meta.hash,
            _ => return Self::NotRecorded,
        };
        let found = ChunkHash::of(usual, content);
        match Self::compare(found, expected) {
            Self::Mismatch { .. } if ChunkHash::of(usual.other(), content) == expected => Self::Match,
            check => check,
        }
    }

    /// Whether the content is not, or may not be, what the table of contents says.
    #[must_use]
    pub const fn is_wrong(self) -> bool {
        matches!(self, Self::Mismatch { .. } | Self::NotCompared)
    }

    /// What is [wrong](Self::is_wrong), as an error about the container at `path`.
    #[must_use]
    pub fn error(self, path: &Path) -> Option<Error> {
        let path = || path.to_owned();
        match self {
            Self::Mismatch { found, expected } => Some(Error::HashMismatch { found, expected, path: path() }),
            Self::NotCompared => Some(Error::NotCompared { path: path() }),
            Self::Match | Self::NotRecorded | Self::Skipped => None,
        }
    }

    /// Compares a hash with the recorded one.
    pub(super) fn compare(found: ChunkHash, expected: ChunkHash) -> Self {
        if found == expected { Self::Match } else { Self::Mismatch { found, expected } }
    }
}
