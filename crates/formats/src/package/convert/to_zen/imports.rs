//! The import map: one entry for each import of the legacy package, at the same place.
//!
//! ```text
//! native object             hash of its path                                          Script
//! a package                 nothing: it is an object of it that is imported           Null
//! object of another package UE5: place of the package among those imported, and place of the object's hash
//!                           UE4: hash of its path                                     Package
//! ```

use super::ToZenError;
use crate::id::{ObjectRef, PackageId, PackageObjectIndex, public_export_hash};
use crate::package::ObjectPath;
use crate::package::legacy::{Package, PackageIndex, PackageRef};
use crate::package::zen::Neighbours;
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
        package: &Package,
        generation: ZenGeneration,
        neighbours: &N,
    ) -> Result<Self, ToZenError> {
        let mut paths = Vec::with_capacity(package.imports.len());
        for import in 0..package.imports.len() {
            paths.push(object(package, import, neighbours)?);
        }
        let mut this = Self::default();
        let mut places: HashMap<PackageId, usize> = HashMap::default();
        for owner in paths.iter().filter_map(Object::owner) {
            let next = this.packages.len();
            if *places.entry(owner.0).or_insert(next) == next {
                this.packages.push(owner);
            }
        }
        if !generation.is_ue4() {
            this.packages.sort_by_key(|(id, _)| *id);
            places = this.packages.iter().enumerate().map(|(at, (id, _))| (*id, at)).collect();
        }
        for object in paths {
            let owner = object.owner().and_then(|(id, _)| places.get(&id).copied());
            this.owners.push(owner);
            let index = match object {
                Object::Package => PackageObjectIndex::NULL,
                Object::Script(index) => index,
                Object::Of(path) if generation.is_ue4() => {
                    PackageObjectIndex::global_import(&path.to_string())
                }
                Object::Of(path) => this.add_hash(owner, &path),
            };
            this.map.push(index);
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

    /// Whether an import is of an object that something can wait for: native ones are always there.
    pub(super) fn is_awaited(&self, index: PackageIndex) -> bool {
        match self.reference(index).decode() {
            ObjectRef::Export(_) => true,
            ObjectRef::Package(_) => index.0 < 0,
            _ => false,
        }
    }

    fn add_hash(&mut self, owner: Option<usize>, path: &ObjectPath) -> PackageObjectIndex {
        let count = |len: usize| u32::try_from(len).unwrap_or(u32::MAX);
        let place = count(self.hashes.len());
        self.hashes.push(public_export_hash(&path.names().join("/")));
        PackageObjectIndex::package_import(count(owner.unwrap_or_default()), place)
    }
}

/// What is imported.
enum Object {
    /// A package as such.
    Package,
    /// A native object.
    Script(PackageObjectIndex),
    /// An object of another package.
    Of(ObjectPath),
}

impl Object {
    fn owner(&self) -> Option<(PackageId, Arc<str>)> {
        match self {
            Self::Of(path) => Some((PackageId::from_name(path.package()), path.shared_package())),
            _ => None,
        }
    }
}

fn object<N: Neighbours>(package: &Package, import: usize, neighbours: &N) -> Result<Object, ToZenError> {
    let fault = ToZenError::ImportOuter { import };
    let index = u32::try_from(import).ok().and_then(PackageIndex::import);
    let path = index.and_then(|index| package.path(index, "")).ok_or_else(|| fault.clone())?;
    if path.package().is_empty() {
        // It lies in an export of this package.
        return Err(fault);
    }
    let starts = |prefix: &str| {
        path.package().get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
    };
    let script = || PackageObjectIndex::script(&path.to_string());
    let is_script = starts("/Script/")
        || (path.package().contains("/_Verse/VNI") && neighbours.script_path(script()).is_some());
    Ok(match path.names() {
        _ if is_script => Object::Script(script()),
        [] => Object::Package,
        _ => Object::Of(path),
    })
}
