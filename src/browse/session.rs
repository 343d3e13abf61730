//! An open game.

use super::filter::Filter;
use super::find::{self, Order};
use super::index::Index;
use super::query::Query;
use super::refusal::Refusal;
use super::search::{Search, Searches};
use crate::crypto::KeyRing;
use crate::error::{Error, ErrorKind};
use crate::game::{
    CancelToken, CodeQuery, Container, Entry, Game, GameOptions, Role, ValueOptions, find_mappings,
};
use crate::job::Context;
use crate::version::Release;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A request to open a game.
#[derive(Debug, Clone, Default, Deserialize)]
pub(super) struct Opening {
    pub path: PathBuf,
    /// Keys in the syntax of the command line, but not files with keys.
    #[serde(default)]
    pub keys: Vec<String>,
    /// True to remember the keys after the program ends.
    #[serde(default)]
    #[cfg_attr(not(feature = "browse"), expect(dead_code, reason = "only the server can remember"))]
    pub remembers_keys: bool,
    #[serde(default)]
    pub mappings: Option<PathBuf>,
    /// The release that wrote packages that do not name it, such as `5.4`; deduced if empty.
    #[serde(default)]
    pub engine: Option<String>,
    /// Containers that only lend their names.
    #[serde(skip)]
    pub base: Vec<PathBuf>,
    /// File system to open from.
    #[serde(skip)]
    pub files: crate::source::Files,
    /// Keys given at program start.
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
    /// Number that distinguishes it from games opened before.
    pub number: u32,
    mappings: Option<PathBuf>,
    release: Option<&'static Release>,
    searches: Searches,
    /// The game without its mods, made on first use.
    #[cfg(feature = "browse")]
    base: std::sync::OnceLock<Game>,
}

/// Summary of an open game, for the page.
#[derive(Debug, Serialize)]
pub(super) struct Summary {
    pub number: u32,
    pub path: String,
    pub chunks: usize,
    pub bytes: u64,
    pub containers: Vec<ContainerSummary>,
    /// Errors of locked containers, which a key would open.
    pub locked: Vec<String>,
    /// Other errors.
    pub failed: Vec<String>,
    /// Path of the mappings.
    pub mappings: Option<String>,
    /// The release that was given.
    pub engine: Option<&'static str>,
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
    pub(super) fn open(opening: Opening, number: u32, context: &Context) -> Result<Self, Refusal> {
        let Opening { path, keys, mappings, engine, base, files, ring, threads, memory, .. } = opening;
        // The page sends an empty text if the field is left empty.
        let mappings = mappings.filter(|path| !path.as_os_str().is_empty());
        let engine = engine.as_deref().map(str::trim).filter(|engine| !engine.is_empty());
        let unknown = |name: &str| {
            Refusal::bad_request(format!("there is no engine release {name:?}; give one such as 5.4"))
        };
        let release = engine.map(|name| Release::from_name(name).ok_or_else(|| unknown(name))).transpose()?;
        // Files given in memory have no folder in which to look for mappings.
        let mappings = mappings.or_else(|| if files.are_given() { None } else { find_mappings(&path) });
        let mut options = GameOptions::default().files(files).keys(ring).threads(threads).memory(memory);
        options = options.cancel_token(context.cancel_token().clone());
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
        // Only after the index is complete is the game shown: the page never sees half of it.
        let index = Index::new(&game, context.cancel_token()).ok_or_else(Refusal::given_up)?;
        // The request that opened it ends; the game goes on.
        let game = game.with_cancel_token(CancelToken::default());
        Ok(Self {
            game,
            index,
            path,
            number,
            mappings,
            release,
            searches: Searches::default(),
            #[cfg(feature = "browse")]
            base: std::sync::OnceLock::new(),
        })
    }

    /// The game without its mods: what new ones change.
    #[cfg(feature = "browse")]
    pub(super) fn base(&self) -> &Game {
        self.base.get_or_init(|| self.game.without_mods(&[]))
    }

    pub(super) fn summary(&self) -> Summary {
        let containers = self.game.containers().iter().filter(|container| container.role() == Role::Content);
        let containers: Vec<&Arc<Container>> = containers.collect();
        let failed = self.game.failed().iter();
        // Key errors are apart, because the page offers a field for keys next to them.
        let (keyless, failed): (Vec<&Error>, Vec<&Error>) =
            failed.partition(|error| error.kind() == ErrorKind::Key);
        let locked = containers.iter().filter_map(|container| container.locked()).chain(keyless);
        Summary {
            number: self.number,
            path: self.path.display().to_string(),
            chunks: self.index.len(),
            bytes: self.index.paths.bytes_of(&(0..self.index.len())),
            locked: locked.map(ToString::to_string).collect(),
            failed: failed.into_iter().map(ToString::to_string).collect(),
            containers: containers.iter().map(|container| ContainerSummary::new(container)).collect(),
            mappings: self.mappings.as_deref().map(Path::display).map(|path| path.to_string()),
            engine: self.release.map(|release| release.name),
        }
    }

    /// The rows that match a search.
    pub(super) fn search(&self, search: &Search, context: &Context) -> Result<Arc<[u32]>, Refusal> {
        self.searches.find(search, || {
            let query = Query::parse(&search.text).map_err(Refusal::bad_request)?;
            if !query.changes.is_empty() {
                // A single build has no changes to search for.
                return Err(Refusal::bad_request("changed: needs another build; choose Compare… first"));
            }
            let code = query.of_code().map_err(Refusal::bad_request)?;
            if !query.classes.is_empty() {
                self.read_classes(0..self.index.len(), context);
            }
            let (paths, filter) = (&self.index.paths, Filter::new(&self.index, &self.game, &query));
            let (rows, cpu) = (paths.folder(&search.folder), self.game.cpu());
            let found =
                find::find(paths, cpu, rows, &query.words, &|row| filter.takes(row), context.cancel_token());
            let found = found.ok_or_else(Refusal::given_up)?;
            let found = match code {
                Some(code) => {
                    let matching = self.with_code(&found, code, context)?;
                    found.into_iter().filter(|row| matching.contains(row)).collect()
                }
                None => found,
            };
            let found = match search.order {
                Order::Path if !search.reversed => find::best_first(paths, cpu, found, &query.words),
                _ => found,
            };
            Ok(find::sort(paths, found, search.order, search.reversed))
        })
    }

    /// Finds the packages with matching code among some rows.
    pub(super) fn with_code(
        &self,
        rows: &[u32],
        query: CodeQuery,
        context: &Context,
    ) -> Result<HashSet<u32>, Refusal> {
        let entries: Vec<Entry> = rows.iter().filter_map(|row| self.index.entry(*row as usize)).collect();
        let inputs = self.game.package_inputs(&entries);
        let mut found = HashSet::new();
        let outcome = self.game.within(context).find_code(inputs, query, self.values(), |hits| {
            let row = hits.chunk.and_then(|chunk| self.index.row(chunk));
            found.extend(row.and_then(|row| u32::try_from(row).ok()));
            Ok(())
        })?;
        // What was found until then is not all that there is.
        if outcome.cancelled { Err(Refusal::given_up()) } else { Ok(found) }
    }

    /// Reads the headers of those packages among some rows that were not read yet.
    pub(super) fn read_classes(&self, rows: impl Iterator<Item = usize>, context: &Context) {
        let rows: Vec<usize> = rows.filter(|row| !self.index.knows_class(*row)).collect();
        // In batches, so that an abandoned search ends soon.
        for part in rows.chunks(1024) {
            if context.cancel_token().is_cancelled() {
                return;
            }
            context.cpu().map(part, |row| drop(self.index.class(&self.game, *row)));
        }
    }

    /// The row of a path, a package name or a chunk id. Of equal paths, the one in the given container.
    pub(super) fn row_of(&self, name: &str, container: &str) -> Result<Option<usize>, Refusal> {
        // Paths first: that is a search in memory, while `find` compares all chunks.
        if let Some(row) = self.index.paths.find(name, |row| self.rank(row, name, container)) {
            return Ok(Some(row));
        }
        let chunk = self.game.find(package_of(name));
        let chunk = chunk.map_err(|error| Refusal::not_found(error.to_string()))?;
        Ok(chunk.and_then(|chunk| self.index.row(chunk.entry())))
    }

    /// Quality of a match between a row and a path, which may differ in letter case, and a container; smaller is
    /// better.
    pub(super) fn rank(&self, row: usize, path: &str, container: &str) -> u8 {
        let Some(entry) = self.index.entry(row) else { return u8::MAX };
        let chunk = self.game.at(entry);
        let is_there = || chunk.container().is_some_and(|other| other.name() == container);
        match chunk.display_path() == path {
            true if is_there() => 0,
            true => 1,
            false => 2,
        }
    }

    /// The chunk in a row.
    pub(super) fn entry(&self, row: usize) -> Result<Entry, Refusal> {
        let len = self.index.len();
        let none = || Refusal::not_found(format!("there is no row {row}, only {len}"));
        self.index.entry(row).ok_or_else(none)
    }

    /// Options for reading values.
    pub(super) fn values(&self) -> ValueOptions {
        let mappings = self.game.mappings().cloned();
        ValueOptions { mappings, release: self.release, verify: true, ..ValueOptions::default() }
    }
}

/// The package of an object path such as `/Game/A.A` or `/Game/A.A:B`; other names unchanged.
fn package_of(name: &str) -> &str {
    if !name.starts_with('/') {
        return name;
    }
    let file = name.rsplit_once('/').map_or(0, |(folder, _)| folder.len() + 1);
    let end = name.get(file..).and_then(|file| file.find('.')).map_or(name.len(), |dot| file + dot);
    name.get(..end).unwrap_or(name)
}
