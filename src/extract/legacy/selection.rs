//! From chunks that patterns match to packages as a whole.

use crate::id::{ChunkKind, PackageId, RawChunkId};
use crate::store::{Entry, Store, package_path};
use foldhash::{HashMap, HashSet};
use std::collections::BTreeMap;

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
    /// Which of the packages with one id in one container a chunk belongs to, where there are several.
    parts: HashMap<Entry, u32>,
}

/// The chunks that make up one package.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Group {
    /// The package.
    pub id: PackageId,
    /// The container, where each container's form of a package stands for itself.
    container: Option<usize>,
    /// Which of those with this id in one container: some packers write several.
    part: u32,
}

impl LegacySelection {
    /// Packages of which any chunk is among the entries, each with all of its chunks, and shader code libraries.
    ///
    /// Without `losers` every chunk comes from the container that wins, so that a package and its bulk data may come
    /// from two. With them, what each container has of a package stands for itself.
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

    /// Packages that share their id with another one of the same container, id by id. The engine loads one of each.
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

    /// The package that a chunk is part of.
    pub(super) fn group(&self, store: &Store, entry: Entry) -> Group {
        let part = self.parts.get(&entry).copied().unwrap_or(0);
        Group { id: package_id(store, entry), container: self.losers.then_some(entry.container), part }
    }
}

/// Tells packages with one id in one container apart: by their paths, which their bulk data shares with them.
fn parts(store: &Store, packages: &[Entry]) -> HashMap<Entry, u32> {
    let mut counts: HashMap<(usize, RawChunkId), u32> = HashMap::default();
    for entry in packages.iter().filter(|entry| is_main(store, **entry)) {
        *counts.entry((entry.container, store.chunk_id(*entry).unwrap_or_default())).or_default() += 1;
    }
    counts.retain(|_, count| *count > 1);
    let shared: HashSet<(usize, PackageId)> =
        counts.into_keys().map(|(container, id)| (container, id.package())).collect();
    if shared.is_empty() {
        return HashMap::default();
    }
    let of_shared = |entry: &&Entry| shared.contains(&(entry.container, package_id(store, **entry)));
    // The packages first: the rest goes with one of them.
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
    parts.extend(others.into_iter().map(|entry| (*entry, by_stem.get(&key(*entry)).copied().unwrap_or(0))));
    parts
}

/// Whether a chunk is a package, and not its optional segment.
fn is_main(store: &Store, entry: Entry) -> bool {
    let chunk = store.chunk(entry);
    chunk.is_package() && !chunk.is_optional_segment()
}

fn package_id(store: &Store, entry: Entry) -> PackageId {
    store.chunk(entry).id().package()
}
