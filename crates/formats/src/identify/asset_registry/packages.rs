//! Packages of a registry for people, with their assets and needs.

use crate::asset_registry::{AssetRegistry, Dependency, DependencyKind, Identifier, Name};
use crate::identify::view::{ListRow, SHOWN};
use crate::wire::size;
use std::collections::{HashMap, HashSet};

/// Limit on the assets and needs shown per package.
const DETAILS: usize = 20;

/// A package, for people.
#[derive(Default)]
struct PackageRow {
    name: String,
    /// Names and classes of the assets.
    assets: Vec<(String, String)>,
    disk_size: Option<u64>,
    needs: Vec<String>,
}

/// Returns the first packages, and the number of all.
pub(super) fn first(registry: &AssetRegistry<'_>) -> (Vec<ListRow>, usize) {
    let (mut rows, mut known) = (Vec::new(), HashMap::new());
    // Assets, package data and nodes each name packages, so a package may occur in any of the three, or in
    // all.
    let mut all: HashSet<Name> = HashSet::new();
    let nodes = registry.nodes().filter_map(|node| package(node.identifier));
    let names = registry.packages().map(|package| package.name);
    for name in registry.assets().map(|asset| asset.package).chain(names).chain(nodes) {
        // Every package counts, but only the shown ones get a row: details for all of a large game would be
        // dropped again.
        if all.insert(name) && rows.len() < SHOWN {
            known.insert(name, rows.len());
            rows.push(PackageRow { name: registry.name(name).to_string(), ..PackageRow::default() });
        }
    }
    let mut with = |name: Name, change: &mut dyn FnMut(&mut PackageRow)| {
        if let Some(row) = known.get(&name).and_then(|at| rows.get_mut(*at)) {
            change(row);
        }
    };
    for asset in registry.assets() {
        with(asset.package, &mut |row| {
            row.assets.push((registry.name(asset.name).to_string(), registry.class_path(asset.class)));
        });
    }
    for data in registry.packages() {
        // A negative size means unknown.
        with(data.name, &mut |row| row.disk_size = u64::try_from(data.disk_size).ok());
    }
    for node in registry.nodes() {
        let Some(name) = package(node.identifier) else { continue };
        with(name, &mut |row| row.needs.extend(node.dependencies().filter_map(|on| needed(registry, on))));
    }
    (rows.into_iter().map(ListRow::from).collect(), all.len())
}

/// Returns the package of a node that stands for a whole package.
fn package(identifier: Identifier) -> Option<Name> {
    match identifier {
        Identifier { package, primary_asset_type: None, object: None, value: None } => package,
        _ => None,
    }
}

/// Describes a dependency; a referencer, which is the inverse, is left out.
fn needed(registry: &AssetRegistry<'_>, on: Dependency) -> Option<String> {
    let kind = match on.kind {
        DependencyKind::Referencer => return None,
        DependencyKind::Hard => "hard",
        DependencyKind::Soft => "soft",
        DependencyKind::Package => "package",
        DependencyKind::SearchableName => "value",
        DependencyKind::SoftManage => "soft manage",
        DependencyKind::HardManage => "hard manage",
        DependencyKind::Manage => "manage",
    };
    let flags = on.flags.map_or_else(String::new, |flags| format!(", flags {flags:#x}"));
    Some(format!("needs {} ({kind}{flags})", registry.identifier(registry.node(on.node)?.identifier)))
}

impl From<PackageRow> for ListRow {
    fn from(row: PackageRow) -> Self {
        let len = row.disk_size.map_or_else(String::new, |len| format!("  {}", size(len)));
        let total = row.assets.len() + row.needs.len();
        let assets = row.assets.into_iter().map(|(name, class)| format!("{name}: {class}"));
        Self {
            text: format!("{}{len}", row.name),
            details: assets.chain(row.needs).take(DETAILS).collect(),
            more_details: total.saturating_sub(DETAILS),
        }
    }
}
