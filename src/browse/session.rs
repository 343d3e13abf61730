//! The game that is open, and what was made of it.

use super::find::{self, Order};
use super::index::Index;
use super::query::Query;
use super::refusal::Refusal;
use crate::crypto::KeyRing;
use crate::error::{Error, ErrorKind};
use crate::game::{Game, GameOptions};
use crate::pipeline::Context;
use crate::store::{Container, Entry, Role};
use crate::values::{ValueOptions, find_mappings};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Searches whose results are kept: scrolling asks for one of them again and again.
const KEPT_SEARCHES: usize = 6;

/// Packages whose files are kept: a model asks for its pictures one by one.
const KEPT_FILES: usize = 8;

/// What to open, and how.
#[derive(Debug, Clone, Default, Deserialize)]
pub(super) struct Opening {
    pub path: PathBuf,
    /// Keys as on the command line, without those in files.
    #[serde(default)]
    pub keys: Vec<String>,
    #[serde(default)]
    pub mappings: Option<PathBuf>,
    /// Containers that only lend their names.
    #[serde(skip)]
    pub base: Vec<PathBuf>,
    /// Where the files are.
    #[serde(skip)]
    pub files: crate::source::Files,
    /// Keys that the program was started with.
    #[serde(skip)]
    pub ring: KeyRing,
    #[serde(skip)]
    pub threads: usize,
    #[serde(skip)]
    pub memory: u64,
}

/// A game with its index.
#[derive(Debug)]
pub(super) struct Opened {
    pub game: Game,
    pub index: Index,
    pub path: PathBuf,
    /// Tells it apart from what was open before.
    pub number: u64,
    mappings: Option<PathBuf>,
    searches: Mutex<VecDeque<(Search, Arc<[u32]>)>>,
    files: Mutex<VecDeque<(u64, Files)>>,
    made: AtomicU64,
}

/// Files that were made of a package, by their paths.
pub(super) type Files = Arc<BTreeMap<String, bytes::Bytes>>;

/// A search: what the table shows.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub(super) struct Search {
    #[serde(default)]
    pub text: String,
    /// In lower case, with `/` at its end; empty for everything.
    #[serde(default)]
    pub folder: String,
    #[serde(default)]
    pub order: Order,
    #[serde(default)]
    pub reversed: bool,
}

/// What is open, for the page.
#[derive(Debug, Serialize)]
pub(super) struct Summary {
    pub number: u64,
    pub path: String,
    pub chunks: usize,
    pub bytes: u64,
    pub containers: Vec<ContainerSummary>,
    /// What a key would open: why it cannot be read.
    pub locked: Vec<String>,
    /// What cannot be opened for other reasons.
    pub failed: Vec<String>,
    /// The file with the names of properties.
    pub mappings: Option<String>,
}

#[derive(Debug, Serialize)]
pub(super) struct ContainerSummary {
    pub name: String,
    pub chunks: u32,
}

impl ContainerSummary {
    fn new(container: &Container) -> Self {
        Self { name: container.name(), chunks: container.table().chunk_count() }
    }
}

impl Opened {
    /// Opens a game.
    pub(super) fn open(opening: Opening, number: u64) -> Result<Self, Refusal> {
        let Opening { path, keys, mappings, base, files, ring, threads, memory } = opening;
        let mappings = mappings.filter(|path| !path.as_os_str().is_empty());
        let mappings = mappings.or_else(|| if files.are_given() { None } else { find_mappings(&path) });
        let mut options = GameOptions::default().files(files).keys(ring).threads(threads).memory(memory);
        for key in keys.iter().map(|key| key.trim()).filter(|key| !key.is_empty()) {
            options = options.key(key)?;
        }
        for base in base {
            options = options.base(base);
        }
        if let Some(mappings) = &mappings {
            options = options.mappings(mappings);
        }
        let game = options.open(&path)?;
        let index = Index::new(&game);
        let (searches, files) = (Mutex::default(), Mutex::default());
        Ok(Self { game, index, path, number, mappings, searches, files, made: AtomicU64::new(0) })
    }

    pub(super) fn summary(&self) -> Summary {
        let store = self.game.store();
        let containers = store.containers().iter().filter(|container| container.role() == Role::Content);
        let containers: Vec<&Arc<Container>> = containers.collect();
        let failed = self.game.failed().iter();
        let (keyless, failed): (Vec<&Error>, Vec<&Error>) =
            failed.partition(|error| error.kind() == ErrorKind::Key);
        let locked = containers.iter().filter_map(|container| container.locked()).chain(keyless);
        Summary {
            number: self.number,
            path: self.path.display().to_string(),
            chunks: self.index.len(),
            bytes: self.index.bytes_of(&(0..self.index.len())),
            locked: locked.map(ToString::to_string).collect(),
            failed: failed.into_iter().map(ToString::to_string).collect(),
            containers: containers.iter().map(|container| ContainerSummary::new(container)).collect(),
            mappings: self.mappings.as_deref().map(Path::display).map(|path| path.to_string()),
        }
    }

    /// The rows that a search finds.
    pub(super) fn search(&self, search: &Search, context: &Context) -> Result<Arc<[u32]>, Refusal> {
        if let Some((_, rows)) = lock(&self.searches).iter().find(|(known, _)| known == search) {
            return Ok(Arc::clone(rows));
        }
        let query = Query::parse(&search.text).map_err(Refusal::bad_request)?;
        if !query.classes.is_empty() {
            self.read_classes(context);
        }
        let rows = self.index.folder(&search.folder);
        let found = find::find(&self.index, &self.game, rows, &query, &|| context.is_cancelled());
        let found = found.ok_or_else(|| Refusal::bad_request("given up"))?;
        let rows: Arc<[u32]> = find::sort(&self.index, found, search.order, search.reversed).into();
        let mut searches = lock(&self.searches);
        searches.truncate(KEPT_SEARCHES - 1);
        searches.push_front((search.clone(), Arc::clone(&rows)));
        Ok(rows)
    }

    /// Reads the headers of all packages that were not read before.
    fn read_classes(&self, context: &Context) {
        let rows: Vec<usize> = (0..self.index.len()).filter(|row| !self.index.knows_class(*row)).collect();
        // In parts, so that a search that nobody waits for ends soon.
        for part in rows.chunks(1024) {
            if context.is_cancelled() {
                return;
            }
            context.cpu().map(part, |row| drop(self.index.class(&self.game, *row)));
        }
    }

    /// The chunk in a row.
    pub(super) fn entry(&self, row: usize) -> Result<Entry, Refusal> {
        let len = self.index.len();
        let none = || Refusal::not_found(format!("there is no row {row}, only {len}"));
        self.index.entry(row).ok_or_else(none)
    }

    /// How values are read.
    pub(super) fn values(&self) -> ValueOptions {
        ValueOptions { mappings: self.game.mappings().cloned(), verify: true, ..ValueOptions::default() }
    }

    /// Keeps files for a while; the number is what they are asked for by.
    pub(super) fn keep(&self, files: BTreeMap<String, Vec<u8>>) -> (u64, Files) {
        let files = files.into_iter().map(|(path, bytes)| (path, bytes.into()));
        let files: Files = Arc::new(files.collect());
        let number = self.made.fetch_add(1, Ordering::Relaxed);
        let mut kept = lock(&self.files);
        kept.truncate(KEPT_FILES - 1);
        kept.push_front((number, Arc::clone(&files)));
        // However large files are, only the last ones stay.
        let mut total = 0;
        kept.retain(|(other, files)| {
            total += files.values().map(|bytes| bytes.len() as u64).sum::<u64>();
            *other == number || total <= self.game.memory() / 4
        });
        (number, files)
    }

    /// Files that were kept.
    pub(super) fn kept(&self, number: u64) -> Option<Files> {
        let kept = lock(&self.files);
        kept.iter().find(|(other, _)| *other == number).map(|(_, files)| Arc::clone(files))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
