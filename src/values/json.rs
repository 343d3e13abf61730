//! Values as JSON documents, one per package.
//!
//! Each package is its own task on a worker, started once its memory is paid for; exports are read one by one while the
//! document is written. An export that cannot be read is replaced by its error; only a package without a readable
//! header fails.

use super::each::PackageJob;
use super::inputs::{PackageInput, PackageInputs};
use super::options::{ValueOptions, ValuesRead};
use crate::bytecode::Scripts;
use crate::error::{Error, Result};
use crate::job::{Context, Failure, Kind, Outcome, Subject, Worked};
use crate::package::legacy::Export;
use crate::property::json::{FModel, Tree};
use crate::property::{Object, Scope};
use crate::sink::{AppendingFile, Sink};
use crate::store::packages::Packages;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Form of the documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum JsonForm {
    /// The form written by FModel.
    #[default]
    FModel,
    /// A lossless form.
    Tree,
}

/// Writes a document per package into a sink.
pub async fn to_json(
    packages: impl Into<Arc<Packages>>,
    inputs: PackageInputs,
    sink: Arc<dyn Sink>,
    context: &Context,
    form: JsonForm,
    options: ValueOptions,
) -> Result<Outcome<ValuesRead>> {
    let job = Arc::new(PackageJob::new(packages, inputs, options));
    let make = move |job: &PackageJob, _: usize, item: &PackageInput| -> Worked<()> {
        let loaded = job.load(item)?;
        // The length of a document is known only after writing, so the file grows.
        let file = AppendingFile::new(sink.create(&item.output, 0)?);
        let mut out = io::BufWriter::with_capacity(BUFFER, file);
        let unread = job.unread(&loaded);
        let note = |export: &Export, object: &Object| unread.see(export, object);
        write(&job.scope(&loaded), form, &loaded.path, &note, &mut out)?;
        // Only a complete document is committed: an error above drops the file.
        out.into_parts().0.commit()?;
        job.note_unread(item, unread);
        Ok(((), loaded.mismatch))
    };
    let mut outcome = Outcome::of(Kind::Package);
    job.each(context, &mut outcome, make, |_, _, ()| Ok(())).await?;
    outcome.done = job.finish(&mut outcome);
    Ok(outcome)
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
        write(&job.scope(&loaded), form, &loaded.path, &note, out)?;
        job.note_unread(item, unread);
        let failure = |error| Failure { subject: Subject::Package, path: item.name.clone(), error };
        outcome.mismatches.extend(loaded.mismatch.map(failure));
    }
    outcome.done = job.finish(&mut outcome);
    Ok(outcome)
}

/// Writes the document of a package; `note` gets each export.
pub(super) fn write(
    scope: &Scope<'_>,
    form: JsonForm,
    path: &Path,
    note: &dyn Fn(&Export, &Object),
    mut out: impl io::Write,
) -> Result<()> {
    let written = match form {
        JsonForm::FModel => {
            let all = FModel::new(scope).noting(note).adding(Scripts::new(scope));
            serde_json::to_writer_pretty(&mut out, &all)
        }
        JsonForm::Tree => serde_json::to_writer_pretty(&mut out, &Tree::new(scope).noting(note)),
    };
    let written =
        written.map_err(io::Error::from).and_then(|()| out.write_all(b"\n")).and_then(|()| out.flush());
    // A sink's own error comes wrapped as an I/O error; unwrap it, so that the cause is reported, not its wrapping.
    written.map_err(|error| match error.downcast::<Error>() {
        Ok(error) => error,
        Err(error) => Error::io("write the JSON of", path)(error),
    })
}

/// Write buffer, in bytes. A document may be many times as long as its package, where names are numbers, so it is never
/// in memory as a whole.
const BUFFER: usize = 64 << 10;
