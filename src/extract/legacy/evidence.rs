//! Clues about the engine release of a game's packages.
//!
//! | clue | source |
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

/// Packages searched for versions, per container and in total.
const PROBES: (usize, usize) = (16, 64);

/// The longest `.uproject` read from a pak, in bytes.
const MAX_PROJECT: u64 = 1 << 20;

/// Clues about the engine release.
#[derive(Debug)]
pub(super) struct Clues {
    /// Each container's own clue.
    containers: Vec<Option<Clue>>,
    /// All other clues, gathered only if a container's own one is not decisive.
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

    /// A container's own clue.
    pub(super) fn own(&self, container: Option<usize>) -> Vec<Clue> {
        container.and_then(|at| self.containers.get(at).copied().flatten()).into_iter().collect()
    }

    /// All clues for the packages of a container, or for loose ones, best first.
    pub(super) fn all(&self, packages: &Packages, container: Option<usize>) -> Vec<Clue> {
        let around = self.around.get_or_init(|| self.look_around(packages));
        let own = self.own(container);
        around.neighbour.into_iter().chain(own).chain(around.others.iter().copied()).collect()
    }

    fn look_around(&self, packages: &Packages) -> Around {
        let store = packages.store();
        let mut order: Vec<(&std::sync::Arc<Container>, &Option<Clue>)> =
            store.containers().iter().zip(&self.containers).collect();
        // The global container was written with the game itself; mods may be from another release.
        order.sort_by_key(|(container, _)| !container.is_global());
        let mut others: Vec<Clue> = Vec::new();
        for clue in order.into_iter().filter_map(|(_, clue)| *clue) {
            // Containers of one cook say the same, so each distinct clue is kept once.
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
    // The length of shader hashes is only known where a package has any.
    let has_hashes = |header: &&ContainerHeader| {
        header.packages.iter().any(|package| !package.shader_map_hashes.is_empty())
    };
    let version = header.map(|header| header.layout.version);
    let hash_len = header.filter(has_hashes).map(|header| header.layout.shader_hash_len);
    Some(Clue::of_container(How::Container, container.table().iostore()?.version(), version, hash_len))
}

/// Releases deduced from packages that record their versions.
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
    // Each package lists only the version numbers of features it uses, so several narrow the range further.
    let releases = found.map(|versions| versions.releases()).reduce(|all, more| match all.and(more) {
        // Contradicting packages, e.g. of a mod, must not exclude every release: the earlier ones win.
        both if both.is_empty() => all,
        both => both,
    })?;
    Some(Clue { how: How::Neighbour, releases })
}

/// Clues from asset registries and project files in paks.
fn in_paks(packages: &Packages) -> (Vec<Clue>, Vec<Clue>) {
    let (mut registries, mut projects) = (Vec::new(), Vec::new());
    let mut path = String::new();
    for container in
        packages.store().containers().iter().filter(|container| container.table().pak().is_some())
    {
        for chunk in container.table().chunks() {
            let found = container.path_into(chunk, &mut path) && container.locked_for(chunk).is_none();
            if found && path.ends_with("/AssetRegistry.bin") {
                // The version is in the first 20 bytes; a registry itself may be hundreds of megabytes.
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
