//! Enumerates the chunks of a store, and finds them by id and by path.

use super::container::{Container, Role};
use super::{Entry, Store, package_path};
use crate::id::{ChunkKind, RawChunkId};
use std::sync::Arc;

impl Store {
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
        let content =
            self.containers.iter().enumerate().filter(|(_, container)| container.role == Role::Content);
        let mut found = content
            .filter_map(|(at, container)| Some(Entry { container: at, chunk: container.table.find(id)? }));
        found.next()
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
        let lent = || {
            let mut containers = self.containers.iter().enumerate();
            containers
                .find_map(|(at, container)| Some(Entry { container: at, chunk: container.table.find(id)? }))
        };
        self.find(id).or_else(lent)
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
}

/// True for kinds that writers list in a directory index.
const fn may_have_path(kind: ChunkKind) -> bool {
    kind.belongs_to_package() || matches!(kind, ChunkKind::ShaderCodeLibrary | ChunkKind::ExternalFile)
}
