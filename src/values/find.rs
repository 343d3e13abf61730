//! Search for values in packages.

use super::each::PackageJob;
use super::inputs::{PackageInput, PackageInputs};
use super::options::{ValueOptions, ValuesRead};
use super::query::Query;
use super::raw_package::RawPackage;
use super::shown_value::ShownValue;
use super::unread_exports::UnreadOf;
use crate::error::Result;
use crate::job::{Context, Kind, Outcome, Tally, Worked};
use crate::package::legacy::{Package, UNVERSIONED_PROPERTIES};
use crate::property::{Object, Scope};
use crate::store::packages::Packages;
use serde::Serialize;
use std::sync::Arc;

/// A matching value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Hit {
    /// The package, such as `/Game/Items/Sword`.
    pub package: String,
    /// Name of the object.
    pub export: String,
    /// Path of the value in the object: `Stats[2].Damage`.
    pub property: String,
    /// The value.
    pub value: ShownValue,
}

/// Matching values of one package.
#[derive(Debug)]
pub struct Hits {
    /// The values, in file order.
    pub hits: Vec<Hit>,
    /// True if there are more than listed.
    pub cut: bool,
}

/// The most values listed per package.
pub const MAX_HITS: usize = 10_000;
/// Length at which values are cut, in bytes.
const MAX_VALUE: usize = 400;

/// Searches packages; `found` gets the hits of each package that has any, in package order.
pub async fn find_values(
    packages: impl Into<Arc<Packages>>,
    inputs: PackageInputs,
    query: Query,
    context: &Context,
    options: ValueOptions,
    mut found: impl FnMut(Hits) -> Result<()>,
) -> Result<Outcome<ValuesRead>> {
    let job = Arc::new(PackageJob::new(packages, inputs, options));
    let search = move |job: &PackageJob, _: usize, item: &PackageInput| search(job, item, &query);
    let mut outcome = Outcome::of(Kind::Package);
    let done = |_: &mut Tally<'_, _>, _: &PackageInput, hits: Hits| {
        if hits.hits.is_empty() { Ok(()) } else { found(hits) }
    };
    job.each(context, &mut outcome, search, done).await?;
    outcome.done = job.finish(&mut outcome);
    Ok(outcome)
}

fn search(job: &PackageJob, item: &PackageInput, query: &Query) -> Worked<Hits> {
    let none = Hits { hits: Vec::new(), cut: false };
    // Cheap checks before the costly decoding. Names take one block, the package all of them.
    if query.has_names()
        && let Some(header) = job.library.names(item)
        // Without tags the property names come from mappings, and the name table says nothing about them.
        && header.package_flags & UNVERSIONED_PROPERTIES == 0
        && !query.can_match(&header.names.iter().collect::<Vec<_>>().into_iter())
    {
        return Ok((none, None));
    }
    let (raw, mismatch) = job.library.read(item)?;
    if let RawPackage::Zen(zen) = &raw
        && !query.can_be_in_zen(zen.header(&job.library.path(item))?, &zen.chunk)
    {
        return Ok((none, mismatch));
    }
    let loaded = job.open(raw, item)?;
    let is_tagged = !loaded.package.form.unversioned_properties;
    // The same check again, for packages whose header was not read above, such as those in paks.
    if is_tagged && !query.can_match(&loaded.package.names.iter().map(|name| name.text.as_str())) {
        return Ok((none, mismatch));
    }
    // Next the raw bytes: a text or number that is nowhere in them is in no value.
    if !query.can_be_in(&loaded.package, &loaded.name(), loaded.data()) {
        return Ok((none, mismatch));
    }
    let unread = job.unread(&loaded);
    let found = in_package(&job.scope(&loaded), query, &unread);
    job.note_unread(item, unread);
    Ok((found, mismatch))
}

/// Searches the objects of a package.
fn in_package(scope: &Scope<'_>, query: &Query, unread: &UnreadOf<'_>) -> Hits {
    let package: &Package = scope.package;
    let mut found = Hits { hits: Vec::new(), cut: false };
    for export in &package.exports {
        let object = Object::read(scope, export);
        unread.see(export, &object);
        object.walk(scope, &mut |place, value| {
            // Set on the next value, not on the last hit: if no value is left, nothing was cut.
            if found.hits.len() == MAX_HITS {
                found.cut = true;
            }
            if found.cut {
                return false;
            }
            if !query.matches(scope, place, value) {
                return true;
            }
            found.hits.push(Hit {
                package: scope.name().to_owned(),
                export: package.text(export.name).to_string(),
                property: place.to_string(),
                value: ShownValue::new(value, value.line(scope, MAX_VALUE)),
            });
            query.goes_on()
        });
    }
    found
}
