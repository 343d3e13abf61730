//! Answers that are longer than memory: made on a thread, piece by piece, as fast as the browser takes them.

use super::forms::{Form, Made, Options, make};
use super::reply::Refusal;
use super::session::Opened;
use crate::extract::{Outputs, read_chunk};
use crate::pipeline::Context;
use crate::sink::MemorySink;
use crate::store::Entry;
use bytes::Bytes;
use futures_util::Stream;
use std::io::{self, Write};
use std::sync::Arc;
use tokio::sync::mpsc::{self, error::TrySendError};
use zip::write::{SimpleFileOptions, StreamWriter, ZipWriter};

/// Pieces that wait for the browser.
const WAITING: usize = 4;

/// Bytes that are sent at a time.
const PIECE: usize = 256 << 10;

/// How long to wait before looking whether the browser has taken a piece.
const PAUSE: std::time::Duration = std::time::Duration::from_millis(1);

/// Of the memory for data in flight, one part of so many is for the files that one batch of packages becomes.
const BATCH_SHARE: u64 = 64;

/// What is in a zip beside the files that were asked for, if something is wrong.
const PROBLEMS: &str = "uncask-problems.txt";

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

/// Writes a chunk.
pub(super) fn write_chunk(
    opened: &Opened,
    entry: Entry,
    context: &Context,
    out: &mut impl Write,
) -> Result<(), String> {
    let store = opened.game.store();
    let job = read_chunk(store, entry, context, |bytes| {
        out.write_all(bytes).map_err(crate::error::Error::io("send", store.display_path(entry)))
    });
    let path = store.display_path(entry);
    let check = super::work::block_on(job).map_err(|refusal| refusal.error)?;
    let check = check.map_err(|error| error.to_string())?;
    check.error(path.as_ref()).map_or(Ok(()), |error| Err(error.to_string()))
}

/// Writes what chunks become as a zip, without temporary files: stored, since pictures, sounds and cooked data are compressed
/// already or are going to be looked at.
pub(super) fn write_zip(opened: &Opened, entries: &[Entry], options: Options, context: &Context, out: Pipe) {
    let mut zip = ZipWriter::new_stream(out);
    let written = match options.form {
        Form::Raw => raw(opened, entries, context, &mut zip),
        _ => made(opened, entries, options, context, &mut zip),
    };
    let written = written.and_then(|problems| {
        if !problems.is_empty() {
            put(&mut zip, PROBLEMS, problems.join("\n").as_bytes())?;
        }
        Ok(())
    });
    match (written, zip.finish()) {
        (Ok(()), Ok(out)) => drop(out.into_inner().flush()),
        // The connection is closed without its end: a browser shows that the download failed.
        (Err(_), Ok(out)) => out.into_inner().fail("the zip is not complete".to_owned()),
        (_, Err(_)) => {}
    }
}

type Zip = ZipWriter<StreamWriter<Pipe>>;

/// Writes chunks as they are, each piece by piece.
fn raw(opened: &Opened, entries: &[Entry], context: &Context, zip: &mut Zip) -> io::Result<Vec<String>> {
    let store = opened.game.store();
    let mut problems = Vec::new();
    for output in Outputs::new(store, entries, None).iter() {
        if context.is_cancelled() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        start(zip, output.path.as_str(), store.chunk(output.entry).len())?;
        if let Err(problem) = write_chunk(opened, output.entry, context, zip) {
            problems.push(problem);
        }
        // An error that is the browser's, not the chunk's, ends it all.
        zip.flush()?;
    }
    Ok(problems)
}

/// Writes what chunks become, as many at a time as fit in memory.
fn made(
    opened: &Opened,
    entries: &[Entry],
    options: Options,
    context: &Context,
    zip: &mut Zip,
) -> io::Result<Vec<String>> {
    let mut total = Made::default();
    let mut taken = std::collections::HashSet::new();
    for batch in batches(opened, entries) {
        let sink = MemorySink::default();
        let made = make(opened, &batch, options, Arc::new(sink.clone()), context);
        let made = made.map_err(|refusal: Refusal| io::Error::other(refusal.error))?;
        if made.cancelled {
            return Err(io::ErrorKind::Interrupted.into());
        }
        total.merge(made);
        for (path, bytes) in sink.take_files() {
            // Several models refer to one picture.
            if taken.insert(path.clone()) {
                put(zip, &path, &bytes)?;
            }
        }
        zip.flush()?;
    }
    Ok(total.problems)
}

fn batches(opened: &Opened, entries: &[Entry]) -> Vec<Vec<Entry>> {
    let limit = opened.game.memory() / BATCH_SHARE;
    let (mut batches, mut bytes) = (Vec::<Vec<Entry>>::new(), u64::MAX);
    for entry in entries {
        let len = opened.game.store().chunk(*entry).len();
        bytes = bytes.saturating_add(len);
        match batches.last_mut().filter(|_| bytes <= limit) {
            Some(batch) => batch.push(*entry),
            None => {
                batches.push(vec![*entry]);
                bytes = len;
            }
        }
    }
    batches
}

fn start(zip: &mut Zip, path: &str, len: u64) -> io::Result<()> {
    let options = SimpleFileOptions::default()
        .compression_method(zip::CompressionMethod::Stored)
        .large_file(len >= u64::from(u32::MAX));
    Ok(zip.start_file(path, options)?)
}

fn put(zip: &mut Zip, path: &str, bytes: &[u8]) -> io::Result<()> {
    start(zip, path, bytes.len() as u64)?;
    zip.write_all(bytes)
}
