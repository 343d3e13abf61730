//! Selection of packages that changed since an older build.

use super::bulk;
use super::inputs::{PackageInput, PackageInputs, PackagePlace};
use crate::compare;
use crate::error::Result;
use crate::job::CancelToken;
use crate::store::{Entry, Store};
use std::collections::{HashMap, HashSet};

impl PackageInputs {
    /// Keeps the packages with a chunk (header, exports or bulk data) that the old build lacks or has with other
    /// content. Packages outside of containers are kept.
    pub fn retain_changed_since(&mut self, old: &Store, store: &Store, cancel: &CancelToken) -> Result<()> {
        let mut is_kept = self.changed_since(old, store, cancel)?.into_iter();
        self.items.retain(|_| is_kept.next().unwrap_or(true));
        Ok(())
    }

    /// Keeps the packages of two builds that differ, in both of them: by their names, as a package may only have gained or
    /// lost bulk data. `self` is in the new build.
    pub(crate) fn retain_differing(
        &mut self,
        old_inputs: &mut Self,
        [old, new]: [&Store; 2],
        cancel: &CancelToken,
    ) -> Result<()> {
        let mut differing: HashSet<String> = HashSet::new();
        for (inputs, changed) in [
            (&*self, self.changed_since(old, new, cancel)?),
            (&*old_inputs, old_inputs.changed_since(new, old, cancel)?),
        ] {
            let names = inputs.items.iter().zip(changed).filter(|(_, changed)| *changed);
            differing.extend(names.map(|(item, _)| item.package_name()));
        }
        for inputs in [self, old_inputs] {
            inputs.items.retain(|item| differing.contains(&item.package_name()));
        }
        Ok(())
    }

    /// For each package, true if the old build lacks one of its chunks or has it with other content.
    fn changed_since(&self, old: &Store, store: &Store, cancel: &CancelToken) -> Result<Vec<bool>> {
        let in_paks = Files::new(store, &self.items);
        // One comparison for the chunks of all packages; each package then looks up its own in the result.
        let chunks: Vec<Vec<Entry>> = self.items.iter().map(|item| in_paks.chunks(store, item)).collect();
        let changed: HashSet<Entry> =
            compare::changed_since(old, store, &chunks.concat(), cancel)?.into_iter().collect();
        let is_kept =
            // Nothing to compare for loose files.
            |chunks: &Vec<Entry>| chunks.is_empty() || chunks.iter().any(|chunk| changed.contains(chunk));
        Ok(chunks.iter().map(is_kept).collect())
    }
}

/// Pak files by the extensionless path that all files of a package share; empty for jobs without packages in paks.
struct Files(HashMap<String, Vec<Entry>>);

impl Files {
    fn new(store: &Store, items: &[PackageInput]) -> Self {
        let mut found: HashMap<String, Vec<Entry>> = HashMap::new();
        // Listing all paths of a game is slow, so only jobs that need it do so.
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
                // The directory lists header and exports, too; do not compare them twice.
                chunks.extend(beside.filter(|entry| **entry != header && Some(**entry) != exports));
                chunks
            }
            PackagePlace::Files(..) => Vec::new(),
        }
    }
}
