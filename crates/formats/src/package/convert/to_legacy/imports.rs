//! The import table: one row for each zen import, at the same place.
//!
//! ```text
//! zen           legacy
//! null          a package: the names of imported packages, sorted, fill these places in order
//! script        object by the script objects; its outer objects are imports, too
//! package       object by the other package's exports, or by a name whose hash is right
//! ```
//!
//! The cooker sorts imports by class name and full path, which is why packages come in the order of their names.

use super::dictionary::Dictionary;
use super::import_table::{Imports, Row, UNKNOWN_OBJECT, key};
use super::job::{Job, World};
use super::loss::Loss;
use super::names::by_units;
use crate::id::{ObjectRef, PackageObjectIndex};
use crate::package::ObjectPath;
use crate::package::zen::{Header, Neighbours, Resolved, Unresolved};
use foldhash::{HashMap, HashSet};
use std::sync::Arc;

/// Stands for a package whose name is not known.
const UNKNOWN_PACKAGE: &str = "/Engine/UnknownPackage";
/// Stands for the package of native objects that are not known.
const UNKNOWN_SCRIPT: &str = "/Script/UnknownPackage";

/// Names what is imported.
pub(super) fn name<N: Neighbours>(job: &mut Job<'_, N>) {
    let header = job.header;
    let (mut rows, mut holes, mut dictionary) = (Vec::new(), Vec::new(), None);
    // Imports of one unknown object share its name, and it is reported once.
    let mut unknown: HashMap<PackageObjectIndex, ObjectPath> = HashMap::default();
    for (at, index) in header.imports.iter().enumerate() {
        let path = match job.world.resolver.resolve(*index) {
            Resolved::Null => {
                holes.push(at);
                ObjectPath::of_package("")
            }
            Resolved::Object { path, .. } => path,
            Resolved::Unresolved { reason, package, index } => {
                let tried = dictionary.get_or_insert_with(|| Dictionary::new(header)).find(index).cloned();
                let named = || {
                    let (path, loss) = stand_in(reason, package, index);
                    job.losses.push(loss);
                    path
                };
                tried.unwrap_or_else(|| unknown.entry(index).or_insert_with(named).clone())
            }
        };
        rows.push(Row::new(*index, path));
    }
    let names = package_names(header, &job.world, &rows);
    job.losses.extend(fill_holes(&mut rows, &holes, names));
    job.imports = Imports::new(rows);
}

/// Names of packages go to the places of packages; those left over get places of their own. Returns the places for which
/// there are no names.
fn fill_holes(rows: &mut Vec<Row>, holes: &[usize], names: Vec<Arc<str>>) -> Vec<Loss> {
    let mut losses = Vec::new();
    let mut names = names.into_iter().map(ObjectPath::of_package);
    for at in holes {
        let path = names.next().unwrap_or_else(|| {
            let import = ObjectPath::of_package(format!("{UNKNOWN_PACKAGE}_{at}"));
            losses.push(Loss::PackageMissing { import: import.clone() });
            import
        });
        if let Some(row) = rows.get_mut(*at) {
            row.path = path;
        }
    }
    rows.extend(names.map(|path| Row::new(PackageObjectIndex::NULL, path)));
    losses
}

/// A stable name for what cannot be named.
fn stand_in(reason: Unresolved, package: Option<Arc<str>>, index: PackageObjectIndex) -> (ObjectPath, Loss) {
    let script = reason == Unresolved::NoScriptObject;
    let unknown = if script { UNKNOWN_SCRIPT } else { UNKNOWN_PACKAGE };
    let found = matches!(reason, Unresolved::ExportMissing | Unresolved::Cycle | Unresolved::TooLong);
    let name = format!("{UNKNOWN_OBJECT}{:016x}", index.0);
    let path = ObjectPath::new(package.unwrap_or_else(|| unknown.into()), [name]);
    let import = path.clone();
    let loss = match (script, found) {
        (true, _) => Loss::ScriptMissing { import },
        (false, true) => Loss::ImportMissing { import },
        (false, false) => Loss::PackageMissing { import },
    };
    (path, loss)
}

/// Names of the packages that are imported, sorted as imports are.
fn package_names<N: Neighbours>(header: &Header, world: &World<'_, N>, rows: &[Row]) -> Vec<Arc<str>> {
    let mut seen: HashSet<u128> = HashSet::default();
    let mut paths: Vec<ObjectPath> = Vec::new();
    let mut add = |path: ObjectPath| {
        if seen.insert(key(&path)) {
            paths.push(path);
        }
    };
    if header.generation.has_imported_package_names() {
        header
            .imported_package_names
            .iter()
            .map(|name| ObjectPath::of_package(Arc::clone(name)))
            .for_each(&mut add);
    } else {
        let neighbours = world.neighbours;
        let ids = neighbours.imported_packages(header.id()).unwrap_or_else(|| header.imported_packages());
        ids.into_iter()
            .filter_map(|id| neighbours.package_name(id))
            .map(ObjectPath::of_package)
            .for_each(&mut add);
    }
    let packages = rows.iter().filter(|row| matches!(row.index.decode(), ObjectRef::Package(_)));
    packages.map(|row| row.path.package_path()).for_each(&mut add);
    // The text that a name is sorted by is made once: names are long, and each is compared with many others.
    let lower = |path: &ObjectPath| (path.package().to_ascii_lowercase(), path.shared_package());
    let mut names: Vec<(String, Arc<str>)> = paths.iter().map(lower).collect();
    names.sort_by(|(a, _), (b, _)| by_units(a, b));
    names.into_iter().map(|(_, name)| name).collect()
}
