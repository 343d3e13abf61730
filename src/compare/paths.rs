//! Compares the paths of chunks in two builds.
//!
//! ```text
//! old build   paths in the order of the table    hashed, 8 bytes each
//! new build   paths in the order of the table    hashed, and compared with those of the same ids
//! ```
//!
//! Nearly all chunks are where they were. A path is read in five steps, each of which waits for memory unless the path before it
//! lay nearby, as it does in one's own table; the places of the same ids in the other table are in no order.

use super::join::{Joined, Side};
use crate::container::DirectoryEntryIndex;
use crate::job::CancelToken;
use crate::store::{Entry, Store};
use foldhash::HashMap;
use foldhash::fast::RandomState;
use std::hash::BuildHasher as _;
use std::num::NonZeroU64;

/// Chunks that a thread compares at a time.
const PART: usize = 4096;

/// Which chunks of a new build have another path than in the old one, a bit for each.
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

/// Finds the chunks that have a path in both builds, and another one in each, until it is cancelled.
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
            let Some(at) = joined.before(*at) else { return false };
            let hash = before.get(at / PART).and_then(|part| *part.get(at % PART)?);
            // Paths are made only where hashes leave a doubt.
            (hash.is_none() || hash != hashes.of(**after))
                && old.1.get(at).is_some_and(|before| differ((old.0, *before), (new.0, **after), paths))
        };
        let found = (first..).zip(part).filter(is_elsewhere);
        found.map(|(at, _)| at).collect::<Vec<usize>>()
    };
    let parts = (0..).step_by(PART).zip(new.1.chunks(PART));
    let found = new.0.cpu().map_init(parts, || (Hashes::new(new.0, &hasher), Default::default()), compare);
    let mut elsewhere = Elsewhere(vec![0; new.1.len().div_ceil(64)]);
    found.into_iter().flatten().for_each(|at| elsewhere.note(at));
    elsewhere
}

/// Whether a chunk has a path in both builds, and another one in each.
fn differ((old, before): (&Store, Entry), (new, after): (&Store, Entry), paths: &mut [String; 2]) -> bool {
    let [path, other] = paths;
    old.path_into(before, path) && new.path_into(after, other) && path != other
}

/// Hashes of where the paths of a build lead; used for one chunk after the other.
struct Hashes<'a> {
    store: &'a Store,
    hasher: &'a RandomState,
    /// Those of folders: a container, by its position in the store, and a folder of it.
    folders: HashMap<(usize, DirectoryEntryIndex), Option<u64>>,
}

impl<'a> Hashes<'a> {
    fn new(store: &'a Store, hasher: &'a RandomState) -> Self {
        Self { store, hasher, folders: HashMap::default() }
    }

    /// The hash of a path, if the chunk has one that is stored in the simplest way.
    fn of(&mut self, entry: Entry) -> Option<NonZeroU64> {
        let index = self.store.container(entry)?.index();
        let (folder, name) = index.stored_path(entry.chunk)?;
        let hash = || Some(self.hasher.hash_one((index.mount_point(), index.directory_path(folder)?)));
        let folder = (*self.folders.entry((entry.container, folder)).or_insert_with(hash))?;
        NonZeroU64::new(self.hasher.hash_one((folder, name)))
    }
}
