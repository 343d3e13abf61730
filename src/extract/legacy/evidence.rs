//! What is known about the engine of a game's packages.
//!
//! | clue | where |
//! |---|---|
//! | versions in another package | any container: one cook writes all packages with versions, or none |
//! | versions of tables, headers and hashes | the container of the package; then the others, the global one first |
//! | version of the asset registry | paks |
//! | `.uproject`, `Build.version`, executable | beside the game, and in paks |

use crate::container::ChunkIndex;
use crate::container::container_header::ContainerHeader;
use crate::id::ChunkKind;
use crate::package::convert::{Clue, How};
use crate::package::zen::Header;
use crate::release;
use crate::store::packages::Packages;
use crate::store::{Container, Entry};
use std::sync::OnceLock;

/// Packages of one container, and of all, whose versions are looked for.
const PROBES: (usize, usize) = (16, 64);

/// Bytes of a `.uproject` in a pak that are read.
const MAX_PROJECT: u64 = 1 << 20;

/// Clues about the engine.
#[derive(Debug)]
pub(super) struct Clues {
    /// For each container of the store, what it says itself.
    containers: Vec<Option<Clue>>,
    /// What everything else says, found out when a container's own word does not do.
    around: OnceLock<Around>,
}

#[derive(Debug)]
struct Around {
    neighbour: Option<Clue>,
    others: Vec<Clue>,
}

impl Clues {
    pub(super) fn new(packages: &Packages) -> Self {
        let containers = packages.store().containers().iter().enumerate();
        let containers = containers.map(|(at, container)| of_container(packages, at, container)).collect();
        Self { containers, around: OnceLock::new() }
    }

    /// What a container itself says.
    pub(super) fn own(&self, container: Option<usize>) -> Vec<Clue> {
        container.and_then(|at| self.containers.get(at).copied().flatten()).into_iter().collect()
    }

    /// All clues for the packages of a container, or for loose ones, the best first.
    pub(super) fn all(&self, packages: &Packages, container: Option<usize>) -> Vec<Clue> {
        let around = self.around.get_or_init(|| self.look_around(packages));
        let own = self.own(container);
        around.neighbour.into_iter().chain(own).chain(around.others.iter().copied()).collect()
    }

    fn look_around(&self, packages: &Packages) -> Around {
        let store = packages.store();
        let mut order: Vec<(&std::sync::Arc<Container>, &Option<Clue>)> =
            store.containers().iter().zip(&self.containers).collect();
        order.sort_by_key(|(container, _)| !container.is_global());
        let mut others: Vec<Clue> = Vec::new();
        for clue in order.into_iter().filter_map(|(_, clue)| *clue) {
            let clue = Clue { how: How::Containers, ..clue };
            if !others.contains(&clue) {
                others.push(clue);
            }
        }
        let (registries, projects) = in_paks(packages);
        others.extend(registries);
        others.extend(projects);
        others.extend(release::around(store.containers().iter().map(|container| container.path())));
        Around { neighbour: neighbour(packages), others }
    }
}

fn of_container(packages: &Packages, at: usize, container: &Container) -> Option<Clue> {
    let header = packages.container_header(at);
    let has_hashes = |header: &&ContainerHeader| {
        header.packages.iter().any(|package| !package.shader_map_hashes.is_empty())
    };
    let version = header.map(|header| header.layout.version);
    let hash_len = header.filter(has_hashes).map(|header| header.layout.shader_hash_len);
    Some(Clue::of_container(How::Container, container.table().iostore()?.version(), version, hash_len))
}

/// Packages that name their versions.
fn neighbour(packages: &Packages) -> Option<Clue> {
    let (of_each, of_all) = PROBES;
    let containers = packages.store().containers().iter().enumerate();
    let open = containers.filter(|(_, container)| container.locked().is_none());
    let entries = open.flat_map(|(at, container)| {
        let toc = container.table();
        let is_package = |chunk: &ChunkIndex| toc.chunk_kind(*chunk) == ChunkKind::ExportBundleData;
        toc.chunks().filter(is_package).take(of_each).map(move |chunk| Entry { container: at, chunk })
    });
    let header = |entry| Header::parse(&packages.header_bytes(entry).ok()?).ok();
    let found = entries.take(of_all).filter_map(header).filter_map(|header| header.versioning);
    // Each has the numbers of what it uses; together they tell more.
    let releases = found.map(|versions| versions.releases()).reduce(|all, more| match all.and(more) {
        both if both.is_empty() => all,
        both => both,
    })?;
    Some(Clue { how: How::Neighbour, releases })
}

/// Asset registries and project files in paks.
fn in_paks(packages: &Packages) -> (Vec<Clue>, Vec<Clue>) {
    let (mut registries, mut projects) = (Vec::new(), Vec::new());
    let mut path = String::new();
    for container in
        packages.store().containers().iter().filter(|container| container.table().pak().is_some())
    {
        for chunk in container.table().chunks() {
            let found = container.path_into(chunk, &mut path) && container.locked_for(chunk).is_none();
            if found && path.ends_with("/AssetRegistry.bin") {
                let start = container.read(chunk, 0..20, MAX_PROJECT).unwrap_or_default();
                registries.extend(release::of_file(&path, || Some(&start)));
            } else if found
                && path.ends_with(".uproject")
                && container.table().chunk_len(chunk) <= MAX_PROJECT
            {
                let text = container.read(chunk, 0..MAX_PROJECT, MAX_PROJECT).unwrap_or_default();
                projects.extend(release::of_file(&path, || Some(&text)));
            }
        }
    }
    (registries, projects)
}
