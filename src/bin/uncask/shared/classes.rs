//! Classes of packages.

use crate::session::Session;
use std::collections::{HashMap, HashSet};
use uncask::id::PackageId;
use uncask::store::packages::Packages;
use uncask::store::{Entry, Store};

/// Classes of the packages that the entries belong to. With `tell`, reports why some are unknown.
pub(crate) fn classes(
    session: &Session,
    store: &Store,
    entries: &[Entry],
    tell: bool,
) -> HashMap<PackageId, String> {
    classes_in(session, &session.packages(store), entries, tell)
}

/// Classes as in [`classes`], for callers that already have the packages.
pub(crate) fn classes_in(
    session: &Session,
    packages: &Packages,
    entries: &[Entry],
    tell: bool,
) -> HashMap<PackageId, String> {
    let store = packages.store();
    // Each package once, however many chunks it has.
    let ids: HashSet<PackageId> =
        entries.iter().filter_map(|entry| store.chunk(*entry).package_id()).collect();
    let class = |id: PackageId| Some((id, packages.main_class(packages.find(id)?)?));
    let classes = session.cpu().map(ids, class).into_iter().flatten().collect();
    for problem in Session::problems(packages).into_iter().filter(|_| tell) {
        session.printer.warning(&format!("some classes are unknown: {problem}"));
    }
    classes
}
