//! Processing of one batch, from stored bytes to delivered ones.

use super::batch::{Batch, Piece, PiecePlace};
use super::buffers::Buffers;
use super::check::Check;
use super::decode::{bytes_of, decode_piece};
use super::decoded::{Decoded, PieceResult};
use super::input::Input;
use super::large::hashes_in_pieces;
use super::read::{Stored, read, read_now};
use super::tap::Tap;
use super::{batch::BlockPlan, stored_hash};
use crate::codec::Scratch;
use crate::error::{Error, Result};
use crate::id::tree_hash::PieceHash;
use crate::job::{Context, Lease};
use crate::source::{Blocking, Buffer};
use crate::table::Hashed;
use std::sync::Arc;

/// Processing of one batch.
pub(super) struct BatchWork {
    pub inputs: Arc<[Input]>,
    pub context: Context,
    pub tap: Option<Arc<dyn Tap>>,
    /// Index of the input that the batch belongs to.
    pub input: usize,
    /// True if the receiver wants the bytes of the result.
    pub keeps_bytes: bool,
}

/// State of a batch when a worker takes it.
enum Ready {
    /// Nothing was read.
    Nothing(Option<Buffers>),
    /// The stored bytes were read; the other buffers are empty.
    Stored(Stored, Buffers),
}

/// Result of a worker.
struct Worked {
    pieces: Vec<PieceResult>,
    stored: Vec<Buffer>,
    raw: Buffer,
}

impl BatchWork {
    /// Processes a batch in the given buffers, or else in ordinary ones.
    pub(super) async fn run(self, batch: Arc<Batch>, lease: Lease, buffers: Option<Buffers>) -> Decoded {
        let Some(input) = self.inputs.get(self.input).filter(|_| !self.context.cancel_token().is_cancelled())
        else {
            return self.failed(&batch, lease, || Error::Cancelled);
        };
        // A worker reads from a blocking source itself: the bytes are then in its caches.
        let ready = match input.source.blocking() {
            Some(_) => Ready::Nothing(buffers),
            None => {
                let mut buffers = buffers.unwrap_or_else(|| Buffers::of(&batch, &self.context));
                let stored = std::mem::take(&mut buffers.stored);
                let stored = read(&batch, stored, &*input.source, &self.context).await;
                Ready::Stored(stored, buffers)
            }
        };
        // Decoding keeps a thread busy, so it runs on a CPU worker, never on the I/O runtime.
        let (this, work) = (Arc::new(self), Arc::clone(&batch));
        let worker = Arc::clone(&this);
        match this.context.cpu().run(move || worker.work(&work, ready)).await {
            Ok(Worked { pieces, stored, raw }) => {
                let (inputs, context) = (Arc::clone(&this.inputs), this.context.clone());
                Decoded { input: this.input, pieces, stored, raw, inputs, context, _lease: lease }
            }
            // A panic in a worker fails this batch, not the job.
            Err(message) => {
                let path = this.inputs.get(this.input).map(|input| input.path.clone()).unwrap_or_default();
                this.failed(&batch, lease, || Error::Internal {
                    message: message.clone(),
                    path: path.clone(),
                })
            }
        }
    }

    /// Reads if that was not done, then decodes, checks and delivers; runs on a worker.
    fn work(&self, batch: &Batch, ready: Ready) -> Worked {
        let input = self.inputs.get(self.input);
        let blocking = input.and_then(|input| input.source.blocking());
        if let Some(pieces) = blocking.and_then(|source| self.copy(batch, source)) {
            return Worked { pieces, stored: Vec::new(), raw: Buffer::default() };
        }
        let (stored, buffers) = match ready {
            Ready::Stored(stored, buffers) => (stored, buffers),
            Ready::Nothing(buffers) => {
                let mut buffers = buffers.unwrap_or_else(|| Buffers::of(batch, &self.context));
                let stored = std::mem::take(&mut buffers.stored);
                let stored = blocking.map(|source| read_now(batch, stored, source)).unwrap_or_default();
                (stored, buffers)
            }
        };
        let mut work = self.decode(batch, stored, buffers);
        // Chunks whose hash needs their pieces in order are hashed by the receiver, which therefore needs
        // the bytes.
        let in_order = |piece: &Piece| piece.entire && !piece.is_whole();
        let hashed_later = self.context.verifies()
            && input.is_some_and(|input| !hashes_in_pieces(input))
            && batch.pieces.iter().any(in_order);
        if !(self.keeps_bytes || hashed_later) {
            // Recycled at once, so that the next batch finds the buffers in the caches.
            self.context.recycle_all(work.stored.drain(..).chain([std::mem::take(&mut work.raw)]));
        }
        work
    }

    /// Lets the tap copy all pieces from file to file, if no one needs their bytes on the way.
    fn copy(&self, batch: &Batch, source: &dyn Blocking) -> Option<Vec<PieceResult>> {
        let tap = self.tap.as_ref().filter(|tap| tap.copies())?;
        // Bytes that are verified or kept have to pass through memory anyway.
        if self.context.verifies() || self.keeps_bytes {
            return None;
        }
        // All pieces or none: a mixed batch would need two paths.
        let stored = |piece: &Piece| matches!(piece.place, PiecePlace::Stored { .. });
        let start =
            |piece: &Piece| batch.blocks.get(piece.blocks.start).map(|block: &BlockPlan| block.offset);
        if !batch
            .pieces
            .iter()
            .all(|piece| stored(piece) && start(piece).is_some_and(|at| source.file(at).is_some()))
        {
            return None;
        }
        let copy = |piece: &Piece| {
            let result = match start(piece).and_then(|at| source.file(at)) {
                Some(_) if self.context.cancel_token().is_cancelled() => Err(Error::Cancelled),
                Some((file, position)) => tap.copy(self.input, piece, file, position),
                None => Ok(()),
            };
            PieceResult { piece: piece.clone(), result, check: Check::Skipped, hash: None, run: None }
        };
        Some(batch.pieces.iter().map(copy).collect())
    }

    /// Decodes, checks and delivers all pieces.
    fn decode(&self, batch: &Batch, stored: Stored, buffers: Buffers) -> Worked {
        let Buffers { mut raw, mut plain, .. } = buffers;
        let Stored { extents, failed } = stored;
        let mut failed: Vec<Option<(usize, Error)>> = failed.into_iter().map(Some).collect();
        let pieces = self.context.with_scratch(|scratch| {
            let one = |piece: &Piece| {
                // A block that could not be read fails its piece only; the other pieces go on.
                let lost = failed
                    .iter_mut()
                    .find(|lost| lost.as_ref().is_some_and(|(at, _)| piece.blocks.contains(at)));
                match lost.and_then(Option::take) {
                    Some((_, error)) => lost_piece(piece, error),
                    None => self.decode_one(batch, piece, &extents, (&mut raw, &mut plain), scratch),
                }
            };
            batch.pieces.iter().map(one).collect()
        });
        self.context.recycle(plain);
        Worked { pieces, stored: extents, raw }
    }

    fn decode_one(
        &self,
        batch: &Batch,
        piece: &Piece,
        stored: &[Buffer],
        (raw, plain): (&mut [u8], &mut Buffer),
        scratch: &mut Scratch,
    ) -> PieceResult {
        let Some(input) = self.inputs.get(self.input).filter(|_| !self.context.cancel_token().is_cancelled())
        else {
            return lost_piece(piece, Error::Cancelled);
        };
        if let Err(error) = decode_piece(input, batch, piece, stored, (&mut *raw, plain), scratch) {
            return lost_piece(piece, error);
        }
        let bytes = bytes_of(piece, stored, raw);
        let verify = self.context.verifies() && piece.entire;
        // The hash covers the whole chunk, so a piece can only contribute to it.
        let checked = if verify && piece.is_whole() {
            match input.table.hashed() {
                Hashed::Content => Check::of(&input.table, piece.chunk, input.hash_kind, bytes),
                Hashed::Stored(table) => stored_hash::check(input, table, batch, piece, stored),
            }
        } else {
            Check::Skipped
        };
        let hashed = verify && !piece.is_whole() && hashes_in_pieces(input);
        let hash = hashed.then(|| PieceHash::of(piece.offset, bytes)).flatten();
        let in_order = verify && !piece.is_whole() && matches!(input.table.hashed(), Hashed::Stored(_));
        let run = in_order.then(|| stored_hash::run_of(batch, piece)).flatten();
        let result = self.deliver(piece, bytes, checked);
        PieceResult { piece: piece.clone(), result, check: checked, hash, run }
    }

    fn deliver(&self, piece: &Piece, bytes: &[u8], check: Check) -> Result<()> {
        self.tap.as_ref().map_or(Ok(()), |tap| tap.piece(self.input, piece, bytes, check))
    }

    /// Returns the result of a batch in which every piece failed.
    fn failed(&self, batch: &Batch, lease: Lease, error: impl Fn() -> Error) -> Decoded {
        Decoded {
            input: self.input,
            pieces: batch.pieces.iter().map(|piece| lost_piece(piece, error())).collect(),
            stored: Vec::new(),
            raw: Buffer::default(),
            inputs: Arc::clone(&self.inputs),
            context: self.context.clone(),
            _lease: lease,
        }
    }
}

fn lost_piece(piece: &Piece, error: Error) -> PieceResult {
    PieceResult { piece: piece.clone(), result: Err(error), check: Check::Skipped, hash: None, run: None }
}
