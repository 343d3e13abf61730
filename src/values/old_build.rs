//! The old build of two that are compared.

use super::each::PackageJob;
use super::inputs::{PackageInput, PackageInputs};
use super::library::Library;
use super::loaded::Loaded;
use super::options::{ValueOptions, ValuesRead};
use super::pairs::{pairs, pairs_by_path};
use crate::error::Result;
use crate::job::{Context, Kind, Outcome, Tally, Worked};
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

/// Compares two builds: `compare` gets each package of the new one with its position, then `removed` each that only the old one
/// has; `found` gets what they make of these, in that order.
pub(crate) async fn each_version<T: Send + 'static>(
    job: &Arc<PackageJob>,
    old: OldBuild,
    context: &Context,
    compare: impl Fn(&PackageJob, &OldBuild, usize, &PackageInput) -> Worked<Option<T>> + Send + Sync + 'static,
    removed: impl Fn(&OldBuild, &PackageInput) -> Worked<Option<T>> + Send + Sync + 'static,
    mut found: impl FnMut(T) -> Result<()>,
) -> Result<Outcome<ValuesRead>> {
    let old = Arc::new(old);
    let shared = Arc::clone(&old);
    let work = move |job: &PackageJob, at: usize, item: &PackageInput| compare(job, &shared, at, item);
    let mut outcome = Outcome::of(Kind::Package);
    let mut done = |_: &mut Tally<'_, _>, _: &PackageInput, made: Option<T>| made.map_or(Ok(()), &mut found);
    job.each(context, &mut outcome, work, &mut done).await?;
    // The packages that only the old build has are read like the others, by the same engine.
    let gone: Vec<PackageInput> = old.gone().cloned().collect();
    let work = move |_: &PackageJob, _: usize, item: &PackageInput| removed(&old, item);
    job.each_of(&gone, context, &mut outcome, work, done).await?;
    outcome.done = job.finish(&mut outcome);
    Ok(outcome)
}
