//! Streamed replies, for data larger than memory: made on a thread, piece by piece, at the browser's pace.

pub(super) use crate::browse::zip::write_chunk;

use crate::browse::forms::Options;
use crate::browse::session::Opened;
use crate::browse::zip;
use crate::game::Entry;
use crate::job::Context;
use bytes::Bytes;
use futures_util::Stream;
use std::io::{self, Write};
use tokio::sync::mpsc::{self, error::TrySendError};

/// Number of pieces waiting for the browser.
const WAITING: usize = 4;

/// Bytes per piece.
const PIECE: usize = 256 << 10;

/// Pause between two attempts to send a piece.
const PAUSE: std::time::Duration = std::time::Duration::from_millis(1);

/// Creates a stream with its writer.
pub(super) fn pipe() -> (Pipe, impl Stream<Item = io::Result<Bytes>> + Send + 'static) {
    // A bounded channel: a slow browser slows the job down, and memory stays constant.
    let (to, from) = mpsc::channel(WAITING);
    let next = |mut from: mpsc::Receiver<io::Result<Bytes>>| async move { Some((from.recv().await?, from)) };
    (Pipe { to, piece: Vec::new() }, futures_util::stream::unfold(from, next))
}

/// Writer of a stream. Writing fails after the browser has hung up.
#[derive(Debug)]
pub(super) struct Pipe {
    to: mpsc::Sender<io::Result<Bytes>>,
    piece: Vec<u8>,
}

impl Pipe {
    /// Breaks off the reply, so that nobody takes it for complete.
    pub(super) fn fail(self, problem: String) {
        // A browser that has hung up need not be told.
        drop(self.send(Err(io::Error::other(problem))));
    }

    /// Waits by sleeping: the thread may be driving a job, where Tokio forbids blocking calls.
    fn send(&self, piece: io::Result<Bytes>) -> io::Result<()> {
        let mut piece = piece;
        loop {
            match self.to.try_send(piece) {
                Ok(()) => return Ok(()),
                Err(TrySendError::Closed(_)) => return Err(io::ErrorKind::BrokenPipe.into()),
                Err(TrySendError::Full(back)) => piece = back,
            }
            std::thread::sleep(PAUSE);
        }
    }
}

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.piece.extend_from_slice(bytes);
        if self.piece.len() >= PIECE {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        // Detects a closed connection even if there is nothing to send.
        if self.to.is_closed() {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        if self.piece.is_empty() {
            return Ok(());
        }
        let piece = std::mem::take(&mut self.piece);
        self.send(Ok(piece.into()))
    }
}

/// Writes chunks in a form as a zip. If that fails, the connection is closed early, and the browser shows a failed
/// download.
pub(super) fn write_zip(opened: &Opened, entries: &[Entry], options: Options, context: &Context, out: Pipe) {
    if let Err(Some(out)) = zip::write_zip(opened, entries, options, context, out) {
        out.fail("the zip is not complete".to_owned());
    }
}
