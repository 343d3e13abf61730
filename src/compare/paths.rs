//! Compares the paths of chunks in two builds.
//!
//! ```text
//! old build   paths in the order of the table    hashed, 8 bytes each
//! new build   paths in the order of the table    hashed, and compared with those of the same ids
//! ```
//!
//! Nearly all chunks have their old paths. Reading a path takes five steps, each of which waits for memory unless the
//! previous path was nearby. That is so in a chunk's own table order; in the other table the same ids are in no order.
//! So each table is read in its own order, and only hashes are looked up across.

use super::join::{Joined, Side};
use crate::container::DirectoryEntryIndex;
use crate::job::CancelToken;
use crate::store::{Entry, Store};
use foldhash::HashMap;
use foldhash::fast::RandomState;
use std::hash::BuildHasher as _;
use std::num::NonZeroU64;

/// Chunks per unit of parallel work.
const PART: usize = 4096;

/// Bit set of chunks of a new build whose paths differ from the old build.
pub(super) struct Elsewhere(Vec<u64>);

impl Elsewhere {
    pub(super) fn has(&self, at: usize) -> bool {
        self.0.get(at / 64).is_some_and(|bits| bits >> (at % 64) & 1 != 0)
    }

    fn note(&mut self, at: usize) {
        if let Some(bits) = self.0.get_mut(at / 64) {
            *bits |= 1 << (at % 64);
        }
    }
}

/// Finds the chunks with a path in both builds that differs; stops early if cancelled.
pub(super) fn elsewhere(old: Side<'_>, new: Side<'_>, joined: &Joined, cancel: &CancelToken) -> Elsewhere {
    let hasher = RandomState::default();
    let hash = |hashes: &mut Hashes<'_>, part: &[Entry]| -> Vec<Option<NonZeroU64>> {
        if cancel.is_cancelled() {
            return Vec::new();
        }
        part.iter().map(|entry| hashes.of(*entry)).collect()
    };
    let before = old.0.cpu().map_init(old.1.chunks(PART), || Hashes::new(old.0, &hasher), hash);
    let compare = |(hashes, paths): &mut (Hashes<'_>, [String; 2]), (first, part): (usize, &[Entry])| {
        if cancel.is_cancelled() {
            return Vec::new();
        }
        let is_elsewhere = |(at, after): &(usize, &Entry)| {
            // A chunk with a new id is added, not moved.
            let Some(at) = joined.before(*at) else { return false };
            let hash = before.get(at / PART).and_then(|part| *part.get(at % PART)?);
            // Equal hashes prove equal paths for this purpose; only if they differ or are missing are the real paths
            // compared.
            (hash.is_none() || hash != hashes.of(**after))
                && old.1.get(at).is_some_and(|before| differ((old.0, *before), (new.0, **after), paths))
        };
        let found = (first..).zip(part).filter(is_elsewhere);
        found.map(|(at, _)| at).collect::<Vec<usize>>()
    };
    let parts = (0..).step_by(PART).zip(new.1.chunks(PART));
    // Each thread has its own cache of folder hashes: no locks, and neighbours are in the same folders.
    let found = new.0.cpu().map_init(parts, || (Hashes::new(new.0, &hasher), Default::default()), compare);
    let mut elsewhere = Elsewhere(vec![0; new.1.len().div_ceil(64)]);
    found.into_iter().flatten().for_each(|at| elsewhere.note(at));
    elsewhere
}

/// True if a chunk has a path in both builds, and they differ.
fn differ((old, before): (&Store, Entry), (new, after): (&Store, Entry), paths: &mut [String; 2]) -> bool {
    let [path, other] = paths;
    old.path_into(before, path) && new.path_into(after, other) && path != other
}

/// Hashes of paths in a build; meant for chunks in table order.
struct Hashes<'a> {
    store: &'a Store,
    hasher: &'a RandomState,
    /// Cached hashes of folders, by container position and folder.
    folders: HashMap<(usize, DirectoryEntryIndex), Option<u64>>,
}

impl<'a> Hashes<'a> {
    fn new(store: &'a Store, hasher: &'a RandomState) -> Self {
        Self { store, hasher, folders: HashMap::default() }
    }

    /// Hash of a chunk's path, if the directory index stores it directly.
    fn of(&mut self, entry: Entry) -> Option<NonZeroU64> {
        let index = self.store.container(entry)?.index();
        let (folder, name) = index.stored_path(entry.chunk)?;
        // The hash of the folder is computed once, then combined with the file name.
        let hash = || Some(self.hasher.hash_one((index.mount_point(), index.directory_path(folder)?)));
        let folder = (*self.folders.entry((entry.container, folder)).or_insert_with(hash))?;
        NonZeroU64::new(self.hasher.hash_one((folder, name)))
    }
}
