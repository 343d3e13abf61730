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

use super::classes;
use super::dictionary::Dictionary;
use super::engine::Engine;
use super::likely::Guess;
use super::loss::Loss;
use super::names::Names;
use crate::id::{ObjectRef, PackageObjectIndex};
use crate::package::ObjectPath;
use crate::package::legacy::{Import, PackageIndex};
use crate::package::zen::{Header, Neighbours, Resolved, Resolver, Unresolved};
use foldhash::{HashMap, HashSet};
use std::cmp::Ordering;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_128;

/// Stands for a package whose name is not known.
const UNKNOWN_PACKAGE: &str = "/Engine/UnknownPackage";
/// Stands for the package of native objects that are not known.
const UNKNOWN_SCRIPT: &str = "/Script/UnknownPackage";
/// Starts the names of objects that are not known. A letter in front keeps the digits behind it from being taken for the
/// number of a name.
const UNKNOWN_OBJECT: &str = "UnknownExport_x";
/// Package of the classes of classes.
pub(super) const CORE: &str = "/Script/CoreUObject";

/// An import, as text.
#[derive(Debug, Clone)]
pub(super) struct Row {
    /// What the zen package has; null for packages, and for rows that were added.
    pub index: PackageObjectIndex,
    pub path: ObjectPath,
    pub class_package: Arc<str>,
    pub class_name: Arc<str>,
    pub outer: PackageIndex,
}

impl Row {
    fn new(index: PackageObjectIndex, path: ObjectPath) -> Self {
        let (class_package, class_name) = Default::default();
        Self { index, path, class_package, class_name, outer: PackageIndex::NONE }
    }

    /// Name of the object; of a package, its full name.
    pub(super) fn name(&self) -> &str {
        self.path.name()
    }

    pub(super) fn is_package(&self) -> bool {
        self.path.names().is_empty()
    }

    /// Whether it is native: no package of the game has it.
    pub(super) fn is_native(&self) -> bool {
        self.path.package().starts_with("/Script/")
    }

    /// Whether its name only stands for one that is not known.
    pub(super) fn is_unknown(&self) -> bool {
        self.name().starts_with(UNKNOWN_OBJECT)
    }

    /// Whether it belongs to the core, which is always loaded.
    pub(super) fn is_core(&self) -> bool {
        self.path.package().eq_ignore_ascii_case(CORE)
    }
}

/// All imports.
#[derive(Debug, Default)]
pub(super) struct Imports {
    pub rows: Vec<Row>,
    /// The first place of a package; what the sorted table has before and after it is of different classes.
    pub first_package: usize,
    by_index: HashMap<PackageObjectIndex, PackageIndex>,
    /// Row of each path, by a hash of it in lower case.
    by_path: HashMap<u128, PackageIndex>,
    /// For each row that has some, the rows it is the outer of.
    children: HashMap<PackageIndex, Vec<PackageIndex>>,
    /// Rows whose class is only likely.
    pub guesses: Vec<Guess>,
}

impl Imports {
    pub(super) fn new<N: Neighbours>(header: &Header, neighbours: &N, losses: &mut Vec<Loss>) -> Self {
        let resolver = Resolver::new(header, neighbours);
        let mut this = Self::default();
        let (mut holes, mut dictionary) = (Vec::new(), None);
        for (at, index) in header.imports.iter().enumerate() {
            let path = match resolver.resolve(*index) {
                Resolved::Null => {
                    holes.push(at);
                    ObjectPath::of_package("")
                }
                Resolved::Object { path, .. } => path,
                Resolved::Unresolved { reason, package, index } => {
                    let tried =
                        dictionary.get_or_insert_with(|| Dictionary::new(header)).find(index).cloned();
                    tried.unwrap_or_else(|| stand_in(reason, package, index, losses))
                }
            };
            this.rows.push(Row::new(*index, path));
        }
        let names = package_names(header, neighbours, &this.rows);
        this.fill_holes(&holes, names, losses);
        for at in 0..this.rows.len() {
            this.register(at);
        }
        this.link();
        this.first_package = this.rows.iter().position(Row::is_package).unwrap_or(usize::MAX);
        classes::assign(&mut this, header, &resolver, neighbours);
        this
    }

    /// Names of packages go to the places of packages; those left over get places of their own.
    fn fill_holes(&mut self, holes: &[usize], names: Vec<Arc<str>>, losses: &mut Vec<Loss>) {
        let mut names = names.into_iter().map(ObjectPath::of_package);
        for at in holes {
            let path = names.next().unwrap_or_else(|| {
                let import = ObjectPath::of_package(format!("{UNKNOWN_PACKAGE}_{at}"));
                losses.push(Loss::PackageMissing { import: import.clone() });
                import
            });
            if let Some(row) = self.rows.get_mut(*at) {
                row.path = path;
            }
        }
        self.rows.extend(names.map(|path| Row::new(PackageObjectIndex::NULL, path)));
    }

    /// Makes a row findable.
    fn register(&mut self, at: usize) {
        let index = u32::try_from(at).ok().and_then(PackageIndex::import).unwrap_or_default();
        let Some(row) = self.rows.get(at) else { return };
        if !row.index.is_null() {
            self.by_index.entry(row.index).or_insert(index);
        }
        self.by_path.entry(key(&row.path)).or_insert(index);
    }

    /// Finds the outer of every row, and adds those that are missing: packages know only objects that they import.
    fn link(&mut self) {
        let mut at = 0;
        while let Some(row) = self.rows.get(at) {
            if let Some(outer) = row.path.outer() {
                let key = key(&outer);
                if !self.by_path.contains_key(&key) {
                    self.rows.push(Row::new(PackageObjectIndex::NULL, outer));
                    self.register(self.rows.len() - 1);
                }
                let own = u32::try_from(at).ok().and_then(PackageIndex::import).unwrap_or_default();
                let outer = self.by_path.get(&key).copied().unwrap_or_default();
                self.children.entry(outer).or_default().push(own);
                if let Some(row) = self.rows.get_mut(at) {
                    row.outer = outer;
                }
            }
            at += 1;
        }
    }

    /// The package index of what an object index of the zen package refers to.
    pub(super) fn index_of(&self, index: PackageObjectIndex) -> PackageIndex {
        match index.decode() {
            ObjectRef::Export(export) => PackageIndex::export(export).unwrap_or_default(),
            _ => self.by_index.get(&index).copied().unwrap_or_default(),
        }
    }

    /// The import with this path.
    pub(super) fn find(&self, path: &ObjectPath) -> Option<PackageIndex> {
        self.by_path.get(&key(path)).copied()
    }

    /// The row that a package index refers to.
    pub(super) fn get(&self, index: PackageIndex) -> Option<&Row> {
        let at = index.0.checked_add(1).filter(|at| *at <= 0)?;
        self.rows.get(at.unsigned_abs() as usize)
    }

    /// Imports that lie in another one, in the order of the table.
    pub(super) fn children(&self, index: PackageIndex) -> &[PackageIndex] {
        self.children.get(&index).map_or(&[], Vec::as_slice)
    }

    /// Says which classes are only likely.
    pub(super) fn report_guesses(&self, losses: &mut Vec<Loss>) {
        let rows = self.guesses.iter().filter_map(|guess| self.rows.get(guess.at));
        losses.extend(rows.map(|row| Loss::ImportClass {
            import: row.path.clone(),
            class: ObjectPath::new(Arc::clone(&row.class_package), [Arc::clone(&row.class_name)]),
        }));
    }

    /// Every text that has to be a name.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        self.rows.iter().flat_map(|row| [&*row.class_package, &*row.class_name, row.name()])
    }

    /// The table as it is written.
    pub(super) fn rows(&self, names: &Names, engine: &Engine) -> Vec<Import> {
        let row = |row: &Row| {
            let name = names.find(row.name());
            Import {
                class_package: names.find(&row.class_package),
                class_name: names.find(&row.class_name),
                outer: row.outer,
                name,
                package_name: engine.release.cooked_import_package_name.then_some(name),
                optional: Some(false),
            }
        };
        self.rows.iter().map(row).collect()
    }
}

/// A stable name for what cannot be named.
fn stand_in(
    reason: Unresolved,
    package: Option<Arc<str>>,
    index: PackageObjectIndex,
    losses: &mut Vec<Loss>,
) -> ObjectPath {
    let script = reason == Unresolved::NoScriptObject;
    let unknown = if script { UNKNOWN_SCRIPT } else { UNKNOWN_PACKAGE };
    let found = matches!(reason, Unresolved::ExportMissing | Unresolved::Cycle | Unresolved::TooLong);
    let name = format!("{UNKNOWN_OBJECT}{:016x}", index.0);
    let path = ObjectPath::new(package.unwrap_or_else(|| unknown.into()), [name]);
    let import = path.clone();
    losses.push(match (script, found) {
        (true, _) => Loss::ScriptMissing { import },
        (false, true) => Loss::ImportMissing { import },
        (false, false) => Loss::PackageMissing { import },
    });
    path
}

/// Names of the packages that are imported, sorted as imports are.
fn package_names<N: Neighbours>(header: &Header, neighbours: &N, rows: &[Row]) -> Vec<Arc<str>> {
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
        let ids = neighbours.imported_packages(header.id()).unwrap_or_else(|| header.imported_packages());
        ids.into_iter()
            .filter_map(|id| neighbours.package_name(id))
            .map(ObjectPath::of_package)
            .for_each(&mut add);
    }
    let packages = rows.iter().filter(|row| matches!(row.index.decode(), ObjectRef::Package(_)));
    packages.map(|row| row.path.package_path()).for_each(&mut add);
    let mut names: Vec<Arc<str>> = paths.iter().map(ObjectPath::shared_package).collect();
    names.sort_by(|a, b| by_units(a, b));
    names
}

/// The order of texts in the engine's tables: without regard to letter case, by UTF-16 units.
fn by_units(a: &str, b: &str) -> Ordering {
    let units = |text: &str| text.to_ascii_lowercase().encode_utf16().collect::<Vec<u16>>();
    if a.is_ascii() && b.is_ascii() {
        let lower = |text: &'_ str| text.bytes().map(|byte| byte.to_ascii_lowercase()).collect::<Vec<u8>>();
        return lower(a).cmp(&lower(b));
    }
    units(a).cmp(&units(b))
}

/// What tells paths apart: a hash, for a path is as long as its names, and letter case does not count.
fn key(path: &ObjectPath) -> u128 {
    let mut text = path.to_string();
    text.make_ascii_lowercase();
    xxh3_128(text.as_bytes())
}
