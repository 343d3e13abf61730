//! JSON of a registry, written row by row.

use super::uses::{classes, tags};
use crate::asset_registry::{Asset, AssetRegistry, Bundle, Dependency, DependencyKind, Node, PackageData};
use crate::identify::view::{Members, Rows};
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

#[derive(Serialize)]
struct Whole<A: Serialize, P: Serialize, D: Serialize> {
    version: u32,
    version_name: Option<&'static str>,
    /// Absent if the version does not record it.
    #[serde(skip_serializing_if = "Option::is_none")]
    without_editor_data: Option<bool>,
    names: usize,
    asset_count: usize,
    package_count: usize,
    node_count: usize,
    /// Length in bytes of the part in an unknown form.
    #[serde(skip_serializing_if = "Option::is_none")]
    unread: Option<u64>,
    classes: Vec<Uses>,
    tags: Vec<Uses>,
    assets: A,
    packages: P,
    dependencies: D,
}

/// Name of a class or tag, with the number of assets that have it.
#[derive(Serialize)]
struct Uses {
    name: String,
    assets: u64,
}

#[derive(Serialize)]
struct AssetRow<T: Serialize> {
    path: String,
    class: String,
    package: String,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outer: Option<String>,
    package_flags: u32,
    chunk_ids: Vec<i32>,
    tags: T,
    bundles: BTreeMap<String, Vec<String>>,
}

#[derive(Serialize)]
struct PackageRow {
    name: String,
    disk_size: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    guid: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    saved_hash: Option<String>,
    cooked_hash: Option<String>,
    chunk_hashes: BTreeMap<String, String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    saved_with: Option<SavedWithRow>,
    imported_classes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    extension: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    location: Option<u8>,
}

#[derive(Serialize)]
struct SavedWithRow {
    ue4: i32,
    ue5: i32,
    licensee: i32,
    flags: u32,
    custom_versions: BTreeMap<String, i32>,
}

#[derive(Serialize)]
struct NodeRow {
    of: String,
    on: Vec<DependencyRow>,
}

#[derive(Serialize)]
struct DependencyRow {
    kind: DependencyKind,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    flags: Option<u32>,
}

pub(super) fn serialize<S: Serializer>(
    registry: &AssetRegistry<'_>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let uses =
        |rows: Vec<(String, u64)>| rows.into_iter().map(|(name, assets)| Uses { name, assets }).collect();
    let whole = Whole {
        version: registry.version().to_wire(),
        version_name: registry.version().name(),
        without_editor_data: registry.is_filtered(),
        names: registry.names().len(),
        asset_count: registry.asset_count(),
        package_count: registry.package_count(),
        node_count: registry.node_count(),
        unread: registry.unread().map(|range| range.end - range.start),
        classes: uses(classes(registry)),
        tags: uses(tags(registry)),
        // Closures, not vectors: each row is made when it is written, then dropped.
        assets: Rows(|| registry.assets().map(|asset| asset_row(registry, asset))),
        packages: Rows(|| registry.packages().map(|package| package_row(registry, &package))),
        dependencies: Rows(|| registry.nodes().map(|node| node_row(registry, &node))),
    };
    whole.serialize(serializer)
}

fn asset_row<'r, 'a>(
    registry: &'r AssetRegistry<'a>,
    asset: Asset<'a>,
) -> AssetRow<impl Serialize + use<'r, 'a>> {
    let text = |name| registry.name(name).to_string();
    let paths = |bundle: &Bundle| bundle.assets.iter().map(|asset| registry.bundle_path(asset)).collect();
    let bundles = registry.bundles(&asset);
    AssetRow {
        path: registry.object_path(&asset),
        class: registry.class_path(asset.class),
        package: text(asset.package),
        name: text(asset.name),
        group: asset.group.map(text),
        outer: asset.outer.map(text),
        package_flags: asset.package_flags,
        // The chunk numbers are little-endian records of the file.
        chunk_ids: asset.chunk_ids.iter().map(|chunk| chunk.get()).collect(),
        bundles: bundles.iter().map(|bundle| (text(bundle.name), paths(bundle))).collect(),
        // Tags of one asset are collected, because the asset is moved into the closure and the iterator
        // borrows it.
        tags: Members(move || {
            let tags: Vec<_> = registry.tags(&asset).collect();
            tags.into_iter().map(|(name, value)| {
                (registry.name(name).to_string(), registry.value_text(&value).into_owned())
            })
        }),
    }
}

fn package_row(registry: &AssetRegistry<'_>, package: &PackageData<'_>) -> PackageRow {
    let text = |name| registry.name(name).to_string();
    let hashes = package.chunk_hashes.iter().map(|chunk| (chunk.id.to_string(), hex::encode(chunk.hash)));
    PackageRow {
        name: text(package.name),
        disk_size: package.disk_size,
        guid: package.guid.map(|guid| guid.to_string()),
        saved_hash: package.saved_hash.map(hex::encode),
        cooked_hash: package.cooked_hash.map(hex::encode),
        chunk_hashes: hashes.collect(),
        saved_with: package.saved_with.map(|saved| SavedWithRow {
            ue4: saved.objects.ue4,
            ue5: saved.objects.ue5,
            licensee: saved.licensee,
            flags: saved.flags,
            custom_versions: saved
                .custom_versions
                .iter()
                .map(|version| (version.key().to_string(), version.number()))
                .collect(),
        }),
        imported_classes: registry.imported_classes(package).into_iter().map(text).collect(),
        extension: package.extension.clone(),
        location: package.location,
    }
}

fn node_row(registry: &AssetRegistry<'_>, node: &Node<'_>) -> NodeRow {
    // A node that cannot be decoded has no name to show. All nodes were checked, so none is left out.
    let row = |on: Dependency| {
        let other = registry.node(on.node)?;
        Some(DependencyRow { kind: on.kind, name: registry.identifier(other.identifier), flags: on.flags })
    };
    NodeRow { of: registry.identifier(node.identifier), on: node.dependencies().filter_map(row).collect() }
}
