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
mod options;
mod package;

pub use error::GameError;
pub use job::{ChunkJob, Progress};
pub use options::GameOptions;
pub use package::{Export, Package};

use crate::error::{Bound, Error, Result};
use crate::extract::{find, read_chunk};
use crate::job::{Budget, Context, Cpu, block_on};
use crate::property::Schemas;
use crate::store::packages::Packages;
use crate::store::{Chunk, Entry, Store};
use crate::version::Release;
use std::ops::Range;
use std::sync::Arc;

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
    release: Option<&'static Release>,
}

impl Game {
    /// Every chunk that a game would load: of several with one id, the one of the container that wins.
    #[must_use]
    pub fn chunks(&self) -> impl ExactSizeIterator<Item = Chunk<'_>> {
        self.entries.iter().map(|entry| self.store.chunk(*entry))
    }

    /// Where these chunks are, in the same order.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
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
        self.read_chunk_with(chunk, |bytes| {
            read.extend_from_slice(bytes);
            Ok(())
        })?;
        Ok(read)
    }

    /// Hands the content of a chunk of this game to a function, part by part and in order, in bounded memory. Only the end says
    /// whether it has its recorded hash; an error of the function ends the reading.
    pub fn read_chunk_with(&self, chunk: Chunk<'_>, each: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
        let path = chunk.display_path();
        let context = self.context(true);
        let check = block_on(read_chunk(&self.store, chunk.entry(), &context, each))??;
        check.error(path.as_ref()).map_or(Ok(()), Err)
    }

    /// Some bytes of a chunk of this game, cut off at its end. Only the blocks that they lie in are read, so nothing is compared
    /// with the recorded hash, which is one of the whole.
    pub fn read_range(&self, chunk: Chunk<'_>, range: Range<u64>) -> Result<Vec<u8>> {
        let container = chunk.container();
        container.map_or(Ok(Vec::new()), |container| container.read(chunk.entry().chunk, range, self.memory))
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
