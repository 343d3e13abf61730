//! How a game is opened.

use super::{Game, GameError};
use crate::crypto::KeyRing;
use crate::extract::{Filter, name_packages};
use crate::job::{Budget, CancelToken, Context, Cpu, block_on};
use crate::report::{Observer, Silent};
use crate::source::Files;
use crate::store::packages::Packages;
use crate::store::{Lend, Store, StoreOptions};
use crate::values::read_mappings_in;
use crate::version::Release;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Memory for data in flight, unless [`GameOptions::memory`] says otherwise, in bytes.
const MEMORY: u64 = 256 << 20;

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
    files: Files,
    keys: KeyRing,
    base: Vec<PathBuf>,
    threads: usize,
    memory: u64,
    mappings: Option<PathBuf>,
    release: Option<&'static Release>,
    observer: Arc<dyn Observer>,
    cancel: CancelToken,
}

impl Default for GameOptions {
    fn default() -> Self {
        Self {
            files: Files::default(),
            keys: KeyRing::default(),
            base: Vec::new(),
            threads: 0,
            memory: MEMORY,
            mappings: None,
            release: None,
            observer: Arc::new(Silent),
            cancel: CancelToken::default(),
        }
    }
}

impl GameOptions {
    /// Where the files are that paths name: containers and mappings. By default, on disk.
    #[must_use]
    pub fn files(mut self, files: Files) -> Self {
        self.files = files;
        self
    }

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

    /// The engine release that wrote the packages; without it, it is found out.
    #[must_use]
    pub const fn release(mut self, release: &'static Release) -> Self {
        self.release = Some(release);
        self
    }

    /// Ends the opening before it is done, with [`Error::Cancelled`](crate::error::Error::Cancelled).
    #[must_use]
    pub fn cancel_token(mut self, cancel: CancelToken) -> Self {
        self.cancel = cancel;
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
        self.open_all([path.as_ref()])
    }

    /// Opens several folders and files as one game.
    pub fn open_all(self, paths: impl IntoIterator<Item = impl Into<PathBuf>>) -> Result<Game, GameError> {
        let paths: Vec<PathBuf> = paths.into_iter().map(Into::into).collect();
        // Without a worker of its own, this thread does everything.
        let cpu = Cpu::new(self.threads).unwrap_or_default();
        let options = StoreOptions {
            files: self.files.clone(),
            keys: self.keys,
            lend: Lend::Always,
            cpu: cpu.clone(),
            observer: Arc::clone(&self.observer),
            cancel: self.cancel.clone(),
            ..StoreOptions::default()
        };
        let store = Store::open(&paths, &self.base, &options)?;
        self.cancel.check()?;
        let context = Context::new(cpu.clone(), Budget::new(self.memory), false);
        let context =
            context.with_cancel_token(self.cancel.clone()).with_observer(Arc::clone(&self.observer));
        block_on(name_packages(&store, &context))?;
        self.cancel.check()?;
        let entries = Filter::default().select(&store, false);
        let read = |path: PathBuf| read_mappings_in(&self.files, &path, self.memory);
        let mappings = self.mappings.map(read).transpose()?;
        let mappings = mappings.map(|(schemas, _)| Arc::new(schemas));
        let packages = Arc::new(Packages::new(&store, self.memory));
        Ok(Game { packages, store, entries, cpu, memory: self.memory, mappings, release: self.release })
    }
}

impl Game {
    /// Opens every container below a folder, or a single file, without keys. [`GameOptions`] has them, and more.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, GameError> {
        GameOptions::default().open(path)
    }
}
