//! Values as JSON documents, one for each package.
//!
//! Each package is a task of its own on a worker, once its memory is paid for; exports are read one by one while the document is
//! written. What cannot be read of an export is shown in its place; only a package without a readable header fails.

use super::each::{Job, Made};
use super::inputs::{PackageInput, PackageInputs};
use super::options::{ValueOptions, ValueOutcome};
use crate::error::{Error, Result};
use crate::extract::{Failure, Outcome};
use crate::id::RawChunkId;
use crate::pipeline::Context;
use crate::property::Scope;
use crate::property::json::{FModel, Tree};
use crate::report::Observer;
use crate::sink::Sink;
use crate::store::packages::Packages;
use std::path::Path;
use std::sync::Arc;

/// Which form documents have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum JsonForm {
    /// The one that FModel writes.
    #[default]
    FModel,
    /// One that keeps everything.
    Tree,
}

/// Writes a document for each package into a sink.
pub async fn to_json(
    packages: Packages,
    inputs: PackageInputs,
    sink: Arc<dyn Sink>,
    context: &Context,
    form: JsonForm,
    options: ValueOptions,
    observer: &dyn Observer,
) -> Result<ValueOutcome> {
    let job = Arc::new(Job::new(packages, inputs, options));
    let write = move |job: &Job, item: &PackageInput| -> Made<()> {
        let (document, mismatch) = document(job, item, form)?;
        let staged = sink.create(&item.output, document.len() as u64)?;
        staged.write_at(0, &document)?;
        staged.commit()?;
        Ok(((), mismatch))
    };
    let outcome = job.each(context, observer, write, |_, ()| Ok(())).await?;
    Ok(job.outcome(outcome))
}

/// The document of one package.
pub fn json_of(
    packages: Packages,
    inputs: PackageInputs,
    input: usize,
    form: JsonForm,
    options: ValueOptions,
) -> Result<(Vec<u8>, ValueOutcome)> {
    let job = Job::new(packages, inputs, options);
    let mut outcome = Outcome { chunks: 1, ..Outcome::default() };
    let document = match job.inputs.items().get(input) {
        Some(item) => {
            let (document, mismatch) = document(&job, item, form)?;
            let failure = |error| Failure { id: RawChunkId::default(), path: item.name.clone(), error };
            outcome.mismatches.extend(mismatch.map(failure));
            document
        }
        None => Vec::new(),
    };
    Ok((document, job.outcome(outcome)))
}

fn document(job: &Job, item: &PackageInput, form: JsonForm) -> Made<Vec<u8>> {
    let mut loaded = job.load(item)?;
    let mismatch = loaded.mismatch.take();
    Ok((written(&job.scope(&loaded), form, &loaded.path)?, mismatch))
}

/// A package in a form, as the lines of a document.
pub(super) fn written(scope: &Scope<'_>, form: JsonForm, path: &Path) -> Result<Vec<u8>> {
    let mut document = Vec::new();
    let written = match form {
        JsonForm::FModel => serde_json::to_writer_pretty(&mut document, &FModel::new(scope)),
        JsonForm::Tree => serde_json::to_writer_pretty(&mut document, &Tree::new(scope)),
    };
    let message = |error: serde_json::Error| Error::Internal {
        message: format!("cannot be written as JSON: {error}"),
        path: path.to_owned(),
    };
    written.map_err(message)?;
    document.push(b'\n');
    Ok(document)
}
