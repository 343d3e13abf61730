//! From chunks that patterns match to packages as a whole.

use crate::id::{ChunkKind, PackageId};
use crate::store::{Entry, Store};
use std::collections::HashSet;

/// What a job is about.
#[derive(Debug, Default)]
pub struct LegacySelection {
    /// Packages, their optional segments and their bulk data.
    pub packages: Vec<Entry>,
    /// Shader code libraries.
    pub libraries: Vec<Entry>,
    /// Selected chunks that belong to neither: they have no legacy form.
    pub others: u64,
    /// Whether packages that another container overrides are among them.
    losers: bool,
}

/// The chunks that make up one package.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Group {
    /// The package.
    pub id: PackageId,
    /// The container, where each container's form of a package stands for itself.
    container: Option<usize>,
}

impl LegacySelection {
    /// Packages of which any chunk is among the entries, each with all of its chunks, and shader code libraries.
    ///
    /// Without `losers` every chunk comes from the container that wins, so that a package and its bulk data may come
    /// from two. With them, what each container has of a package stands for itself.
    #[must_use]
    pub fn new(store: &Store, entries: &[Entry], losers: bool) -> Self {
        let mut this = Self { losers, ..Self::default() };
        let mut ids = HashSet::new();
        for entry in entries {
            match kind_of(store, *entry) {
                kind if kind.belongs_to_package() => {
                    ids.insert(PackageId(store.chunk_id(*entry).unwrap_or_default().id()));
                }
                ChunkKind::ShaderCodeLibrary => this.libraries.push(*entry),
                _ => this.others += 1,
            }
        }
        let belongs = |entry: &Entry| {
            let id = PackageId(store.chunk_id(*entry).unwrap_or_default().id());
            kind_of(store, *entry).belongs_to_package() && ids.contains(&id)
        };
        this.packages = store.entries().filter(belongs).collect();
        if !losers {
            store.retain_winners(&mut this.packages);
        }
        this
    }

    /// The package that a chunk is part of.
    pub(super) fn group(&self, store: &Store, entry: Entry) -> Group {
        let id = PackageId(store.chunk_id(entry).unwrap_or_default().id());
        Group { id, container: self.losers.then_some(entry.container) }
    }
}

fn kind_of(store: &Store, entry: Entry) -> ChunkKind {
    store.container(entry).map_or(ChunkKind::Invalid, |container| container.toc().chunk_kind(entry.chunk))
}
