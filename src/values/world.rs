//! References out of a package: other packages, with their structs and classes and the positions of their objects.

use super::input_names::InputNames;
use super::inputs::{PackageInput, PackageInputs, PackagePlace};
use super::library::{Library, Places};
use super::loaded::Loaded;
use crate::id::PackageId;
use crate::package::ObjectPath;
use crate::package::legacy::PackageIndex;
use crate::package::zen::Neighbours;
use crate::property::{Schema, World};
use crate::store::{Entry, package_path};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The most schemas cached: they are small, but a game has many.
const MAX_KNOWN: usize = 20_000;

impl Library {
    /// Loads another package by its name.
    pub(crate) fn other(&self, package: &str) -> Option<Loaded> {
        self.anywhere(package, self.inputs.items.first()?)
    }

    /// Loads any package by its name, also one of a pak or a folder that does not belong to the job. `beside` is a package of the
    /// same game.
    pub(super) fn anywhere(&self, package: &str, beside: &PackageInput) -> Option<Loaded> {
        let entry = || self.packages().find(self.packages().redirected(PackageId::from_name(package)));
        if let Some(entry) = entry() {
            return self.load_zen_chunk(entry, package.to_owned()).ok();
        }
        if let Some(item) = self.likely(package).and_then(|at| self.inputs.items.get(at)) {
            return self.load(item).ok();
        }
        self.load(&self.outside(package, beside)?).ok()
    }

    /// The package of a name as an input, also one that does not belong to the job. `beside` is a package of the same game.
    pub(crate) fn input_anywhere(&self, package: &str, beside: &PackageInput) -> Option<PackageInput> {
        self.input(package).map(|(item, _)| item).or_else(|| self.outside(package, beside))
    }

    /// A cooked package that does not belong to the job: in a pak, or in the folder that `beside` was unpacked to.
    fn outside(&self, package: &str, beside: &PackageInput) -> Option<PackageInput> {
        // The engine's own code is in no file.
        if package.starts_with("/Script/") {
            return None;
        }
        match &beside.place {
            PackagePlace::Zen(..) => None,
            PackagePlace::Files(header, _) => PackageInput::beside(header, package),
            PackagePlace::Pak(..) => {
                let (inputs, names) = self.cooked.get_or_init(|| {
                    let store = self.packages().store();
                    let mut entries: Vec<Entry> = store.entries().collect();
                    store.retain_winners(&mut entries);
                    entries.retain(|entry| store.chunk(*entry).cooked_stem().is_some());
                    let inputs = PackageInputs::of_store(store, &entries);
                    let names = InputNames::new(&inputs);
                    (inputs, names)
                });
                inputs.items().get(*names.by_name.get(&package.to_lowercase())?).cloned()
            }
        }
    }

    /// The package of a name as an input, and true if it belongs to this job.
    pub(crate) fn input(&self, package: &str) -> Option<(PackageInput, bool)> {
        if let Some(item) = self.likely(package).and_then(|at| self.inputs.items.get(at)) {
            return Some((item.clone(), true));
        }
        let id = self.packages().redirected(PackageId::from_name(package));
        if let Some(item) = self.names.by_id.get(&id).and_then(|at| self.inputs.items.get(*at)) {
            return Some((item.clone(), true));
        }
        Some((PackageInput::of_chunk(self.packages().store(), self.packages().find(id)?), false))
    }

    fn places(&self, package: &str) -> Option<Arc<Places>> {
        let key = package.to_lowercase();
        if let Some(known) = lock(&self.places).get(&key) {
            return known.clone();
        }
        let found = self.read_places(package).map(Arc::new);
        let mut places = lock(&self.places);
        // Tables of paths are larger than schemas, so only a tenth as many are kept. Clearing all is simple and rare.
        if places.len() >= MAX_KNOWN / 10 {
            places.clear();
        }
        places.insert(key, found.clone());
        found
    }
}

impl Library {
    fn read_places(&self, package: &str) -> Option<Places> {
        // A zen header in the cache has all paths: no conversion needed.
        let zen = self.packages().package(PackageId::from_name(package));
        if let Some(header) = zen {
            let paths = (0..header.exports.len()).filter_map(|at| Some((header.export_path(at)?, at)));
            let place =
                |(path, at): (ObjectPath, usize)| Some((joined(path.names()), u32::try_from(at).ok()?));
            return Some(paths.filter_map(place).collect());
        }
        let loaded = self.other(package)?;
        let exports = u32::try_from(loaded.package.exports.len()).ok()?;
        let path = |at: u32| loaded.package.path(PackageIndex::export(at)?, package);
        Some((0..exports).filter_map(|at| Some((joined(path(at)?.names()), at))).collect())
    }
}

impl World for Library {
    fn schema(&self, package: &str, name: &str) -> Option<Arc<Schema>> {
        let key = (package.to_lowercase(), name.to_lowercase());
        if let Some(known) = lock(&self.known).get(&key) {
            return known.clone();
        }
        let found = self.other(package).and_then(|loaded| {
            // Own schemas only: inherited native properties come from mappings, and two packages may refer to each
            // other without end.
            self.scope_alone(&loaded).own_schema(name)
        });
        let mut known = lock(&self.known);
        if known.len() >= MAX_KNOWN {
            known.clear();
        }
        known.insert(key, found.clone());
        found
    }

    fn package_of(&self, name: &str) -> Option<Arc<str>> {
        let scripts = self.packages().scripts()?;
        let mut named =
            scripts.iter().filter(|object| scripts.name(object).to_string().eq_ignore_ascii_case(name));
        // Structs, enums and classes are direct members of a package, which has no outer.
        named.find_map(|object| {
            let package = scripts.find(object.outer)?;
            scripts.find(package.outer).is_none().then(|| scripts.name(package).to_string().into())
        })
    }

    fn file_of(&self, package: &str) -> Option<String> {
        let (item, _) = self.input(package)?;
        let path = package_path::strip_extensions(&item.name);
        // Of a loose package the folders around it may be unknown.
        path.to_lowercase().contains("/content/").then(|| path.to_owned())
    }

    fn export_index(&self, package: &str, names: &[Arc<str>]) -> Option<u32> {
        self.places(package)?.get(&joined(names)).copied()
    }
}

fn joined(names: &[Arc<str>]) -> String {
    let names: Vec<&str> = names.iter().map(|name| &**name).collect();
    names.join("/").to_lowercase()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
