//! A package in two forms: as a chunk of a container, and as the cooker's files in a pak.
//!
//! Their ids have nothing in common, so only the path shows that they are the same. The one higher in the mount order wins;
//! between equals the container does, because the engine asks IoStore first.

use super::container::{Container, Role};
use super::{Entry, Store, package_path};
use crate::id::{ChunkKind, PackageId, RawChunkId, hash};
use crate::table::Table;
use crate::version::ChunkKindNumbering;
use std::sync::Arc;

impl Store {
    /// Whether packages may be there in both forms.
    pub(super) fn may_have_twins(&self) -> bool {
        let content = || self.containers.iter().filter(|container| container.role == Role::Content);
        content().any(|container| container.table.iostore().is_some())
            && content().any(|container| container.has_package_files())
    }

    /// The container that supplies the same part of a package in its other form, if one lies higher.
    pub(super) fn overridden_by_twin(&self, entry: Entry) -> Option<&Arc<Container>> {
        let container = self.container(entry)?;
        let higher = self.containers.get(..entry.container)?.iter();
        let mut higher = higher.filter(|other| other.role == Role::Content);
        match &*container.table {
            Table::Pak(_) => {
                let path = self.path(entry)?;
                let (stem, kind) = package_path::package_file(&path)?;
                let ids: Vec<PackageId> = package_path::to_package_names(stem)
                    .iter()
                    .map(|name| PackageId::from_name(name))
                    .collect();
                higher.find(|other| {
                    let numbering = other.table.iostore().map(|toc| toc.version().chunk_kind_numbering());
                    let Some(kind) = numbering.and_then(|numbering| kind.to_wire(numbering)) else {
                        return false;
                    };
                    ids.iter().any(|id| other.table.find(RawChunkId::new(id.0, 0, kind)).is_some())
                })
            }
            Table::IoStore(_) => {
                if !container.table.chunk_kind(entry.chunk).belongs_to_package() {
                    return None;
                }
                let mut paks = higher.filter(|other| other.has_package_files()).peekable();
                paks.peek()?;
                let kind = ChunkKind::ExternalFile.to_wire(ChunkKindNumbering::Ue5)?;
                let id = RawChunkId::from_hash(hash::external_file(&self.path(entry)?), kind);
                paks.find(|other| other.table.find(id).is_some())
            }
        }
    }
}

impl Container {
    /// Whether it is a pak with files of packages in it.
    pub(super) fn has_package_files(&self) -> bool {
        *self.has_package_files.get_or_init(|| {
            let Table::Pak(table) = &*self.table else { return false };
            let mut path = String::new();
            table.index().files().any(|file| {
                table.index().path_into(file, &mut path);
                package_path::package_file(&path).is_some()
            })
        })
    }
}
