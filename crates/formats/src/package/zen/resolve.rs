//! Resolves the object indices of a header to full paths.
//!
//! ```text
//! script import    hash → script objects of the global container
//! package import   UE5: imported package × public export hash → export of that package
//!                  UE4: hash of the full path → an export of any package
//! null             a package, whose name is not stored here
//! ```
//!
//! Other packages and the global container belong to higher floors and are reached through [`Neighbours`]. If
//! the other package is unavailable, its last path element is tried, as it is, with `_C`, and with the prefix
//! `Default__`: if the hash agrees, the name is certain and only the class is unknown.

use super::resolved::{Evidence, Resolved, Unresolved};
use super::{Export, Header, PublicId};
use crate::{
    id::{ObjectRef, PackageId, PackageImport, PackageObjectIndex, public_export_hash},
    package::ObjectPath,
    wire::MAX_PATH_LEN,
};
use foldhash::HashMap;
use std::cell::{OnceCell, RefCell};
use std::sync::Arc;

/// Longest chain of outer objects or classes; longer ones are treated as cycles.
const MAX_DEPTH: usize = 64;

/// Access to everything outside a package.
pub trait Neighbours {
    /// Returns the full path of a native object.
    fn script_path(&self, index: PackageObjectIndex) -> Option<ObjectPath>;

    /// Returns the facts that the script objects record about a native object.
    fn script_facts(&self, _index: PackageObjectIndex) -> Option<ScriptFacts> {
        None
    }

    /// Returns another package by id, with redirects followed.
    fn package(&self, id: PackageId) -> Option<Arc<Header>>;

    /// Returns the imported packages that the container lists for a package; needed before 5.3.
    fn imported_packages(&self, _id: PackageId) -> Option<Vec<PackageId>> {
        None
    }

    /// Returns one imported package by its index in that list.
    fn imported_package(&self, id: PackageId, at: usize) -> Option<PackageId> {
        self.imported_packages(id)?.get(at).copied()
    }

    /// Returns the name of an unavailable package.
    fn package_name(&self, _id: PackageId) -> Option<String> {
        None
    }

    /// UE4: returns the package that owns the export with this global import index.
    fn owner_of(&self, _index: PackageObjectIndex) -> Option<Arc<Header>> {
        None
    }
}

/// Facts about the kind of a native object.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct ScriptFacts {
    /// True if it is a class.
    pub is_class: bool,
    /// True if its outer is a class.
    pub in_class: bool,
    /// Full path of the class, for a class default object and everything inside it.
    pub default_of: Option<ObjectPath>,
}

/// No neighbours: a package on its own.
impl Neighbours for () {
    fn script_path(&self, _index: PackageObjectIndex) -> Option<ObjectPath> {
        None
    }

    fn package(&self, _id: PackageId) -> Option<Arc<Header>> {
        None
    }
}

/// Resolves the object indices of one package.
///
/// Results are cached: imports of one object share its path, and the time does not grow with imports times
/// packages.
#[derive(Debug)]
pub struct Resolver<'a, N: ?Sized> {
    header: &'a Header,
    neighbours: &'a N,
    id: PackageId,
    /// Imported packages, by index.
    packages: RefCell<HashMap<u32, Option<Imported>>>,
    found: RefCell<HashMap<Key, (ObjectPath, Evidence)>>,
    ue4: OnceCell<ImportedObjects>,
}

/// An imported package: its id, and its name if known.
type Imported = (PackageId, Option<Arc<str>>);

/// A path and its source, or the reason for its absence and the package that should hold the object.
type Found = Result<(ObjectPath, Evidence), (Unresolved, Option<Arc<str>>)>;

/// Identity of an imported object, shared by all its imports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    /// The object index itself.
    Index(PackageObjectIndex),
    /// UE5: index of the imported package, and public export hash.
    Export(u32, u64),
}

/// UE4: objects of imported packages, by global import index.
#[derive(Debug, Default)]
struct ImportedObjects {
    /// Packages that own the objects.
    owners: HashMap<PackageObjectIndex, PackageId>,
    /// Paths suggested by package names.
    likely: HashMap<PackageObjectIndex, ObjectPath>,
}

impl<'a, N: Neighbours + ?Sized> Resolver<'a, N> {
    /// Creates a resolver for a package among its neighbours.
    #[must_use]
    pub fn new(header: &'a Header, neighbours: &'a N) -> Self {
        let id = header.id();
        Self {
            header,
            neighbours,
            id,
            packages: RefCell::default(),
            found: RefCell::default(),
            ue4: OnceCell::new(),
        }
    }

    /// Resolves an object index of this package.
    #[must_use]
    pub fn resolve(&self, index: PackageObjectIndex) -> Resolved {
        let found = match index.decode() {
            ObjectRef::Null => return Resolved::Null,
            ObjectRef::Invalid => Err((Unresolved::Invalid, None)),
            // A path inside the package is known without neighbours.
            ObjectRef::Export(export) => self.header.path_of_export(export as usize).map_or_else(
                |reason| Err((reason, Some(self.header.name().to_string().into()))),
                |path| Ok((path, Evidence::Own)),
            ),
            ObjectRef::Script(_) => self.remember(Key::Index(index), || self.script(index)),
            ObjectRef::Package(_) if self.header.generation.is_ue4() => {
                self.remember(Key::Index(index), || self.global(index))
            }
            // In UE5 two indices may stand for one object, so the cache is keyed by package and hash instead.
            ObjectRef::Package(import) => self.imported(import),
        };
        match found {
            Ok((path, evidence)) => Resolved::Object { path, evidence },
            Err((reason, package)) => Resolved::Unresolved { reason, package, index },
        }
    }

    /// Resolves all imports, in order.
    pub fn imports(&self) -> impl Iterator<Item = Resolved> {
        self.header.imports.iter().map(|index| self.resolve(*index))
    }

    /// Resolves the class of an export. An export without a class is a native class:
    /// `/Script/CoreUObject.Class`.
    #[must_use]
    pub fn class_of(&self, export: &Export) -> Resolved {
        // The null index has another meaning here than elsewhere.
        match self.resolve(export.class) {
            Resolved::Null => Resolved::Object {
                path: ObjectPath::new("/Script/CoreUObject", ["Class"]),
                evidence: Evidence::Own,
            },
            found => found,
        }
    }

    /// Returns the package and export that an import refers to, if the package is available: for facts that
    /// only that package has, such as the object's class.
    #[must_use]
    pub fn target(&self, index: PackageObjectIndex) -> Option<(Arc<Header>, usize)> {
        let ObjectRef::Package(import) = index.decode() else { return None };
        if self.header.generation.is_ue4() {
            // In UE4 the index is itself the identity of the object, whatever package has it.
            let package = self.owner_of(index)?;
            let export = package.find_public(PublicId::GlobalImport(index))?;
            return Some((package, export));
        }
        let (id, _) = self.imported_package(import.package())?;
        // In UE5 the index only points into two tables of the importing package.
        let hash = *self.header.imported_public_export_hashes.get(import.hash() as usize)?;
        let package = self.neighbours.package(id)?;
        let export = package.find_public(PublicId::Hash(hash))?;
        Some((package, export))
    }

    fn remember(&self, key: Key, find: impl FnOnce() -> Found) -> Found {
        if let Some(known) = self.found.borrow().get(&key) {
            return Ok(known.clone());
        }
        // Failures are not cached: they are rare, and each carries its own reason.
        let found = find()?;
        self.found.borrow_mut().insert(key, found.clone());
        Ok(found)
    }

    fn script(&self, index: PackageObjectIndex) -> Found {
        match self.neighbours.script_path(index) {
            Some(path) => Ok((path, Evidence::Script)),
            None => Err((Unresolved::NoScriptObject, None)),
        }
    }

    /// UE5: returns an imported package by its index.
    fn imported_package(&self, number: u32) -> Option<Imported> {
        if let Some(known) = self.packages.borrow().get(&number) {
            return known.clone();
        }
        // Only since 5.3 the header names its imports; before, the container header has to be asked.
        let found = if self.header.generation.has_imported_package_names() {
            let name = self.header.imported_package_names.get(number as usize);
            name.map(|name| (PackageId::from_name(name), Some(Arc::clone(name))))
        } else {
            let id = self.neighbours.imported_package(self.id, number as usize);
            id.map(|id| (id, self.neighbours.package_name(id).map(Into::into)))
        };
        self.packages.borrow_mut().insert(number, found.clone());
        found
    }

    fn imported(&self, import: PackageImport) -> Found {
        // Both indices come from the file, and may exceed their tables.
        let (id, name) = self.imported_package(import.package()).ok_or((Unresolved::NoSuchPackage, None))?;
        let hash = self.header.imported_public_export_hashes.get(import.hash() as usize);
        let hash = *hash.ok_or_else(|| (Unresolved::NoSuchHash, name.clone()))?;
        self.remember(Key::Export(import.package(), hash), || self.export(id, name, hash))
    }

    /// UE5: resolves an export of another package.
    fn export(&self, id: PackageId, name: Option<Arc<str>>, hash: u64) -> Found {
        if let Some(package) = self.neighbours.package(id) {
            // The importing package's spelling wins: the other package may have been reached through a
            // redirect.
            let name = name.unwrap_or_else(|| package.name().to_string().into());
            let export = package.find_public(PublicId::Hash(hash));
            let export = export.ok_or_else(|| (Unresolved::ExportMissing, Some(Arc::clone(&name))))?;
            return match package
                .path_of_export(export)
                .map(|path| path.in_package(Arc::clone(&name)).bounded())
            {
                Ok(Some(path)) => Ok((path, Evidence::Package)),
                Ok(None) => Err((Unresolved::TooLong, Some(name))),
                Err(reason) => Err((reason, Some(name))),
            };
        }
        // Without the other package, a name that hashes to the same value is proof enough.
        match name.as_ref().and_then(|name| guess(name, hash)) {
            Some(path) => Ok((path, Evidence::Guess)),
            None => Err((Unresolved::PackageMissing, name)),
        }
    }

    /// UE4: resolves an export of any package.
    fn global(&self, index: PackageObjectIndex) -> Found {
        if let Some(package) = self.owner_of(index) {
            let export = package.find_public(PublicId::GlobalImport(index));
            let export = export.ok_or((Unresolved::ExportMissing, None))?;
            let path = package.path_of_export(export).map_err(|reason| (reason, None))?;
            return Ok((path, Evidence::Package));
        }
        let likely = self.imported_objects().likely.get(&index);
        likely.map(|path| (path.clone(), Evidence::Guess)).ok_or((Unresolved::OwnerMissing, None))
    }

    fn owner_of(&self, index: PackageObjectIndex) -> Option<Arc<Header>> {
        // The neighbours may index all packages; otherwise the imported ones are searched.
        let imported = || self.neighbours.package(*self.imported_objects().owners.get(&index)?);
        self.neighbours.owner_of(index).or_else(imported)
    }

    /// Indexes the exports of every imported package, once.
    fn imported_objects(&self) -> &ImportedObjects {
        self.ue4.get_or_init(|| {
            let mut this = ImportedObjects::default();
            for id in self.header.imported_packages() {
                let package = self.neighbours.package(id);
                for export in package.iter().flat_map(|package| &package.exports) {
                    if let PublicId::GlobalImport(index) = export.public {
                        // The first package in order owns the object, so that results do not depend on the
                        // order of the exports.
                        this.owners.entry(index).or_insert(id);
                    }
                }
                if let Some(name) = self.neighbours.package_name(id) {
                    for path in candidates(&name.into()) {
                        let index = PackageObjectIndex::global_import(&path.to_string());
                        this.likely.entry(index).or_insert(path);
                    }
                }
            }
            this
        })
    }
}

impl Header {
    /// Returns the full path of an export: `/Game/Maps/Level.Level:PersistentLevel`. `None` if its outer
    /// objects form a cycle or lead out of the package, or if the path is longer than the engine allows.
    #[must_use]
    pub fn export_path(&self, export: usize) -> Option<ObjectPath> {
        self.path_of_export(export).ok()
    }

    fn path_of_export(&self, export: usize) -> Result<ObjectPath, Unresolved> {
        let package = self.name().to_string();
        let (mut names, mut len) = (Vec::new(), package.len());
        let mut next = PackageObjectIndex::export(u32::try_from(export).map_err(|_| Unresolved::Invalid)?);
        while !next.is_null() {
            // An outer may only be another export; anything else would leave the package.
            let ObjectRef::Export(index) = next.decode() else { return Err(Unresolved::Cycle) };
            let export = self.exports.get(index as usize).ok_or(Unresolved::Cycle)?;
            if names.len() == MAX_DEPTH {
                return Err(Unresolved::Cycle);
            }
            let name = self.text(export.name);
            // Bounded on the way, so that a long chain of names is never joined.
            len = len.saturating_add(1 + name.base.len());
            if len > MAX_PATH_LEN {
                return Err(Unresolved::TooLong);
            }
            names.push(name);
            next = export.outer;
        }
        let names = names.iter().rev().map(ToString::to_string);
        ObjectPath::new(package, names).bounded().ok_or(Unresolved::TooLong)
    }

    /// Returns the main object: the top-level export named like the package, with or without `_C`; otherwise
    /// the first public one.
    #[must_use]
    pub fn main_export(&self) -> Option<&Export> {
        let package = self.name().to_string();
        let base = package.rsplit('/').next().unwrap_or_default();
        let on_top = || self.exports.iter().filter(|export| export.outer.is_null());
        let named = |suffix: &str| {
            // Blueprints have a generated class as their main object, named with `_C`.
            let wanted = format!("{base}{suffix}");
            on_top().find(|export| self.text(export.name).to_string().eq_ignore_ascii_case(&wanted))
        };
        let public = || on_top().find(|export| export.public != PublicId::Private);
        named("").or_else(|| named("_C")).or_else(public)
    }

    /// Returns the public export hash that the path of an export gives, or 0 if it has no path.
    #[must_use]
    pub fn expected_hash(&self, export: usize) -> u64 {
        self.export_path(export).map_or(0, |path| public_export_hash(&path.names().join("/")))
    }
}

/// Returns the usual paths of the main object of a package.
fn candidates(package: &Arc<str>) -> impl Iterator<Item = ObjectPath> {
    let base = package.rsplit('/').next().unwrap_or_default().to_owned();
    // An asset, the class of a blueprint, and its class default object.
    let names = [base.clone(), format!("{base}_C"), format!("Default__{base}_C")];
    let paths = names.into_iter().map(|name| ObjectPath::new(Arc::clone(package), [name]));
    paths.filter_map(ObjectPath::bounded)
}

fn guess(package: &Arc<str>, hash: u64) -> Option<ObjectPath> {
    candidates(package).find(|path| public_export_hash(path.name()) == hash)
}
