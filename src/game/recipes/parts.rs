//! Files of packages: header, exports, bulk data, exported pictures.

use crate::changes::ItemKey;
use crate::error::Result;
use crate::game::conflicts::{Side, bulk_stem};
use crate::sink::OutputPath;
use std::collections::{HashMap, HashSet};

/// Hashes of the files of a package.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PackageParts {
    /// Header and exports.
    pub files: Vec<blake3::Hash>,
    /// Bulk data that is not that of the game.
    pub bulk: Vec<blake3::Hash>,
}

impl Side<'_> {
    /// Paths of the bulk data of packages, by names of these; all in lower case.
    pub(super) fn bulk_files(&self) -> HashMap<String, Vec<String>> {
        let stems = self.stems();
        let mut files: HashMap<String, Vec<String>> = HashMap::new();
        for key in self.keys() {
            let ItemKey::File(path) = key else { continue };
            if let Some(name) = bulk_stem(&path).and_then(|stem| stems.get(stem)) {
                files.entry(name.clone()).or_default().push(path);
            }
        }
        for paths in files.values_mut() {
            paths.sort();
        }
        files
    }

    /// Hashes of the files of a package: its header and its exports; empty if it has no such package.
    fn package_hashes(&self, name: &str) -> Result<Vec<blake3::Hash>> {
        let own = HashSet::from([name.to_owned()]);
        self.package_entries(&own).into_iter().map(|entry| self.hash_of(entry)).collect()
    }

    pub(super) fn package_parts(
        &self,
        name: &str,
        bulk: &HashMap<String, Vec<String>>,
        game: &Side<'_>,
    ) -> Result<PackageParts> {
        let mut parts = PackageParts { files: self.package_hashes(name)?, bulk: Vec::new() };
        for path in bulk.get(name).into_iter().flatten() {
            let own = self.hash(path)?;
            if own != game.hash(path)? {
                parts.bulk.extend(own);
            }
        }
        Ok(parts)
    }

    /// Path of the picture of a texture among those that were exported.
    pub(super) fn picture(&self, package: &str, object: &str, pictures: &HashSet<String>) -> Option<String> {
        let inputs = self.inputs(&HashSet::from([package.to_lowercase()]));
        let output = inputs.items().first()?.output_as("dds");
        let stem = output.as_str().strip_suffix(".dds")?.to_owned();
        let named = OutputPath::sanitize(&format!("{stem}.{object}.dds"));
        let is_there = |path: &str| pictures.contains(path).then(|| path.to_owned());
        is_there(named.as_str()).or_else(|| {
            let is_own = stem.rsplit('/').next().is_some_and(|name| name.eq_ignore_ascii_case(object));
            is_there(output.as_str()).filter(|_| is_own)
        })
    }
}
