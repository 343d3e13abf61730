//! The old build of two that are compared.

use super::each::PackageJob;
use super::inputs::{PackageInput, PackageInputs};
use super::library::Library;
use super::load::Loaded;
use super::options::ValueOptions;
use super::pairs::{pairs, pairs_by_path};
use crate::property::Scope;
use crate::store::packages::Packages;
use std::collections::HashSet;
use std::sync::Arc;

/// The old build, with the pairs that its packages form with those of the new one.
pub(crate) struct OldBuild {
    /// Its packages.
    pub library: Library,
    inputs: Arc<PackageInputs>,
    /// Position in the old build of each package of the new one.
    pairs: Vec<Option<usize>>,
}

impl OldBuild {
    /// Pairs the packages of an old build with those of a job on the new one.
    pub(crate) fn new(
        packages: Arc<Packages>,
        inputs: PackageInputs,
        options: &ValueOptions,
        job: &PackageJob,
    ) -> Self {
        let inputs = Arc::new(inputs);
        let library = Library::new(packages, Arc::clone(&inputs), options);
        let pairs = pairs(&library, &job.library);
        Self { library, inputs, pairs }
    }

    /// The same packages, paired by their paths alone: two versions of one folder.
    pub(crate) fn paired_by_path(self, job: &PackageJob) -> Self {
        Self { pairs: pairs_by_path(&self.library, &job.library), ..self }
    }

    /// The package that the new build has at a position; `None` if it is new.
    pub(crate) fn before(&self, at: usize) -> Option<&PackageInput> {
        self.inputs.items().get(self.pairs.get(at).copied().flatten()?)
    }

    /// The packages that the new build does not have.
    pub(crate) fn gone(&self) -> impl Iterator<Item = &PackageInput> {
        let kept: HashSet<usize> = self.pairs.iter().flatten().copied().collect();
        let items = self.inputs.items().iter().enumerate();
        items.filter(move |(at, _)| !kept.contains(at)).map(|(_, item)| item)
    }

    /// A package in the scope of all that this build has.
    pub(crate) fn scope<'a>(&'a self, loaded: &'a Loaded) -> Scope<'a> {
        self.library.scope(loaded)
    }
}
