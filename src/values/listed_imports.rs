//! Packages that a package imports, where an edit added some: before 5.3 only the container lists them.

use crate::extract::legacy::ConvertWorld;
use crate::id::{PackageId, PackageObjectIndex};
use crate::package::ObjectPath;
use crate::package::zen::{Header, Neighbours, ScriptFacts};
use std::sync::Arc;

/// The surroundings of a package, with another list of its imported packages.
pub(super) struct ListedImports<'a> {
    world: &'a ConvertWorld,
    /// The package, and its list.
    listed: Option<(PackageId, &'a [PackageId])>,
}

impl<'a> ListedImports<'a> {
    pub(super) fn new(world: &'a ConvertWorld, imported: Option<&'a [PackageId]>, header: &Header) -> Self {
        Self { world, listed: imported.map(|list| (header.id(), list)) }
    }

    fn of(&self, id: PackageId) -> Option<&'a [PackageId]> {
        self.listed.filter(|(package, _)| *package == id).map(|(_, list)| list)
    }
}

impl Neighbours for ListedImports<'_> {
    fn script_path(&self, index: PackageObjectIndex) -> Option<ObjectPath> {
        self.world.script_path(index)
    }

    fn script_facts(&self, index: PackageObjectIndex) -> Option<ScriptFacts> {
        self.world.script_facts(index)
    }

    fn package(&self, id: PackageId) -> Option<Arc<Header>> {
        self.world.package(id)
    }

    fn imported_packages(&self, id: PackageId) -> Option<Vec<PackageId>> {
        self.of(id).map(<[PackageId]>::to_vec).or_else(|| self.world.imported_packages(id))
    }

    fn imported_package(&self, id: PackageId, at: usize) -> Option<PackageId> {
        match self.of(id) {
            Some(list) => list.get(at).copied(),
            None => self.world.imported_package(id, at),
        }
    }

    fn package_name(&self, id: PackageId) -> Option<String> {
        self.world.package_name(id)
    }

    fn owner_of(&self, index: PackageObjectIndex) -> Option<Arc<Header>> {
        self.world.owner_of(index)
    }
}
