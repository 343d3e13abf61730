//! UE4: finds the package that defines an object.
//!
//! A package import of UE4 is a hash of the object's full path and does not say which package defines it. So the
//! headers of all packages are read once, on the first question, and their public objects are indexed.

use super::parallel;
use crate::error::{Bound, Error};
use crate::id::{ChunkKind, PackageObjectIndex};
use crate::store::{Container, Entry, Store};
use crate::version::ChunkKindNumbering;
use foldhash::HashMap;
use std::path::Path;

/// Bytes of memory per object.
const OBJECT_LEN: u64 = 40;

/// The chunk whose package defines each object.
#[derive(Debug, Default)]
pub(super) struct Owners {
    by_object: HashMap<PackageObjectIndex, Entry>,
}

impl Owners {
    /// Indexes the public objects of every package in UE4 containers. If several packages define one, the first
    /// container in `order` wins. Objects over the memory limit are left out.
    pub(super) fn read(
        store: &Store,
        order: &[usize],
        limit: u64,
        objects: impl Fn(Entry) -> Vec<PackageObjectIndex> + Sync,
    ) -> (Self, Option<Error>) {
        let mut this = Self::default();
        for (at, container) in order.iter().filter_map(|at| Some((*at, store.containers().get(*at)?))) {
            let packages = ue4_packages(at, container);
            let found = parallel::map(store.cpu().threads(), &packages, |entry| objects(*entry));
            for (entry, objects) in packages.into_iter().zip(found) {
                for object in objects {
                    this.by_object.entry(object).or_insert(entry);
                }
                // Checked per container: a partial index still resolves most imports.
                if this.memory() > limit {
                    let problem = this.too_many(limit, container.path());
                    return (this, Some(problem));
                }
            }
        }
        (this, None)
    }

    /// The chunk whose package defines an object, by its global import index.
    pub(super) fn find(&self, index: PackageObjectIndex) -> Option<Entry> {
        self.by_object.get(&index).copied()
    }

    fn memory(&self) -> u64 {
        self.by_object.len() as u64 * OBJECT_LEN
    }

    fn too_many(&self, limit: u64, path: &Path) -> Error {
        Error::Limit {
            what: "memory for the objects of all packages",
            found: self.memory(),
            limit,
            bound: Bound::Memory,
            path: path.to_owned(),
        }
    }
}

/// The packages of a UE4 container; none for other containers.
fn ue4_packages(at: usize, container: &Container) -> Vec<Entry> {
    let toc = container.table();
    if toc.chunk_kind_numbering() != ChunkKindNumbering::Ue4 {
        return Vec::new();
    }
    let packages = toc.chunks().filter(|chunk| toc.chunk_kind(*chunk) == ChunkKind::ExportBundleData);
    packages.map(|chunk| Entry { container: at, chunk }).collect()
}
