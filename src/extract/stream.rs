//! One chunk as a stream of bytes.

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

/// Reads one chunk as [`AsyncRead`], in order, as it is decoded.
///
/// It holds what the budget of its [`Context`] allows and no more, whatever the size of the chunk; a reader that takes its
/// time holds up the pipeline. If the context checks hashes, a chunk with the wrong one ends in an error instead of its
/// end, so only who has read to the end has the whole chunk. All errors are of [`io::ErrorKind::InvalidData`] or of the
/// kind that the system gave, with the [`Error`] inside.
///
/// Must be read inside a Tokio runtime.
pub struct ChunkStream {
    batches: Pin<Box<dyn Stream<Item = Decoded> + Send>>,
    /// The batch that is being read, with the piece and the byte in it that come next.
    batch: Option<(Decoded, usize, usize)>,
    /// Bytes of the chunk that are still to come.
    left: u64,
    /// The container, for messages.
    path: PathBuf,
    len: u64,
}

impl ChunkStream {
    /// A stream of a chunk. Fails if the table of contents or the lengths of the data files say that it cannot be read.
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

    /// Copies as many bytes of the current piece as fit; `false` if there is no piece any more.
    fn fill(&mut self, out: &mut ReadBuf<'_>) -> Result<bool> {
        let Some((batch, piece_at, at)) = &mut self.batch else { return Ok(false) };
        let Some(piece) = batch.pieces.get_mut(*piece_at) else {
            self.batch = None;
            return Ok(false);
        };
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

    /// Lets go of everything: what comes after an error is not the chunk.
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
                // A run that was cancelled just ends, as does one after its error.
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
