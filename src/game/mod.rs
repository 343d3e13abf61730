//! The front door: a game's containers, opened with one call and used without a runtime to set up.
//!
//! ```
//! use uncask::Game;
//!
//! let game = Game::open("testdata/demo")?;
//! for chunk in game.chunks() {
//!     println!("{:>9} {}", chunk.len(), chunk.display_path());
//! }
//! let map = game.package("/Game/Maps/Start")?;
//! assert!(map.exports.iter().any(|export| export.class == "/Script/Engine.World"));
//! # Ok::<(), uncask::GameError>(())
//! ```
//!
//! Everything here blocks until it is done. The command line, the page and the Python package go through it, so that a job is wired
//! in one place. [`store`](crate::store), [`pipeline`](crate::pipeline) and [`extract`](crate::extract) below it are for programs
//! with a runtime, sinks or streams of their own.

#[cfg(feature = "recipes")]
mod building;
mod classes;
mod code;
mod conflicts;
mod edits;
mod error;
mod installed;
mod job;
mod jobs;
mod joining;
mod lint;
mod merging;
mod options;
mod package;
mod packing;
mod porting;
#[cfg(feature = "recipes")]
mod recipes;
mod reviews;
mod rows;
mod select;
mod settings;
mod values;

pub use crate::values::ClassFilter;
#[cfg(feature = "recipes")]
pub use building::{
    BuildDoubt, BuildError, BuildFault, BuildOptions, BuildProblem, Built, Preview, PreviewError, WrittenMod,
};
pub use code::code_differences;
pub use conflicts::{SharedItems, shared_items};
pub use error::GameError;
pub use installed::{GameMod, IgnoredMod};
pub use job::{ChunkJob, Progress};
pub use joining::{JoinError, SameChunk, with_pak};
pub use merging::{MergeError, MergeOptions, Merged};
pub use options::GameOptions;
pub use package::{Export, Package};
pub use porting::{PortOptions, Ported};
#[cfg(feature = "recipes")]
pub use recipes::{ExtractedRecipe, RecipeOptions};
pub use reviews::review_differences;
pub use rows::{GameRow, RowColumns, RowKind, RowPlan};
pub use select::{ClassOf, diff};
pub use values::{push_tables, value_differences};

// The types that its methods take and return, so that a caller needs no other module.
pub use crate::changes::{
    ChangedPart, ModChange, PortReason, PortedDoubt, SharedChange, SharedItem, Unmerged, UnmergedReason,
    Verdict as SharedVerdict,
};
#[cfg(feature = "recipes")]
pub use crate::changes::{
    CodeChangeOf, RECIPE_FILE, RECIPE_SCHEMA, Recipe, RecipeChange, RecipeCode, RecipeError, RecipePicture,
    RecipePlace, RecipeProblem, RecipeText,
};
pub use crate::code::{
    CodeChange, CodeForm, CodeHit, CodeHits, CodeOptions, CodeQuery, CodeRead, FunctionChange, FunctionNames,
    ListingDocument, ListingDocumentError, PackageCode,
};
pub use crate::compare::{By, Change, Changed, Conflict, Diff, Overview, PackageCounts, Usage, UsageRow};
pub use crate::export::{
    CubeForm, ExportForm, ExportInputs, ExportOptions, Exported, ExportedAssets, Forms, GalleryAsset,
    HeightForm, InstanceForm, Left, Levels, LooseMedia, NaniteDetail, SceneCounts, SceneOptions,
    UnshownReason,
};
pub use crate::extract::legacy::{
    AssetReport, ConvertOptions, LegacyOptions, LegacyOutputs, LegacySelection, LibraryReport, LoosePackages,
    RebuiltAssets,
};
pub use crate::extract::{
    ChunkContent, ChunkStream, Filter, FilterSpec, FindError, Manifest, ManifestHead, Outputs, PatternError,
    Shard, ShardError, UnpackOptions, WithDependencies,
};
pub use crate::job::{CancelToken, Cpu, Failure, Kind, MAX_THREADS, Outcome, Subject};
pub use crate::lint::{
    LintFault, LintFinding, LintPlan, LintRead, LintRules, LintRulesError, LintSettings, SizeBudget,
};
pub use crate::merge::{
    ConflictKind, ConflictList, MergeConflict, MergeRefusal, MergeSide, MergedFile, merge_files,
};
pub use crate::pack::{BaseGame, Checked, Original, PackOptions, Packed, SkipReason, ToZenInput, Zenned};
pub use crate::pack::{InstallError, InstalledMod, install, mod_files, paks_folder, uninstall};
pub use crate::pipeline::Check;
pub use crate::project::{PackageSize, ProjectPackages, SizesRead};
pub use crate::release::Verdict;
pub use crate::replace::{Match, Matches, match_folder, picture_len, read_picture};
pub use crate::reviews::{
    PackageReview, Review, ReviewChange, ReviewComparison, ReviewOptions, ReviewRead, ReviewSection,
    ReviewSettings, SectionKind,
};
pub use crate::sink::{
    AppendingFile, DirectorySink, HashTag, MemorySink, NullSink, OutputNames, OutputPath, Overwrite, Sink,
    create_file, open_output, put,
};
pub use crate::source::{
    AddressProblem, Answer, Answers, Files, FolderFiles, Links, build_names, check_url, expand, files_below,
    is_lfs_pointer, is_url, matches, natural_order, open_file, read_file, refuse_lfs_pointer,
};
pub use crate::store::packages::{Direction, Link, LinkKind, Node, Packages, Presence, Walk};
pub use crate::store::{Chunk, Container, DiscoverError, Entry, FileKind, Lend, Role, discover};
pub use crate::table::Table;
pub use crate::texts::{AppliedFile, Sheet, SheetRow, TextFile, TextFiles};
pub use crate::texts::{apply, is_same};
#[cfg(feature = "recipes")]
pub use crate::values::edit::RuleChange;
pub use crate::values::edit::{
    Changed as ChangedValue, CodeEdit, EditField, EditFields, EditOutput, Edited, Editing, FieldKind,
    SaveOptions, Saved, TextureWish, Wanted,
};
pub use crate::values::{
    AssetFacts, HistoryRow, Hit, Hits, IgnoredValues, JsonForm, MAX_HITS, ObjectRef, Objects,
    PackageDifference, PackageInput, PackageInputs, Query, QuerySpec, ShownValue, StringTable, TableEntry,
    UnreadCause, UnreadValues, ValueChange, ValueDifference, ValueOptions, ValueRow, ValuesRead,
};
pub use crate::values::{find_mappings, is_mappings, mapping_folders, read_mappings};

use crate::error::{Bound, Error, Result};
use crate::job::{Context, block_on};
use crate::property::Schemas;
use crate::report::Observer;
use crate::store::Store;
use crate::version::Release;
use settings::Settings;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// The containers of a game, opened: every chunk that wins over its namesakes, with a path wherever one is known. A clone is
/// another handle of the same game.
#[derive(Debug, Clone)]
pub struct Game {
    store: Store,
    packages: Arc<Packages>,
    /// Chunks that win, in the order of the store, once they are asked for.
    winners: Arc<OnceLock<Vec<Entry>>>,
    mappings: Option<Arc<Schemas>>,
    release: Option<&'static Release>,
    has_keys: bool,
    settings: Settings,
}

impl Game {
    /// Every chunk that a game would load: of several with one id, the one of the container that wins.
    #[must_use]
    pub fn chunks(&self) -> impl ExactSizeIterator<Item = Chunk<'_>> {
        self.entries().iter().map(|entry| self.store.chunk(*entry))
    }

    /// Entries of these chunks, in the same order.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        self.winners.get_or_init(|| Filter::default().select(&self.store, false))
    }

    /// Entries of all chunks, of those that another container overrides, too, container by container.
    pub fn all_entries(&self) -> impl Iterator<Item = Entry> {
        self.store.entries()
    }

    /// The chunk of an entry. An entry of another game gives a chunk of no kind and no length.
    #[must_use]
    pub const fn at(&self, entry: Entry) -> Chunk<'_> {
        self.store.chunk(entry)
    }

    /// The containers that could be opened, the one that wins over all others first; those that only lend their names are among them.
    #[must_use]
    pub fn containers(&self) -> &[Arc<Container>] {
        self.store.containers()
    }

    /// Containers that could not be opened, and folders that could not be read.
    #[must_use]
    pub fn failed(&self) -> &[Error] {
        self.store.failed()
    }

    /// The same game for a job that this observer watches.
    #[must_use]
    pub fn watched_by(&self, observer: Arc<dyn Observer>) -> Self {
        Self { settings: Settings { observer, ..self.settings.clone() }, ..self.clone() }
    }

    /// The same game with another token for its jobs.
    #[must_use]
    pub fn with_cancel_token(self, cancel: CancelToken) -> Self {
        Self { settings: Settings { cancel, ..self.settings }, ..self }
    }

    /// The same game for jobs on other worker threads, with another limit to the memory for data in flight.
    #[must_use]
    pub fn on_workers(&self, workers: Cpu, memory: u64) -> Self {
        let settings = Settings { workers: workers.into(), memory, ..self.settings.clone() };
        Self { settings, ..self.clone() }
    }

    /// The content of a chunk, compared with its recorded hash. It has to fit the memory for data in flight.
    pub fn read(&self, name: &str) -> Result<Vec<u8>, GameError> {
        let chunk = self.chunk(name)?;
        Ok(self.read_chunk(chunk)?)
    }

    /// The content of a chunk of this game, compared with its recorded hash.
    pub fn read_chunk(&self, chunk: Chunk<'_>) -> Result<Vec<u8>> {
        let path = chunk.display_path();
        if chunk.len() > self.memory() {
            let what = "size of a chunk that is read as a whole";
            return Err(Error::Limit {
                what,
                found: chunk.len(),
                limit: self.memory(),
                bound: Bound::Memory,
                path: path.into(),
            });
        }
        let mut read = Vec::new();
        self.read_chunk_with(chunk, |bytes| {
            read.extend_from_slice(bytes);
            Ok(())
        })?;
        Ok(read)
    }

    /// Hands the content of a chunk of this game to a function, part by part and in order, in bounded memory. Only the end says
    /// whether it has its recorded hash; an error of the function ends the reading.
    pub fn read_chunk_with(&self, chunk: Chunk<'_>, each: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
        let check = self.copy_chunk(chunk.entry(), each)?;
        check.error(chunk.display_path().as_ref()).map_or(Ok(()), Err)
    }

    /// Some bytes of a chunk of this game, cut off at its end. Only the blocks that they lie in are read, so nothing is compared
    /// with the recorded hash, which is one of the whole.
    pub fn read_range(&self, chunk: Chunk<'_>, range: Range<u64>) -> Result<Vec<u8>> {
        let container = chunk.container();
        container
            .map_or(Ok(Vec::new()), |container| container.read(chunk.entry().chunk, range, self.memory()))
    }

    /// Its packages: their names, headers, classes, and how they refer to one another.
    #[must_use]
    pub const fn packages(&self) -> &Arc<Packages> {
        &self.packages
    }

    /// The threads that its jobs run on.
    #[must_use]
    pub const fn cpu(&self) -> &Cpu {
        self.store.cpu()
    }

    /// Reads what all packages need: the native objects, and the headers of containers. They are read on first use otherwise.
    pub fn read_names(&self) {
        let _ = (self.packages.scripts(), self.packages.container_header(0));
    }

    /// Names and types of the properties of its classes, if mappings were given.
    #[must_use]
    pub const fn mappings(&self) -> Option<&Arc<Schemas>> {
        self.mappings.as_ref()
    }

    /// True if it was opened with keys.
    #[must_use]
    pub const fn has_keys(&self) -> bool {
        self.has_keys
    }

    /// Memory for data in flight, in bytes.
    #[must_use]
    pub const fn memory(&self) -> u64 {
        self.settings.memory
    }

    /// Ends every job of this game.
    #[must_use]
    pub const fn cancel_token(&self) -> &CancelToken {
        self.settings.cancel_token()
    }

    /// The same game for jobs that are part of a larger one: with its threads, its budget, its token.
    #[cfg(feature = "page")]
    pub(crate) fn within(&self, context: &Context) -> Self {
        let settings = Settings { outer: Some(context.clone()), ..self.settings.clone() };
        Self { settings, ..self.clone() }
    }

    fn context(&self, verify: bool) -> Context {
        self.settings.context(verify)
    }

    /// Runs a job to its end.
    fn run<T>(&self, verify: bool, job: impl AsyncFnOnce(&Context) -> T) -> Result<T> {
        let context = self.context(verify);
        block_on(job(&context))
    }
}
