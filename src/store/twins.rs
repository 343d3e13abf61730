//! Packages in two forms: a chunk of a container, and cooked files in a pak.
//!
//! Their ids have nothing in common; only the path shows that they are the same package. The one higher in the mount
//! order wins; on a tie the container does, because the engine asks IoStore first.

use super::container::{Container, Role};
use super::{Entry, Store, package_path};
use crate::id::{ChunkKind, PackageId, RawChunkId, hash};
use crate::table::Table;
use crate::version::ChunkKindNumbering;
use std::sync::Arc;

impl Store {
    /// True if packages may exist in both forms.
    pub(super) fn may_have_twins(&self) -> bool {
        let content = || self.containers.iter().filter(|container| container.role == Role::Content);
        content().any(|container| container.table.iostore().is_some())
            && content().any(|container| container.has_package_files())
    }

    /// The container that supplies the same part of a package in its other form, if one is higher.
    pub(super) fn overridden_by_twin(&self, entry: Entry) -> Option<&Arc<Container>> {
        let container = self.container(entry)?;
        let higher = self.containers.get(..entry.container)?.iter();
        let mut higher = higher.filter(|other| other.role == Role::Content);
        match &*container.table {
            Table::Pak(_) => {
                let path = self.path(entry)?;
                let (stem, kind) = package_path::package_file(&path)?;
                // The plugin's name is a guess from the path, so every candidate name's id is looked up.
                let ids: Vec<PackageId> = package_path::to_package_names(stem)
                    .iter()
                    .map(|name| PackageId::from_name(name))
                    .collect();
                higher.find(|other| {
                    let numbering = other.table.iostore().map(|toc| toc.version().chunk_kind_numbering());
                    let Some(kind) = numbering.and_then(|numbering| kind.to_wire(numbering)) else {
                        return false;
                    };
                    // Index 0: a cooked file is never an optional segment.
                    ids.iter().any(|id| other.table.find(RawChunkId::new(id.0, 0, kind)).is_some())
                })
            }
            Table::IoStore(_) => {
                if !container.table.chunk_kind(entry.chunk).belongs_to_package() {
                    return None;
                }
                // Computing a chunk's path is costly, so look for a pak first.
                let mut paks = higher.filter(|other| other.has_package_files()).peekable();
                paks.peek()?;
                // A pak's files have ids made from their paths, as `ExternalFile` chunks do in a container.
                let kind = ChunkKind::ExternalFile.to_wire(ChunkKindNumbering::Ue5)?;
                let id = RawChunkId::from_hash(hash::external_file(&self.path(entry)?), kind);
                paks.find(|other| other.table.find(id).is_some())
            }
        }
    }
}

impl Container {
    /// True for a pak that holds package files.
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
