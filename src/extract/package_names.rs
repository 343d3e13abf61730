//! Names for packages whose container has no directory index: from their own headers.

use super::inputs::Inputs;
use crate::id::{ChunkKind, PackageId};
use crate::package::zen;
use crate::pipeline::{Context, run};
use crate::store::{Container, Entry, Role, Store, package_path};
use futures_util::StreamExt;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

/// Bytes from the start of a package that hold its name table: nearly always the first, always the second.
const PREFIXES: [u64; 2] = [64 << 10, 1 << 20];

/// Reads the names of packages in containers without a directory index, so that [`Store::path`] has paths for them
/// and for their bulk data. It costs one block a package, and nothing where there is an index.
pub async fn name_packages(store: &Store, context: &Context) {
    let context = context.with_verify(false);
    for (at, container) in store.containers().iter().enumerate() {
        let nameless = container.role() == Role::Content && container.index().file_count() == 0;
        if !nameless || container.locked().is_some() {
            continue;
        }
        let is_package = |entry: &Entry| {
            let id = store.chunk_id(*entry).unwrap_or_default();
            container.toc().chunk_kind(entry.chunk) == ChunkKind::ExportBundleData
                && id.index() == 0
                && store.path(*entry).is_none()
        };
        let chunks = container.toc().chunks().map(|chunk| Entry { container: at, chunk });
        let mut wanted: Vec<Entry> = chunks.filter(is_package).collect();
        let mut paths = HashMap::new();
        let project = project(store, container);
        for len in PREFIXES {
            read_names(store, &mut wanted, len, &project, &context, &mut paths).await;
        }
        container.set_package_paths(paths);
    }
}

/// Reads that many bytes of each wanted package; those whose name they tell are wanted no more.
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
        for result in batch.pieces.iter().filter(|result| result.piece.first && result.result.is_ok()) {
            let entry = inputs.entry(batch.input, result.piece.chunk);
            let id = PackageId(store.chunk_id(entry).unwrap_or_default().id());
            if let Some(path) = path_of(batch.bytes(result), id, project) {
                paths.insert(id, path);
            }
        }
    }
    wanted.retain(|entry| !paths.contains_key(&PackageId(store.chunk_id(*entry).unwrap_or_default().id())));
}

/// The path of a package, by the start of its content. A name that is not the one of the id is not believed.
fn path_of(prefix: &[u8], id: PackageId, project: &str) -> Option<String> {
    let name = zen::package_name(prefix).filter(|name| PackageId::from_name(name) == id)?;
    let extension = if zen::contains_map(prefix) { "umap" } else { "uasset" };
    Some(format!("{}.{extension}", package_path::from_package_name(&name, project)?))
}

/// What `/Game` stands for: the folder above the container's `Content/Paks`, or the one that other containers mount.
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
