//! From chunks that patterns match to packages as a whole.

use crate::id::{ChunkKind, PackageId};
use crate::store::{Entry, Store, package_path};
use std::collections::HashSet;

/// What a job is about.
#[derive(Debug, Default)]
pub struct LegacySelection {
    /// Packages, their optional segments and their bulk data.
    pub packages: Vec<Entry>,
    /// Files of packages that lie in paks as the cooker wrote them; they are copied.
    pub cooked: Vec<Entry>,
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
        let (mut ids, mut stems) = (HashSet::new(), HashSet::new());
        for entry in entries {
            match kind_of(store, *entry) {
                kind if kind.belongs_to_package() => {
                    ids.insert(PackageId(store.chunk_id(*entry).unwrap_or_default().id()));
                }
                ChunkKind::ShaderCodeLibrary => this.libraries.push(*entry),
                _ => match cooked_stem(store, *entry) {
                    Some(stem) => drop(stems.insert(stem)),
                    None => this.others += 1,
                },
            }
        }
        let belongs = |entry: &Entry| {
            let id = PackageId(store.chunk_id(*entry).unwrap_or_default().id());
            kind_of(store, *entry).belongs_to_package() && ids.contains(&id)
        };
        this.packages = store.entries().filter(belongs).collect();
        if !stems.is_empty() {
            let belongs =
                |entry: &Entry| cooked_stem(store, *entry).is_some_and(|stem| stems.contains(&stem));
            this.cooked = store.entries().filter(belongs).collect();
        }
        if !losers {
            store.retain_winners(&mut this.packages);
            store.retain_winners(&mut this.cooked);
        }
        this
    }

    /// The package that a chunk is part of.
    pub(super) fn group(&self, store: &Store, entry: Entry) -> Group {
        let id = PackageId(store.chunk_id(entry).unwrap_or_default().id());
        Group { id, container: self.losers.then_some(entry.container) }
    }
}

/// Path without extension, in lower case, of a file of a package in a pak; `None` for everything else.
fn cooked_stem(store: &Store, entry: Entry) -> Option<String> {
    store.container(entry)?.toc().pak()?;
    let path = store.path(entry)?;
    package_path::package_file(&path).map(|(stem, _)| stem.to_lowercase())
}

fn kind_of(store: &Store, entry: Entry) -> ChunkKind {
    store.container(entry).map_or(ChunkKind::Invalid, |container| container.toc().chunk_kind(entry.chunk))
}
