//! Packages of a job by their names in the engine.

use super::library::Library;
use crate::id::PackageId;
use crate::package::legacy::Package;
use std::sync::{Arc, PoisonError};

impl Library {
    /// The package of a name, in any letter case: the one that is known to be called so, or else one whose path may stand for it.
    pub(super) fn find(&self, package: &str) -> Option<usize> {
        let names = &self.names;
        if let Some(at) = names.by_id.get(&PackageId::from_name(package)) {
            return Some(*at);
        }
        let stem = package.rsplit_once('/').map_or(package, |(_, name)| name).to_lowercase();
        let is_called =
            |at: &usize| self.own_name(*at).is_some_and(|name| name.eq_ignore_ascii_case(package));
        if let Some(at) = names.of_stem(&stem).find(is_called) {
            return Some(at);
        }
        let guess = *names.by_name.get(&package.to_lowercase())?;
        self.own_name(guess).is_none().then_some(guess)
    }

    /// The package whose path may stand for a name, or that is known to be called so.
    pub(super) fn likely(&self, package: &str) -> Option<usize> {
        self.names.by_name.get(&package.to_lowercase()).copied().or_else(|| self.find(package))
    }

    /// The name that a cooked package says itself.
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
        let name = read();
        known().insert(input, name.clone());
        name
    }
}
