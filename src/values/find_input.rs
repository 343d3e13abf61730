//! Finds packages of a job by their engine names.

use super::library::Library;
use crate::id::PackageId;
use crate::package::legacy::Package;
use std::sync::{Arc, PoisonError};

impl Library {
    /// The package with this name, in any letter case: by its recorded name, or else by a path that may stand for it.
    pub(super) fn find(&self, package: &str) -> Option<usize> {
        let names = &self.names;
        // A zen id is a hash of the name: certain, and a single look-up.
        if let Some(at) = names.by_id.get(&PackageId::from_name(package)) {
            return Some(*at);
        }
        // Reading a header for its name is slow, so only files whose name fits are opened.
        let stem = package.rsplit_once('/').map_or(package, |(_, name)| name).to_lowercase();
        let is_called =
            |at: &usize| self.own_name(*at).is_some_and(|name| name.eq_ignore_ascii_case(package));
        if let Some(at) = names.of_stem(&stem).find(is_called) {
            return Some(at);
        }
        // A path is only a guess. If the package records a name, and it was not found above, the guess is wrong.
        let guess = *names.by_name.get(&package.to_lowercase())?;
        self.own_name(guess).is_none().then_some(guess)
    }

    /// The package whose path may stand for a name, or whose recorded name it is.
    pub(super) fn likely(&self, package: &str) -> Option<usize> {
        self.names.by_name.get(&package.to_lowercase()).copied().or_else(|| self.find(package))
    }

    /// The name recorded in a cooked package's header.
    pub(super) fn own_name(&self, input: usize) -> Option<Arc<str>> {
        let known = || self.names.own.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(name) = known().get(&input) {
            return name.clone();
        }
        let read = || {
            let header = self.cooked_header(self.inputs.items().get(input)?)?;
            let package = Package::parse_partial(&header, self.release).ok()?.value;
            Some(package.name().into()).filter(|name: &Arc<str>| !name.is_empty())
        };
        // Not read under the lock. Two threads may read one header; both get the same name.
        let name = read();
        known().insert(input, name.clone());
        name
    }
}
