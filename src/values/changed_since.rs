//! Which packages changed since an older build, with all that belongs to them.

use super::bulk;
use super::inputs::{PackageInput, PackageInputs, PackagePlace};
use crate::compare;
use crate::error::Result;
use crate::job::CancelToken;
use crate::store::{Entry, Store};
use std::collections::{HashMap, HashSet};

impl PackageInputs {
    /// Keeps the packages of which the old build does not have every chunk in this form, be it the header, exports or bulk data. Packages
    /// outside of containers stay.
    pub fn retain_changed_since(&mut self, old: &Store, store: &Store, cancel: &CancelToken) -> Result<()> {
        let in_paks = Files::new(store, &self.items);
        let chunks: Vec<Vec<Entry>> = self.items.iter().map(|item| in_paks.chunks(store, item)).collect();
        let changed: HashSet<Entry> =
            compare::changed_since(old, store, &chunks.concat(), cancel)?.into_iter().collect();
        let is_kept =
            |chunks: &Vec<Entry>| chunks.is_empty() || chunks.iter().any(|chunk| changed.contains(chunk));
        let mut is_kept = chunks.iter().map(is_kept);
        self.items.retain(|_| is_kept.next().unwrap_or(true));
        Ok(())
    }
}

/// Files in paks by the path that those of a package share, for jobs that have packages in paks.
struct Files(HashMap<String, Vec<Entry>>);

impl Files {
    fn new(store: &Store, items: &[PackageInput]) -> Self {
        let mut found: HashMap<String, Vec<Entry>> = HashMap::new();
        if !items.iter().any(|item| matches!(item.place, PackagePlace::Pak(..))) {
            return Self(found);
        }
        let mut entries: Vec<Entry> = store.entries().collect();
        store.retain_winners(&mut entries);
        for entry in entries {
            if let Some(stem) = store.chunk(entry).cooked_stem() {
                found.entry(stem).or_default().push(entry);
            }
        }
        Self(found)
    }

    /// All chunks of a package.
    fn chunks(&self, store: &Store, item: &PackageInput) -> Vec<Entry> {
        match item.place {
            PackagePlace::Zen(package, _) => {
                std::iter::once(package).chain(bulk::all_beside(store, package)).collect()
            }
            PackagePlace::Pak(header, exports) => {
                let mut chunks: Vec<Entry> = std::iter::once(header).chain(exports).collect();
                let stem = store.chunk(header).cooked_stem();
                let beside = stem.and_then(|stem| self.0.get(&stem)).into_iter().flatten();
                chunks.extend(beside.filter(|entry| **entry != header && Some(**entry) != exports));
                chunks
            }
            PackagePlace::Files(..) => Vec::new(),
        }
    }
}
