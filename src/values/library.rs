//! The packages of a job, and all others that can be reached from them.

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

/// The objects of a package: their paths in lower case, and their places.
pub(super) type Places = HashMap<String, u32>;

/// The packages of a job and all others that can be reached.
pub(crate) struct Library {
    pub(super) world: ConvertWorld,
    pub(super) inputs: Arc<PackageInputs>,
    pub(super) mappings: Option<Arc<Schemas>>,
    pub(super) release: Option<&'static Release>,
    /// The release that wrote the cooked packages of the job, if none was given and some do not say it.
    pub(super) cooked_by: OnceLock<Option<Verdict>>,
    /// What is read out of containers is compared with its recorded hash.
    pub(super) verify: bool,
    /// What does not have its recorded hash is not read at all.
    pub(super) strict: bool,
    /// The packages of the job, by what they are called.
    pub(super) names: InputNames,
    /// Schemas by package and name, both in lower case; `None` for what is not there.
    pub(super) known: Mutex<Known>,
    /// Names of the exports of packages, by place.
    pub(super) places: Mutex<HashMap<String, Option<Arc<Places>>>>,
    /// Files with fonts, by their paths without extension in lower case.
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
