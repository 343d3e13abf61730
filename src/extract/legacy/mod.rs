//! Packages in the cooker's form: `.uasset` or `.umap`, `.uexp`, and bulk data files.
//!
//! ```text
//!                      ┌► ExportBundleData ──► convert ──► X.uasset, X.uexp
//! selection ► pipeline ┤        (asks World: script objects, headers of other packages)
//!                      └► bulk data ─────────────────────► X.ubulk, X.uptnl, X.m.ubulk
//! loose zen packages ──────► convert ──► X.uasset, X.uexp
//! shader libraries ──────────────────────────────────────► ShaderArchive-….ushaderbytecode
//! ```
//!
//! Packages are converted on the worker that decoded them. Facts about other packages are read on first use and cached;
//! see [`Packages`].

mod convert;
mod evidence;
mod loose;
mod loose_job;
mod names;
mod options;
mod report;
mod selection;
mod sidecars;
mod world;
mod writer;

pub use loose::LoosePackages;
pub use loose_job::loose_to_legacy;
pub use options::{ConvertOptions, LegacyOptions};
pub use report::{AssetReport, LibraryReport};
pub use selection::LegacySelection;
pub(crate) use world::World as ConvertWorld;

use super::inputs::{Inputs, failure};
use super::run::ChunkRun;
use super::writer::Writer;
use super::{Shard, existing, rebuild_shader_library, shader_library_path};
use crate::error::Error;
use crate::job::{Context, Failure, Outcome, Subject, Tally};
use crate::sink::{NameClash, OutputPath, Overwrite, PutOutcome, Sink};
use crate::store::packages::Packages;
use crate::store::{Entry, Store};
use ConvertWorld as World;
use convert::Converter;
use names::{AssetName, Names};
use std::sync::{Arc, Mutex};
use writer::LegacyWriter;

/// Rebuilt packages and libraries, and problems met.
#[derive(Debug, Default)]
pub struct RebuiltAssets {
    /// Packages, by path.
    pub assets: Vec<AssetReport>,
    /// Shader libraries.
    pub libraries: Vec<LibraryReport>,
    /// Errors that kept imports from being resolved.
    pub problems: Vec<Error>,
}

/// Adds facts known only after all conversions: files that stayed, and the report of each package.
fn finish(outcome: &mut Outcome<RebuiltAssets>, converter: &Converter) {
    // The run counted every converted package as written; those whose files stayed are taken off again.
    let stayed = converter.take_stayed();
    outcome.unchanged += stayed.unchanged;
    outcome.kept += stayed.kept;
    outcome.count = outcome.count.saturating_sub(stayed.unchanged + stayed.kept);
    outcome.raw_bytes = outcome.raw_bytes.saturating_sub(stayed.raw_bytes);
    let unkept = converter.sidecars.finish(&*converter.sink).into_iter();
    outcome.failures.extend(unkept.map(|(path, error)| Failure { subject: Subject::File, path, error }));
    outcome.done.assets = converter.take_reports();
    outcome.done.problems = converter.world.packages.take_problems();
}

/// Output files of a chunk.
#[derive(Debug, Clone)]
pub(super) struct LegacyFiles {
    /// The chunk.
    pub entry: Entry,
    /// The file that is always written, whatever the chunk holds.
    pub main: OutputPath,
    /// Possible paths of its header, if it is a package; one of them is written.
    pub beside: Vec<OutputPath>,
}

/// Output files of a selection.
#[derive(Debug, Clone, Default)]
pub struct LegacyOutputs {
    names: Arc<Names>,
    libraries: Vec<(Entry, OutputPath)>,
}

impl LegacyOutputs {
    /// Assigns the file names.
    #[must_use]
    pub fn new(store: &Store, selection: &LegacySelection) -> Self {
        let library = |entry: &Entry| (*entry, shader_library_path(store, *entry));
        let libraries = selection.libraries.iter().map(library).collect();
        Self { names: Arc::new(Names::new(store, selection)), libraries }
    }

    /// Keeps the packages of one shard; their names stay the same.
    pub fn retain(&mut self, store: &Store, selection: &LegacySelection, shard: Shard) {
        // A package's chunks share a group, so its header and bulk data never land in different shards.
        let mut entries = shard.take(store, &selection.packages, |entry| selection.group(store, entry));
        entries.extend(shard.take(store, &selection.cooked, |entry| entry));
        Arc::make_mut(&mut self.names).retain(&entries);
        let libraries: Vec<Entry> = self.libraries.iter().map(|(entry, _)| *entry).collect();
        let libraries = shard.take(store, &libraries, |entry| entry);
        self.libraries.retain(|(entry, _)| libraries.contains(entry));
    }

    /// Every header and bulk data file with its source chunk. Maps are recognised by path.
    pub fn iter(&self) -> impl Iterator<Item = (Entry, String)> {
        let libraries = self.libraries.iter().map(|(entry, path)| (*entry, path.to_string()));
        let assets = self.names.assets().map(|(entry, name)| (*entry, name.likely_header().to_string()));
        let copies = self.names.copies.iter().map(|output| (output.entry, output.path.to_string()));
        assets.chain(copies).chain(libraries)
    }

    /// Every source chunk.
    pub fn entries(&self) -> impl Iterator<Item = Entry> {
        self.names.entries().chain(self.libraries.iter().map(|(entry, _)| *entry))
    }

    /// All files, by chunk.
    pub(super) fn files(&self) -> impl Iterator<Item = LegacyFiles> {
        let asset = |(entry, name): &(Entry, AssetName)| {
            let mut beside = vec![name.likely_header()];
            beside.extend(
                [false, true]
                    .map(|is_map| name.header(is_map))
                    .into_iter()
                    .filter(|path| *path != name.likely_header()),
            );
            LegacyFiles { entry: *entry, main: name.exports(), beside }
        };
        let single = |entry, path: &OutputPath| LegacyFiles { entry, main: path.clone(), beside: Vec::new() };
        let copies = self.names.copies.iter().map(move |output| single(output.entry, &output.path));
        let libraries = self.libraries.iter().map(move |(entry, path)| single(*entry, path));
        self.names.assets().map(asset).chain(copies).chain(libraries)
    }

    /// Number of source chunks.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries().count()
    }

    /// True if there are no source chunks.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Paths changed to keep them distinct.
    #[must_use]
    pub fn clashes(&self) -> &[NameClash] {
        &self.names.copies.clashes
    }
}

/// Rebuilds packages into a sink.
pub async fn to_legacy(
    packages: impl Into<Arc<Packages>>,
    outputs: LegacyOutputs,
    sink: Arc<dyn Sink>,
    context: &Context,
    options: LegacyOptions,
) -> Outcome<RebuiltAssets> {
    let packages = packages.into();
    let store = packages.store().clone();
    let (names, libraries) = (outputs.names, outputs.libraries);
    let mut outcome = Outcome { clashes: names.copies.clashes.clone(), ..Outcome::default() };
    let overwrite = options.unpack.overwrite;
    let kept = context.cpu().map(names.entries(), |entry| keeps(&store, &names, &*sink, entry, overwrite));
    let mut entries = outcome.leave(names.entries(), kept);
    entries.sort_unstable();
    let inputs = Inputs::new(&store, &entries, context, options.unpack.verify);
    let converter = Arc::new(Converter::new(World::new(packages), Arc::clone(&sink), options, context));
    let writer = LegacyWriter {
        converter: Arc::clone(&converter),
        copies: Writer::new(&store, &inputs, sink, Arc::clone(&names.copies), options.unpack.strict),
        names,
        containers: inputs.containers.clone(),
        strict: options.unpack.strict,
        large: Mutex::default(),
    };
    let run = ChunkRun {
        store: &store,
        context,
        writer: Some(Arc::new(writer)),
        strict: options.unpack.strict,
        fail_fast: options.unpack.fail_fast,
    };
    run.run(inputs, &mut outcome).await;
    finish(&mut outcome, &converter);
    // Libraries are rebuilt one at a time: one alone may need the whole memory budget.
    for (entry, path) in libraries {
        if context.cancel_token().is_cancelled() || (options.unpack.fail_fast && !outcome.is_ok()) {
            break;
        }
        rebuild_library(&store, entry, &path, &converter, context, &mut outcome).await;
    }
    outcome
}

/// Rebuilds a shader library and counts the result.
async fn rebuild_library(
    store: &Store,
    entry: Entry,
    path: &OutputPath,
    converter: &Converter,
    context: &Context,
    outcome: &mut Outcome<RebuiltAssets>,
) {
    let (sink, overwrite) = (&*converter.sink, converter.overwrite);
    if overwrite.forbids(sink, [path]) {
        return outcome.count_left(PutOutcome::Kept);
    }
    match rebuild_shader_library(store, entry, sink, path, overwrite, context).await {
        Ok((library, put)) => {
            outcome.count_left(put);
            outcome.raw_bytes += if put == PutOutcome::Written { library.len } else { 0 };
            outcome.done.libraries.push(LibraryReport { path: path.to_string(), library });
        }
        Err(error) => Tally::new(context, false, outcome).failed(failure(store, entry, error)),
    }
}

/// The reason to keep the files of a chunk. Assets are compared after conversion.
fn keeps(
    store: &Store,
    names: &Names,
    sink: &dyn Sink,
    entry: Entry,
    overwrite: Overwrite,
) -> Option<PutOutcome> {
    match names.asset(entry.container, entry.chunk) {
        None => existing::keeps(overwrite, store, sink, names.copies.find(entry)?),
        // The header may be `.uasset` or `.umap`, so either one counts as an existing file.
        Some(name) => overwrite.forbids(sink, &name.files()).then_some(PutOutcome::Kept),
    }
}
