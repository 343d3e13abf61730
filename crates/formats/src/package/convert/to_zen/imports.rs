//! The import map: one entry for each import of the legacy package, at the same place.
//!
//! ```text
//! native object             hash of its path                                          Script
//! a package                 nothing: it is an object of it that is imported           Null
//! object of another package UE5: place of the package among those imported, and place of the object's hash
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

/// The imports, and what they refer to.
#[derive(Debug, Default)]
pub(super) struct Imports {
    /// The import map.
    pub map: Vec<PackageObjectIndex>,
    /// Packages with objects that are imported: UE5 ascending, UE4 by their first use.
    pub packages: Vec<(PackageId, Arc<str>)>,
    /// Hashes of the objects, one for each import of one, repeats included (UE5).
    pub hashes: Vec<u64>,
    /// Of an object of another package, the place of the package.
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
        for import in 0..package.imports.len() - placeholder::added_imports(package) {
            // Paths may be far longer than imports, so none of them is kept.
            let path = path(package, import)?;
            let object = match placeholder::read(&path, generation.is_ue4()) {
                None => object(&path, generation, neighbours),
                Some(Placeholder::Package) => Object::Package,
                Some(Placeholder::Script(index)) => Object::Script(index),
                Some(Placeholder::Object { owner: Some(owner), hash }) => Object::Of { owner, hash },
                // Where the packages were kept, it does not matter in which of them it is.
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

    /// What an index of the legacy package becomes, as a reference of an export.
    pub(super) fn reference(&self, index: PackageIndex) -> PackageObjectIndex {
        match index.decode() {
            PackageRef::None => PackageObjectIndex::NULL,
            PackageRef::Export(export) => PackageObjectIndex::export(export),
            PackageRef::Import(import) => {
                self.map.get(import as usize).copied().unwrap_or(PackageObjectIndex::NULL)
            }
        }
    }

    /// The place of the package whose object is imported; `None` for native objects and for packages.
    pub(super) fn owner(&self, index: PackageIndex) -> Option<(u32, usize)> {
        match index.decode() {
            PackageRef::Import(import) => Some((import, self.owners.get(import as usize).copied()??)),
            _ => None,
        }
    }

    /// The object of another package that is imported.
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

    /// All objects of other packages, in the order of imports.
    pub(super) fn objects(&self) -> impl Iterator<Item = (PackageId, PublicId)> {
        let indices = (0..).take(self.map.len()).filter_map(PackageIndex::import);
        indices.filter_map(|index| self.object(index))
    }

    /// Whether an import is of an object that something can wait for: native ones are always there.
    pub(super) fn is_awaited(&self, index: PackageIndex) -> bool {
        match self.reference(index).decode() {
            ObjectRef::Export(_) => true,
            ObjectRef::Package(_) => index.0 < 0,
            _ => false,
        }
    }

    /// Takes over the list of a UE4 package, in which its imports do not count.
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

/// What is imported.
enum Object {
    /// A package as such.
    Package,
    /// A native object.
    Script(PackageObjectIndex),
    /// UE4: an object of some package.
    Anywhere(u64),
    /// An object of another package, by the hash of its path: UE4 the full one, UE5 that in the package.
    Of { owner: PackageId, hash: u64 },
}

fn object<N: Neighbours>(path: &ObjectPath, generation: ZenGeneration, neighbours: &N) -> Object {
    let starts = |prefix: &str| {
        path.package().get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
    };
    let script = || PackageObjectIndex::script(&path.to_string());
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

/// The full path of an import. One that lies in an export of this package is in no package.
fn path(package: &Package, import: usize) -> Result<ObjectPath, ToZenError> {
    let index = u32::try_from(import).ok().and_then(PackageIndex::import);
    let path = index.and_then(|index| package.path(index, ""));
    path.filter(|path| !path.package().is_empty()).ok_or(ToZenError::ImportOuter { import })
}
