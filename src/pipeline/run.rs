//! Runs plans: bounded, cancellable, with errors by chunk.

use super::batch::{Batch, Cursor, Piece};
use super::decode::{Scratch, bytes_of, decode_piece};
use super::read::{Stored, read};
use super::{Budget, Cpu, Lease, Plan};
use crate::container::{ChunkIndex, Toc};
use crate::crypto::Cipher;
use crate::error::{Error, Result};
use crate::id::{ChunkHash, hash::ChunkHasher};
use crate::source::{Buffer, Source};
use crate::version::ChunkHashKind;
use futures_util::{Stream, StreamExt, stream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Raw bytes in a batch: large enough that its reads and hand-overs cost nothing, small enough for caches.
const BATCH_LEN: u64 = 1 << 20;

/// One container's share of a run.
#[derive(Debug)]
pub struct Input {
    /// The `.utoc`, for messages.
    pub path: PathBuf,
    /// Its table of contents.
    pub toc: Arc<Toc>,
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
    /// Nobody asked, or only part of the chunk was read.
    Skipped,
}

/// Sees every piece on the worker that decoded it, while it is in its caches. Pieces of one chunk may come in any
/// order and at the same time.
pub trait Tap: Send + Sync {
    /// Takes a piece of a chunk of the `input`-th input. `check` is set for whole chunks. An error fails the chunk.
    fn piece(&self, input: usize, piece: &Piece, bytes: &[u8], check: Check) -> Result<()>;
}

/// What runs need: memory, threads, and what to do on the way.
#[derive(Clone)]
pub struct Context {
    shared: Arc<Shared>,
}

/// The parts of a [`Context`] that workers share.
pub(super) struct Shared {
    budget: Budget,
    cpu: Cpu,
    verify: bool,
    batch_len: u64,
    cancelled: AtomicBool,
    buffers: Mutex<Vec<Buffer>>,
    scratches: Mutex<Vec<Scratch>>,
}

impl Context {
    /// A context; `verify` says whether hashes are checked.
    #[must_use]
    pub fn new(cpu: Cpu, budget: Budget, verify: bool) -> Self {
        // Reading, decoding and delivering overlap, so each thread wants a few batches of its own.
        let share = budget.total() / (cpu.threads() as u64 * 6).max(1);
        Self {
            shared: Arc::new(Shared {
                budget,
                cpu,
                verify,
                batch_len: BATCH_LEN.min(share),
                cancelled: AtomicBool::new(false),
                buffers: Mutex::default(),
                scratches: Mutex::default(),
            }),
        }
    }

    /// The same threads, budget and buffers, with or without checking hashes.
    #[must_use]
    pub fn with_verify(&self, verify: bool) -> Self {
        let Shared { budget, cpu, .. } = &*self.shared;
        Self::new(cpu.clone(), budget.clone(), verify)
    }

    /// Worker threads.
    #[must_use]
    pub fn cpu(&self) -> &Cpu {
        &self.shared.cpu
    }

    /// Memory for data in flight.
    #[must_use]
    pub fn budget(&self) -> &Budget {
        &self.shared.budget
    }

    /// Whether hashes are checked.
    #[must_use]
    pub fn verifies(&self) -> bool {
        self.shared.verify
    }

    /// Raw bytes in a batch.
    #[must_use]
    pub fn batch_len(&self) -> u64 {
        self.shared.batch_len
    }

    /// Stops all runs: batches that are not yet decoded fail with [`Error::Cancelled`].
    pub fn cancel(&self) {
        self.shared.cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether [`cancel`](Self::cancel) was called.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.shared.is_cancelled()
    }
}

impl Shared {
    fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// A buffer of this length, used before if possible.
    pub(super) fn buffer(&self, len: usize) -> Buffer {
        let mut buffer = self.lock_buffers().pop().unwrap_or_default();
        buffer.set_len(len);
        buffer
    }

    /// Keeps a buffer for later. Large ones are let go: they belong to a block or gap out of the ordinary.
    pub(super) fn recycle(&self, buffer: Buffer) {
        if buffer.capacity() as u64 <= 4 * self.batch_len {
            self.lock_buffers().push(buffer);
        }
    }

    fn lock_buffers(&self) -> std::sync::MutexGuard<'_, Vec<Buffer>> {
        self.buffers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with_scratch<T>(&self, work: impl FnOnce(&mut Scratch) -> T) -> T {
        let pool = || self.scratches.lock().unwrap_or_else(PoisonError::into_inner);
        let mut scratch = pool().pop().unwrap_or_default();
        let result = work(&mut scratch);
        pool().push(scratch);
        result
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
}

/// A decoded batch. Dropping it returns its memory to the budget.
pub struct Decoded {
    /// Position of the input in the list given to [`run`].
    pub input: usize,
    /// What became of each piece.
    pub pieces: Vec<PieceResult>,
    stored: Vec<Buffer>,
    raw: Buffer,
    inputs: Arc<[Input]>,
    shared: Arc<Shared>,
    _lease: Lease,
}

impl Decoded {
    fn input(&self) -> Option<&Input> {
        self.inputs.get(self.input)
    }

    /// The bytes of a piece; empty if it failed.
    #[must_use]
    pub fn bytes(&self, piece: &PieceResult) -> &[u8] {
        if piece.result.is_ok() { bytes_of(&piece.piece, &self.stored, &self.raw) } else { &[] }
    }
}

impl Drop for Decoded {
    fn drop(&mut self) {
        for buffer in self.stored.drain(..) {
            self.shared.recycle(buffer);
        }
        self.shared.recycle(std::mem::take(&mut self.raw));
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
        Some(((input, batch, lease), jobs))
    });
    let decoded = batches
        .map(move |(input, batch, lease)| {
            let job =
                Job { inputs: Arc::clone(&inputs), shared: Arc::clone(&shared), tap: tap.clone(), input };
            job.run(Arc::new(batch), lease)
        })
        .buffered(in_flight);
    decoded.scan(LargeChunk::default(), |large, mut decoded| {
        large.follow(&mut decoded);
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
            if let Some(batch) = self.cursor.next(&input.plan, &input.toc, self.shared.batch_len) {
                return Some((self.input, batch));
            }
            self.input += 1;
            self.cursor = Cursor::default();
        }
        None
    }
}

/// One batch on its way.
struct Job {
    inputs: Arc<[Input]>,
    shared: Arc<Shared>,
    tap: Option<Arc<dyn Tap>>,
    input: usize,
}

impl Job {
    async fn run(self, batch: Arc<Batch>, lease: Lease) -> Decoded {
        let Some(input) = self.inputs.get(self.input).filter(|_| !self.shared.is_cancelled()) else {
            return self.failed(&batch, lease, || Error::Cancelled);
        };
        let stored = read(&batch, &*input.source, &self.shared).await;
        let (this, work) = (Arc::new(self), Arc::clone(&batch));
        let worker = Arc::clone(&this);
        match this.shared.cpu.run(move || worker.decode(&work, stored)).await {
            Ok((stored, raw, pieces)) => {
                let (inputs, shared) = (Arc::clone(&this.inputs), Arc::clone(&this.shared));
                Decoded { input: this.input, pieces, stored, raw, inputs, shared, _lease: lease }
            }
            Err(message) => {
                let path = this.inputs.get(this.input).map(|input| input.path.clone()).unwrap_or_default();
                this.failed(&batch, lease, || Error::Internal {
                    message: message.clone(),
                    path: path.clone(),
                })
            }
        }
    }

    /// Decodes, checks and delivers all pieces; on a worker.
    fn decode(&self, batch: &Batch, stored: Stored) -> (Vec<Buffer>, Buffer, Vec<PieceResult>) {
        let mut raw = self.shared.buffer(batch.raw_len);
        let Stored { extents, failed } = stored;
        let mut failed: Vec<Option<(usize, Error)>> = failed.into_iter().map(Some).collect();
        let pieces = self.shared.with_scratch(|scratch| {
            let mut one = |piece: &Piece| {
                let lost = failed
                    .iter_mut()
                    .find(|lost| lost.as_ref().is_some_and(|(at, _)| piece.blocks.contains(at)));
                match lost.and_then(Option::take) {
                    Some((_, error)) => (Err(error), Check::Skipped),
                    None => self.decode_one(batch, piece, &extents, &mut raw, scratch),
                }
            };
            let results = batch.pieces.iter().map(|piece| {
                let (result, check) = one(piece);
                PieceResult { piece: piece.clone(), result, check }
            });
            results.collect()
        });
        (extents, raw, pieces)
    }

    fn decode_one(
        &self,
        batch: &Batch,
        piece: &Piece,
        stored: &[Buffer],
        raw: &mut [u8],
        scratch: &mut Scratch,
    ) -> (Result<()>, Check) {
        let Some(input) = self.inputs.get(self.input).filter(|_| !self.shared.is_cancelled()) else {
            return (Err(Error::Cancelled), Check::Skipped);
        };
        if let Err(error) = decode_piece(input, batch, piece, stored, raw, scratch) {
            return (Err(error), Check::Skipped);
        }
        let bytes = bytes_of(piece, stored, raw);
        let checked = if self.shared.verify && piece.is_whole() {
            Check::of(&input.toc, piece.chunk, input.hash_kind, bytes)
        } else {
            Check::Skipped
        };
        let tapped = self.tap.as_ref().map_or(Ok(()), |tap| tap.piece(self.input, piece, bytes, checked));
        (tapped, checked)
    }

    /// A batch none of whose pieces came through.
    fn failed(&self, batch: &Batch, lease: Lease, error: impl Fn() -> Error) -> Decoded {
        let result =
            |piece: &Piece| PieceResult { piece: piece.clone(), result: Err(error()), check: Check::Skipped };
        Decoded {
            input: self.input,
            pieces: batch.pieces.iter().map(result).collect(),
            stored: Vec::new(),
            raw: Buffer::default(),
            inputs: Arc::clone(&self.inputs),
            shared: Arc::clone(&self.shared),
            _lease: lease,
        }
    }
}

/// Follows the pieces of a chunk that is larger than a batch, to check its hash. They come in order, so there is
/// only one such chunk at a time.
#[derive(Default)]
struct LargeChunk {
    hasher: Option<ChunkHasher>,
}

impl LargeChunk {
    fn follow(&mut self, decoded: &mut Decoded) {
        if !decoded.shared.verify {
            return;
        }
        let mut pieces = std::mem::take(&mut decoded.pieces);
        for result in pieces.iter_mut().filter(|result| result.piece.entire && !result.piece.is_whole()) {
            if result.piece.first {
                self.hasher = decoded.input().map(|input| ChunkHasher::new(input.hash_kind));
            }
            if result.result.is_err() {
                self.hasher = None;
            }
            if let Some(hasher) = &mut self.hasher {
                hasher.update(decoded.bytes(result));
            }
            if result.piece.last {
                let expected = decoded.input().and_then(|input| input.toc.meta(result.piece.chunk));
                result.check = match (self.hasher.take(), expected) {
                    (Some(hasher), Some(meta)) if !meta.hash.is_zero() => {
                        Check::compare(hasher.finish(), meta.hash)
                    }
                    (Some(_), _) => Check::NotRecorded,
                    (None, _) => Check::Skipped,
                };
            }
        }
        decoded.pieces = pieces;
    }
}

impl Check {
    /// Compares the content of a chunk with the hash in its table of contents. `usual` is the function that the writer
    /// should have used; third-party packers do not all keep to it, so the other one counts too.
    #[must_use]
    pub fn of(toc: &Toc, chunk: ChunkIndex, usual: ChunkHashKind, content: &[u8]) -> Self {
        let expected = match toc.meta(chunk) {
            Some(meta) if !meta.hash.is_zero() => meta.hash,
            _ => return Self::NotRecorded,
        };
        let found = ChunkHash::of(usual, content);
        match Self::compare(found, expected) {
            Self::Mismatch { .. } if ChunkHash::of(other(usual), content) == expected => Self::Match,
            check => check,
        }
    }

    /// Compares a hash with the recorded one.
    pub(super) fn compare(found: ChunkHash, expected: ChunkHash) -> Self {
        if found == expected { Self::Match } else { Self::Mismatch { found, expected } }
    }
}

/// The function that the version does not call for.
const fn other(kind: ChunkHashKind) -> ChunkHashKind {
    match kind {
        ChunkHashKind::Sha1 => ChunkHashKind::Blake3,
        ChunkHashKind::Blake3 => ChunkHashKind::Sha1,
    }
}
