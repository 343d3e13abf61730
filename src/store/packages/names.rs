//! Package names.

use super::Packages;
use crate::id::PackageId;
use crate::package::zen;
use crate::store::{Entry, package_path};
use std::collections::HashMap;
use std::sync::Arc;

impl Packages {
    /// Name of a package: from its path, its own header, or the container headers.
    ///
    /// Only a name that hashes to the id is accepted, so the result is certain.
    #[must_use]
    pub fn name(&self, id: PackageId) -> Option<String> {
        let entry = self.find(id);
        // Cheapest source first: paths are in memory, a header has to be read.
        let by_path = || {
            let path = self.store().path(entry?)?;
            let names = package_path::to_package_names(&path);
            names.into_iter().find(|name| PackageId::from_name(name) == id)
        };
        let by_header = || self.name_in_header(entry?).filter(|name| PackageId::from_name(name) == id);
        by_path().or_else(by_header).or_else(|| self.directory().names.get(&id).cloned())
    }

    /// Name of a missing package, from the import list of one that imports it (5.3 and later).
    #[must_use]
    pub fn name_in_importer(&self, id: PackageId, importer: PackageId) -> Option<String> {
        let header = self.header(self.find(importer)?)?;
        header
            .imported_package_names
            .iter()
            .find(|name| PackageId::from_name(name) == id)
            .map(ToString::to_string)
    }

    /// Names of all packages in the import list of the package in a chunk (5.3 and later).
    #[must_use]
    pub fn names_in_importer(&self, importer: Entry) -> HashMap<PackageId, Arc<str>> {
        let header = self.header(importer);
        let names = header.iter().flat_map(|header| &header.imported_package_names);
        names.map(|name| (PackageId::from_name(name), Arc::clone(name))).collect()
    }

    /// The name recorded in a package's own header.
    fn name_in_header(&self, entry: Entry) -> Option<String> {
        if let Some(header) = super::lock(&self.cache).get(entry) {
            return header.as_ref().map(|header| header.name().to_string());
        }
        // Only the name is parsed: a whole header would be built for one string.
        zen::package_name(&self.noting(self.header_bytes(entry))?)
    }
}
