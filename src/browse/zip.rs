//! Writes chunks and zips of them as they are made, however large.

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

/// Divisor of the memory budget: the share for the files of one batch of packages.
const BATCH_SHARE: u64 = 64;

/// Name of the file added to a zip if there were problems.
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

/// Writes chunks in a form as a zip, without temporary files. Entries are stored: pictures, sounds and cooked data are
/// compressed already, and the rest will be looked at soon. Returns the writer; if the zip is incomplete, as an error,
/// with the writer if it still works.
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
    // Even a failed zip is finished, so that the writer can be taken out and told of the failure.
    let mut out = zip.finish().map_err(|_| None)?.into_inner();
    match written.and_then(|()| out.flush()) {
        Ok(()) => Ok(out),
        Err(_) => Err(Some(out)),
    }
}

type Zip<W> = ZipWriter<StreamWriter<W>>;

/// Writes raw chunks, piece by piece.
fn raw<W: Write>(
    opened: &Opened,
    entries: &[Entry],
    context: &Context,
    zip: &mut Zip<W>,
) -> io::Result<Vec<String>> {
    let mut problems = Vec::new();
    for output in opened.game.outputs(entries, None).iter() {
        if context.cancel_token().is_cancelled() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        start(zip, output.path.as_str(), opened.game.at(output.entry).len())?;
        // A bad chunk is listed in the zip; the others are still of use.
        if let Err(problem) = write_chunk(opened, output.entry, context, zip) {
            problems.push(problem);
        }
        // A failed write to the browser, unlike a bad chunk, ends the zip: flushing shows it.
        zip.flush()?;
    }
    Ok(problems)
}

/// Writes chunks in a form, as many at a time as fit in memory.
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
            // A picture used by several models comes out of several batches.
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
    // Starts above any limit, so that the first entry opens a batch.
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
        // Beyond 4 GiB an entry needs the zip64 form, which has to be decided before its data.
        .large_file(len >= u64::from(u32::MAX));
    Ok(zip.start_file(path, options)?)
}

fn put<W: Write>(zip: &mut Zip<W>, path: &str, bytes: &[u8]) -> io::Result<()> {
    start(zip, path, bytes.len() as u64)?;
    zip.write_all(bytes)
}
