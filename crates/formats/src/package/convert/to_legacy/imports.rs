//! The import table: one row per zen import, at the same index.
//!
//! ```text
//! zen           legacy
//! null          a package: the sorted names of imported packages fill these rows in order
//! script        an object, from the script objects; its outers are imports, too
//! package       an object, from the other package's exports or by a name with a matching hash
//! ```
//!
//! The cooker sorts imports by class name and full path, so packages come in the order of their names.

use super::dictionary::Dictionary;
use super::import_table::{ImportRow, Imports, key};
use super::job::{ConvertJob, World};
use super::loss::Loss;
use super::names::by_units;
use crate::id::{ObjectRef, PackageObjectIndex};
use crate::package::ObjectPath;
use crate::package::placeholder;
use crate::package::zen::{Header, Neighbours, Resolved, Unresolved};
use foldhash::{HashMap, HashSet};
use std::sync::Arc;

/// Names all imports.
pub(super) fn name<N: Neighbours>(job: &mut ConvertJob<'_, N>) {
    let header = job.header;
    let (mut rows, mut holes, mut dictionary) = (Vec::new(), Vec::new(), None);
    // Imports of one unknown object share its placeholder, and it is reported once.
    let mut unknown: HashMap<PackageObjectIndex, ObjectPath> = HashMap::default();
    for (at, index) in header.imports.iter().enumerate() {
        let path = match job.world.resolver.resolve(*index) {
            Resolved::Null => {
                holes.push(at);
                // The hole gets its name when all package names are known.
                ObjectPath::of_package("")
            }
            Resolved::Object { path, .. } => path,
            Resolved::Unresolved { reason, package, index } => {
                let tried = dictionary.get_or_insert_with(|| Dictionary::new(header)).find(index).cloned();
                let named = || {
                    let (path, loss) = stand_in(header, &job.world, reason, package, index);
                    job.losses.push(loss);
                    path
                };
                // The dictionary is built only on the first unknown import: most packages have none.
                tried.unwrap_or_else(|| unknown.entry(index).or_insert_with(named).clone())
            }
        };
        rows.push(ImportRow::new(*index, path));
    }
    let (names, unknown) = package_names(header, &job.world, &rows);
    job.losses.extend(unknown);
    job.losses.extend(fill_holes(&mut rows, &holes, names));
    job.imports = Imports::new(rows);
}

/// Assigns package names to the holes; surplus names get new rows. Returns the holes without a name.
fn fill_holes(rows: &mut Vec<ImportRow>, holes: &[usize], names: Vec<Arc<str>>) -> Vec<Loss> {
    let mut losses = Vec::new();
    let mut names = names.into_iter().map(ObjectPath::of_package);
    for at in holes {
        let path = names.next().unwrap_or_else(|| {
            let import = ObjectPath::of_package(placeholder::package(None, Some(*at)));
            losses.push(Loss::PackageMissing { import: import.clone() });
            import
        });
        if let Some(row) = rows.get_mut(*at) {
            row.path = path;
        }
    }
    // New rows go to the end, so that the existing imports keep their indices.
    rows.extend(names.map(|path| ImportRow::new(PackageObjectIndex::NULL, path)));
    losses
}

/// Creates a placeholder that packs to the same import again.
fn stand_in<N: Neighbours>(
    header: &Header,
    world: &World<'_, N>,
    reason: Unresolved,
    package: Option<Arc<str>>,
    index: PackageObjectIndex,
) -> (ObjectPath, Loss) {
    if reason == Unresolved::NoScriptObject {
        let path = placeholder::of_script(index);
        return (path.clone(), Loss::ScriptMissing { import: path });
    }
    let (mut id, mut hash) = (None, index.0);
    // UE4 indices are hashes of full paths and have no package part.
    if let ObjectRef::Package(import) = index.decode()
        && !header.generation.is_ue4()
    {
        id = world.neighbours.imported_package(header.id(), import.package() as usize);
        let known = header.imported_public_export_hashes.get(import.hash() as usize);
        hash = known.copied().unwrap_or(index.0);
    }
    let package = package.unwrap_or_else(|| placeholder::package(id, None).into());
    let import = ObjectPath::new(package, [placeholder::object(hash)]);
    let path = import.clone();
    let found = matches!(reason, Unresolved::ExportMissing | Unresolved::Cycle | Unresolved::TooLong);
    (path, if found { Loss::ImportMissing { import } } else { Loss::PackageMissing { import } })
}

/// Returns the sorted names of imported packages, and the unknown ones among them.
fn package_names<N: Neighbours>(
    header: &Header,
    world: &World<'_, N>,
    rows: &[ImportRow],
) -> (Vec<Arc<str>>, Vec<Loss>) {
    let mut unknown = Vec::new();
    let mut seen: HashSet<u128> = HashSet::default();
    let mut paths: Vec<ObjectPath> = Vec::new();
    // One package may be listed and also own several objects.
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
        for id in ids {
            match neighbours.package_name(id) {
                Some(name) => add(ObjectPath::of_package(name)),
                // UE4 does not record which package an object is in, so placeholder packages would gain
                // nothing.
                None if header.generation.is_ue4() => {}
                None => {
                    let import = ObjectPath::of_package(placeholder::package(Some(id), None));
                    unknown.push(Loss::PackageMissing { import: import.clone() });
                    add(import);
                }
            }
        }
    }
    let packages = rows.iter().filter(|row| matches!(row.index.decode(), ObjectRef::Package(_)));
    packages.map(|row| row.path.package_path()).for_each(&mut add);
    // Sort keys are built once: names are long, and each is compared many times.
    let lower = |path: &ObjectPath| (path.package().to_ascii_lowercase(), path.shared_package());
    let mut names: Vec<(String, Arc<str>)> = paths.iter().map(lower).collect();
    names.sort_by(|(a, _), (b, _)| by_units(a, b));
    (names.into_iter().map(|(_, name)| name).collect(), unknown)
}
