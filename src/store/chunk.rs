//! A chunk of a store: all facts known without reading it.

use super::container::Container;
use super::{Entry, Store, package_path};
use crate::container::toc::Storage;
use crate::id::{ChunkHash, ChunkKind, PackageId, RawChunkId};
use crate::table::Table;
use std::borrow::Cow;
use std::sync::Arc;

/// A chunk of a store: its container, kind, id and path.
///
/// ```
/// use uncask::store::{Store, StoreOptions};
///
/// let store = Store::open(&["testdata/demo".into()], &[], &StoreOptions::default())?;
/// let chunks = store.entries().map(|entry| store.chunk(entry));
/// assert!(chunks.filter(|chunk| chunk.is_package()).all(|chunk| chunk.len() > 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Chunk<'a> {
    store: &'a Store,
    entry: Entry,
}

impl Store {
    /// The chunk of an entry. An entry of another store gives a chunk of no kind and no length.
    #[must_use]
    pub const fn chunk(&self, entry: Entry) -> Chunk<'_> {
        Chunk { store: self, entry }
    }
}

impl<'a> Chunk<'a> {
    /// The container, and the position of the chunk in it.
    #[must_use]
    pub const fn entry(&self) -> Entry {
        self.entry
    }

    /// The container that stores it.
    #[must_use]
    pub fn container(&self) -> Option<&'a Arc<Container>> {
        self.store.container(self.entry)
    }

    /// Its `FIoChunkId`; all zero if there is no such chunk.
    #[must_use]
    pub fn id(&self) -> RawChunkId {
        self.store.chunk_id(self.entry).unwrap_or_default()
    }

    /// The type of its content.
    #[must_use]
    pub fn kind(&self) -> ChunkKind {
        self.container()
            .map_or(ChunkKind::Invalid, |container| container.table().chunk_kind(self.entry.chunk))
    }

    /// Uncompressed length in bytes.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "the length of a file, not of a collection")]
    pub fn len(&self) -> u64 {
        self.container().map_or(0, |container| container.table().chunk_len(self.entry.chunk))
    }

    /// Position and encoding of its stored bytes; `None` if its blocks lie outside the table, or if it has none.
    #[must_use]
    pub fn storage(&self) -> Option<Storage> {
        self.container()?.table().storage(self.entry.chunk)
    }

    /// Names of its compression methods, joined by `+`; empty if it has no blocks.
    #[must_use]
    pub fn compression(&self) -> Cow<'a, str> {
        let table = self.container().map(|container| container.table());
        let names = |table: &'a Arc<Table>| Some(table.method_names(&table.storage(self.entry.chunk)?));
        table.and_then(names).unwrap_or_default()
    }

    /// The hash recorded in the table of contents, if any.
    #[must_use]
    pub fn hash(&self) -> Option<ChunkHash> {
        let hash = self.container()?.table().meta(self.entry.chunk)?.hash;
        // Writers that skip hashing leave the field zero; that is no hash to compare with.
        Some(hash).filter(|hash| !hash.is_zero())
    }

    /// True if its blocks are encrypted.
    #[must_use]
    pub fn is_encrypted(&self) -> bool {
        self.container().is_some_and(|container| container.table().is_chunk_encrypted(self.entry.chunk))
    }

    /// True for a zen package, or the optional segment of one.
    #[must_use]
    pub fn is_package(&self) -> bool {
        self.kind() == ChunkKind::ExportBundleData
    }

    /// True for the optional segment of a package, which only editors load by default.
    #[must_use]
    pub fn is_optional_segment(&self) -> bool {
        // The index bytes of a chunk id are 0 for the package itself and 1 for its optional segment.
        self.is_package() && self.id().index() != 0
    }

    /// The package it belongs to: for packages, their optional segments and bulk data.
    #[must_use]
    pub fn package_id(&self) -> Option<PackageId> {
        self.kind().belongs_to_package().then(|| self.id().package())
    }

    /// Path without extension, in lower case, shared by the files of a cooked package in a pak; `None` for everything
    /// else.
    #[must_use]
    pub fn cooked_stem(&self) -> Option<String> {
        self.container()?.table().pak()?;
        let path = self.path()?;
        package_path::package_file(&path).map(|(stem, _)| stem.to_lowercase())
    }

    /// True for the header file of a cooked package in a pak.
    #[must_use]
    pub fn is_cooked_header(&self) -> bool {
        let is_header = |path: String| {
            [".uasset", ".umap"].iter().any(|extension| {
                let end = path.len().checked_sub(extension.len()).and_then(|at| path.get(at..));
                end.is_some_and(|end| end.eq_ignore_ascii_case(extension))
            })
        };
        self.container().is_some_and(|container| container.table().pak().is_some())
            // The cheap test comes first: making a path costs an allocation per chunk.
            && self.path().is_some_and(is_header)
    }

    /// Its path relative to the game's root, if it has one.
    #[must_use]
    pub fn path(&self) -> Option<String> {
        self.store.path(self.entry)
    }

    /// Writes its path into `path`, replacing what it holds; `false` if it has none.
    pub fn path_into(&self, path: &mut String) -> bool {
        self.store.path_into(self.entry, path)
    }

    /// `chunks/<id>.<kind>`, the name of a chunk without a path.
    #[must_use]
    pub fn fallback_path(&self) -> String {
        self.store.fallback_path(self.entry)
    }

    /// True if it is no file, but says that those of its path in lower paks are gone.
    #[must_use]
    pub fn is_delete_record(&self) -> bool {
        self.store.is_delete_record(self.entry)
    }

    /// The container that supplies it instead of its own, if one does.
    #[must_use]
    pub fn overridden_by(&self) -> Option<&'a Arc<Container>> {
        self.store.overridden_by(self.entry)
    }

    /// Its path, or `chunks/<id>.<kind>` if it has none.
    #[must_use]
    pub fn display_path(&self) -> String {
        self.store.display_path(self.entry)
    }
}
