//! The packages of a job, and all others they may refer to.

use super::engine_schemas::Choices;
use super::input_names::InputNames;
use super::inputs::{PackageInput, PackageInputs, PackagePlace};
use super::options::ValueOptions;
use crate::error::Result;
use crate::extract::legacy::ConvertWorld;
use crate::id::PackageId;
use crate::package::legacy::Package;
use crate::property::{Schema, Schemas};
use crate::release::Verdict;
use crate::source::read_file;
use crate::store::packages::Packages;
use crate::store::{Entry, package_path};
use crate::version::Release;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Schemas by package and name.
type Known = HashMap<(String, String), Option<Arc<Schema>>>;

/// Extension of font files, which lie beside their packages and are not bulk data.
const FONT: &str = "ufont";

/// Positions of a package's objects, by their lower-case paths.
pub(super) type Places = HashMap<String, u32>;

/// The packages of a job, and all others they may refer to.
pub(crate) struct Library {
    pub(super) world: ConvertWorld,
    pub(super) inputs: Arc<PackageInputs>,
    pub(super) mappings: Option<Arc<Schemas>>,
    pub(super) release: Option<&'static Release>,
    /// The release that the mappings are of.
    pub(super) release_of_mappings: OnceLock<Option<&'static Release>>,
    /// The deduced release of the job's cooked packages, if none was given and some record no version.
    pub(super) cooked_by: OnceLock<Option<Verdict>>,
    /// Check chunks against their recorded hashes.
    pub(super) verify: bool,
    /// Treat a hash mismatch as an error.
    pub(super) strict: bool,
    /// The packages of the job, by name.
    pub(super) names: InputNames,
    /// Schemas by lower-case package and name; `None` for those that were not found.
    pub(super) known: Mutex<Known>,
    /// Positions of exports by path, per package.
    pub(super) places: Mutex<HashMap<String, Option<Arc<Places>>>>,
    pub(super) choices: Choices,
    /// Font files, by their lower-case paths without extension.
    pub(super) fonts: OnceLock<HashMap<String, Entry>>,
    /// All packages of paks, for objects that an edit refers to.
    pub(super) cooked: OnceLock<(PackageInputs, InputNames)>,
}

impl Library {
    pub(super) fn new(
        packages: impl Into<Arc<Packages>>,
        inputs: Arc<PackageInputs>,
        options: &ValueOptions,
    ) -> Self {
        Self {
            world: ConvertWorld::new(packages),
            names: InputNames::new(&inputs),
            inputs,
            mappings: options.mappings.clone(),
            release: options.release,
            release_of_mappings: OnceLock::new(),
            cooked_by: OnceLock::new(),
            verify: options.verify,
            strict: options.strict,
            known: Mutex::default(),
            places: Mutex::default(),
            choices: Choices::default(),
            fonts: OnceLock::new(),
            cooked: OnceLock::new(),
        }
    }

    pub(crate) fn packages(&self) -> &Packages {
        &self.world.packages
    }

    pub(super) const fn world(&self) -> &ConvertWorld {
        &self.world
    }

    pub(super) const fn release(&self) -> Option<&'static Release> {
        self.release
    }

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

    /// Reads the font file of a package; `None` if there is none.
    pub(crate) fn font_beside(&self, item: &PackageInput) -> Result<Option<Vec<u8>>> {
        if let PackagePlace::Files(header, _) = &item.place {
            let path = header.with_extension(FONT);
            return path.is_file().then(|| read_file(&path, self.packages().limit())).transpose();
        }
        let path = item.entry().and_then(|entry| self.packages().store().path(entry)).unwrap_or_default();
        let stem = package_path::strip_extensions(&path).to_lowercase();
        let entry = self.fonts.get_or_init(|| fonts(self)).get(&stem);
        entry.map(|entry| self.read_chunk(*entry).map(|(bytes, _)| bytes)).transpose()
    }
}

/// All font files, by their lower-case paths without extension.
fn fonts(library: &Library) -> HashMap<String, Entry> {
    let store = library.packages().store();
    let stem = |entry: &Entry| {
        let path = store.path(*entry)?;
        let (stem, extension) = path.rsplit_once('.')?;
        extension.eq_ignore_ascii_case(FONT).then(|| stem.to_lowercase())
    };
    let mut found: Vec<Entry> = store.entries().filter(|entry| stem(entry).is_some()).collect();
    // After this each path occurs once, so that no overridden font can take its place in the map.
    store.retain_winners(&mut found);
    found.into_iter().filter_map(|entry| Some((stem(&entry)?, entry))).collect()
}
