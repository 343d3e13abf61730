//! A chunk as a byte stream.

use super::inputs::Inputs;
use crate::error::{Error, Result};
use crate::job::Context;
use crate::pipeline::{Decoded, run};
use crate::store::{Entry, Store};
use futures_util::{Stream, stream};
use std::io;
use std::path::PathBuf;
use std::pin::Pin;
use std::task::{Context as Task, Poll, ready};
use tokio::io::{AsyncRead, ReadBuf};

/// Reader of one chunk as [`AsyncRead`], in order, while it is decoded.
///
/// Memory is limited to the budget of its [`Context`], whatever the size of the chunk; a slow reader stalls the
/// pipeline. If the context checks hashes, a chunk with a wrong one ends in an error instead of end of file, so only a
/// reader that reaches the end has the whole chunk. Errors have the kind [`io::ErrorKind::InvalidData`] or that of the
/// system's error, with the [`Error`] inside.
///
/// Must be read inside a Tokio runtime.
pub struct ChunkStream {
    batches: Pin<Box<dyn Stream<Item = Decoded> + Send>>,
    /// The current batch, with the index of the next piece and the offset of the next byte in it.
    batch: Option<(Decoded, usize, usize)>,
    /// Bytes of the chunk not yet read.
    left: u64,
    /// The container, for messages.
    path: PathBuf,
    len: u64,
}

impl ChunkStream {
    /// Opens a stream of a chunk. Fails if the table of contents or the lengths of the data files show that it is
    /// unreadable.
    pub fn open(store: &Store, entry: Entry, context: &Context) -> Result<Self> {
        let mut inputs = Inputs::new(store, &[entry], context, context.verifies());
        if let Some(failure) = inputs.failures.pop() {
            return Err(failure.error);
        }
        let path = store.container(entry).map(|container| container.path().to_owned()).unwrap_or_default();
        let (_, len) = inputs.totals();
        let batches = Box::pin(run(inputs.inputs, context, None));
        Ok(Self { batches, batch: None, left: len, path, len })
    }

    /// Length of the chunk in bytes.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "it is not a collection")]
    pub const fn len(&self) -> u64 {
        self.len
    }

    /// Copies bytes of the current piece into `out`; `false` if no piece is left.
    fn fill(&mut self, out: &mut ReadBuf<'_>) -> Result<bool> {
        let Some((batch, piece_at, at)) = &mut self.batch else { return Ok(false) };
        let Some(piece) = batch.pieces.get_mut(*piece_at) else {
            self.batch = None;
            return Ok(false);
        };
        // Take the error out, since it cannot be cloned. A later read does not reach this piece again.
        std::mem::replace(&mut piece.result, Ok(()))?;
        if let Some(error) = piece.check.error(&self.path) {
            return Err(error);
        }
        let piece = batch.pieces.get(*piece_at);
        let rest = piece.and_then(|piece| batch.bytes(piece).get(*at..)).unwrap_or_default();
        let taken = rest.len().min(out.remaining());
        out.put_slice(rest.get(..taken).unwrap_or_default());
        self.left = self.left.saturating_sub(taken as u64);
        if taken == rest.len() {
            (*piece_at, *at) = (*piece_at + 1, 0);
        } else {
            *at += taken;
        }
        Ok(true)
    }

    /// Drops the pipeline: after an error there is no valid content.
    fn give_up(&mut self) {
        self.batch = None;
        self.batches = Box::pin(stream::empty());
    }
}

impl AsyncRead for ChunkStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        task: &mut Task<'_>,
        out: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = out.filled().len();
        // Loop, since a batch may be empty, and returning no bytes would mean end of file.
        while out.filled().len() == before && out.remaining() > 0 {
            match self.fill(out) {
                Ok(true) => continue,
                Ok(false) => {}
                Err(error) => {
                    self.give_up();
                    return Poll::Ready(Err(io_error(error)));
                }
            }
            match ready!(self.batches.as_mut().poll_next(task)) {
                Some(batch) => self.batch = Some((batch, 0, 0)),
                // A cancelled run just ends, and so does one after its error; both are an error if bytes are missing.
                None if self.left > 0 => return Poll::Ready(Err(io_error(Error::Cancelled))),
                None => break,
            }
        }
        Poll::Ready(Ok(()))
    }
}

fn io_error(error: Error) -> io::Error {
    let kind = match &error {
        Error::Io { source, .. } => source.kind(),
        _ => io::ErrorKind::InvalidData,
    };
    io::Error::new(kind, error)
}
