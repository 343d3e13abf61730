//! Package names from asset registries: those in paks, and loose ones near the containers.

use crate::asset_registry::{AssetRegistry, Name};
use crate::error::Error;
use crate::id::{ChunkKind, PackageId};
use crate::job::Context;
use crate::source::{is_url, read_file};
use crate::store::{Entry, Store};
use crate::wire::Partial;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::error::Error as _;
use std::path::{Path, PathBuf};

/// File name of asset registries.
const FILE_NAME: &str = "AssetRegistry.bin";

/// Facts about a package in a registry.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) name: String,
    /// True if it holds a level.
    pub(super) is_map: bool,
}

/// Looks up packages in all available registries; if several know one, the registry of the highest container wins.
/// `tell` gets the path and reason of those that cannot be read, or only in part.
pub(super) async fn find(
    store: &Store,
    context: &Context,
    wanted: &HashSet<PackageId>,
    mut tell: impl FnMut(&Path, &str),
) -> HashMap<PackageId, Known> {
    let mut known = HashMap::new();
    let limit = context.budget().total();
    for entry in in_containers(store) {
        let Some(container) = store.container(entry) else { continue };
        if container.locked_for(entry.chunk).is_some() {
            continue;
        }
        let len = container.table().chunk_len(entry.chunk);
        // A registry may be hundreds of megabytes: pay for it before reading.
        let _lease = context.budget().lease(len).await;
        let place = PathBuf::from(format!("{}:{}", container.path().display(), store.display_path(entry)));
        let read = container.read(entry.chunk, 0..u64::MAX, limit);
        let problem = match read {
            Ok(bytes) => learn(&bytes, wanted, &mut known),
            Err(error) => Some(reason(&error)),
        };
        if let Some(problem) = problem {
            tell(&place, &problem);
        }
    }
    for file in loose(store) {
        let _lease = context.budget().lease(std::fs::metadata(&file).map_or(0, |file| file.len())).await;
        let problem = match read_file(&file, limit) {
            Ok(bytes) => learn(&bytes, wanted, &mut known),
            Err(error) => Some(reason(&error)),
        };
        if let Some(problem) = problem {
            tell(&file, &problem);
        }
    }
    known
}

/// Registries in paks and containers, highest first.
fn in_containers(store: &Store) -> Vec<Entry> {
    let mut path = String::new();
    let mut is_registry = |entry: &Entry| {
        let external = |kind| kind == ChunkKind::ExternalFile;
        store.container(*entry).is_some_and(|container| external(container.table().chunk_kind(entry.chunk)))
            && store.path_into(*entry, &mut path)
            && path.rsplit('/').next().is_some_and(|name| name.eq_ignore_ascii_case(FILE_NAME))
    };
    // Base containers take part, because they lend names.
    let all = store.containers().iter().enumerate().flat_map(|(at, container)| {
        container.table().chunks().map(move |chunk| Entry { container: at, chunk })
    });
    let mut entries: Vec<Entry> = all.filter(|entry| is_registry(entry)).collect();
    store.retain_winners(&mut entries);
    entries
}

/// Loose registries: beside a container, and in the two folders above `Paks`.
fn loose(store: &Store) -> BTreeSet<PathBuf> {
    let paths = store.containers().iter().map(|container| container.path()).filter(|path| !is_url(path));
    let folders = paths.flat_map(|path| {
        let above = path.ancestors().skip(1).find(|folder| folder.ends_with("Paks"));
        let above = above.into_iter().flat_map(|paks| paks.ancestors().skip(1).take(2));
        path.parent().into_iter().chain(above)
    });
    let files: BTreeSet<PathBuf> = folders.map(|folder| folder.join(FILE_NAME)).collect();
    files.into_iter().filter(|file| file.is_file()).collect()
}

/// The reason why a registry could not be read, without its path.
fn reason(error: &Error) -> String {
    error.source().map_or_else(|| error.to_string(), ToString::to_string)
}

/// Adds a registry's facts about wanted packages, as far as it can be read; returns the reason why no further.
fn learn(bytes: &[u8], wanted: &HashSet<PackageId>, known: &mut HashMap<PackageId, Known>) -> Option<String> {
    let Partial { value: registry, fault } = match AssetRegistry::parse_partial(bytes) {
        Ok(partial) => partial,
        Err(fault) => return Some(fault.to_string()),
    };
    let mut found: HashMap<Name, bool> = HashMap::new();
    for asset in registry.assets() {
        // A registry may omit the map flag, but the level's asset has the class `World`.
        *found.entry(asset.package).or_default() |=
            asset.is_in_map() || registry.name(asset.class.name).base == "World";
    }
    let nodes = registry.nodes().filter_map(|node| node.identifier.package);
    // Dependency nodes list packages without assets, too.
    for name in registry.packages().map(|package| package.name).chain(nodes) {
        found.entry(name).or_default();
    }
    for (name, is_map) in found {
        let name = registry.name(name).to_string();
        let id = PackageId::from_name(&name);
        if wanted.contains(&id) {
            // `or_insert`: the first registry has precedence.
            known.entry(id).or_insert(Known { name, is_map });
        }
    }
    let fault = fault?;
    // A newer version of the format explains the fault better than the fault itself.
    registry.newer_than_known(Some(fault)).or_else(|| Some(fault.to_string()))
}
