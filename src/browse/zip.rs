//! Chunks, and zips of them, however large: written as they are made.

use super::forms::{Form, MadeFiles, Options, make};
use super::refusal::Refusal;
use super::session::Opened;
use crate::error::Error;
use crate::game::Entry;
use crate::job::Context;
use crate::sink::MemorySink;
use std::io::{self, Write};
use std::sync::Arc;
use zip::write::{SimpleFileOptions, StreamWriter, ZipWriter};

/// Of the memory for data in flight, one part of so many is for the files that one batch of packages becomes.
const BATCH_SHARE: u64 = 64;

/// What is in a zip beside the files that were asked for, if something is wrong.
const PROBLEMS: &str = "uncask-problems.txt";

/// Writes a chunk.
pub(super) fn write_chunk(
    opened: &Opened,
    entry: Entry,
    context: &Context,
    out: &mut impl Write,
) -> Result<(), String> {
    let game = opened.game.within(context);
    let path = game.at(entry).display_path();
    let send = |bytes: &[u8]| out.write_all(bytes).map_err(Error::io("send", &path));
    game.read_chunk_with(game.at(entry), send).map_err(|error| error.to_string())
}

/// Writes what chunks become as a zip, without temporary files: stored, since pictures, sounds and cooked data are compressed
/// already or are going to be looked at. Returns what it was written to; of a zip that is not complete as an error, if that can
/// still be written to.
pub(super) fn write_zip<W: Write>(
    opened: &Opened,
    entries: &[Entry],
    options: Options,
    context: &Context,
    out: W,
) -> Result<W, Option<W>> {
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
    let mut out = zip.finish().map_err(|_| None)?.into_inner();
    match written.and_then(|()| out.flush()) {
        Ok(()) => Ok(out),
        Err(_) => Err(Some(out)),
    }
}

type Zip<W> = ZipWriter<StreamWriter<W>>;

/// Writes chunks as they are, each piece by piece.
fn raw<W: Write>(
    opened: &Opened,
    entries: &[Entry],
    context: &Context,
    zip: &mut Zip<W>,
) -> io::Result<Vec<String>> {
    let mut problems = Vec::new();
    for output in opened.game.outputs(entries, None).iter() {
        if context.is_cancelled() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        start(zip, output.path.as_str(), opened.game.at(output.entry).len())?;
        if let Err(problem) = write_chunk(opened, output.entry, context, zip) {
            problems.push(problem);
        }
        // An error that is the browser's, not the chunk's, ends it all.
        zip.flush()?;
    }
    Ok(problems)
}

/// Writes what chunks become, as many at a time as fit in memory.
fn made<W: Write>(
    opened: &Opened,
    entries: &[Entry],
    options: Options,
    context: &Context,
    zip: &mut Zip<W>,
) -> io::Result<Vec<String>> {
    let mut total = MadeFiles::default();
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
        let len = opened.game.at(*entry).len();
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

fn start<W: Write>(zip: &mut Zip<W>, path: &str, len: u64) -> io::Result<()> {
    let options = SimpleFileOptions::default()
        .compression_method(zip::CompressionMethod::Stored)
        .large_file(len >= u64::from(u32::MAX));
    Ok(zip.start_file(path, options)?)
}

fn put<W: Write>(zip: &mut Zip<W>, path: &str, bytes: &[u8]) -> io::Result<()> {
    start(zip, path, bytes.len() as u64)?;
    zip.write_all(bytes)
}
