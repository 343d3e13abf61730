//! Many containers as one: found, opened, unlocked, put in mount order, and searched.

mod by_id;
mod chunk;
mod chunk_reader;
mod container;
mod cooked;
mod discover;
mod entry;
mod lookup;
mod open;
mod open_pak;
pub mod package_path;
pub mod packages;
mod place;
mod priority;
mod twins;
mod unlock;
mod winners;

pub(crate) use by_id::ById;
pub use chunk::Chunk;
pub use chunk_reader::ReadLimit;
pub use container::{Container, Role};
pub use discover::{DiscoverError, Discovered, discover};
pub use entry::Entry;
pub use open::{FileKind, Lend, StoreOptions};

pub use priority::MountOrder;

use crate::error::Error;
use crate::job::Cpu;
use std::sync::{Arc, OnceLock};

/// The containers of a game, in mount order. A clone is another handle of the same containers.
#[derive(Debug, Clone, Default)]
pub struct Store {
    /// Highest priority first.
    containers: Vec<Arc<Container>>,
    failed: Arc<[Error]>,
    cpu: Cpu,
    /// Files of cooked packages in paks, filled on first use, sorted by the hash of their lower-case paths: the paths
    /// themselves would take most of the memory.
    cooked: Arc<OnceLock<Vec<(u64, Entry)>>>,
}

impl Store {
    /// The containers that could be opened, highest priority first.
    #[must_use]
    pub fn containers(&self) -> &[Arc<Container>] {
        &self.containers
    }

    /// Errors of containers that could not be opened, and of folders that could not be searched.
    #[must_use]
    pub fn failed(&self) -> &[Error] {
        &self.failed
    }

    /// The store without some of its containers.
    #[must_use]
    pub fn without(&self, is_out: impl Fn(&Container) -> bool) -> Self {
        let containers = self.containers.iter().filter(|container| !is_out(container)).cloned().collect();
        // Positions of containers change, so the entries cached in `cooked` would point at the wrong ones: start anew.
        Self { containers, failed: Arc::clone(&self.failed), cpu: self.cpu.clone(), cooked: Arc::default() }
    }

    /// The thread pool given at opening, also used for questions about all chunks.
    #[must_use]
    pub const fn cpu(&self) -> &Cpu {
        &self.cpu
    }
}
