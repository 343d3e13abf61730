//! Answers to questions that converting and resolving a package has about others.

use super::owners::Owners;
use super::script_paths::ScriptPaths;
use super::{Packages, lock};
use crate::id::{PackageId, PackageObjectIndex};
use crate::package::ObjectPath;
use crate::package::zen::{Header, Neighbours, PublicId, ScriptFacts};
use crate::store::Entry;
use std::sync::Arc;

impl Neighbours for Packages {
    fn script_path(&self, index: PackageObjectIndex) -> Option<ObjectPath> {
        let scripts = self.scripts()?;
        self.script_paths.get_or_init(|| ScriptPaths::new(scripts.len(), self.limit / 4)).get(scripts, index)
    }

    fn script_facts(&self, index: PackageObjectIndex) -> Option<ScriptFacts> {
        let scripts = self.scripts()?;
        let object = scripts.find(index)?;
        let default_of = Some(object.default_of).filter(|class| !class.is_null());
        Some(ScriptFacts {
            is_class: scripts.is_class(index),
            in_class: scripts.is_class(object.outer),
            default_of: default_of.and_then(|class| self.script_path(class)),
        })
    }

    fn package(&self, id: PackageId) -> Option<Arc<Header>> {
        self.header(self.find(self.redirected(id))?)
    }

    fn imported_packages(&self, id: PackageId) -> Option<Vec<PackageId>> {
        Some(self.directory().store_entry(id)?.imports.to_vec())
    }

    fn imported_package(&self, id: PackageId, at: usize) -> Option<PackageId> {
        self.directory().store_entry(id)?.imports.get(at).copied()
    }

    fn package_name(&self, id: PackageId) -> Option<String> {
        self.name(id)
    }

    fn owner_of(&self, index: PackageObjectIndex) -> Option<Arc<Header>> {
        self.header(self.owners().find(index)?)
    }
}

impl Packages {
    fn owners(&self) -> &Owners {
        self.owners.get_or_init(|| {
            let objects = |entry| self.public_objects(entry);
            let (owners, problem) = Owners::read(&self.store, &self.order, self.limit, objects);
            self.note(problem);
            owners
        })
    }

    /// Public objects of a package. Headers read for this are not cached: there are too many.
    fn public_objects(&self, entry: Entry) -> Vec<PackageObjectIndex> {
        let known = lock(&self.cache).get(entry).cloned();
        let header = known.unwrap_or_else(|| self.noting(self.read_header(entry)).map(Arc::new));
        let public = |id| match id {
            PublicId::GlobalImport(index) => Some(index),
            PublicId::Private | PublicId::Hash(_) => None,
        };
        header.map_or_else(Vec::new, |header| {
            header.exports.iter().filter_map(|export| public(export.public)).collect()
        })
    }
}
