//! The packages of a registry, for people: with their assets and what they need.

use crate::asset_registry::{AssetRegistry, Dependency, DependencyKind, Identifier, Name};
use crate::identify::view::{ListRow, SHOWN};
use crate::wire::size;
use std::collections::{HashMap, HashSet};

/// Assets and dependencies of a package that people are shown.
const DETAILS: usize = 20;

/// A package, for people.
#[derive(Default)]
struct PackageRow {
    name: String,
    /// Names and classes of its assets.
    assets: Vec<(String, String)>,
    disk_size: Option<u64>,
    needs: Vec<String>,
}

/// The first packages, and how many there are.
pub(super) fn first(registry: &AssetRegistry<'_>) -> (Vec<ListRow>, usize) {
    let (mut rows, mut known) = (Vec::new(), HashMap::new());
    let mut all: HashSet<Name> = HashSet::new();
    let nodes = registry.nodes().filter_map(|node| package(node.identifier));
    let names = registry.packages().map(|package| package.name);
    for name in registry.assets().map(|asset| asset.package).chain(names).chain(nodes) {
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
        with(data.name, &mut |row| row.disk_size = u64::try_from(data.disk_size).ok());
    }
    for node in registry.nodes() {
        let Some(name) = package(node.identifier) else { continue };
        with(name, &mut |row| row.needs.extend(node.dependencies().filter_map(|on| needed(registry, on))));
    }
    (rows.into_iter().map(ListRow::from).collect(), all.len())
}

/// The package that a node is, if it is one.
fn package(identifier: Identifier) -> Option<Name> {
    match identifier {
        Identifier { package, primary_asset_type: None, object: None, value: None } => package,
        _ => None,
    }
}

/// A dependency in words; the other direction is none.
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
