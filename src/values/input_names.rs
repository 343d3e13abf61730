//! Index of a job's packages by their engine names.
//!
//! A zen package is known by its id. A cooked one may record its name in its header (5.0 and later). For all others
//! only the path hints at it, and the folder of the project or plugin may have any name.

use super::inputs::{PackageInputs, PackagePlace};
use crate::id::PackageId;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex};

/// The packages of a job, indexed by name.
pub(super) struct InputNames {
    /// Zen packages in containers.
    pub by_id: HashMap<PackageId, usize>,
    /// By the names their paths may stand for, in lower case. Likely names take precedence over possible ones.
    pub by_name: HashMap<String, usize>,
    /// Sorted pairs of the hash of the file name, which is the last component of the engine name, and the position.
    by_stem: Vec<(u64, usize)>,
    /// Names recorded in headers of cooked packages that were read.
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
            // The first name of each package is its likely one. All likely names go in before any merely possible name.
            let mut names = item.package_names().into_iter();
            if let Some(name) = names.next() {
                by_name.entry(name.to_lowercase()).or_insert(at);
            }
            possible.extend(names.map(|name| (name, at)));
            by_stem.push((hash(&item.file_stem()), at));
        }
        for (name, at) in possible {
            // `or_insert`: a possible name never replaces a likely one.
            by_name.entry(name.to_lowercase()).or_insert(at);
        }
        by_stem.sort_unstable();
        Self { by_id, by_name, by_stem, own: Mutex::default() }
    }

    /// The packages with this lower-case file name, plus rare hash collisions.
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
