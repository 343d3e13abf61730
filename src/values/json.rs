//! Values as JSON documents, one per package.
//!
//! Each package is its own task on a worker, started once its memory is paid for; exports are read one by one while the
//! document is written. An export that cannot be read is replaced by its error; only a package without a readable
//! header fails.

use super::each::PackageJob;
use super::inputs::{PackageInput, PackageInputs};
use super::levels::LevelReader;
use super::levels_json::Places;
use super::loaded::Loaded;
use super::options::{ValueOptions, ValuesRead};
use crate::asset::Payloads;
use crate::bytecode::Scripts;
use crate::error::{Error, Result};
use crate::job::{Context, Failure, Kind, Outcome, Subject, Tally, Worked};
use crate::package::legacy::Export;
use crate::property::json::{Additions, FModel, Tree};
use crate::property::{Object, Scope};
use crate::sink::{AppendingFile, OutputPath, Overwrite, PutOutcome, Sink};
use crate::store::packages::Packages;
use serde::Serialize;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Form of the documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum JsonForm {
    /// The form written by FModel.
    #[default]
    FModel,
    /// The same, with the places of actors and components in their level.
    Placed,
    /// A lossless form.
    Tree,
}

/// Writes a document per package into a sink.
pub async fn to_json(
    packages: impl Into<Arc<Packages>>,
    inputs: PackageInputs,
    sink: Arc<dyn Sink>,
    context: &Context,
    (form, overwrite): (JsonForm, Overwrite),
    options: ValueOptions,
) -> Result<Outcome<ValuesRead>> {
    let job = Arc::new(PackageJob::new(packages, inputs, options));
    let levels = LevelReader::default();
    let make = move |job: &PackageJob, _: usize, item: &PackageInput| -> Worked<PutOutcome> {
        let mut mismatch = None;
        let (put, _) = put_document(&*sink, &item.output, overwrite, |out| {
            let loaded = job.load(item)?;
            let unread = job.unread(&loaded);
            let note = |export: &Export, object: &Object| unread.see(export, object);
            write((job, &loaded), (form, &levels), &note, out)?;
            job.note_unread(item, unread);
            mismatch = loaded.mismatch;
            Ok(())
        })?;
        Ok((put, mismatch))
    };
    let mut outcome = Outcome::of(Kind::Package);
    let done = |tally: &mut Tally<'_, _>, item: &PackageInput, put: PutOutcome| {
        tally.outcome.recount(put, item.len);
        Ok(())
    };
    job.each(context, &mut outcome, make, done).await?;
    outcome.done = job.finish(&mut outcome);
    Ok(outcome)
}

/// Writes a document of unknown length, unless a file may stay; returns its length, too. Only a complete one gets its name.
pub(crate) fn put_document(
    sink: &dyn Sink,
    path: &OutputPath,
    overwrite: Overwrite,
    write: impl FnOnce(&mut dyn io::Write) -> Result<()>,
) -> Result<(PutOutcome, u64)> {
    let Some(file) = AppendingFile::replacing(sink, path, overwrite)? else {
        return Ok((PutOutcome::Kept, 0));
    };
    let mut out = io::BufWriter::with_capacity(BUFFER, file);
    write(&mut out)?;
    io::Write::flush(&mut out).map_err(|error| sink_error(error, path.as_str().as_ref()))?;
    let file = out.into_parts().0;
    let len = file.len();
    Ok((file.finish(sink, path)?, len))
}

/// Calls `line` with one line for each package, in their order: an object with its name and its document.
pub async fn json_lines(
    packages: impl Into<Arc<Packages>>,
    inputs: PackageInputs,
    context: &Context,
    form: JsonForm,
    options: ValueOptions,
    mut line: impl FnMut(&[u8]) -> Result<()>,
) -> Result<Outcome<ValuesRead>> {
    let job = Arc::new(PackageJob::new(packages, inputs, options));
    let levels = LevelReader::default();
    let make = move |job: &PackageJob, _: usize, item: &PackageInput| -> Worked<Vec<u8>> {
        let loaded = job.load(item)?;
        let unread = job.unread(&loaded);
        let note = |export: &Export, object: &Object| unread.see(export, object);
        let line = one_line((job, &loaded), (form, &levels), &note).map_err(io::Error::from);
        job.note_unread(item, unread);
        Ok((line.map_err(Error::io("write the JSON of", &loaded.path))?, loaded.mismatch))
    };
    let mut outcome = Outcome::of(Kind::Package);
    job.each(context, &mut outcome, make, |_, _, text: Vec<u8>| line(&text)).await?;
    outcome.done = job.finish(&mut outcome);
    Ok(outcome)
}

fn one_line(
    (job, loaded): (&PackageJob, &Loaded),
    (form, levels): (JsonForm, &LevelReader),
    note: &dyn Fn(&Export, &Object),
) -> serde_json::Result<Vec<u8>> {
    let scope = &job.scope(loaded);
    let mut line = Vec::new();
    match form {
        // The document of a package is a list, which has no place for its name.
        JsonForm::FModel | JsonForm::Placed => {
            line.extend_from_slice(b"{\"package\":");
            serde_json::to_writer(&mut line, scope.name())?;
            line.extend_from_slice(b",\"objects\":");
            let additions = additions(scope, (job, loaded), (form, levels));
            serde_json::to_writer(&mut line, &FModel::new(scope).noting(note).adding(additions))?;
            line.push(b'}');
        }
        JsonForm::Tree => serde_json::to_writer(&mut line, &Tree::new(scope).noting(note))?,
    }
    line.push(b'\n');
    Ok(line)
}

/// Writes the document of one package.
pub fn json_of(
    packages: impl Into<Arc<Packages>>,
    inputs: PackageInputs,
    input: usize,
    form: JsonForm,
    options: ValueOptions,
    out: impl io::Write,
) -> Result<Outcome<ValuesRead>> {
    let job = PackageJob::new(packages, inputs, options);
    let mut outcome = Outcome { count: 1, ..Outcome::of(Kind::Package) };
    if let Some(item) = job.inputs.items().get(input) {
        let loaded = job.load(item)?;
        let unread = job.unread(&loaded);
        let note = |export: &Export, object: &Object| unread.see(export, object);
        write((&job, &loaded), (form, &LevelReader::default()), &note, out)?;
        job.note_unread(item, unread);
        let failure = |error| Failure { subject: Subject::Package, path: item.name.clone(), error };
        outcome.mismatches.extend(loaded.mismatch.map(failure));
    }
    outcome.done = job.finish(&mut outcome);
    Ok(outcome)
}

/// Writes the document of a package; `note` gets each export.
pub(super) fn write(
    (job, loaded): (&PackageJob, &Loaded),
    (form, levels): (JsonForm, &LevelReader),
    note: &dyn Fn(&Export, &Object),
    out: impl io::Write,
) -> Result<()> {
    let scope = &job.scope(loaded);
    match form {
        JsonForm::FModel | JsonForm::Placed => {
            let additions = additions(scope, (job, loaded), (form, levels));
            write_document(&FModel::new(scope).noting(note).adding(additions), &loaded.path, out)
        }
        JsonForm::Tree => write_document(&Tree::new(scope).noting(note), &loaded.path, out),
    }
}

/// Additions of documents to properties: payloads, functions, and places if they are asked for.
fn additions<'s, 'a>(
    scope: &'s Scope<'a>,
    (job, loaded): (&PackageJob, &Loaded),
    (form, levels): (JsonForm, &LevelReader),
) -> impl Additions + use<'s, 'a> {
    let is_placed = form == JsonForm::Placed;
    let places = if is_placed { Places::new(levels, job, loaded) } else { Places::default() };
    ((Payloads::new(scope), Scripts::new(scope)), places)
}

/// Writes a document about the package at `path`, and a line feed.
pub(crate) fn write_document(document: &impl Serialize, path: &Path, mut out: impl io::Write) -> Result<()> {
    let written = serde_json::to_writer_pretty(&mut out, document);
    let written =
        written.map_err(io::Error::from).and_then(|()| out.write_all(b"\n")).and_then(|()| out.flush());
    written.map_err(|error| sink_error(error, path))
}

/// The error of writing to a sink. Its own comes wrapped as an I/O error: the cause is reported, not its wrapping.
pub(crate) fn sink_error(error: io::Error, path: &Path) -> Error {
    match error.downcast::<Error>() {
        Ok(error) => error,
        Err(error) => Error::io("write", path)(error),
    }
}

/// Write buffer, in bytes. A document may be many times as long as its package, where names are numbers, so it is never
/// in memory as a whole.
const BUFFER: usize = 64 << 10;
