//! Where the files of cooked packages in paks are, by their paths.

use super::{Entry, Store, package_path};
use xxhash_rust::xxh3::xxh3_64;

/// The files of cooked packages in paks, in the order of the hashes of their paths in lower case: the paths themselves would be most
/// of the memory.
#[derive(Debug)]
pub(super) struct CookedFiles(Vec<(u64, Entry)>);

impl CookedFiles {
    fn new(store: &Store) -> Self {
        let is_in_pak = |entry: &Entry| {
            store.container(*entry).is_some_and(|container| container.table().pak().is_some())
        };
        let in_paks: Vec<Entry> = store.entries().filter(is_in_pak).collect();
        let is_cooked = |entry: &Entry| {
            store.path(*entry).is_some_and(|path| package_path::package_file(&path).is_some())
        };
        let cooked = store.cpu().map(in_paks, |entry| is_cooked(&entry).then_some(entry));
        let mut found: Vec<Entry> = cooked.into_iter().flatten().collect();
        store.retain_winners(&mut found);
        let hashed = |entry| Some((hash(&store.path(entry)?), entry));
        let mut files: Vec<(u64, Entry)> = store.cpu().map(found, hashed).into_iter().flatten().collect();
        files.sort_unstable();
        Self(files)
    }
}

fn hash(path: &str) -> u64 {
    xxh3_64(path.to_lowercase().as_bytes())
}

impl Store {
    /// The file of a cooked package in the pak that wins, by its path in any letter case. The first caller waits until all such files
    /// are known.
    pub(crate) fn find_cooked(&self, path: &str) -> Option<Entry> {
        let CookedFiles(files) = self.cooked.get_or_init(|| CookedFiles::new(self));
        let hash = hash(path);
        let start = files.partition_point(|(other, _)| *other < hash);
        let alike = files.iter().skip(start).take_while(|(other, _)| *other == hash);
        let is_it = |entry: &Entry| {
            self.path(*entry).is_some_and(|other| other.to_lowercase() == path.to_lowercase())
        };
        alike.map(|(_, entry)| *entry).find(is_it)
    }
}
