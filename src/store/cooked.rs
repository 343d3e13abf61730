//! Finds the files of cooked packages in paks by their paths.

use super::{Entry, Store, package_path};
use xxhash_rust::xxh3::xxh3_64;

impl Store {
    /// The file of a cooked package in the pak that wins, by its path in any letter case. The first call blocks until
    /// all such files are listed.
    pub(crate) fn find_cooked(&self, path: &str) -> Option<Entry> {
        let files = self.cooked.get_or_init(|| files(self));
        // The list is sorted by hash: binary search, then compare the few paths of equal hash.
        let hash = hash(path);
        let start = files.partition_point(|(other, _)| *other < hash);
        let alike = files.iter().skip(start).take_while(|(other, _)| *other == hash);
        let is_it = |entry: &Entry| {
            self.path(*entry).is_some_and(|other| other.to_lowercase() == path.to_lowercase())
        };
        alike.map(|(_, entry)| *entry).find(is_it)
    }
}

/// Every file of a cooked package in a winning pak, with the hash of its path.
fn files(store: &Store) -> Vec<(u64, Entry)> {
    let is_in_pak =
        |entry: &Entry| store.container(*entry).is_some_and(|container| container.table().pak().is_some());
    let in_paks: Vec<Entry> = store.entries().filter(is_in_pak).collect();
    let is_cooked =
        |entry: &Entry| store.path(*entry).is_some_and(|path| package_path::package_file(&path).is_some());
    // Millions of paths are made and hashed here, so both passes run on all threads.
    let cooked = store.cpu().map(in_paks, |entry| is_cooked(&entry).then_some(entry));
    let mut found: Vec<Entry> = cooked.into_iter().flatten().collect();
    store.retain_winners(&mut found);
    let hashed = |entry| Some((hash(&store.path(entry)?), entry));
    let mut files: Vec<(u64, Entry)> = store.cpu().map(found, hashed).into_iter().flatten().collect();
    // Sorted by hash, then by entry, that is, by mount order: the order does not depend on the threads.
    files.sort_unstable();
    files
}

fn hash(path: &str) -> u64 {
    xxh3_64(path.to_lowercase().as_bytes())
}
