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
use foldhash::HashMap;
use std::collections::BTreeMap;

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
    pub class_package: String,
    pub class_name: String,
    pub outer: PackageIndex,
}

impl Row {
    fn new(index: PackageObjectIndex, path: ObjectPath) -> Self {
        let (class_package, class_name) = (String::new(), String::new());
        Self { index, path, class_package, class_name, outer: PackageIndex::NONE }
    }

    /// Name of the object; of a package, its full name.
    pub(super) fn name(&self) -> &str {
        self.path.names().last().map_or_else(|| self.path.package(), String::as_str)
    }

    pub(super) fn is_package(&self) -> bool {
        self.path.names().is_empty()
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
    by_index: HashMap<PackageObjectIndex, PackageIndex>,
    /// Row of each path, lower-cased.
    by_path: HashMap<String, PackageIndex>,
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
                    ObjectPath::new("", [])
                }
                Resolved::Object { path, .. } => path,
                Resolved::Unresolved { reason, package, index } => {
                    let tried =
                        dictionary.get_or_insert_with(|| Dictionary::new(header)).find(index).cloned();
                    tried.unwrap_or_else(|| stand_in(reason, package.as_deref(), index, losses))
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
        classes::assign(&mut this, header, &resolver, neighbours);
        this
    }

    /// Names of packages go to the places of packages; those left over get places of their own.
    fn fill_holes(&mut self, holes: &[usize], names: Vec<String>, losses: &mut Vec<Loss>) {
        let mut names = names.into_iter();
        for at in holes {
            let name = names.next().unwrap_or_else(|| {
                let import = format!("{UNKNOWN_PACKAGE}_{at}");
                losses.push(Loss::PackageMissing { import: import.clone() });
                import
            });
            if let Some(row) = self.rows.get_mut(*at) {
                row.path = ObjectPath::new(&name, []);
            }
        }
        self.rows.extend(names.map(|name| Row::new(PackageObjectIndex::NULL, ObjectPath::new(&name, []))));
    }

    /// Makes a row findable.
    fn register(&mut self, at: usize) {
        let index = u32::try_from(at).ok().and_then(PackageIndex::import).unwrap_or_default();
        let Some(row) = self.rows.get(at) else { return };
        if !row.index.is_null() {
            self.by_index.entry(row.index).or_insert(index);
        }
        self.by_path.entry(row.path.to_string().to_ascii_lowercase()).or_insert(index);
    }

    /// Finds the outer of every row, and adds those that are missing: packages know only objects that they import.
    fn link(&mut self) {
        let mut at = 0;
        while let Some(row) = self.rows.get(at) {
            if let Some(outer) = outer_of(&row.path) {
                let key = outer.to_string().to_ascii_lowercase();
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
        self.by_path.get(&path.to_string().to_ascii_lowercase()).copied()
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
            import: row.path.to_string(),
            class: format!("{}.{}", row.class_package, row.class_name),
        }));
    }

    /// Every text that has to be a name.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        self.rows.iter().flat_map(|row| [row.class_package.as_str(), row.class_name.as_str(), row.name()])
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
    package: Option<&str>,
    index: PackageObjectIndex,
    losses: &mut Vec<Loss>,
) -> ObjectPath {
    let script = reason == Unresolved::NoScriptObject;
    let unknown = if script { UNKNOWN_SCRIPT } else { UNKNOWN_PACKAGE };
    let found = matches!(reason, Unresolved::ExportMissing | Unresolved::Cycle);
    let name = format!("{UNKNOWN_OBJECT}{:016x}", index.0);
    let path = ObjectPath::new(package.unwrap_or(unknown), [name]);
    let import = path.to_string();
    losses.push(match (script, found) {
        (true, _) => Loss::ScriptMissing { import },
        (false, true) => Loss::ImportMissing { import },
        (false, false) => Loss::PackageMissing { import },
    });
    path
}

/// Names of the packages that are imported, sorted as imports are.
fn package_names<N: Neighbours>(header: &Header, neighbours: &N, rows: &[Row]) -> Vec<String> {
    let mut names: BTreeMap<Vec<u16>, String> = BTreeMap::new();
    let mut add = |name: String| {
        names.entry(name.to_ascii_lowercase().encode_utf16().collect()).or_insert(name);
    };
    if header.generation.has_imported_package_names() {
        header.imported_package_names.iter().cloned().for_each(&mut add);
    } else {
        let ids = neighbours.imported_packages(header.id()).unwrap_or_else(|| header.imported_packages());
        ids.into_iter().filter_map(|id| neighbours.package_name(id)).for_each(&mut add);
    }
    let packages = rows.iter().filter(|row| matches!(row.index.decode(), ObjectRef::Package(_)));
    packages.map(|row| row.path.package().to_owned()).for_each(&mut add);
    names.into_values().collect()
}

/// The path of the object around another one; a package lies in nothing.
fn outer_of(path: &ObjectPath) -> Option<ObjectPath> {
    let (_, outer) = path.names().split_last()?;
    Some(ObjectPath::new(path.package(), outer.iter().cloned()))
}
