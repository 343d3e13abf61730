//! The import map: one entry per import of the legacy package, at the same index.
//!
//! ```text
//! native object             hash of its path                                          Script
//! a package                 nothing: only its objects are imported                    Null
//! object of another package UE5: index of the imported package, and index of the public export hash
//!                           UE4: hash of its path                                     Package
//! ```

use super::error::ToZenError;
use super::source::Source;
use crate::id::{ObjectRef, PackageId, PackageObjectIndex, public_export_hash};
use crate::package::ObjectPath;
use crate::package::convert::Ids;
use crate::package::legacy::{Package, PackageIndex, PackageRef};
use crate::package::placeholder::{self, Placeholder};
use crate::package::zen::{Neighbours, PublicId};
use crate::version::ZenGeneration;
use foldhash::HashMap;
use std::sync::Arc;

/// Imports and their targets.
#[derive(Debug, Default)]
pub(super) struct Imports {
    /// Import map.
    pub map: Vec<PackageObjectIndex>,
    /// Packages of imported objects: ascending in UE5, by first use in UE4.
    pub packages: Vec<(PackageId, Arc<str>)>,
    /// Public export hashes, one per imported object, repeats included (UE5).
    pub hashes: Vec<u64>,
    /// For each import of another package's object, the index of that package.
    owners: Vec<Option<usize>>,
}

impl Imports {
    pub(super) fn new<N: Neighbours>(
        source: &Source<'_>,
        generation: ZenGeneration,
        neighbours: &N,
    ) -> Result<Self, ToZenError> {
        let package = source.package;
        let recorded = source.remainder.and_then(|remainder| remainder.imported_packages.as_ref());
        let mut this = Self::default();
        let mut places: HashMap<PackageId, usize> = HashMap::default();
        let mut objects = Vec::with_capacity(package.imports.len());
        // Placeholder imports were appended to the legacy table; the zen package never had them.
        for import in 0..package.imports.len() - placeholder::added_imports(package) {
            // Paths may be far longer than imports, so none is kept.
            let path = path(package, import)?;
            let object = match placeholder::read(&path, generation.is_ue4()) {
                None => object(&path, generation, neighbours),
                Some(Placeholder::Package) => Object::Package,
                Some(Placeholder::Script(index)) => Object::Script(index),
                Some(Placeholder::Object { owner: Some(owner), hash }) => Object::Of { owner, hash },
                // If the imported packages were kept, the owner of this object does not matter.
                Some(Placeholder::Object { owner: None, hash }) if recorded.is_some() => {
                    Object::Anywhere(hash)
                }
                Some(Placeholder::Object { .. } | Placeholder::Lost) => {
                    return Err(ToZenError::Placeholder { import, path });
                }
            };
            if let Object::Of { owner, .. } = object {
                places.entry(owner).or_insert_with(|| {
                    this.packages.push((owner, path.shared_package()));
                    this.packages.len() - 1
                });
            }
            objects.push(object);
        }
        // Two passes: indices in the import map need the sorted list of packages.
        if !generation.is_ue4() {
            this.packages.sort_by_key(|(id, _)| *id);
            places = this.packages.iter().enumerate().map(|(at, (id, _))| (*id, at)).collect();
        }
        for object in objects {
            let (owner, index) = match object {
                Object::Package => (None, PackageObjectIndex::NULL),
                Object::Anywhere(hash) => (None, PackageObjectIndex(hash)),
                Object::Script(index) => (None, index),
                Object::Of { owner, hash } => {
                    let owner = places.get(&owner).copied();
                    let ue4 = generation.is_ue4();
                    (owner, if ue4 { PackageObjectIndex(hash) } else { this.add_hash(owner, hash) })
                }
            };
            this.owners.push(owner);
            this.map.push(index);
        }
        if let Some(ids) = recorded.filter(|_| generation.is_ue4()) {
            this.record(ids);
        }
        Ok(this)
    }

    /// Converts a package index to an object index, as exports refer to it.
    pub(super) fn reference(&self, index: PackageIndex) -> PackageObjectIndex {
        match index.decode() {
            PackageRef::None => PackageObjectIndex::NULL,
            PackageRef::Export(export) => PackageObjectIndex::export(export),
            PackageRef::Import(import) => {
                self.map.get(import as usize).copied().unwrap_or(PackageObjectIndex::NULL)
            }
        }
    }

    /// Returns the import and the index of its package; `None` for native objects and packages.
    pub(super) fn owner(&self, index: PackageIndex) -> Option<(u32, usize)> {
        match index.decode() {
            PackageRef::Import(import) => Some((import, self.owners.get(import as usize).copied()??)),
            _ => None,
        }
    }

    /// Returns the imported object of another package.
    pub(super) fn object(&self, index: PackageIndex) -> Option<(PackageId, PublicId)> {
        let (import, owner) = self.owner(index)?;
        let (package, _) = self.packages.get(owner)?;
        let index = *self.map.get(import as usize)?;
        let object = match index.decode() {
            ObjectRef::Package(import) if !self.hashes.is_empty() => {
                PublicId::Hash(*self.hashes.get(import.hash() as usize)?)
            }
            _ => PublicId::GlobalImport(index),
        };
        Some((*package, object))
    }

    /// Returns all imported objects of other packages, in import order.
    pub(super) fn objects(&self) -> impl Iterator<Item = (PackageId, PublicId)> {
        let indices = (0..).take(self.map.len()).filter_map(PackageIndex::import);
        indices.filter_map(|index| self.object(index))
    }

    /// Returns true if something can wait for the object: native ones always exist already.
    pub(super) fn is_awaited(&self, index: PackageIndex) -> bool {
        match self.reference(index).decode() {
            ObjectRef::Export(_) => true,
            ObjectRef::Package(_) => index.0 < 0,
            _ => false,
        }
    }

    /// Replaces the package list of a UE4 package, which its import map does not index.
    fn record(&mut self, ids: &Ids) {
        let places: HashMap<PackageId, usize> = ids.0.iter().enumerate().map(|(at, id)| (*id, at)).collect();
        let packages = ids.0.iter().map(|id| (*id, Arc::default())).collect();
        let before = std::mem::replace(&mut self.packages, packages);
        for owner in &mut self.owners {
            *owner = owner.and_then(|at| places.get(&before.get(at)?.0).copied());
        }
    }

    fn add_hash(&mut self, owner: Option<usize>, hash: u64) -> PackageObjectIndex {
        let count = |len: usize| u32::try_from(len).unwrap_or(u32::MAX);
        let place = count(self.hashes.len());
        self.hashes.push(hash);
        PackageObjectIndex::package_import(count(owner.unwrap_or_default()), place)
    }
}

/// Target of an import.
enum Object {
    /// A package itself.
    Package,
    /// A native object.
    Script(PackageObjectIndex),
    /// UE4: an object of an unknown package.
    Anywhere(u64),
    /// An object of another package and the hash of its path: the full path in UE4, the path inside the
    /// package in UE5.
    Of { owner: PackageId, hash: u64 },
}

fn object<N: Neighbours>(path: &ObjectPath, generation: ZenGeneration, neighbours: &N) -> Object {
    let starts = |prefix: &str| {
        path.package().get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
    };
    let script = || PackageObjectIndex::script(&path.to_string());
    // Native Verse objects have no `/Script/` path, so only the script objects can tell.
    let is_script = starts("/Script/")
        || (path.package().contains("/_Verse/VNI") && neighbours.script_path(script()).is_some());
    let owner = || PackageId::from_name(path.package());
    match path.names() {
        _ if is_script => Object::Script(script()),
        [] => Object::Package,
        _ if generation.is_ue4() => {
            Object::Of { owner: owner(), hash: PackageObjectIndex::global_import(&path.to_string()).0 }
        }
        names => Object::Of { owner: owner(), hash: public_export_hash(&names.join("/")) },
    }
}

/// Returns the full path of an import. An import inside an export of this package has no package.
fn path(package: &Package, import: usize) -> Result<ObjectPath, ToZenError> {
    let index = u32::try_from(import).ok().and_then(PackageIndex::import);
    let path = index.and_then(|index| package.path(index, ""));
    path.filter(|path| !path.package().is_empty()).ok_or(ToZenError::ImportOuter { import })
}
