//! What lies outside the package that is converted: script objects and other packages.

use super::loose::read_header;
use crate::container::container_header::ContainerHeader;
use crate::id::{PackageId, PackageObjectIndex};
use crate::package::convert::Evidence;
use crate::package::zen::{Header, Neighbours, ScriptFacts};
use crate::store::packages::Packages;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

/// Packages of containers, and loose ones that go before them.
pub(super) struct World {
    pub packages: Packages,
    /// Files of loose packages.
    loose: HashMap<PackageId, PathBuf>,
    /// For each container of the store, what it says about the engine.
    evidence: Vec<Evidence>,
}

impl World {
    /// The packages of some containers.
    pub(super) fn new(packages: Packages) -> Self {
        let containers = packages.store().containers().iter().enumerate();
        let evidence = containers.map(|(at, container)| {
            let header = packages.container_header(at);
            let has_hashes = |header: &&ContainerHeader| {
                header.packages.iter().any(|package| !package.shader_map_hashes.is_empty())
            };
            Evidence {
                toc: container.toc().toc().map(crate::container::Toc::version),
                container_header: header.map(|header| header.layout.version),
                shader_hash_len: header.filter(has_hashes).map(|header| header.layout.shader_hash_len),
            }
        });
        let evidence = evidence.collect();
        Self { packages, loose: HashMap::new(), evidence }
    }

    /// Loose packages in front of those of some containers.
    pub(super) fn with_loose(packages: Packages, loose: HashMap<PackageId, PathBuf>) -> Self {
        Self { loose, ..Self::new(packages) }
    }

    /// What the containers say about the engine of loose packages: the first one with content speaks for all.
    pub(super) fn loose_evidence(&self) -> Evidence {
        let containers = self.packages.store().containers().iter().zip(&self.evidence);
        let mut content = containers.filter(|(container, _)| !container.is_global());
        content.next().map(|(_, evidence)| *evidence).unwrap_or_default()
    }

    fn loose_package(&self, id: PackageId) -> Option<Arc<Header>> {
        // What cannot be read is reported when its own turn comes.
        let bytes = read_header(self.loose.get(&id)?, self.packages.limit()).ok()?;
        Header::parse(&bytes).ok().map(Arc::new)
    }

    /// What a container says about the engine.
    pub(super) fn evidence(&self, container: usize) -> Evidence {
        self.evidence.get(container).copied().unwrap_or_default()
    }
}

impl Neighbours for World {
    fn script_path(&self, index: PackageObjectIndex) -> Option<String> {
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

    fn package_name(&self, id: PackageId) -> Option<String> {
        let loose = || Some(self.loose_package(id)?.name().to_string());
        loose().or_else(|| self.packages.package_name(id))
    }

    fn owner_of(&self, index: PackageObjectIndex) -> Option<Arc<Header>> {
        self.packages.owner_of(index)
    }
}
