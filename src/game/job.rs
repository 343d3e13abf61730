//! Whole jobs on a game: unpack, rebuild, export, verify.

use super::{Game, GameError};
use crate::error::Error;
use crate::export::{ExportInputs, ExportOptions, ExportedAssets, export};
use crate::extract::legacy::{
    ConvertOptions, LegacyOptions, LegacyOutputs, LegacySelection, RebuiltAssets, to_legacy,
};
use crate::extract::{Filter, FilterSpec, Outputs, Shard, UnpackOptions, unpack, verify};
use crate::job::{CancelToken, Context, Outcome, block_on};
use crate::package::convert::Target;
use crate::report::{Event, Observer};
use crate::sink::{Overwrite, Sink, open_output};
use crate::store::{Chunk, Entry};
use crate::values::{Hits, PackageInputs, Query, ValueOptions, ValuesRead, find_values};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// Progress of a job. Numbers only grow, the totals too, since a job may be planned in several parts.
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
/// let outcome = game.matching(["*.umap"])?.on_progress(|now| println!("{} bytes", now.bytes)).verify()?;
/// assert!(outcome.is_ok());
/// # Ok::<(), uncask::GameError>(())
/// ```
#[must_use = "nothing is done before `unpack`, `to_legacy`, `export`, `find` or `verify` is called"]
pub struct ChunkJob<'a> {
    game: &'a Game,
    entries: Vec<Entry>,
    options: UnpackOptions,
    shard: Option<Shard>,
    context: Context,
}

impl Game {
    /// A job on the chunks that match one of these patterns: paths, file names, folders, package names, globs, chunk ids.
    pub fn matching<'a>(
        &self,
        patterns: impl IntoIterator<Item = &'a str>,
    ) -> Result<ChunkJob<'_>, GameError> {
        let patterns = patterns.into_iter().map(ToOwned::to_owned).collect();
        self.selected(&FilterSpec { patterns, ..FilterSpec::default() })
    }

    /// A job on the chunks that fit a description.
    pub fn selected(&self, spec: &FilterSpec) -> Result<ChunkJob<'_>, GameError> {
        Ok(ChunkJob::new(self, Filter::new(spec)?.select(&self.store, false)))
    }

    /// A job on all chunks.
    pub fn all(&self) -> ChunkJob<'_> {
        ChunkJob::new(self, self.entries().to_vec())
    }
}

impl<'a> ChunkJob<'a> {
    pub(super) fn new(game: &'a Game, entries: Vec<Entry>) -> Self {
        let options = UnpackOptions { verify: true, ..UnpackOptions::default() };
        Self {
            game,
            entries,
            options,
            shard: None,
            context: game.context(true).with_cancel_token(game.cancel_token().child()),
        }
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
        let store = &self.game.store;
        self.entries.iter().map(move |entry| store.chunk(*entry))
    }

    /// Calls a function whenever the job gets further. It may be called from any thread, but not by two at a time.
    pub fn on_progress(self, call: impl FnMut(Progress) + Send + 'static) -> Self {
        let callback = Callback(Mutex::new((Progress::default(), Box::new(call))));
        Self { context: self.context.with_observer(Arc::new(callback)), ..self }
    }

    /// Sets how existing files are treated. By default, files with other content are replaced.
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

    /// Does one shard of the job, of about equal stored size, as one of several machines. Names of files are those that the whole
    /// job would choose.
    pub const fn shard(mut self, shard: Shard) -> Self {
        self.shard = Some(shard);
        self
    }

    /// The chunks of the shard, if only one is done.
    fn share(&self) -> Option<Vec<Entry>> {
        self.shard.map(|shard| self.game.share(shard, &self.entries))
    }

    /// Calls a function with what a query finds in each package that has any of it, in their order.
    pub fn find(
        self,
        query: Query,
        found: impl FnMut(Hits) -> Result<(), Error>,
    ) -> Result<Outcome<ValuesRead>, GameError> {
        let Self { game, entries, context, .. } = self;
        let inputs = PackageInputs::of_store(&game.store, &entries);
        let packages = Arc::clone(&game.packages);
        Ok(block_on(find_values(packages, inputs, query, &context, game.value_options(), found))??)
    }

    /// Decodes every chunk and compares it with its recorded hash; nothing is written.
    pub fn verify(self) -> Result<Outcome, GameError> {
        let share = self.share();
        let Self { game, entries, context, .. } = self;
        let entries = share.unwrap_or(entries);
        Ok(block_on(verify(&game.store, &entries, &context, false))?)
    }

    /// Writes every chunk as a file below a folder, or a folder of a bucket (`s3://bucket/folder`), as it lies in the containers.
    pub fn unpack(self, folder: impl AsRef<Path>) -> Result<Outcome, GameError> {
        self.unpack_into(open_output(folder.as_ref())?)
    }

    /// Writes every chunk as a file, as it lies in the containers, to wherever a sink puts its files.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use uncask::Game;
    /// use uncask::game::MemorySink;
    ///
    /// let (game, sink) = (Game::open("testdata/demo")?, Arc::new(MemorySink::default()));
    /// let outcome = game.matching(["*.umap"])?.unpack_into(sink.clone())?;
    /// assert_eq!(outcome.count as usize, sink.files().len());
    /// # Ok::<(), uncask::GameError>(())
    /// ```
    pub fn unpack_into(self, sink: Arc<dyn Sink>) -> Result<Outcome, GameError> {
        let share = self.share();
        let Self { game, entries, options, context, .. } = self;
        let mut outputs = Outputs::new(&game.store, &entries, None);
        if let Some(share) = share {
            outputs.retain(&share);
        }
        let job = unpack(&game.store, outputs, sink, &context, options);
        Ok(block_on(job)?)
    }

    /// Writes the packages below a folder as the cooker wrote them: `.uasset` or `.umap`, `.uexp`, and bulk data files. All chunks
    /// of a package are taken if one of them is.
    pub fn to_legacy(self, folder: impl AsRef<Path>) -> Result<Outcome<RebuiltAssets>, GameError> {
        self.to_legacy_into(open_output(folder.as_ref())?)
    }

    /// Writes the packages as [`to_legacy`](Self::to_legacy) does, to wherever a sink puts its files.
    pub fn to_legacy_into(self, sink: Arc<dyn Sink>) -> Result<Outcome<RebuiltAssets>, GameError> {
        let Self { game, entries, options, shard, context } = self;
        let selection = LegacySelection::new(&game.store, &entries, false);
        let mut outputs = LegacyOutputs::new(&game.store, &selection);
        if let Some(shard) = shard {
            outputs.retain(&game.store, &selection, shard);
        }
        let convert =
            ConvertOptions { target: Target { release: game.release }, ..ConvertOptions::default() };
        let options = LegacyOptions { unpack: options, convert };
        let job = to_legacy(Arc::clone(&game.packages), outputs, sink, &context, options);
        Ok(block_on(job)?)
    }

    /// Writes the assets of the packages below a folder, as files that people open: pictures, sounds, meshes, animations, fonts,
    /// and videos as they are. Existing files follow the job's overwrite setting.
    pub fn export(
        self,
        folder: impl AsRef<Path>,
        options: ExportOptions,
    ) -> Result<Outcome<ExportedAssets>, GameError> {
        self.export_into(open_output(folder.as_ref())?, options)
    }

    /// Writes the assets as [`export`](Self::export) does, to wherever a sink puts its files.
    pub fn export_into(
        self,
        sink: Arc<dyn Sink>,
        options: ExportOptions,
    ) -> Result<Outcome<ExportedAssets>, GameError> {
        let Self { game, entries, options: unpack, shard, context } = self;
        let options = ExportOptions { overwrite: unpack.overwrite, ..options };
        let mut inputs = ExportInputs::of_store(&game.store, &entries, &options);
        if let Some(shard) = shard {
            inputs.retain_share(&game.store, shard);
        }
        let values = ValueOptions { verify: unpack.verify, strict: unpack.strict, ..game.value_options() };
        Ok(block_on(export(Arc::clone(&game.packages), inputs, sink, &context, options, values))??)
    }
}

/// Turns events into calls of the caller's function. Counted under the lock, so that no call sees less than the one before.
struct Callback(Mutex<(Progress, Call)>);

/// The caller's function.
type Call = Box<dyn FnMut(Progress) + Send>;

impl Observer for Callback {
    fn on(&self, event: &Event<'_>) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (now, call) = &mut *state;
        match *event {
            Event::Planned { chunks, raw_bytes } => {
                now.total_chunks += chunks;
                now.total_bytes += raw_bytes;
            }
            Event::Advanced { chunks, raw_bytes } => {
                now.chunks += chunks;
                now.bytes += raw_bytes;
            }
            Event::Warning { .. } | Event::Searching { .. } | Event::Chunk { .. } | Event::Failed { .. } => {
                return;
            }
        }
        call(*now);
    }
}
