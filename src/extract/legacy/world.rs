//! The surroundings of a package being converted: script objects and other packages.

use super::evidence::Clues;
use super::loose::read_header;
use crate::id::{PackageId, PackageObjectIndex};
use crate::package::ObjectPath;
use crate::package::convert::{Clue, Evidence, is_settled};
use crate::package::zen::{Header, Neighbours, ScriptFacts};
use crate::store::packages::{Cache, Packages};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Packages of containers, and loose ones, which take precedence.
pub(crate) struct World {
    pub packages: Arc<Packages>,
    /// Paths of loose packages.
    loose: HashMap<PackageId, PathBuf>,
    /// Cached headers of loose packages.
    headers: Mutex<Cache<PackageId>>,
    clues: Clues,
}

impl World {
    /// The packages of some containers.
    pub(crate) fn new(packages: impl Into<Arc<Packages>>) -> Self {
        Self::with_loose(packages.into(), HashMap::new())
    }

    /// Adds loose packages, which take precedence over those of the containers.
    pub(super) fn with_loose(packages: Arc<Packages>, loose: HashMap<PackageId, PathBuf>) -> Self {
        let headers = Mutex::new(Cache::new(packages.limit() / 4));
        let clues = Clues::new(&packages);
        Self { packages, loose, headers, clues }
    }

    /// Clues about the release of a package in a container or a loose one: no more than needed.
    pub(crate) fn clues(&self, header: &Header, container: Option<usize>) -> Vec<Clue> {
        let own = self.clues.own(container);
        // Gathering all clues reads packages and paks, so it is done only if the container's own word leaves a choice.
        if is_settled(header, Evidence { clues: &own }) {
            return own;
        }
        self.clues.all(&self.packages, container)
    }

    fn loose_package(&self, id: PackageId) -> Option<Arc<Header>> {
        let path = self.loose.get(&id)?;
        if let Some(known) = self.lock().get(id) {
            return known.clone();
        }
        // The error is reported when that package itself is converted.
        let bytes = read_header(path, self.packages.limit()).ok();
        let found = bytes.and_then(|bytes| Header::parse(&bytes).ok()).map(Arc::new);
        self.lock().put(id, found.clone());
        found
    }

    fn lock(&self) -> MutexGuard<'_, Cache<PackageId>> {
        self.headers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Neighbours for World {
    fn script_path(&self, index: PackageObjectIndex) -> Option<ObjectPath> {
        self.packages.script_path(index)
    }

    fn script_facts(&self, index: PackageObjectIndex) -> Option<ScriptFacts> {
        self.packages.script_facts(index)
    }

    fn package(&self, id: PackageId) -> Option<Arc<Header>> {
        self.loose_package(id).or_else(|| self.packages.package(id))
    }

    fn imported_packages(&self, id: PackageId) -> Option<Vec<PackageId>> {
        self.packages.imported_packages(id)
    }

    fn imported_package(&self, id: PackageId, at: usize) -> Option<PackageId> {
        self.packages.imported_package(id, at)
    }

    fn package_name(&self, id: PackageId) -> Option<String> {
        let loose = || Some(self.loose_package(id)?.name().to_string());
        loose().or_else(|| self.packages.package_name(id))
    }

    fn owner_of(&self, index: PackageObjectIndex) -> Option<Arc<Header>> {
        self.packages.owner_of(index)
    }
}
