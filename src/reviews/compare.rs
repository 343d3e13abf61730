//! Reviews that differ between two builds.

use super::make::review_of;
use crate::error::Result;
use crate::job::{Context, Outcome, Worked};
use crate::package::legacy::{Export, PackageIndex};
use crate::property::{FromValue, Object, Scope};
use crate::store::packages::Packages;
use crate::values::{
    Loaded, OldBuild, PackageInput, PackageInputs, PackageJob, ValueChange, ValueOptions, ValuesRead,
    each_version,
};
use serde::Serialize;
use std::collections::BTreeSet;
use std::sync::Arc;
use uncask_formats::review::{Review, ReviewOptions};

/// Options for comparing reviews.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReviewComparison {
    /// Options for their contents.
    pub review: ReviewOptions,
    /// True if only packages of the same path are versions of each other, as in two versions of one folder.
    pub by_path: bool,
}

/// A package whose review differs between two builds.
#[derive(Debug, Clone, Serialize)]
pub struct ReviewChange {
    /// The package.
    pub package: String,
    /// Path of its file below the input, or in its container.
    pub file: String,
    /// Kind of change.
    pub change: ValueChange,
    /// The old review; `None` for a package that was added.
    #[serde(skip)]
    pub from: Option<Review>,
    /// The new review; `None` for a package that was removed. Nodes that the old one has are called as there.
    #[serde(skip)]
    pub to: Option<Review>,
    /// Packages that the new version imports from, and the old one does not; sorted.
    pub imports: Vec<String>,
    /// The object that it leads to, if the new version is a redirector.
    pub redirects_to: Option<String>,
}

/// Compares the reviews of packages with the same path or name. `found` gets every package that differs: those of the new build
/// in their order, then the removed ones.
pub async fn review_differences(
    [old_packages, packages]: [Arc<Packages>; 2],
    [old_inputs, inputs]: [PackageInputs; 2],
    [old_options, options]: [ValueOptions; 2],
    comparison: ReviewComparison,
    context: &Context,
    found: impl FnMut(ReviewChange) -> Result<()>,
) -> Result<Outcome<ValuesRead>> {
    let job = Arc::new(PackageJob::new(packages, inputs, options));
    let old = OldBuild::new(old_packages, old_inputs, &old_options, &job);
    let old = if comparison.by_path { old.paired_by_path(&job) } else { old };
    let review = comparison.review;
    let compare = move |job: &PackageJob, old: &OldBuild, at: usize, item: &PackageInput| {
        compare(job, (old, review), at, item)
    };
    let removed = move |old: &OldBuild, item: &PackageInput| removed(old, review, item);
    each_version(&job, old, context, compare, removed, found).await
}

fn compare(
    job: &PackageJob,
    (old, options): (&OldBuild, ReviewOptions),
    at: usize,
    item: &PackageInput,
) -> Worked<Option<ReviewChange>> {
    let mut new = job.load(item)?;
    let mut was = old.before(at).map(|before| old.library.load(before)).transpose()?;
    // Equal bytes are an equal text.
    if was.as_ref().is_some_and(|was| new.is_same_as(was)) {
        return Ok((None, None));
    }
    let from = was.as_ref().map(|was| review_of(&old.scope(was), None, options, None));
    let unread = job.unread(&new);
    let to = review_of(&job.scope(&new), Some(&unread), options, from.as_ref());
    job.note_unread(item, unread);
    let change = if from.is_some() { ValueChange::Changed } else { ValueChange::Added };
    let is_same = from.as_ref().is_some_and(|from| from.sections == to.sections);
    let mismatch = new.take_mismatch().or_else(|| was.as_mut().and_then(Loaded::take_mismatch));
    let imported = |of: &Loaded| of.package.imported_packages().collect::<BTreeSet<String>>();
    let before = was.as_ref().map(imported).unwrap_or_default();
    let imports = imported(&new).into_iter().filter(|name| !before.contains(name)).collect();
    let (package, file) = (item.package_name(), item.name.clone());
    let redirects_to = redirect(&job.scope(&new));
    let found = ReviewChange { package, file, change, from, to: Some(to), imports, redirects_to };
    Ok(((!is_same).then_some(found), mismatch))
}

/// A package that only the old build has.
fn removed(old: &OldBuild, options: ReviewOptions, item: &PackageInput) -> Worked<Option<ReviewChange>> {
    let mut was = old.library.load(item)?;
    let from = Some(review_of(&old.scope(&was), None, options, None));
    let mismatch = was.take_mismatch();
    let (package, file) = (item.package_name(), item.name.clone());
    let (change, imports, redirects_to) = (ValueChange::Removed, Vec::new(), None);
    let found = ReviewChange { package, file, change, from, to: None, imports, redirects_to };
    Ok((Some(found), mismatch))
}

/// The object that the asset of a package was moved to, if all that is left of it is a redirector.
fn redirect(scope: &Scope<'_>) -> Option<String> {
    let package = scope.package;
    let on_top = || package.exports.iter().filter(|export| export.outer == PackageIndex::NONE);
    let is_of = |export: &&Export, class: &str| package.class_path(export).ends_with(class);
    // Packages of blueprints may have one for their default object, too.
    let is_other = |export: &&Export| !is_of(export, ".MetaData") && !is_of(export, ".ObjectRedirector");
    let export = on_top().find(|export| is_of(export, ".ObjectRedirector"))?;
    if on_top().any(|export| is_other(&export)) {
        return None;
    }
    let object = Object::read(scope, export);
    let to = PackageIndex::from_value(object.tail.get("DestinationObject")?)?;
    package.path(to, scope.name()).map(|path| path.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::package::legacy::{Form, Import, Name, NameEntry, Package, VersionEvidence};
    use crate::version::Release;

    /// A package of 5.1 with a redirector to an object of another package, and perhaps with something else.
    fn package(others: usize) -> Package {
        let names = ["None", "/Script/CoreUObject", "ObjectRedirector", "Old", "/Game/New", "New", "Class"];
        let name = |index| Name { index, number: 0 };
        let import = |outer, text, class| Import {
            outer: PackageIndex(outer),
            name: name(text),
            class_name: name(class),
            ..Import::default()
        };
        let export = |class| Export { class: PackageIndex(class), name: name(3), ..Export::default() };
        let redirector = Export { serial_len: 16, ..export(-2) };
        Package {
            form: Form { versions: Release::from_name("5.1").unwrap().objects, ..Form::default() },
            evidence: VersionEvidence::Given("5.1"),
            names: names.iter().map(|text| NameEntry::new(text)).collect(),
            imports: vec![import(0, 1, 0), import(-1, 2, 6), import(0, 4, 0), import(-3, 5, 6)],
            exports: std::iter::once(redirector).chain((0..others).map(|_| export(-4))).collect(),
            ..Package::default()
        }
    }

    #[test]
    fn what_is_left_of_an_asset_that_was_moved_leads_to_it() {
        // An empty list of properties, no GUID, and the fourth import.
        let data = [&[0; 12][..], &(-4_i32).to_le_bytes()].concat();
        let of = |package: &Package| redirect(&Scope::new(package, &data, 0, Release::from_name("5.1")));
        assert_eq!(of(&package(0)).as_deref(), Some("/Game/New.New"));
        assert_eq!(of(&package(1)), None);
    }
}
