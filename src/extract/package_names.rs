//! Package names for containers without a directory index, from asset registries or package headers.

mod registry;

use super::inputs::Inputs;
use crate::id::PackageId;
use crate::job::Context;
use crate::package::zen;
use crate::pipeline::run;
use crate::report::Event;
use crate::store::{Container, Entry, Role, Store, package_path};
use futures_util::StreamExt;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

/// Bytes read from the start of a package for its name table: nearly always 64 KiB suffice, else 1 MiB.
const PREFIXES: [u64; 2] = [64 << 10, 1 << 20];

/// Finds the names of packages in containers without a directory index, so that [`Store::path`] has paths for them
/// and for their bulk data.
///
/// Asset registries have most of them, even those of locked containers; the rest is read from headers, at a cost of one
/// block per package. If every package has a path, nothing is read. A registry that cannot be read is reported as a
/// warning.
pub async fn name_packages(store: &Store, context: &Context) {
    // A name is checked against the id, so hashes need not be checked as well.
    let context = context.with_verify(false);
    let nameless = nameless(store);
    let wanted =
        nameless.iter().flat_map(|(_, entries)| entries).map(|entry| package_id(store, *entry)).collect();
    let tell = |path: &Path, reason: &str| {
        context
            .observer()
            .on(&Event::Warning { path, message: &format!("names of packages are missing: {reason}") });
    };
    let known = match nameless.as_slice() {
        [] => HashMap::new(),
        _ => registry::find(store, &context, &wanted, tell).await,
    };
    // Containers are done one by one, and paths found before a cancel stay.
    for (at, mut entries) in nameless {
        if context.cancel_token().is_cancelled() {
            return;
        }
        let Some(container) = store.containers().get(at) else { continue };
        let project = project(store, container);
        let path = |entry: &Entry| {
            let id = package_id(store, *entry);
            let known = known.get(&id)?;
            Some((id, path_of(&known.name, known.is_map, &project)?))
        };
        let mut paths: HashMap<PackageId, String> = entries.iter().filter_map(path).collect();
        entries.retain(|entry| !paths.contains_key(&package_id(store, *entry)));
        // The headers of a locked container cannot be decrypted.
        if container.locked().is_none() {
            for len in PREFIXES {
                read_names(store, &mut entries, len, &project, &context, &mut paths).await;
            }
        }
        container.set_package_paths(paths);
    }
}

/// Packages without a path, grouped by container; only containers without a directory index.
fn nameless(store: &Store) -> Vec<(usize, Vec<Entry>)> {
    let containers = store.containers().iter().enumerate();
    let nameless = containers
        .filter(|(_, container)| container.role() == Role::Content && container.index().file_count() == 0);
    let packages = nameless.map(|(at, container)| {
        let is_package = |entry: &Entry| {
            let chunk = store.chunk(*entry);
            chunk.is_package() && !chunk.is_optional_segment() && chunk.path().is_none()
        };
        let chunks = container.table().chunks().map(|chunk| Entry { container: at, chunk });
        (at, chunks.filter(is_package).collect::<Vec<Entry>>())
    });
    packages.filter(|(_, entries)| !entries.is_empty()).collect()
}

fn package_id(store: &Store, entry: Entry) -> PackageId {
    store.chunk(entry).id().package()
}

/// Reads the first `len` bytes of each wanted package, and removes those whose name was found.
async fn read_names(
    store: &Store,
    wanted: &mut Vec<Entry>,
    len: u64,
    project: &str,
    context: &Context,
    paths: &mut HashMap<PackageId, String>,
) {
    if wanted.is_empty() {
        return;
    }
    let inputs = Inputs::with_range(store, wanted, 0..len, context, false);
    let mut decoded = Box::pin(run(Arc::clone(&inputs.inputs), context, None));
    while let Some(batch) = decoded.next().await {
        if context.cancel_token().is_cancelled() {
            return;
        }
        // The name table lies in the first piece.
        for result in batch.pieces.iter().filter(|result| result.piece.first && result.result.is_ok()) {
            let entry = inputs.entry(batch.input, result.piece.chunk);
            let id = package_id(store, entry);
            if let Some(path) = path_in(batch.bytes(result), id, project) {
                paths.insert(id, path);
            }
        }
    }
    wanted.retain(|entry| !paths.contains_key(&package_id(store, *entry)));
}

/// The path of a package, from the start of its content. A name that does not hash to the id is ignored.
fn path_in(prefix: &[u8], id: PackageId, project: &str) -> Option<String> {
    let name = zen::package_name(prefix).filter(|name| PackageId::from_name(name) == id)?;
    path_of(&name, zen::contains_map(prefix), project)
}

/// The path of a package.
fn path_of(name: &str, is_map: bool, project: &str) -> Option<String> {
    let extension = if is_map { "umap" } else { "uasset" };
    Some(format!("{}.{extension}", package_path::from_package_name(name, project)?))
}

/// The folder name that `/Game` stands for: the one above the container's `Content/Paks`, or the mount point of other
/// containers.
fn project(store: &Store, container: &Container) -> String {
    let folder = |path: &Path| {
        let content = path.ancestors().find(|folder| folder.ends_with("Content"))?;
        Some(content.parent()?.file_name()?.to_string_lossy().into_owned())
    };
    let mounted = store.containers().iter().find_map(|other| {
        let mount = other.index().mount_point().trim_start_matches("../");
        let (project, rest) = mount.split_once('/')?;
        (rest.starts_with("Content") && project != "Engine").then(|| project.to_owned())
    });
    folder(container.path()).or(mounted).unwrap_or_else(|| "Game".to_owned())
}
