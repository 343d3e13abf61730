//! Imports and exports by full path: what a number in a header stands for.
//!
//! ```text
//! script import    hash → script objects of the global container
//! package import   UE5: imported package × public export hash → export of that package
//!                  UE4: hash of the full path → an export of any package
//! null             a package: which one is not stored
//! ```
//!
//! Other packages and the global container belong to higher floors; they are asked through [`Neighbours`]. Where the
//! other package is not at hand, its last path element is tried, as it is, with `_C`, and with `Default__` in front:
//! if the hash agrees, the name is certain and only the class is not known.

use super::{Export, Header, PublicId};
use crate::{
    id::{ObjectRef, PackageId, PackageImport, PackageObjectIndex, public_export_hash},
    package::ObjectPath,
};
use std::sync::Arc;

/// Steps after which a chain of outer objects or of classes cannot be right.
const MAX_DEPTH: usize = 64;

/// What lies outside a package.
pub trait Neighbours {
    /// Full path of a native object.
    fn script_path(&self, index: PackageObjectIndex) -> Option<String>;

    /// What the script objects tell about the kind of a native object.
    fn script_facts(&self, _index: PackageObjectIndex) -> Option<ScriptFacts> {
        None
    }

    /// Another package, by id, redirects followed.
    fn package(&self, id: PackageId) -> Option<Arc<Header>>;

    /// Imported packages of a package as its container lists them; needed before 5.3.
    fn imported_packages(&self, _id: PackageId) -> Option<Vec<PackageId>> {
        None
    }

    /// Name of a package that is not at hand.
    fn package_name(&self, _id: PackageId) -> Option<String> {
        None
    }

    /// UE4: the package that has an export with a global import index.
    fn owner_of(&self, _index: PackageObjectIndex) -> Option<Arc<Header>> {
        None
    }
}

/// What is known about the kind of a native object.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct ScriptFacts {
    /// It is a class.
    pub is_class: bool,
    /// It lies in a class.
    pub in_class: bool,
    /// Of a class default object and everything in it: full path of the class.
    pub default_of: Option<String>,
}

/// A package by itself.
impl Neighbours for () {
    fn script_path(&self, _index: PackageObjectIndex) -> Option<String> {
        None
    }

    fn package(&self, _id: PackageId) -> Option<Arc<Header>> {
        None
    }
}

/// What an object index stands for.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub enum Resolved {
    /// Nothing; as an import: some package.
    Null,
    /// An object, by its full path.
    Object {
        /// Such as `/Game/Maps/Level.Level:PersistentLevel`.
        path: ObjectPath,
        /// How the path is known.
        evidence: Evidence,
    },
    /// An object that could not be found.
    Unresolved {
        /// Why not.
        reason: Unresolved,
        /// The package it should be in, if that is known.
        package: Option<String>,
        /// The number in the file.
        index: PackageObjectIndex,
    },
}

/// How a path is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
pub enum Evidence {
    /// An export of the same package.
    Own,
    /// A script object.
    Script,
    /// An export of another package that is at hand.
    Package,
    /// The package is not at hand, but the hash is that of the name that its own name suggests.
    Guess,
}

/// Why an object could not be found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, thiserror::Error)]
pub enum Unresolved {
    /// No script object has this index.
    #[error("no script object has this index")]
    NoScriptObject,
    /// The index of the imported package is too large.
    #[error("the package's list of imported packages is shorter")]
    NoSuchPackage,
    /// The index of the public export hash is too large.
    #[error("the package's list of public export hashes is shorter")]
    NoSuchHash,
    /// The other package is not at hand.
    #[error("the package is in none of the containers")]
    PackageMissing,
    /// The other package has no such export.
    #[error("the package has no such export")]
    ExportMissing,
    /// No package at hand has an export with this index.
    #[error("no package at hand has an export with this index")]
    OwnerMissing,
    /// Outer objects lead back to themselves, or nowhere.
    #[error("the objects around it lead in a circle")]
    Cycle,
    /// The number refers to nothing.
    #[error("the number refers to nothing")]
    Invalid,
}

/// Resolves the numbers of one package.
#[derive(Debug)]
pub struct Resolver<'a, N> {
    header: &'a Header,
    neighbours: &'a N,
    imported: Vec<PackageId>,
}

impl<'a, N: Neighbours> Resolver<'a, N> {
    /// A resolver for a package among its neighbours.
    #[must_use]
    pub fn new(header: &'a Header, neighbours: &'a N) -> Self {
        let listed = || neighbours.imported_packages(header.id()).unwrap_or_default();
        let known = header.generation.has_imported_package_names() || header.generation.is_ue4();
        let imported = if known { header.imported_packages() } else { listed() };
        Self { header, neighbours, imported }
    }

    /// What an index in this package stands for.
    #[must_use]
    pub fn resolve(&self, index: PackageObjectIndex) -> Resolved {
        let found = match index.decode() {
            ObjectRef::Null => return Resolved::Null,
            ObjectRef::Invalid => Err((Unresolved::Invalid, None)),
            ObjectRef::Export(export) => match self.header.export_path(export as usize) {
                Some(path) => Ok((path, Evidence::Own)),
                None => Err((Unresolved::Cycle, Some(self.header.name().to_string()))),
            },
            ObjectRef::Script(_) => match self.neighbours.script_path(index) {
                Some(path) => Ok((ObjectPath::from_text(&path), Evidence::Script)),
                None => Err((Unresolved::NoScriptObject, None)),
            },
            ObjectRef::Package(_) if self.header.generation.is_ue4() => self.global(index),
            ObjectRef::Package(import) => self.imported(import),
        };
        match found {
            Ok((path, evidence)) => Resolved::Object { path, evidence },
            Err((reason, package)) => Resolved::Unresolved { reason, package, index },
        }
    }

    /// All imports, in order.
    pub fn imports(&self) -> impl Iterator<Item = Resolved> {
        self.header.imports.iter().map(|index| self.resolve(*index))
    }

    /// Class of an export. An export without class is a native class: `/Script/CoreUObject.Class`.
    #[must_use]
    pub fn class_of(&self, export: &Export) -> Resolved {
        match self.resolve(export.class) {
            Resolved::Null => Resolved::Object {
                path: ObjectPath::new("/Script/CoreUObject", ["Class".to_owned()]),
                evidence: Evidence::Own,
            },
            found => found,
        }
    }

    /// The package and export that an import refers to, if the package is at hand: for what only that package knows,
    /// such as the class of the object.
    #[must_use]
    pub fn target(&self, index: PackageObjectIndex) -> Option<(Arc<Header>, usize)> {
        let ObjectRef::Package(import) = index.decode() else { return None };
        if self.header.generation.is_ue4() {
            let package = self.owner_of(index)?;
            let export = package.find_public(PublicId::GlobalImport(index))?;
            return Some((package, export));
        }
        let id = *self.imported.get(import.package() as usize)?;
        let hash = *self.header.imported_public_export_hashes.get(import.hash() as usize)?;
        let package = self.neighbours.package(id)?;
        let export = package.find_public(PublicId::Hash(hash))?;
        Some((package, export))
    }

    fn imported(
        &self,
        import: PackageImport,
    ) -> Result<(ObjectPath, Evidence), (Unresolved, Option<String>)> {
        let (package, hash) = (import.package() as usize, import.hash() as usize);
        let id = *self.imported.get(package).ok_or((Unresolved::NoSuchPackage, None))?;
        let name = self.header.imported_package_names.get(package).cloned();
        let name = name.or_else(|| self.neighbours.package_name(id));
        let hashes = &self.header.imported_public_export_hashes;
        let hash = *hashes.get(hash).ok_or_else(|| (Unresolved::NoSuchHash, name.clone()))?;
        if let Some(package) = self.neighbours.package(id) {
            let name = name.unwrap_or_else(|| package.name().to_string());
            let export = package.find_public(PublicId::Hash(hash));
            let path = export.and_then(|export| package.export_path(export));
            let path = path.ok_or_else(|| (Unresolved::ExportMissing, Some(name.clone())))?;
            return Ok((path.in_package(&name), Evidence::Package));
        }
        match name.as_ref().and_then(|name| guess(name, hash)) {
            Some(path) => Ok((path, Evidence::Guess)),
            None => Err((Unresolved::PackageMissing, name)),
        }
    }

    fn global(
        &self,
        index: PackageObjectIndex,
    ) -> Result<(ObjectPath, Evidence), (Unresolved, Option<String>)> {
        if let Some(package) = self.owner_of(index) {
            let export = package.find_public(PublicId::GlobalImport(index));
            let path = export.and_then(|export| package.export_path(export));
            return path.map(|path| (path, Evidence::Package)).ok_or((Unresolved::ExportMissing, None));
        }
        let names = self.imported.iter().filter_map(|id| self.neighbours.package_name(*id));
        let guessed = names.filter_map(|name| {
            candidates(&name).find(|path| PackageObjectIndex::global_import(&path.to_string()) == index)
        });
        guessed.map(|path| (path, Evidence::Guess)).next().ok_or((Unresolved::OwnerMissing, None))
    }

    fn owner_of(&self, index: PackageObjectIndex) -> Option<Arc<Header>> {
        let here = |package: &Arc<Header>| package.find_public(PublicId::GlobalImport(index)).is_some();
        let imported = || self.imported.iter().filter_map(|id| self.neighbours.package(*id)).find(here);
        self.neighbours.owner_of(index).or_else(imported)
    }
}

impl Header {
    /// Full path of an export: `/Game/Maps/Level.Level:PersistentLevel`. `None` if its outer objects lead in a
    /// circle, or out of the package.
    #[must_use]
    pub fn export_path(&self, export: usize) -> Option<ObjectPath> {
        let mut names = Vec::new();
        let mut next = PackageObjectIndex::export(u32::try_from(export).ok()?);
        while !next.is_null() {
            let ObjectRef::Export(index) = next.decode() else { return None };
            let export = self.exports.get(index as usize)?;
            if names.len() == MAX_DEPTH {
                return None;
            }
            names.push(self.text(export.name).to_string());
            next = export.outer;
        }
        names.reverse();
        Some(ObjectPath::new(&self.name().to_string(), names))
    }

    /// The object that the package is about: of those on top, the one that bears its name, with or without `_C`;
    /// otherwise the first that is public.
    #[must_use]
    pub fn main_export(&self) -> Option<&Export> {
        let package = self.name().to_string();
        let base = package.rsplit('/').next().unwrap_or_default();
        let on_top = || self.exports.iter().filter(|export| export.outer.is_null());
        let named = |suffix: &str| {
            let wanted = format!("{base}{suffix}");
            on_top().find(|export| self.text(export.name).to_string().eq_ignore_ascii_case(&wanted))
        };
        let public = || on_top().find(|export| export.public != PublicId::Private);
        named("").or_else(|| named("_C")).or_else(public)
    }

    /// The public export hash that the path of an export has, `0` for what has no path.
    #[must_use]
    pub fn expected_hash(&self, export: usize) -> u64 {
        self.export_path(export).map_or(0, |path| public_export_hash(&path.names().join("/")))
    }
}

/// Names that the main object of a package may have.
fn candidates(package: &str) -> impl Iterator<Item = ObjectPath> {
    let base = package.rsplit('/').next().unwrap_or_default().to_owned();
    let names = [base.clone(), format!("{base}_C"), format!("Default__{base}_C")];
    names.into_iter().map(move |name| ObjectPath::new(package, [name]))
}

fn guess(package: &str, hash: u64) -> Option<ObjectPath> {
    candidates(package).find(|path| path.names().iter().any(|name| public_export_hash(name) == hash))
}
