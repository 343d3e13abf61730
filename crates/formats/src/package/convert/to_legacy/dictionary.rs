//! Restores names of imports that no available source knows, by trial.
//!
//! A UE4 package keeps the whole name table of the cooker's file, so the parts of every import path are in
//! it, and an import is the hash of its path: all combinations of packages and objects are hashed to find the
//! paths.

use crate::id::PackageObjectIndex;
use crate::package::ObjectPath;
use crate::package::zen::Header;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Limit on the paths tried for one package.
const MAX_TRIES: usize = 1 << 20;

/// Paths of imports that combine names of the package.
#[derive(Debug, Default)]
pub(super) struct Dictionary {
    paths: HashMap<PackageObjectIndex, ObjectPath>,
}

impl Dictionary {
    /// Tries packages, objects in them, and objects in the objects found.
    pub(super) fn new(header: &Header) -> Self {
        // UE5 tables lack the names of imports.
        let mut this = Self::default();
        if !header.generation.is_ue4() {
            return this;
        }
        let wanted: HashSet<PackageObjectIndex> = header.imports.iter().copied().collect();
        let (packages, objects): (Vec<&str>, Vec<&str>) =
            header.names.iter().partition(|name| name.starts_with('/'));
        let mut outers: Vec<ObjectPath> = packages.iter().map(|name| ObjectPath::of_package(*name)).collect();
        let mut tries = 0;
        for package in &outers {
            this.try_path(&wanted, package.clone());
        }
        // Depth first: only objects that were found can be outers of further ones, which keeps the number of
        // tries small.
        while let Some(outer) = outers.pop() {
            tries += objects.len();
            if tries > MAX_TRIES {
                break;
            }
            for name in &objects {
                let names = outer.names().iter().cloned().chain([Arc::from(*name)]);
                let path = ObjectPath::new(outer.shared_package(), names);
                // Each further level multiplies the tries.
                if path.names().len() < 4 && this.try_path(&wanted, path.clone()) {
                    outers.push(path);
                }
            }
        }
        this
    }

    /// Keeps a path if an import has its hash.
    fn try_path(&mut self, wanted: &HashSet<PackageObjectIndex>, path: ObjectPath) -> bool {
        let text = path.to_string();
        let indices = [PackageObjectIndex::script(&text), PackageObjectIndex::global_import(&text)];
        let Some(index) = indices.into_iter().find(|index| wanted.contains(index)) else { return false };
        self.paths.insert(index, path).is_none()
    }

    /// Returns the path of an import.
    pub(super) fn find(&self, index: PackageObjectIndex) -> Option<&ObjectPath> {
        self.paths.get(&index)
    }
}
