//! Answers that are longer than memory: made on a thread, piece by piece, as fast as the browser takes them.

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

/// Pieces that wait for the browser.
const WAITING: usize = 4;

/// Bytes that are sent at a time.
const PIECE: usize = 256 << 10;

/// How long to wait before looking whether the browser has taken a piece.
const PAUSE: std::time::Duration = std::time::Duration::from_millis(1);

/// Both ends of a stream.
pub(super) fn pipe() -> (Pipe, impl Stream<Item = io::Result<Bytes>> + Send + 'static) {
    let (to, from) = mpsc::channel(WAITING);
    let next = |mut from: mpsc::Receiver<io::Result<Bytes>>| async move { Some((from.recv().await?, from)) };
    (Pipe { to, piece: Vec::new() }, futures_util::stream::unfold(from, next))
}

/// Sends what is written to it. When the browser has hung up, writing fails.
#[derive(Debug)]
pub(super) struct Pipe {
    to: mpsc::Sender<io::Result<Bytes>>,
    piece: Vec<u8>,
}

impl Pipe {
    /// Ends the answer before its end, so that nobody takes it for a whole one.
    pub(super) fn fail(self, problem: String) {
        // Who has hung up need not hear of it.
        drop(self.send(Err(io::Error::other(problem))));
    }

    /// Waits by sleeping: the thread may be one that drives a job, on which Tokio does not let anybody block.
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

/// Writes what chunks become as a zip. The connection of one that is not complete is closed without its end: a browser shows that
/// the download failed.
pub(super) fn write_zip(opened: &Opened, entries: &[Entry], options: Options, context: &Context, out: Pipe) {
    if let Err(Some(out)) = zip::write_zip(opened, entries, options, context, out) {
        out.fail("the zip is not complete".to_owned());
    }
}
