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
//! Everything here blocks until it is done. What it is built from, [`store`](crate::store), [`pipeline`](crate::pipeline) and
//! [`extract`](crate::extract), is there for those who need more: several inputs, other sinks, streams, their own runtime.

mod error;
mod job;
mod objects;
mod package;

pub use error::GameError;
pub use job::{Job, Progress};
pub use package::{Export, Package};

use crate::crypto::KeyRing;
use crate::error::{Bound, Error, Result};
use crate::extract::{Filter, find, name_packages, read_chunk};
use crate::pipeline::{Budget, Context, Cpu};
use crate::property::Schemas;
use crate::report::{Observer, Silent};
use crate::store::packages::Packages;
use crate::store::{Chunk, Entry, Lend, Store, StoreOptions};
use crate::values::read_mappings;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Memory for data in flight, unless [`GameOptions::memory`] says otherwise, in bytes.
const MEMORY: u64 = 256 << 20;

/// The containers of a game, opened: every chunk that wins over its namesakes, with a path wherever one is known.
#[derive(Debug)]
pub struct Game {
    store: Store,
    packages: Arc<Packages>,
    /// Chunks that win, in the order of the store.
    entries: Vec<Entry>,
    cpu: Cpu,
    memory: u64,
    mappings: Option<Arc<Schemas>>,
}

/// How a [`Game`] is opened.
///
/// ```
/// use uncask::GameOptions;
///
/// let game = GameOptions::default()
///     .key("0x435545345061727365466978747572654145534B657930313233343536373839")?
///     .threads(2)
///     .open("testdata/demo")?;
/// assert!(game.chunks().len() > 0);
/// # Ok::<(), uncask::GameError>(())
/// ```
#[derive(Clone)]
pub struct GameOptions {
    keys: KeyRing,
    base: Vec<PathBuf>,
    threads: usize,
    memory: u64,
    mappings: Option<PathBuf>,
    observer: Arc<dyn Observer>,
}

impl Default for GameOptions {
    fn default() -> Self {
        Self {
            keys: KeyRing::default(),
            base: Vec::new(),
            threads: 0,
            memory: MEMORY,
            mappings: None,
            observer: Arc::new(Silent),
        }
    }
}

impl GameOptions {
    /// Adds an AES key: `KEY` or `GUID=KEY`, where `KEY` is 64 hex digits, or base64 of 32 bytes.
    pub fn key(mut self, text: &str) -> Result<Self, GameError> {
        self.keys.add_argument(text)?;
        Ok(self)
    }

    /// Adds keys.
    #[must_use]
    pub fn keys(mut self, keys: KeyRing) -> Self {
        self.keys = keys;
        self
    }

    /// Adds containers that only lend their names: the game that a mod belongs to, or its `global.utoc`. Those in the folder of
    /// a single file do so without being named.
    #[must_use]
    pub fn base(mut self, path: impl Into<PathBuf>) -> Self {
        self.base.push(path.into());
        self
    }

    /// Worker threads; 0, the default, is one for each core.
    #[must_use]
    pub const fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Memory for data in flight, in bytes; 256 MiB by default.
    #[must_use]
    pub const fn memory(mut self, bytes: u64) -> Self {
        self.memory = bytes;
        self
    }

    /// The game's mappings (`.usmap`), without which properties that have no tags cannot be read.
    #[must_use]
    pub fn mappings(mut self, path: impl Into<PathBuf>) -> Self {
        self.mappings = Some(path.into());
        self
    }

    /// Where warnings about containers go; by default, nowhere.
    #[must_use]
    pub fn observer(mut self, observer: Arc<dyn Observer>) -> Self {
        self.observer = observer;
        self
    }

    /// Opens every container below a folder, or a single file: `.utoc`, `.ucas` or `.pak`.
    ///
    /// Containers that cannot be opened are in [`Game::failed`]; the others are there.
    pub fn open(self, path: impl AsRef<Path>) -> Result<Game, GameError> {
        // Without a worker of its own, this thread does everything.
        let cpu = Cpu::new(self.threads).unwrap_or_default();
        let options = StoreOptions {
            keys: self.keys,
            lend: Lend::Always,
            cpu: cpu.clone(),
            observer: Arc::clone(&self.observer),
            ..StoreOptions::default()
        };
        let store = Store::open(&[path.as_ref().to_owned()], &self.base, &options)?;
        let context = Context::new(cpu.clone(), Budget::new(self.memory), false);
        block_on(path.as_ref(), name_packages(&store, &context, &*self.observer))?;
        let entries = Filter::default().select(&store, false);
        let mappings = self.mappings.map(|path| read_mappings(&path, self.memory)).transpose()?;
        let mappings = mappings.map(|(schemas, _)| Arc::new(schemas));
        let packages = Arc::new(Packages::new(&store, self.memory));
        Ok(Game { packages, store, entries, cpu, memory: self.memory, mappings })
    }
}

impl Game {
    /// Opens every container below a folder, or a single file, without keys. [`GameOptions`] has them, and more.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, GameError> {
        GameOptions::default().open(path)
    }

    /// Every chunk that a game would load: of several with one id, the one of the container that wins.
    #[must_use]
    pub fn chunks(&self) -> impl ExactSizeIterator<Item = Chunk<'_>> {
        self.entries.iter().map(|entry| self.store.chunk(*entry))
    }

    /// Containers that could not be opened, and folders that could not be read.
    #[must_use]
    pub fn failed(&self) -> &[Error] {
        self.store.failed()
    }

    /// The chunk that a text means: a path, a file name, a package name such as `/Game/Maps/Start`, or a chunk id.
    pub fn chunk(&self, name: &str) -> Result<Chunk<'_>, GameError> {
        let entry = find(&self.store, name)?;
        let entry = entry.ok_or_else(|| GameError::NoSuchChunk { name: name.to_owned() })?;
        Ok(self.store.chunk(entry))
    }

    /// The content of a chunk, compared with its recorded hash. It has to fit the memory for data in flight.
    pub fn read(&self, name: &str) -> Result<Vec<u8>, GameError> {
        let chunk = self.chunk(name)?;
        Ok(self.read_chunk(chunk)?)
    }

    /// The content of a chunk of this game, compared with its recorded hash.
    pub fn read_chunk(&self, chunk: Chunk<'_>) -> Result<Vec<u8>> {
        let path = chunk.display_path();
        if chunk.len() > self.memory {
            let what = "size of a chunk that is read as a whole";
            return Err(Error::Limit {
                what,
                found: chunk.len(),
                limit: self.memory,
                bound: Bound::Memory,
                path: path.into(),
            });
        }
        let mut read = Vec::new();
        let context = self.context(true);
        let job = read_chunk(&self.store, chunk.entry(), &context, |bytes| {
            read.extend_from_slice(bytes);
            Ok(())
        });
        let check = block_on(path.as_ref(), job)??;
        check.error(path.as_ref()).map_or(Ok(read), Err)
    }

    /// The containers, for what the front door does not offer.
    #[must_use]
    pub const fn store(&self) -> &Store {
        &self.store
    }

    /// Its packages, for what the front door does not offer.
    #[must_use]
    pub const fn packages(&self) -> &Arc<Packages> {
        &self.packages
    }

    /// What the properties of its classes are called, if that is known.
    #[must_use]
    pub const fn mappings(&self) -> Option<&Arc<Schemas>> {
        self.mappings.as_ref()
    }

    /// Memory for data in flight, in bytes.
    #[must_use]
    pub const fn memory(&self) -> u64 {
        self.memory
    }

    fn context(&self, verify: bool) -> Context {
        Context::new(self.cpu.clone(), Budget::new(self.memory), verify)
    }
}

/// Runs a job to its end; `path` is what it is about.
fn block_on<T>(path: &Path, job: impl Future<Output = T>) -> Result<T> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(Error::io("start the I/O runtime", path))?;
    Ok(runtime.block_on(job))
}
