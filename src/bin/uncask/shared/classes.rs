//! Classes of packages.

use crate::session::Session;
use std::collections::{HashMap, HashSet};
use uncask::game::{Entry, Game};
use uncask::id::PackageId;

/// Classes of the packages that the entries belong to. With `tell`, reports why some are unknown.
pub(crate) fn classes(
    session: &Session,
    game: &Game,
    entries: &[Entry],
    tell: bool,
) -> HashMap<PackageId, String> {
    let packages = game.packages();
    // Each package once, however many chunks it has.
    let ids: HashSet<PackageId> = entries.iter().filter_map(|entry| game.at(*entry).package_id()).collect();
    let class = |id: PackageId| Some((id, packages.main_class(packages.find(id)?)?));
    let classes = session.cpu().map(ids, class).into_iter().flatten().collect();
    for problem in Session::problems(packages).into_iter().filter(|_| tell) {
        session.printer.warning(&format!("some classes are unknown: {problem}"));
    }
    classes
}
