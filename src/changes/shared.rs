//! Packages and files that several mods have.

use crate::id::ChunkKind;
use crate::store::{Chunk, Container};
use std::collections::BTreeMap;
use std::path::Path;

/// A package by its name, or a file by its path; both in lower case.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum ItemKey {
    Package(String),
    File(String),
}

impl ItemKey {
    /// The name or path.
    pub(crate) fn path(&self) -> &str {
        let (Self::Package(path) | Self::File(path)) = self;
        path
    }
}

/// Keys with the mods that have them, as far as these are several.
#[derive(Debug, Default)]
pub(crate) struct SharedKeys(BTreeMap<ItemKey, Vec<usize>>);

impl SharedKeys {
    /// Adds the keys of a mod.
    pub(crate) fn add(&mut self, mod_at: usize, keys: impl Iterator<Item = ItemKey>) {
        for key in keys {
            let mods = self.0.entry(key).or_default();
            // Several containers of one mod may have one chunk.
            if mods.last() != Some(&mod_at) {
                mods.push(mod_at);
            }
        }
    }

    /// Keys of several mods, with these, in order.
    pub(crate) fn several(self) -> BTreeMap<ItemKey, Vec<usize>> {
        let mut keys = self.0;
        keys.retain(|_, mods| mods.len() > 1);
        keys
    }
}

/// Key of a chunk that is no part of a package with values; `None` for one that is, and for those that every container
/// has for itself.
pub(crate) fn own_key(chunk: Chunk<'_>) -> Option<ItemKey> {
    let is_own = matches!(chunk.kind(), ChunkKind::ContainerHeader | ChunkKind::ScriptObjects);
    let path = chunk.display_path().to_lowercase();
    let is_part = chunk.is_package() || [".uasset", ".umap", ".uexp"].iter().any(|end| path.ends_with(end));
    (!is_own && !is_part).then_some(ItemKey::File(path))
}

/// True if a container is that of a mod: in a folder below `Paks`, where those of the game are not, or with a name that ends in
/// `_P` and is none of the engine's packager.
pub(crate) fn is_of_a_mod(container: &Container) -> bool {
    let folders: Vec<&Path> = container.path().ancestors().skip(1).collect();
    let is_paks = |folder: &&Path| folder.file_name().is_some_and(|name| name.eq_ignore_ascii_case("Paks"));
    // The outermost one: mods may bring folders of this name themselves.
    let is_below = folders.iter().rposition(is_paks).is_some_and(|at| at > 0);
    let is_packaged =
        container.name().to_ascii_lowercase().starts_with("pakchunk") || container.order().is_main();
    is_below || container.order().is_patch() && !is_packaged
}
