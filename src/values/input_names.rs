//! The packages of a job by their names in the engine.
//!
//! A zen package is known by its id. A cooked one may say its name in its header (5.0 and later); of all others, only the path
//! hints at it, and the project's folder or a plugin's may be anything.

use super::inputs::{PackageInputs, Place};
use crate::id::PackageId;
use std::collections::HashMap;
use std::sync::OnceLock;

/// The packages of a job by what they are called.
pub(super) struct InputNames {
    /// Zen packages in containers.
    pub by_id: HashMap<PackageId, usize>,
    /// By the names that their paths stand for, in lower case. Likely names come before those that are only possible.
    pub by_name: HashMap<String, usize>,
    /// By the names of their files, which are the last parts of their names in the engine.
    pub by_stem: HashMap<String, Vec<usize>>,
    /// What cooked packages are called by their headers, once one was read.
    pub own: Box<[OnceLock<Option<Box<str>>>]>,
}

impl InputNames {
    pub(super) fn new(inputs: &PackageInputs) -> Self {
        let (mut by_id, mut by_name) = (HashMap::new(), HashMap::new());
        let mut by_stem: HashMap<String, Vec<usize>> = HashMap::new();
        let mut possible = Vec::new();
        for (at, item) in inputs.items().iter().enumerate() {
            if let Place::Zen(_, Some(id)) = item.place {
                by_id.entry(id).or_insert(at);
            }
            let mut names = item.package_names().into_iter();
            if let Some(name) = names.next() {
                by_name.entry(name.to_lowercase()).or_insert(at);
            }
            possible.extend(names.map(|name| (name, at)));
            by_stem.entry(item.file_stem()).or_default().push(at);
        }
        for (name, at) in possible {
            by_name.entry(name.to_lowercase()).or_insert(at);
        }
        let own = std::iter::repeat_with(OnceLock::new).take(inputs.len()).collect();
        Self { by_id, by_name, by_stem, own }
    }
}
