//! Game that a mod is for.

use crate::codec::Method;
use crate::container::container_header::ContainerHeader;
use crate::crypto::AesKey;
use crate::id::{ChunkKind, ContainerId, Guid, PackageId, PackageObjectIndex};
use crate::objection::Objection;
use crate::package::ObjectPath;
use crate::package::convert::to_legacy::{Clue, How};
use crate::package::legacy::UNVERSIONED_PROPERTIES;
use crate::package::zen::{Header, Neighbours};
use crate::property::Schemas;
use crate::store::packages::Packages;
use crate::store::{Container, package_path};
use crate::version::{Releases, TocVersion};
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

/// Number of paths in a container that are searched for the name of the project.
const LOOKED_AT: usize = 1000;

/// Containers of a game.
#[derive(Debug)]
pub struct BaseGame {
    packages: Arc<Packages>,
    schemas: Option<Arc<Schemas>>,
}

impl BaseGame {
    /// Uses the packages of the game's containers.
    #[must_use]
    pub fn new(packages: impl Into<Arc<Packages>>) -> Self {
        Self { packages: packages.into(), schemas: None }
    }

    /// Adds the properties of the game's classes.
    #[must_use]
    pub fn with_schemas(self, schemas: Arc<Schemas>) -> Self {
        Self { schemas: Some(schemas), ..self }
    }

    /// Returns the properties of its classes, if known.
    pub(super) fn schemas(&self) -> Option<&Schemas> {
        self.schemas.as_deref()
    }

    /// Returns its packages.
    #[must_use]
    pub fn packages(&self) -> &Packages {
        &self.packages
    }

    /// Returns the version of its containers; `None` if it has none.
    #[must_use]
    pub fn toc_version(&self) -> Option<TocVersion> {
        self.main().and_then(|container| Some(container.table().iostore()?.version()))
    }

    /// Returns its compression method.
    #[must_use]
    pub fn method(&self) -> Option<Method> {
        let mut methods = self.main()?.table().methods().names().filter_map(Method::from_name);
        Some(methods.find(|method| *method != Method::None).unwrap_or(Method::None))
    }

    /// Returns the uncompressed size of its blocks, in bytes.
    #[must_use]
    pub fn block_size(&self) -> Option<u32> {
        self.main().and_then(|container| Some(container.table().iostore()?.block_size()))
    }

    /// Returns the largest size of its `.ucas` files in bytes, if there is a limit.
    #[must_use]
    pub fn partition_size(&self) -> Option<u64> {
        let size = self.main()?.table().iostore()?.partition_size();
        (size != u64::MAX && size > 0).then_some(size)
    }

    /// Returns the key of its containers and the key's GUID, if they are encrypted.
    #[must_use]
    pub fn key(&self) -> Option<(Guid, AesKey)> {
        let main = self.main()?;
        Some((main.table().iostore()?.encryption_key_guid(), main.cipher()?.key().clone()))
    }

    /// Returns the releases that may have written its containers.
    pub(in crate::pack) fn releases(&self) -> Option<Releases> {
        let containers = self.packages.store().containers().iter().enumerate();
        let clues = containers.filter_map(|(at, container)| self.clue(at, container));
        clues.map(|clue| clue.releases).reduce(|all, more| match all.and(more) {
            // Mods in the folder may be for another engine release; they must not rule out all others.
            both if both.is_empty() => all,
            both => both,
        })
    }

    fn clue(&self, at: usize, container: &Container) -> Option<Clue> {
        let header = self.packages.container_header(at);
        // An empty list does not show the length of its hashes.
        let has_hashes = |header: &&ContainerHeader| {
            header.packages.iter().any(|package| !package.shader_map_hashes.is_empty())
        };
        let version = header.map(|header| header.layout.version);
        let hash_len = header.filter(has_hashes).map(|header| header.layout.shader_hash_len);
        Some(Clue::of_container(How::Container, container.table().iostore()?.version(), version, hash_len))
    }

    /// True if it has a package.
    pub(in crate::pack) fn has(&self, id: PackageId) -> bool {
        self.packages.find(self.packages.redirected(id)).is_some()
    }

    /// Objects to a package that stores its properties differently from the game's package that it replaces.
    pub(in crate::pack) fn property_format(&self, id: PackageId, flags: u32) -> Option<Objection> {
        let base = self.packages.header(self.packages.find(id)?)?;
        // A different flag means a cook by another engine version, or with other settings.
        let unversioned = base.package_flags & UNVERSIONED_PROPERTIES != 0;
        ((base.package_flags ^ flags) & UNVERSIONED_PROPERTIES != 0)
            .then_some(Objection::OtherProperties { unversioned })
    }

    /// Returns the wanted names, in lower case, that match a path of the game's packages. The project may
    /// have another name.
    pub(in crate::pack) fn names_by_path<'a>(&self, wanted: &HashSet<&'a str>) -> HashSet<&'a str> {
        let (mut found, mut path) = (HashSet::new(), String::new());
        let containers = self.packages.store().containers().iter();
        for container in containers.filter(|container| container.table().iostore().is_some()) {
            let table = container.table();
            for chunk in table.chunks() {
                path.clear();
                let is_package = table.chunk_kind(chunk) == ChunkKind::ExportBundleData;
                if is_package && container.path_into(chunk, &mut path) {
                    let names = package_path::to_package_names(&path).into_iter();
                    found.extend(names.filter_map(|name| wanted.get(name.to_ascii_lowercase().as_str())));
                }
            }
        }
        found
    }

    /// Returns the path of a container with this id, other than the caller's own.
    pub(in crate::pack) fn container_with(
        &self,
        id: ContainerId,
        is_own: impl Fn(&Path) -> bool,
    ) -> Option<&Path> {
        let containers = self.packages.store().containers().iter();
        let with_id = containers.filter(|container| container.table().container_id() == Some(id));
        with_id.map(|container| container.path()).find(|path| !is_own(path))
    }

    /// Returns the game without some containers; `None` if that leaves all or none.
    pub(in crate::pack) fn without(&self, is_out: impl Fn(&Container) -> bool) -> Option<Self> {
        let all = self.packages.store();
        let left = all.without(is_out);
        let is_other = left.containers().len() < all.containers().len() && !left.containers().is_empty();
        let schemas = self.schemas.clone();
        is_other.then(|| Self { schemas, ..Self::new(Packages::new(&left, self.packages.limit())) })
    }

    /// Returns two facts: whether its release may only mount a `.pak` with a `.utoc` next to it, and whether
    /// that is certain. A game without containers never needs one.
    pub(in crate::pack) fn needs_tables(&self) -> (bool, bool) {
        self.releases().filter(|_| self.toc_version().is_some()).map_or((false, false), |releases| {
            let needing = releases.and(Releases::needing_tables_beside_paks());
            (!needing.is_empty(), needing == releases)
        })
    }

    /// Returns the version of the empty container that its paks may need next to them.
    #[must_use]
    pub fn pak_table(&self) -> Option<TocVersion> {
        self.toc_version().filter(|_| self.needs_tables().0)
    }

    /// Returns the folder of the project, which `/Game` stands for.
    pub(in crate::pack) fn project(&self) -> Option<String> {
        let mut path = String::new();
        // From the end: mods come first, since they win over the game's own containers.
        for container in self.packages.store().containers().iter().rev() {
            for chunk in container.table().chunks().take(LOOKED_AT) {
                if !container.path_into(chunk, &mut path) {
                    continue;
                }
                let is_game = package_path::to_package_names(&path)
                    .first()
                    .is_some_and(|name| name.starts_with("/Game/"));
                // Engine content and plugins have a `Content` folder as well, but are not below `/Game`.
                if let Some((project, _)) = path.split_once("/Content/").filter(|_| is_game) {
                    return Some(project.to_owned());
                }
            }
        }
        None
    }

    /// Returns the folder of its container with the most chunks, or of its first pak if it has no container.
    pub(in crate::pack) fn folder(&self) -> Option<&Path> {
        let first = || self.packages.store().containers().first();
        self.main().or_else(first)?.path().parent()
    }

    /// Returns the container with the most chunks.
    fn main(&self) -> Option<&Arc<Container>> {
        let containers = self.packages.store().containers().iter();
        let with_tables =
            containers.filter(|container| container.table().iostore().is_some() && !container.is_global());
        // Mods are small: the largest container shows the game's own settings.
        with_tables.max_by_key(|container| container.table().chunk_count())
    }
}

impl Neighbours for BaseGame {
    fn script_path(&self, index: PackageObjectIndex) -> Option<ObjectPath> {
        self.packages.script_path(index)
    }

    fn package(&self, id: PackageId) -> Option<Arc<Header>> {
        self.packages.package(id)
    }
}
