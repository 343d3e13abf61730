//! Compares the paths of chunks in two builds.

use super::join::{Joined, Side};
use crate::container::DirectoryEntryIndex;
use crate::store::{Entry, Store};
use foldhash::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Chunks that a thread compares at a time.
const PART: usize = 4096;
/// No position.
const NONE: u32 = u32::MAX;

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

/// Finds the chunks that have a path in both builds, and another one in each, until `is_over` says that nobody waits for it.
pub(super) fn elsewhere(
    old: Side<'_>,
    new: Side<'_>,
    joined: &Joined,
    is_over: &(dyn Fn() -> bool + Sync),
) -> Elsewhere {
    let kept = Mutex::new(Vec::<Paths>::new());
    let compare = |part: &[u32]| {
        if is_over() {
            return Vec::new();
        }
        // What paths are compared by is worth keeping for the next part.
        let mut paths = lock(&kept).pop().unwrap_or_default();
        let is_elsewhere = |at: &usize| {
            let before = joined.before(*at).and_then(|before| old.1.get(before));
            let pair = before.zip(new.1.get(*at));
            pair.is_some_and(|(before, after)| paths.differ((old.0, *before), (new.0, *after)))
        };
        let positions = part.iter().filter(|at| **at != NONE).filter_map(|at| usize::try_from(*at).ok());
        let found: Vec<usize> = positions.filter(is_elsewhere).collect();
        lock(&kept).push(paths);
        found
    };
    let mut elsewhere = Elsewhere(vec![0; new.1.len().div_ceil(64)]);
    let found = new.0.cpu().map(by_path(new).chunks(PART), compare);
    found.into_iter().flatten().for_each(|at| elsewhere.note(at));
    elsewhere
}

/// Positions of chunks, and [`NONE`] in between, in the order in which their containers store their paths: it is nearly the same in
/// both builds, and one path after the other is in the cache. In the order of chunks, which is none, each of the five steps to
/// a path waits for memory.
fn by_path((store, entries): Side<'_>) -> Vec<u32> {
    let mut total = 0;
    let mut starts = Vec::with_capacity(store.containers().len());
    for container in store.containers() {
        starts.push(total);
        total += container.index().file_count();
    }
    // Few files have no chunk in the list, unless the list is short.
    let mut order = if total / 4 <= entries.len() { vec![NONE; total] } else { Vec::new() };
    let mut others = Vec::new();
    for (at, entry) in (0..NONE).zip(entries) {
        let file = store.container(*entry).and_then(|container| container.index().file_of(entry.chunk));
        let place = file.zip(starts.get(entry.container)).map(|(file, start)| start + file.0 as usize);
        match place.and_then(|place| order.get_mut(place)) {
            Some(place) if *place == NONE => *place = at,
            _ => others.push(at),
        }
    }
    order.append(&mut others);
    order
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether chunks have other paths in a new build than in an old one; used for one chunk after the other.
///
/// Nearly all are where they were. So names are compared as they are stored, and which folders are the same is found out
/// once; paths are only made where that leaves a doubt.
#[derive(Default)]
pub(super) struct Paths {
    /// Whether folders of the two builds have the same path.
    same: HashMap<[Folder; 2], bool>,
    old: String,
    new: String,
}

/// A container, by its position in the store, and a folder of it.
type Folder = (usize, DirectoryEntryIndex);

impl Paths {
    /// Whether a chunk has a path in both builds, and another one in each.
    pub(super) fn differ(&mut self, (old, before): (&Store, Entry), (new, after): (&Store, Entry)) -> bool {
        if self.are_stored_alike((old, before), (new, after)) == Some(true) {
            return false;
        }
        old.path_into(before, &mut self.old) && new.path_into(after, &mut self.new) && self.old != self.new
    }

    /// Whether the paths are shown to be the same by how they are stored.
    fn are_stored_alike(
        &mut self,
        (old, before): (&Store, Entry),
        (new, after): (&Store, Entry),
    ) -> Option<bool> {
        let (old, new) = (old.container(before)?.index(), new.container(after)?.index());
        let ((old_folder, old_name), (new_folder, new_name)) =
            (old.stored_path(before.chunk)?, new.stored_path(after.chunk)?);
        if old_name != new_name {
            return None;
        }
        let folders = [(before.container, old_folder), (after.container, new_folder)];
        let compare = || old.has_same_directory(old_folder, new, new_folder);
        Some(*self.same.entry(folders).or_insert_with(compare))
    }
}
