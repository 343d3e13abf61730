//! Whole jobs on a game: unpack, rebuild, export, verify.

use super::{Game, GameError};
use crate::error::Error;
use crate::export::{ExportOptions, ExportOutcome, copy_media, export, media_files};
use crate::extract::legacy::{
    ConvertOptions, LegacyOptions, LegacyOutcome, LegacyOutputs, LegacySelection, to_legacy,
};
use crate::extract::{Filter, FilterSpec, Outcome, Outputs, UnpackOptions, unpack, verify};
use crate::job::{CancelToken, Context, block_on};
use crate::package::convert::Target;
use crate::report::{Event, Observer};
use crate::sink::{DirectorySink, Overwrite, Sink};
use crate::store::{Chunk, Entry};
use crate::values::{PackageInputs, ValueOptions};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// How far a job is. Numbers only grow; the totals, too, as a job may be planned in several parts.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Chunks that are done, whether they came through or not.
    pub chunks: u64,
    /// Chunks to do in all.
    pub total_chunks: u64,
    /// Uncompressed bytes that are done.
    pub bytes: u64,
    /// Uncompressed bytes to do in all.
    pub total_bytes: u64,
}

/// Chunks of a game that something is going to be done with.
///
/// ```
/// use uncask::Game;
///
/// let game = Game::open("testdata/demo")?;
/// let outcome = game.matching(["*.umap"])?.on_progress(|now| eprintln!("{} bytes", now.bytes)).verify()?;
/// assert!(outcome.is_ok());
/// # Ok::<(), uncask::GameError>(())
/// ```
#[must_use = "nothing is done before `unpack`, `to_legacy`, `export` or `verify` is called"]
pub struct Job<'a> {
    game: &'a Game,
    entries: Vec<Entry>,
    options: UnpackOptions,
    context: Context,
    progress: Callback<'a>,
}

impl Game {
    /// A job on the chunks that match one of these patterns: paths, file names, folders, package names, globs, chunk ids.
    pub fn matching<'a>(&self, patterns: impl IntoIterator<Item = &'a str>) -> Result<Job<'_>, GameError> {
        let patterns = patterns.into_iter().map(ToOwned::to_owned).collect();
        self.selected(&FilterSpec { patterns, ..FilterSpec::default() })
    }

    /// A job on the chunks that fit a description.
    pub fn selected(&self, spec: &FilterSpec) -> Result<Job<'_>, GameError> {
        Ok(Job::new(self, Filter::new(spec)?.select(&self.store, false)))
    }

    /// A job on all chunks.
    pub fn all(&self) -> Job<'_> {
        Job::new(self, self.entries.clone())
    }
}

impl<'a> Job<'a> {
    fn new(game: &'a Game, entries: Vec<Entry>) -> Self {
        let options = UnpackOptions { verify: true, ..UnpackOptions::default() };
        Self { game, entries, options, context: game.context(true), progress: Callback::default() }
    }

    /// Token that ends the job before it is done, from any thread: files that were begun are finished or removed, the rest is not begun. The
    /// outcome says that it was cancelled.
    #[must_use]
    pub const fn cancel_token(&self) -> &CancelToken {
        self.context.cancel_token()
    }

    /// The chunks.
    #[must_use]
    pub fn chunks(&self) -> impl ExactSizeIterator<Item = Chunk<'a>> {
        let store = self.game.store();
        self.entries.iter().map(move |entry| store.chunk(*entry))
    }

    /// Calls a function whenever the job gets further. It may be called from any thread, but not by two at a time.
    pub fn on_progress(mut self, call: impl FnMut(Progress) + Send + 'a) -> Self {
        self.progress.call = Some(Mutex::new(Box::new(call)));
        self
    }

    /// What to do about files that are there already. By default, those that are not what they should be are replaced.
    pub const fn overwrite(mut self, overwrite: Overwrite) -> Self {
        self.options.overwrite = overwrite;
        self
    }

    /// Writes no content that does not have its recorded hash. Without it, such content is written, and is among the mismatches of
    /// the outcome.
    pub const fn strict(mut self) -> Self {
        self.options.strict = true;
        self
    }

    /// Decodes every chunk and compares it with its recorded hash; nothing is written.
    pub fn verify(self) -> Result<Outcome, GameError> {
        let Self { game, entries, context, progress, .. } = self;
        Ok(block_on(verify(game.store(), &entries, &context, false, &progress))?)
    }

    /// Writes every chunk as a file below a folder, as it lies in the containers.
    pub fn unpack(self, folder: impl AsRef<Path>) -> Result<Outcome, GameError> {
        let Self { game, entries, options, context, progress } = self;
        let sink = Arc::new(DirectorySink::open(folder.as_ref())?);
        let outputs = Outputs::new(game.store(), &entries, None);
        let job = unpack(game.store(), outputs, sink, &context, options, &progress);
        Ok(block_on(job)?)
    }

    /// Writes the packages below a folder as the cooker wrote them: `.uasset` or `.umap`, `.uexp`, and bulk data files. All chunks
    /// of a package are taken if one of them is.
    pub fn to_legacy(self, folder: impl AsRef<Path>) -> Result<LegacyOutcome, GameError> {
        let Self { game, entries, options, context, progress } = self;
        let sink = Arc::new(DirectorySink::open(folder.as_ref())?);
        let outputs = LegacyOutputs::new(game.store(), &LegacySelection::new(game.store(), &entries, false));
        let convert =
            ConvertOptions { target: Target { release: game.release }, ..ConvertOptions::default() };
        let options = LegacyOptions { unpack: options, convert };
        let job = to_legacy(Arc::clone(&game.packages), outputs, sink, &context, options, &progress);
        Ok(block_on(job)?)
    }

    /// Writes the assets of the packages below a folder, as files that people open: pictures, sounds, meshes, animations, fonts,
    /// and videos as they are. What there is to do about files that are there already is what the job says.
    pub fn export(
        self,
        folder: impl AsRef<Path>,
        options: ExportOptions,
    ) -> Result<ExportOutcome, GameError> {
        let Self { game, entries, options: unpack, context, progress } = self;
        let store = game.store();
        let sink: Arc<dyn Sink> = Arc::new(DirectorySink::open(folder.as_ref())?);
        let options = ExportOptions { overwrite: unpack.overwrite, ..options };
        let media = media_files(store, &entries, &options);
        let inputs = PackageInputs::of_store(store, &entries);
        let values = ValueOptions { strict: unpack.strict, ..game.value_options() };
        let to = Arc::clone(&sink);
        Ok(block_on(async {
            let mut outcome =
                export(Arc::clone(&game.packages), inputs, to, &context, options, values, &progress).await?;
            if !outcome.values.packages.cancelled {
                copy_media(store, &media, sink, &context, unpack, &progress, &mut outcome).await;
            }
            Ok::<_, Error>(outcome)
        })??)
    }
}

/// The caller's function.
type Call<'a> = Box<dyn FnMut(Progress) + Send + 'a>;

/// Turns events into calls of the caller's function.
#[derive(Default)]
struct Callback<'a> {
    chunks: AtomicU64,
    total_chunks: AtomicU64,
    bytes: AtomicU64,
    total_bytes: AtomicU64,
    call: Option<Mutex<Call<'a>>>,
}

impl Observer for Callback<'_> {
    fn on(&self, event: &Event<'_>) {
        let Some(call) = &self.call else { return };
        let (done, planned) = match *event {
            Event::Planned { chunks, raw_bytes } => ((0, 0), (chunks, raw_bytes)),
            Event::Advanced { chunks, raw_bytes } => ((chunks, raw_bytes), (0, 0)),
            Event::Warning { .. } | Event::Chunk { .. } | Event::Failed { .. } => return,
        };
        let mut call = call.lock().unwrap_or_else(PoisonError::into_inner);
        // Counted under the lock, so that no call sees less than the one before.
        let add = |total: &AtomicU64, more| total.fetch_add(more, Ordering::Relaxed) + more;
        call(Progress {
            chunks: add(&self.chunks, done.0),
            total_chunks: add(&self.total_chunks, planned.0),
            bytes: add(&self.bytes, done.1),
            total_bytes: add(&self.total_bytes, planned.1),
        });
    }
}
