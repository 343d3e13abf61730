//! The packages of a job by their names in the engine.
//!
//! A zen package is known by its id. A cooked one may say its name in its header (5.0 and later); of all others, only the path
//! hints at it, and the project's folder or a plugin's may be anything.

use super::inputs::{PackageInputs, PackagePlace};
use crate::id::PackageId;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex};

/// The packages of a job by what they are called.
pub(super) struct InputNames {
    /// Zen packages in containers.
    pub by_id: HashMap<PackageId, usize>,
    /// By the names that their paths stand for, in lower case. Likely names come before those that are only possible.
    pub by_name: HashMap<String, usize>,
    /// Hashes of the names of their files, which are the last parts of their names in the engine, in order.
    by_stem: Vec<(u64, usize)>,
    /// What cooked packages are called by their headers, of those that were read.
    pub own: Mutex<HashMap<usize, Option<Arc<str>>>>,
}

impl InputNames {
    pub(super) fn new(inputs: &PackageInputs) -> Self {
        let (mut by_id, mut by_name) = (HashMap::new(), HashMap::new());
        let mut by_stem = Vec::with_capacity(inputs.len());
        let mut possible = Vec::new();
        for (at, item) in inputs.items().iter().enumerate() {
            if let PackagePlace::Zen(_, Some(id)) = item.place {
                by_id.entry(id).or_insert(at);
            }
            let mut names = item.package_names().into_iter();
            if let Some(name) = names.next() {
                by_name.entry(name.to_lowercase()).or_insert(at);
            }
            possible.extend(names.map(|name| (name, at)));
            by_stem.push((hash(&item.file_stem()), at));
        }
        for (name, at) in possible {
            by_name.entry(name.to_lowercase()).or_insert(at);
        }
        by_stem.sort_unstable();
        Self { by_id, by_name, by_stem, own: Mutex::default() }
    }

    /// The packages whose files have a name, which is in lower case; and a few others, rarely.
    pub(super) fn of_stem(&self, stem: &str) -> impl Iterator<Item = usize> {
        let wanted = hash(stem);
        let start = self.by_stem.partition_point(|(hash, _)| *hash < wanted);
        let from = self.by_stem.get(start..).unwrap_or_default().iter();
        from.take_while(move |(hash, _)| *hash == wanted).map(|(_, at)| *at)
    }
}

fn hash(stem: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    stem.hash(&mut hasher);
    hasher.finish()
}
