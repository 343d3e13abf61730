//! Property data of packages as JSON documents, one for each package.
//!
//! ```text
//! zen package of a container ──► to legacy, in memory ─┐
//! .uasset and .uexp of a pak ──────────────────────────┼──► Scope ──► FModel or Tree ──► X.json
//! .uasset, or with .uexp; loose zen package ───────────┘      └ asks World: mappings, other packages
//! ```
//!
//! Each package is a task of its own on a worker, once its memory is paid for; exports are read one by one while the document is
//! written. What cannot be read of an export is said in its place; only a package without a readable header fails.

use super::inputs::{PackageInput, PackageInputs};
use super::library::Library;
use super::load::Loaded;
use crate::error::{Error, Result};
use crate::extract::{Failure, Outcome};
use crate::id::RawChunkId;
use crate::pipeline::Context;
use crate::property::Schemas;
use crate::property::json::{FModel, Tree};
use crate::report::{Event, Observer};
use crate::sink::{Sink, Staged};
use crate::store::packages::Packages;
use crate::version::Release;
use futures_util::{StreamExt, stream};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Which form documents have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum JsonForm {
    /// The one that FModel writes.
    #[default]
    FModel,
    /// One that keeps everything.
    Tree,
}

/// How documents are made.
#[derive(Debug, Clone, Default)]
pub struct JsonOptions {
    /// Which form they have.
    pub form: JsonForm,
    /// What the classes of the game have.
    pub mappings: Option<Arc<Schemas>>,
    /// The release that wrote the packages; without it, it is found out.
    pub release: Option<&'static Release>,
    /// The first problem ends the job.
    pub fail_fast: bool,
}

/// What became of a job.
#[derive(Debug, Default)]
pub struct JsonOutcome {
    /// Of its packages.
    pub packages: Outcome,
    /// Packages whose properties have no tags, although there are no mappings.
    pub without_mappings: u64,
    /// What kept references from being resolved.
    pub problems: Vec<Error>,
}

/// Memory that a package takes for each of its bytes, with its values and its document.
const PRICE: u64 = 8;

/// Makes documents of packages, on any thread.
struct Maker {
    library: Library,
    options: JsonOptions,
    without_mappings: AtomicU64,
}

/// Writes a document for each package into a sink.
pub async fn to_json(
    packages: Packages,
    inputs: PackageInputs,
    sink: Arc<dyn Sink>,
    context: &Context,
    options: JsonOptions,
    observer: &dyn Observer,
) -> JsonOutcome {
    let mut outcome = Outcome { clashes: inputs.clashes.clone(), ..Outcome::default() };
    let raw_bytes = inputs.items.iter().map(|item| item.len).sum();
    observer.on(&Event::Planned { chunks: inputs.items.len() as u64, raw_bytes });
    let inputs = Arc::new(inputs);
    let maker = Arc::new(Maker::new(packages, Arc::clone(&inputs), options));
    let tasks = 0..inputs.items.len();
    let mut results = stream::iter(tasks)
        .take_while(|_| std::future::ready(!context.is_cancelled()))
        .map(|at| run(at, &inputs, Arc::clone(&maker), Arc::clone(&sink), context))
        .buffered(context.cpu().threads() + 1);
    while let Some((at, result)) = results.next().await {
        let Some(item) = inputs.items.get(at) else { continue };
        observer.on(&Event::Advanced { chunks: 1, raw_bytes: item.len });
        match result {
            Ok(()) => {
                outcome.chunks += 1;
                outcome.raw_bytes += item.len;
            }
            Err(error) => {
                observer.on(&Event::Chunk { path: &item.name, error: &error });
                let id = RawChunkId::default();
                outcome.failures.push(Failure { id, path: item.name.clone(), error });
                if maker.options.fail_fast {
                    context.cancel();
                }
            }
        }
    }
    drop(results);
    outcome.cancelled = context.is_cancelled();
    JsonOutcome {
        packages: outcome,
        without_mappings: maker.without_mappings.load(Ordering::Relaxed),
        problems: maker.library.packages().take_problems(),
    }
}

/// Writes the document of one package.
pub fn json_of(
    packages: Packages,
    inputs: PackageInputs,
    input: usize,
    options: JsonOptions,
    out: impl io::Write,
) -> Result<JsonOutcome> {
    let inputs = Arc::new(inputs);
    let maker = Maker::new(packages, Arc::clone(&inputs), options);
    if let Some(item) = inputs.items.get(input) {
        maker.write(&maker.load(item)?, out)?;
    }
    Ok(JsonOutcome {
        packages: Outcome { chunks: 1, ..Outcome::default() },
        without_mappings: maker.without_mappings.load(Ordering::Relaxed),
        problems: maker.library.packages().take_problems(),
    })
}

/// Runs a task on a worker, once its memory is paid for.
async fn run(
    at: usize,
    inputs: &PackageInputs,
    maker: Arc<Maker>,
    sink: Arc<dyn Sink>,
    context: &Context,
) -> (usize, Result<()>) {
    let Some(item) = inputs.items.get(at).cloned() else { return (at, Ok(())) };
    let _lease = context.budget().lease(item.len.saturating_mul(PRICE)).await;
    let name = item.name.clone();
    let work = move || -> Result<()> {
        let loaded = maker.load(&item)?;
        // How long the document will be is known when it is written.
        let staged = sink.create(&item.output, 0)?;
        maker.write(&loaded, io::BufWriter::with_capacity(BUFFER, FromStart { staged: &*staged, end: 0 }))?;
        staged.commit()
    };
    let panicked = |message| Err(Error::Internal { message, path: name.into() });
    (at, context.cpu().run(work).await.unwrap_or_else(panicked))
}

impl Maker {
    fn new(packages: Packages, inputs: Arc<PackageInputs>, options: JsonOptions) -> Self {
        let library = Library::new(packages, inputs, options.mappings.clone(), options.release);
        Self { library, options, without_mappings: AtomicU64::new(0) }
    }

    fn load(&self, item: &PackageInput) -> Result<Loaded> {
        let loaded = self.library.load(item)?;
        if loaded.package.form.unversioned_properties && self.options.mappings.is_none() {
            self.without_mappings.fetch_add(1, Ordering::Relaxed);
        }
        Ok(loaded)
    }

    fn write(&self, loaded: &Loaded, mut out: impl io::Write) -> Result<()> {
        let mappings = self.options.mappings.as_deref();
        let scope = loaded.scope().with_mappings(mappings).with_world(&self.library);
        let written = match self.options.form {
            JsonForm::FModel => serde_json::to_writer_pretty(&mut out, &FModel::new(&scope)),
            JsonForm::Tree => serde_json::to_writer_pretty(&mut out, &Tree::new(&scope)),
        };
        let written =
            written.map_err(io::Error::from).and_then(|()| out.write_all(b"\n")).and_then(|()| out.flush());
        written.map_err(|error| match error.downcast::<Error>() {
            Ok(error) => error,
            Err(error) => Error::io("write the JSON of", &loaded.path)(error),
        })
    }
}

/// Bytes of a document that are written at a time.
const BUFFER: usize = 64 << 10;

/// Writes a file from its start on. A document may be many times as long as its package, whose names are numbers, so none is
/// ever in memory as a whole.
struct FromStart<'a> {
    staged: &'a dyn Staged,
    end: u64,
}

impl io::Write for FromStart<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.staged.write_at(self.end, bytes).map_err(io::Error::other)?;
        self.end += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
