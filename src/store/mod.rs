//! Many containers as one: found, opened, unlocked, put in mount order, and searched.

mod by_id;
mod chunk;
mod chunk_reader;
mod container;
mod discover;
mod holders;
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
pub use open::{FileKind, Lend, StoreOptions};

pub use priority::MountOrder;

use crate::container::ChunkIndex;
use crate::error::Error;
use crate::id::{ChunkKind, PackageId, RawChunkId};
use crate::job::Cpu;
use crate::version::ChunkKindNumbering;
use holders::Holders;
use std::sync::{Arc, OnceLock};
use xxhash_rust::xxh3::xxh3_64;

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
    /// Which containers have a chunk, filled on first use.
    holders: Arc<OnceLock<Holders>>,
}

/// Position of a chunk in a store: its container, and its place in that container's table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Entry {
    /// Position of the container in [`Store::containers`].
    pub container: usize,
    /// Position of the chunk in its table of contents.
    pub chunk: ChunkIndex,
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
        // Positions of containers change, so what is cached would point at the wrong ones: start anew.
        let (failed, cpu) = (Arc::clone(&self.failed), self.cpu.clone());
        Self { containers, failed, cpu, ..Self::default() }
    }

    /// The thread pool given at opening, also used for questions about all chunks.
    #[must_use]
    pub const fn cpu(&self) -> &Cpu {
        &self.cpu
    }

    /// Every chunk of every content container, container by container, in table order, overridden ones included.
    pub fn entries(&self) -> impl Iterator<Item = Entry> {
        let content =
            self.containers.iter().enumerate().filter(|(_, container)| container.role == Role::Content);
        content.flat_map(|(at, container)| {
            container.table.chunks().map(move |chunk| Entry { container: at, chunk })
        })
    }

    /// The container of an entry.
    #[must_use]
    pub fn container(&self, entry: Entry) -> Option<&Arc<Container>> {
        self.containers.get(entry.container)
    }

    /// The chunk id of an entry.
    #[must_use]
    pub fn chunk_id(&self, entry: Entry) -> Option<RawChunkId> {
        self.container(entry)?.table.chunk_id(entry.chunk)
    }

    /// Finds a chunk by its id, in the winning content container.
    #[must_use]
    pub fn find(&self, id: RawChunkId) -> Option<Entry> {
        self.first(id, |container| container.role == Role::Content)
    }

    /// The chunks in an entry's container that share its id, itself included: some packers give one id to many chunks.
    #[must_use]
    pub fn sharing_id(&self, entry: Entry) -> Vec<Entry> {
        let Some((container, id)) = self.container(entry).zip(self.chunk_id(entry)) else {
            return Vec::new();
        };
        let chunks = container.table.chunks().filter(|chunk| container.table.chunk_id(*chunk) == Some(id));
        chunks.map(|chunk| Entry { chunk, ..entry }).collect()
    }

    /// Finds a chunk by its id, in the winning content container, or else in one that only lends names.
    #[must_use]
    pub(crate) fn find_anywhere(&self, id: RawChunkId) -> Option<Entry> {
        self.find(id).or_else(|| self.first(id, |_| true))
    }

    /// Finds a chunk by its id, in the first container in mount order that has it and is wanted.
    fn first(&self, id: RawChunkId, is_wanted: impl Fn(&Container) -> bool) -> Option<Entry> {
        /// Asking so many containers in turn is as fast as an index, which would have to be made first.
        const FEW: usize = 4;
        let containers = &self.containers;
        let entry = |at: usize| {
            let container = containers.get(at).filter(|container| is_wanted(container))?;
            Some(Entry { container: at, chunk: container.table.find(id)? })
        };
        if containers.len() <= FEW {
            return (0..containers.len()).find_map(entry);
        }
        let holders = self.holders.get_or_init(|| Holders::new(containers));
        holders.of(containers, id).filter_map(entry).min()
    }

    /// The chunk of a package's header, in the winning content container, or else in one that only lends names.
    #[must_use]
    pub(crate) fn find_package(&self, id: PackageId) -> Option<Entry> {
        let find = |is_wanted: &dyn Fn(&Container) -> bool| {
            // Each numbering of kinds has an id of its own, which only containers of that numbering mean.
            let found =
                [ChunkKindNumbering::Ue5, ChunkKindNumbering::Ue4].into_iter().filter_map(|numbering| {
                    let id = RawChunkId::new(id.0, 0, ChunkKind::ExportBundleData.to_wire(numbering)?);
                    self.first(id, |of| of.table.chunk_kind_numbering() == numbering && is_wanted(of))
                });
            found.min_by_key(|entry| entry.container)
        };
        find(&|container| container.role == Role::Content).or_else(|| find(&|_| true))
    }

    /// True for a delete record: an entry without content that hides the file of its path in lower paks.
    #[must_use]
    pub fn is_delete_record(&self, entry: Entry) -> bool {
        self.container(entry).is_some_and(|container| container.table.is_delete_record(entry.chunk))
    }

    /// The path of a chunk relative to the game's root: from its container's directory index, else from that of
    /// another container with the same chunk, else from its package's header.
    #[must_use]
    pub fn path(&self, entry: Entry) -> Option<String> {
        let mut path = String::new();
        self.path_into(entry, &mut path).then_some(path)
    }

    /// Writes the path of a chunk into `path`, replacing its content; `false` if the chunk has none.
    pub fn path_into(&self, entry: Entry, path: &mut String) -> bool {
        let Some(container) = self.container(entry) else { return false };
        if container.path_into(entry.chunk, path) {
            return true;
        }
        let kind = container.table.chunk_kind(entry.chunk);
        // Container headers and global data are in no index: do not search all other containers for them.
        let Some(id) = container.table.chunk_id(entry.chunk).filter(|_| may_have_path(kind)) else {
            return false;
        };
        // A container without an index may hold a chunk that another one names, such as a patch and its base game.
        let others = self.containers.iter().filter(|other| !Arc::ptr_eq(other, container));
        for other in others {
            if let Some(chunk) = other.table.find(id)
                && other.path_into(chunk, path)
            {
                return true;
            }
        }
        // Names read from package headers are the last resort, since their plugin folders are guesses.
        match container.package_paths.get().and_then(|paths| paths.get(&id.package())) {
            Some(package) if kind.belongs_to_package() => {
                package_path::of_chunk(package, kind, id, path);
                true
            }
            _ => false,
        }
    }

    /// The path of a chunk, or `chunks/<id>.<kind>` if it has none.
    #[must_use]
    pub fn display_path(&self, entry: Entry) -> String {
        self.path(entry).unwrap_or_else(|| self.fallback_path(entry))
    }

    /// `chunks/<24 hex digits>.<kind>`, the name of a chunk without a path.
    #[must_use]
    pub fn fallback_path(&self, entry: Entry) -> String {
        let chunk = self.chunk(entry);
        format!("chunks/{}.{}", chunk.id(), chunk.kind())
    }

    /// The file of a cooked package in the pak that wins, by its path in any letter case. The first call blocks until
    /// all such files are listed.
    pub(crate) fn find_cooked(&self, path: &str) -> Option<Entry> {
        let files = self.cooked.get_or_init(|| cooked_files(self));
        // The list is sorted by hash: binary search, then compare the few paths of equal hash.
        let hash = path_hash(path);
        let start = files.partition_point(|(other, _)| *other < hash);
        let alike = files.iter().skip(start).take_while(|(other, _)| *other == hash);
        let is_it = |entry: &Entry| {
            self.path(*entry).is_some_and(|other| other.to_lowercase() == path.to_lowercase())
        };
        alike.map(|(_, entry)| *entry).find(is_it)
    }
}

/// True for kinds that writers list in a directory index.
const fn may_have_path(kind: ChunkKind) -> bool {
    kind.belongs_to_package() || matches!(kind, ChunkKind::ShaderCodeLibrary | ChunkKind::ExternalFile)
}

/// Every file of a cooked package in a winning pak, with the hash of its path.
fn cooked_files(store: &Store) -> Vec<(u64, Entry)> {
    let is_in_pak =
        |entry: &Entry| store.container(*entry).is_some_and(|container| container.table().pak().is_some());
    let in_paks: Vec<Entry> = store.entries().filter(is_in_pak).collect();
    let is_cooked =
        |entry: &Entry| store.path(*entry).is_some_and(|path| package_path::package_file(&path).is_some());
    // Millions of paths are made and hashed here, so both passes run on all threads.
    let cooked = store.cpu().map(in_paks, |entry| is_cooked(&entry).then_some(entry));
    let mut found: Vec<Entry> = cooked.into_iter().flatten().collect();
    store.retain_winners(&mut found);
    let hashed = |entry| Some((path_hash(&store.path(entry)?), entry));
    let mut files: Vec<(u64, Entry)> = store.cpu().map(found, hashed).into_iter().flatten().collect();
    // Sorted by hash, then by entry, that is, by mount order: the order does not depend on the threads.
    files.sort_unstable();
    files
}

fn path_hash(path: &str) -> u64 {
    xxh3_64(path.to_lowercase().as_bytes())
}
