//! The packages of a job, and all others they may refer to.

use super::input_names::InputNames;
use super::inputs::PackageInputs;
use super::options::ValueOptions;
use crate::extract::legacy::ConvertWorld;
use crate::property::{Schema, Schemas};
use crate::release::Verdict;
use crate::store::Entry;
use crate::store::packages::Packages;
use crate::version::Release;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};

/// Schemas by package and name.
type Known = HashMap<(String, String), Option<Arc<Schema>>>;

/// Positions of a package's objects, by their lower-case paths.
pub(super) type Places = HashMap<String, u32>;

/// The packages of a job, and all others they may refer to.
pub(crate) struct Library {
    pub(super) world: ConvertWorld,
    pub(super) inputs: Arc<PackageInputs>,
    pub(super) mappings: Option<Arc<Schemas>>,
    pub(super) release: Option<&'static Release>,
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
    /// Font files, by their lower-case paths without extension.
    pub(super) fonts: OnceLock<HashMap<String, Entry>>,
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
            cooked_by: OnceLock::new(),
            verify: options.verify,
            strict: options.strict,
            known: Mutex::default(),
            places: Mutex::default(),
            fonts: OnceLock::new(),
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
}
