//! The packages of a store: their names, imports, and the objects their indices refer to.
//!
//! ```text
//! global container       ScriptObjects, or LoaderInitialLoadMeta and its names     native objects
//! container headers      store entries, redirects                                  who imports whom
//! package headers        read on demand, and cached                                objects, names
//! ```
//!
//! Content containers go before those that only lend names, and each group is in mount order. Everything is read on
//! first use; errors are collected in the [problems](Packages::take_problems), and the data in question counts as
//! missing.

mod cache;
mod dependencies;
mod directory;
mod names;
mod neighbours;
mod owners;
mod parallel;
mod script_paths;
mod scripts;

pub use dependencies::{Direction, Link, LinkKind, Node, Presence, Walk};

use super::container::{Container, Role};
use super::{Entry, Store};
use crate::container::container_header::ContainerHeader;
use crate::container::script_objects::ScriptObjects;
use crate::error::{Error, Result};
use crate::id::PackageId;
use crate::package::legacy;
use crate::package::zen::{self, Header, Resolved, Resolver, WithKnownObjects};
pub(crate) use cache::Cache;
use directory::Directory;
use owners::Owners;
use script_paths::ScriptPaths;
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// Bytes read first from a package: usually one block, and longer than nearly all headers.
const FIRST_READ: u64 = 64 << 10;

/// The packages of a store.
///
/// ```
/// use uncask::id::PackageId;
/// use uncask::store::{Store, StoreOptions, packages::Packages};
///
/// let store = Store::open(&["testdata/demo".into()], &[], &StoreOptions::default())?;
/// let packages = Packages::new(&store, 256 << 20);
/// let start = PackageId::from_name("/Game/Maps/Start");
/// assert_eq!(packages.name(start).as_deref(), Some("/Game/Maps/Start"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Packages {
    store: Store,
    /// The most bytes of a chunk read at once.
    limit: u64,
    /// Positions of the containers in the store, in search order.
    order: Vec<usize>,
    scripts: OnceLock<Option<ScriptObjects>>,
    script_paths: OnceLock<ScriptPaths>,
    directory: OnceLock<Directory>,
    owners: OnceLock<Owners>,
    cache: Mutex<Cache<Entry>>,
    problems: Mutex<Problems>,
}

impl Packages {
    /// The packages of a store. Chunks that need more than `limit` bytes at once are not read.
    #[must_use]
    pub fn new(store: &Store, limit: u64) -> Self {
        let mut order: Vec<usize> = (0..store.containers().len()).collect();
        // A stable sort: within content and base, the mount order stays.
        order
            .sort_by_key(|at| store.containers().get(*at).map(|container| container.role() != Role::Content));
        Self {
            store: store.clone(),
            limit,
            order,
            scripts: OnceLock::new(),
            script_paths: OnceLock::new(),
            directory: OnceLock::new(),
            owners: OnceLock::new(),
            // A quarter each for headers and script paths leaves room for what is read at the moment.
            cache: Mutex::new(Cache::new(limit / 4)),
            problems: Mutex::default(),
        }
    }

    /// The store.
    #[must_use]
    pub const fn store(&self) -> &Store {
        &self.store
    }

    /// The most bytes of a chunk read at once.
    #[must_use]
    pub const fn limit(&self) -> u64 {
        self.limit
    }

    /// The native objects; `None` if no container has them or they cannot be read.
    #[must_use]
    pub fn scripts(&self) -> Option<&ScriptObjects> {
        let read = || self.noting(self.store.script_objects(self.limit)).flatten();
        self.scripts.get_or_init(read).as_ref()
    }

    /// The chunk of a package, in the winning container.
    #[must_use]
    pub fn find(&self, id: PackageId) -> Option<Entry> {
        self.store.find_package(id)
    }

    /// The package loaded in place of this one: its redirect target, or itself.
    #[must_use]
    pub fn redirected(&self, id: PackageId) -> PackageId {
        self.directory().redirects.get(&id).copied().unwrap_or(id)
    }

    /// The header of a container of the store, by the container's position.
    #[must_use]
    pub fn container_header(&self, container: usize) -> Option<&ContainerHeader> {
        self.directory().headers.get(container)?.as_ref()
    }

    /// The bytes of a package's header: its first block, and more if the header is longer.
    pub fn header_bytes(&self, entry: Entry) -> Result<Vec<u8>> {
        let Some(container) = self.store.container(entry) else { return Ok(Vec::new()) };
        let mut bytes = container.read(entry.chunk, 0..FIRST_READ, self.limit.max(FIRST_READ))?;
        let have = bytes.len() as u64;
        // The header says how long it is, so a second read gets exactly the rest.
        if let Some(len) = zen::header_len(&bytes).filter(|len| *len > have) {
            bytes.extend(container.read(entry.chunk, have..len, self.limit)?);
        }
        Ok(bytes)
    }

    /// The header of the package in a chunk; `None` if it cannot be read.
    #[must_use]
    pub fn header(&self, entry: Entry) -> Option<Arc<Header>> {
        if let Some(known) = lock(&self.cache).get(entry) {
            return known.clone();
        }
        // The lock is not held while reading. Two threads may read one header; both get the same.
        let found = self.noting(self.read_header(entry)).map(Arc::new);
        lock(&self.cache).put(entry, found.clone());
        found
    }

    /// The header of the package in a chunk, if cached.
    #[must_use]
    pub fn known(&self, entry: Entry) -> Option<Arc<Header>> {
        lock(&self.cache).get(entry).cloned().flatten()
    }

    /// Caches a header read elsewhere, if other packages may ask for it: overridden packages and optional segments are
    /// never asked for.
    pub fn remember(&self, entry: Entry, header: Header) -> Arc<Header> {
        let header = Arc::new(header);
        let id = self.store.chunk(entry).package_id();
        if id.and_then(|id| self.find(id)) == Some(entry) {
            lock(&self.cache).put(entry, Some(Arc::clone(&header)));
        }
        header
    }

    /// Full path of the class of a package's main object: of a zen package, or of the header file of a cooked one in a
    /// pak.
    #[must_use]
    pub fn main_class(&self, entry: Entry) -> Option<String> {
        if let Some(stem) = self.store.chunk(entry).cooked_stem() {
            let bytes = self.noting(self.cooked_bytes(entry))?;
            let package = legacy::Package::parse_partial(&bytes, None).ok()?.value;
            let base = stem.rsplit('/').next().unwrap_or_default();
            return package.main_export(base).map(|export| package.class_path(export));
        }
        let header = self.header(entry)?;
        let export = header.main_export()?;
        match Resolver::new(&header, &WithKnownObjects(self)).class_of(export) {
            Resolved::Object { path, .. } => Some(path.to_string()),
            _ => None,
        }
    }

    /// Errors since the last call, each reported only once.
    #[must_use]
    pub fn take_problems(&self) -> Vec<Error> {
        lock(&self.problems).take()
    }

    fn cooked_bytes(&self, entry: Entry) -> Result<Vec<u8>> {
        let Some(container) = self.store.container(entry) else { return Ok(Vec::new()) };
        container.read(entry.chunk, 0..u64::MAX, self.limit)
    }

    fn read_header(&self, entry: Entry) -> Result<Header> {
        let bytes = self.header_bytes(entry)?;
        Header::parse(&bytes).map_err(|fault| Error::malformed("zen package", self.place(entry))(fault))
    }

    /// Container and path of a chunk, for messages.
    fn place(&self, entry: Entry) -> PathBuf {
        let container = self.store.container(entry).map(|container| container.path().display());
        let container = container.map_or_else(String::new, |path| path.to_string());
        format!("{container}:{}", self.store.display_path(entry)).into()
    }

    fn directory(&self) -> &Directory {
        self.directory.get_or_init(|| {
            let (directory, problems) = Directory::read(&self.store, &self.order, self.limit);
            self.note(problems);
            directory
        })
    }

    fn note(&self, problems: impl IntoIterator<Item = Error>) {
        let mut noted = lock(&self.problems);
        problems.into_iter().for_each(|problem| noted.add(problem));
    }

    /// The containers and their positions, in search order.
    fn containers(&self) -> impl Iterator<Item = (usize, &Arc<Container>)> {
        self.order.iter().filter_map(|at| Some((*at, self.store.containers().get(*at)?)))
    }

    fn noting<T>(&self, result: Result<T>) -> Option<T> {
        result.map_err(|error| lock(&self.problems).add(error)).ok()
    }
}

/// Errors met so far. A container without its key fails for each package in it, but is reported once.
#[derive(Debug, Default)]
struct Problems {
    reported: HashSet<String>,
    new: Vec<Error>,
}

impl Problems {
    /// Records an error, unless an equal one was recorded before.
    fn add(&mut self, error: Error) {
        if self.reported.insert(error.to_string()) {
            self.new.push(error);
        }
    }

    /// The errors since the last call.
    fn take(&mut self) -> Vec<Error> {
        std::mem::take(&mut self.new)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A panicking thread leaves a cache or list that is still valid: no reason to fail here as well.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
