//! Options for opening a game.

use super::settings::Settings;
use super::{Game, GameError};
use crate::codec::Codecs;
use crate::crypto::KeyRing;
use crate::extract::name_packages;
use crate::job::{CancelToken, Cpu, block_on};
use crate::report::Observer;
use crate::source::Files;
use crate::store::packages::Packages;
use crate::store::{FileKind, Lend, Store, StoreOptions};
use crate::values::read_mappings_in;
use crate::version::{Release, TocVersion};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// Options for opening a [`Game`].
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
    only: Option<FileKind>,
    toc_version: Option<TocVersion>,
    lend: Lend,
    codecs: Codecs,
    mappings: Option<PathBuf>,
    release: Option<&'static Release>,
    pub(super) settings: Settings,
}

impl Default for GameOptions {
    fn default() -> Self {
        Self {
            files: Files::default(),
            keys: KeyRing::default(),
            base: Vec::new(),
            only: None,
            toc_version: None,
            lend: Lend::Always,
            codecs: Codecs::default(),
            mappings: None,
            release: None,
            settings: Settings::default(),
        }
    }
}

impl fmt::Debug for GameOptions {
    /// Keys are left out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { base, mappings, settings, .. } = self;
        let mut shown = f.debug_struct("GameOptions");
        shown
            .field("base", base)
            .field("mappings", mappings)
            .field("settings", settings)
            .finish_non_exhaustive()
    }
}

impl GameOptions {
    /// Sets the file system that paths are looked up in: containers and mappings. By default, the disk.
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

    /// Opens only one kind of file: containers, or paks.
    #[must_use]
    pub const fn only(mut self, kind: Option<FileKind>) -> Self {
        self.only = kind;
        self
    }

    /// Reads tables of contents as this version, whatever version they record.
    #[must_use]
    pub const fn toc_version(mut self, version: Option<TocVersion>) -> Self {
        self.toc_version = version;
        self
    }

    /// Sets when containers beside a single file lend their names; by default, always. With [`Lend::Never`], packages without a path
    /// are not named by their headers either, which saves reading these.
    #[must_use]
    pub const fn lend(mut self, lend: Lend) -> Self {
        self.lend = lend;
        self
    }

    /// Codecs for compression methods that are not built in.
    #[must_use]
    pub fn codecs(mut self, codecs: Codecs) -> Self {
        self.codecs = codecs;
        self
    }

    /// Worker threads that are running already, so that several games share them.
    #[must_use]
    pub fn workers(mut self, workers: Cpu) -> Self {
        self.settings.workers = OnceLock::from(workers);
        self
    }

    /// Worker threads to start; 0, the default, is one for each core.
    #[must_use]
    pub const fn threads(mut self, threads: usize) -> Self {
        self.settings.threads = threads;
        self
    }

    /// Memory for data in flight, in bytes; 256 MiB by default.
    #[must_use]
    pub const fn memory(mut self, bytes: u64) -> Self {
        self.settings.memory = bytes;
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

    /// Ends the opening before it is done, with [`Error::Cancelled`](crate::error::Error::Cancelled), and later every job of the game.
    #[must_use]
    pub fn cancel_token(mut self, cancel: CancelToken) -> Self {
        self.settings.cancel = cancel;
        self
    }

    /// Sets the observer of warnings and progress; by default, there is none.
    #[must_use]
    pub fn observer(mut self, observer: Arc<dyn Observer>) -> Self {
        self.settings.observer = observer;
        self
    }

    /// Opens every container below a folder, or a single file: `.utoc`, `.ucas` or `.pak`.
    ///
    /// Containers that cannot be opened are in [`Game::failed`]; the others are there.
    pub fn open(self, path: impl AsRef<Path>) -> Result<Game, GameError> {
        self.open_all([path.as_ref()])
    }

    /// Opens several folders and files as one game; of none, an empty one, which has its threads, memory and bases all the same.
    pub fn open_all(self, paths: impl IntoIterator<Item = impl Into<PathBuf>>) -> Result<Game, GameError> {
        let paths: Vec<PathBuf> = paths.into_iter().map(Into::into).collect();
        let (settings, has_keys) = (self.settings, !self.keys.is_empty());
        let options = StoreOptions {
            files: self.files.clone(),
            keys: self.keys,
            toc_version: self.toc_version,
            only: self.only,
            lend: self.lend,
            codecs: self.codecs,
            cpu: settings.cpu(),
            observer: Arc::clone(&settings.observer),
            cancel: settings.cancel.clone(),
        };
        let store = Store::open(&paths, &self.base, &options)?;
        settings.cancel.check()?;
        if self.lend != Lend::Never {
            block_on(name_packages(&store, &settings.context(false)))?;
            settings.cancel.check()?;
        }
        let read = |path: &PathBuf| read_mappings_in(&self.files, path, settings.memory);
        let mappings = self.mappings.as_ref().map(read).transpose()?;
        let mappings = mappings.map(|(schemas, _)| Arc::new(schemas));
        let packages = Arc::new(Packages::new(&store, settings.memory));
        let (winners, release) = (Arc::default(), self.release);
        Ok(Game { store, packages, winners, mappings, release, has_keys, settings })
    }
}

impl Game {
    /// Opens every container below a folder, or a single file, without keys. [`GameOptions`] has them, and more.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, GameError> {
        GameOptions::default().open(path)
    }
}
