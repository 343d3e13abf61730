//! UE4: which package has an object.
//!
//! A package import of UE4 is a hash of the object's full path and does not say where the object is. So the headers of
//! all packages are read once, on the first question, and the objects that others may refer to are noted.

use super::{Packages, lock, parallel};
use crate::error::{Bound, Error};
use crate::id::{ChunkKind, PackageObjectIndex};
use crate::package::zen::{Header, PublicId};
use crate::store::Entry;
use crate::version::ChunkKindNumbering;
use foldhash::HashMap;
use std::sync::Arc;

/// Bytes of memory that an object takes here.
const OBJECT_LEN: u64 = 40;

/// The chunks whose packages have each object.
#[derive(Debug, Default)]
pub(super) struct Owners {
    by_object: HashMap<PackageObjectIndex, Entry>,
}

impl Packages {
    /// The package that has an object, by its global import index.
    pub(super) fn owner(&self, index: PackageObjectIndex) -> Option<Arc<Header>> {
        let owners = self.owners.get_or_init(|| self.read_owners());
        self.header(*owners.by_object.get(&index)?)
    }

    fn read_owners(&self) -> Owners {
        let is_ue4 = |numbering| numbering == ChunkKindNumbering::Ue4;
        let mut owners = Owners::default();
        for (at, container) in self.containers() {
            let toc = container.table();
            if !is_ue4(toc.chunk_kind_numbering()) {
                continue;
            }
            let chunks: Vec<Entry> = toc
                .chunks()
                .map(|chunk| Entry { container: at, chunk })
                .filter(|entry| toc.chunk_kind(entry.chunk) == ChunkKind::ExportBundleData)
                .collect();
            let found =
                parallel::map(self.store.cpu().threads(), &chunks, |entry| self.public_objects(*entry));
            for (entry, objects) in chunks.into_iter().zip(found) {
                for object in objects {
                    // The container that wins was asked first.
                    owners.by_object.entry(object).or_insert(entry);
                }
                if owners.by_object.len() as u64 * OBJECT_LEN > self.limit {
                    let what = "memory for the objects of all packages";
                    let found = owners.by_object.len() as u64 * OBJECT_LEN;
                    let path = container.path().to_owned();
                    lock(&self.problems).add(Error::Limit {
                        what,
                        found,
                        limit: self.limit,
                        bound: Bound::Memory,
                        path,
                    });
                    return owners;
                }
            }
        }
        owners
    }

    /// What others may refer to in a package; it is not kept, there are too many of them.
    fn public_objects(&self, entry: Entry) -> Vec<PackageObjectIndex> {
        let known = lock(&self.cache).get(entry).cloned();
        let header = known.unwrap_or_else(|| self.noting(self.read_header(entry)).map(Arc::new));
        let public = |id| match id {
            PublicId::GlobalImport(index) => Some(index),
            PublicId::Private | PublicId::Hash(_) => None,
        };
        header.map_or_else(Vec::new, |header| {
            header.exports.iter().filter_map(|export| public(export.public)).collect()
        })
    }
}
