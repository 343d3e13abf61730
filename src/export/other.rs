//! Objects in other packages.

use crate::package::ObjectPath;
use crate::package::legacy::Export;
use crate::property::{Object, Scope};
use crate::values::{PackageInput, PackageJob};

/// Reads an object of any package by its path; several objects of one name are tried in order.
pub(super) fn object<T>(
    job: &PackageJob,
    path: &ObjectPath,
    mut read: impl FnMut(&Scope<'_>, &Export, &Object) -> Option<T>,
) -> Option<T> {
    let other = job.library.other(path.package())?;
    let scope = job.scope(&other);
    let exports = other.package.exports.iter();
    let mut named = exports
        .filter(|export| other.package.text(export.name).to_string().eq_ignore_ascii_case(path.name()));
    named.find_map(|export| read(&scope, export, &Object::read(&scope, export)))
}

/// The package of an object as an input, and whether it is one of the job.
pub(super) fn input(job: &PackageJob, path: &ObjectPath) -> Option<(PackageInput, bool)> {
    job.library.input(path.package()).or_else(|| {
        let beside = job.inputs.items().first()?;
        Some((job.library.input_anywhere(path.package(), beside)?, false))
    })
}
