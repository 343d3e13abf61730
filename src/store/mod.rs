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
    /// The files of cooked packages in paks, once somebody asks for one, in the order of the hashes of their paths in lower case: the
    /// paths themselves would be most of the memory.
    cooked: Arc<OnceLock<Vec<(u64, Entry)>>>,
}

impl Store {
    /// The containers that could be opened, the one that wins over all others first.
    #[must_use]
    pub fn containers(&self) -> &[Arc<Container>] {
        &self.containers
    }

    /// What kept the others from being opened, and folders from being searched.
    #[must_use]
    pub fn failed(&self) -> &[Error] {
        &self.failed
    }

    /// The store without some of its containers.
    #[must_use]
    pub fn without(&self, is_out: impl Fn(&Container) -> bool) -> Self {
        let containers = self.containers.iter().filter(|container| !is_out(container)).cloned().collect();
        Self { containers, failed: Arc::clone(&self.failed), cpu: self.cpu.clone(), cooked: Arc::default() }
    }

    /// The threads that it was opened on, for questions about all of its chunks.
    #[must_use]
    pub const fn cpu(&self) -> &Cpu {
        &self.cpu
    }
}
