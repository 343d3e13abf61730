//! Extends matching chunks to whole packages.

use crate::id::{ChunkKind, PackageId, RawChunkId};
use crate::store::{Entry, Store, package_path};
use foldhash::{HashMap, HashSet};
use std::collections::BTreeMap;

/// The packages and libraries of a job.
#[derive(Debug, Default)]
pub struct LegacySelection {
    /// Packages, their optional segments and their bulk data.
    pub packages: Vec<Entry>,
    /// Files of cooked packages in paks, which are copied.
    pub cooked: Vec<Entry>,
    /// Shader code libraries.
    pub libraries: Vec<Entry>,
    /// Number of selected chunks of other kinds, which have no legacy form.
    pub others: u64,
    /// True if overridden packages are included.
    losers: bool,
    /// Number of the package that a chunk belongs to, where several in one container share an id.
    parts: HashMap<Entry, u32>,
}

/// Key of the chunks that make up one package.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Group {
    /// The package.
    pub id: PackageId,
    /// The container, if each container's version of a package is kept apart.
    container: Option<usize>,
    /// Number among the packages with this id in one container: some packers write several.
    part: u32,
}

impl LegacySelection {
    /// Packages with any chunk among the entries, each with all its chunks, and shader code libraries.
    ///
    /// Without `losers` every chunk comes from the winning container, so a package and its bulk data may come from two.
    /// With them, each container's version of a package stands for itself.
    #[must_use]
    pub fn new(store: &Store, entries: &[Entry], losers: bool) -> Self {
        let mut this = Self { losers, ..Self::default() };
        let (mut ids, mut stems) = (HashSet::default(), HashSet::default());
        for entry in entries {
            let chunk = store.chunk(*entry);
            match (chunk.package_id(), chunk.kind()) {
                (Some(id), _) => drop(ids.insert(id)),
                (None, ChunkKind::ShaderCodeLibrary) => this.libraries.push(*entry),
                _ => match chunk.cooked_stem() {
                    Some(stem) => drop(stems.insert(stem)),
                    None => this.others += 1,
                },
            }
        }
        // A second pass over all chunks: the selection may name only the bulk data of a package.
        let belongs = |entry: &Entry| store.chunk(*entry).package_id().is_some_and(|id| ids.contains(&id));
        this.packages = store.entries().filter(belongs).collect();
        if !stems.is_empty() {
            let belongs =
                |entry: &Entry| store.chunk(*entry).cooked_stem().is_some_and(|stem| stems.contains(&stem));
            this.cooked = store.entries().filter(belongs).collect();
        }
        if !losers {
            store.retain_winners(&mut this.packages);
            store.retain_winners(&mut this.cooked);
        }
        this.parts = parts(store, &this.packages);
        this
    }

    /// Packages that share an id with another one of the same container, by id. The engine loads one of each.
    #[must_use]
    pub fn sharing_ids(&self, store: &Store) -> BTreeMap<PackageId, Vec<Entry>> {
        let mut sharing: BTreeMap<PackageId, Vec<Entry>> = BTreeMap::new();
        let mut shared: Vec<Entry> =
            self.parts.keys().copied().filter(|entry| is_main(store, *entry)).collect();
        shared.sort_unstable();
        for entry in shared {
            sharing.entry(package_id(store, entry)).or_default().push(entry);
        }
        sharing
    }

    /// The package of a chunk.
    pub(super) fn group(&self, store: &Store, entry: Entry) -> Group {
        let part = self.parts.get(&entry).copied().unwrap_or(0);
        Group { id: package_id(store, entry), container: self.losers.then_some(entry.container), part }
    }
}

/// Numbers the packages that share an id in one container, by path: bulk data has the path of its package.
fn parts(store: &Store, packages: &[Entry]) -> HashMap<Entry, u32> {
    let mut counts: HashMap<(usize, RawChunkId), u32> = HashMap::default();
    for entry in packages.iter().filter(|entry| is_main(store, **entry)) {
        *counts.entry((entry.container, store.chunk_id(*entry).unwrap_or_default())).or_default() += 1;
    }
    // Shared ids are rare; without any, the costly paths below are not needed.
    counts.retain(|_, count| *count > 1);
    let shared: HashSet<(usize, PackageId)> =
        counts.into_keys().map(|(container, id)| (container, id.package())).collect();
    if shared.is_empty() {
        return HashMap::default();
    }
    let of_shared = |entry: &&Entry| shared.contains(&(entry.container, package_id(store, **entry)));
    // Number the packages first, then assign bulk data and optional segments to them.
    let (mains, others): (Vec<&Entry>, Vec<&Entry>) =
        packages.iter().filter(of_shared).partition(|entry| is_main(store, **entry));
    let mut next: HashMap<(usize, PackageId), u32> = HashMap::default();
    let mut by_stem: HashMap<(usize, PackageId, String), u32> = HashMap::default();
    let mut parts = HashMap::default();
    let key = |entry: Entry| {
        let path = store.path(entry).unwrap_or_default();
        (entry.container, package_id(store, entry), package_path::strip_extensions(&path).to_lowercase())
    };
    for entry in mains {
        let next = next.entry((entry.container, package_id(store, *entry))).or_default();
        by_stem.entry(key(*entry)).or_insert(*next);
        parts.insert(*entry, *next);
        *next += 1;
    }
    // Bulk data of an unknown path goes with the first package.
    parts.extend(others.into_iter().map(|entry| (*entry, by_stem.get(&key(*entry)).copied().unwrap_or(0))));
    parts
}

/// True for a package that is not an optional segment.
fn is_main(store: &Store, entry: Entry) -> bool {
    let chunk = store.chunk(entry);
    chunk.is_package() && !chunk.is_optional_segment()
}

fn package_id(store: &Store, entry: Entry) -> PackageId {
    store.chunk(entry).id().package()
}
