//! Asset registries: what is in them, without holding it all at once.

mod json;

use super::Finding;
use super::view::{View, counts, line};
use crate::printer::{Out, count, counted, size};
use serde::{Serialize, Serializer};
use std::collections::{BTreeMap, HashMap, HashSet};
use uncask::asset_registry::{AssetRegistry, Dependency, DependencyKind, Identifier, Name};
use uncask::wire::Partial;

/// Rows of a list that people are shown.
const MAX_ROWS: usize = 100;
/// Dependencies of a package that people are shown.
const MAX_DEPENDENCIES: usize = 20;

/// A registry, as bytes: those of large games would take ten times the memory as rows.
pub(super) struct RegistryView {
    bytes: Vec<u8>,
}

/// A package, for people.
#[derive(Default)]
struct PackageRow {
    name: String,
    /// Names and classes of its assets.
    assets: Vec<(String, String)>,
    disk_size: Option<u64>,
    needs: Vec<String>,
}

/// Reads a registry.
pub(super) fn look(detected_by: String, bytes: Vec<u8>) -> Finding {
    const STRUCTURE: &str = "asset registry";
    let (version, fault, warning) = match AssetRegistry::parse_partial(&bytes) {
        Err(fault) => {
            let (kind, fault) = (STRUCTURE.to_owned(), Some((STRUCTURE, fault)));
            return Finding { kind, detected_by, view: View::Unread, fault, warning: None };
        }
        Ok(Partial { value, fault }) => (value.version(), fault, value.newer_than_known(fault)),
    };
    Finding {
        kind: format!("{STRUCTURE}, version {version}"),
        detected_by,
        view: View::Registry(Box::new(RegistryView { bytes })),
        // What does not fit in a version that nobody knows is no damage; the warning tells of it.
        fault: fault.filter(|_| warning.is_none()).map(|fault| (STRUCTURE, fault)),
        warning,
    }
}

impl RegistryView {
    fn with<T>(&self, then: impl FnOnce(&AssetRegistry<'_>) -> T) -> Option<T> {
        // It was read once before.
        AssetRegistry::parse_partial(&self.bytes).ok().map(|partial| then(&partial.value))
    }

    pub(super) fn print(&self, out: &mut Out) -> anyhow::Result<()> {
        self.with(|registry| print(registry, out)).transpose().map(drop)
    }
}

impl Serialize for RegistryView {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let registry = AssetRegistry::parse_partial(&self.bytes).map_err(serde::ser::Error::custom)?;
        json::serialize(&registry.value, serializer)
    }
}

fn print(registry: &AssetRegistry<'_>, out: &mut Out) -> anyhow::Result<()> {
    let number = |number: usize| count(number as u64);
    let version = registry.version();
    let name = version.name().map_or_else(String::new, |name| format!(", {name}"));
    line(out, "version", &format!("{version}{name}"))?;
    if let Some(is_filtered) = registry.is_filtered() {
        line(out, "editor data", if is_filtered { "left out" } else { "included" })?;
    }
    line(out, "names", &number(registry.names().len()))?;
    line(out, "assets", &number(registry.asset_count()))?;
    line(out, "dependencies", &counts(&[(registry.node_count(), "node", "nodes")]))?;
    line(out, "packages", &format!("{} with data", number(registry.package_count())))?;
    if let Some(unread) = registry.unread() {
        line(out, "unread", &format!("{} bytes after the assets", count(unread.end - unread.start)))?;
    }
    let uses = |(name, assets): &(String, u64)| format!("{name}  {}", counted(*assets, "asset", "assets"));
    rows(out, "classes", &classes(registry), uses)?;
    rows(out, "tags", &tags(registry), uses)?;
    let (packages, total) = packages(registry);
    for (at, package) in packages.iter().enumerate() {
        if at == 0 {
            writeln!(out, "packages")?;
        }
        package.print(at, out)?;
    }
    more(out, packages.len(), total)
}

/// A titled, numbered list of as many rows as people may be shown.
fn rows<T>(out: &mut Out, title: &str, all: &[T], text: impl Fn(&T) -> String) -> anyhow::Result<()> {
    super::view::list(out, title, all.iter().take(MAX_ROWS).map(text))?;
    more(out, all.len().min(MAX_ROWS), all.len())
}

fn more(out: &mut Out, shown: usize, total: usize) -> anyhow::Result<()> {
    match total.saturating_sub(shown) {
        0 => Ok(()),
        left => Ok(writeln!(out, "  … {} more; --json has all", count(left as u64))?),
    }
}

/// Classes with their numbers of assets, the most frequent first.
fn classes(registry: &AssetRegistry<'_>) -> Vec<(String, u64)> {
    let mut uses = HashMap::new();
    for asset in registry.assets() {
        *uses.entry(asset.class).or_default() += 1;
    }
    by_frequency(uses.into_iter().map(|(class, n)| (registry.class_path(class), n)))
}

/// Tags with their numbers of assets, the most frequent first.
fn tags(registry: &AssetRegistry<'_>) -> Vec<(String, u64)> {
    by_frequency(registry.tag_uses().into_iter().map(|(tag, n)| (registry.name(tag).to_string(), n)))
}

fn by_frequency(uses: impl Iterator<Item = (String, u64)>) -> Vec<(String, u64)> {
    let mut sums = BTreeMap::new();
    for (name, n) in uses {
        *sums.entry(name).or_default() += n;
    }
    let mut uses: Vec<_> = sums.into_iter().collect();
    uses.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    uses
}

/// The first packages, and how many there are.
fn packages(registry: &AssetRegistry<'_>) -> (Vec<PackageRow>, usize) {
    let (mut rows, mut known) = (Vec::new(), HashMap::new());
    let mut all: HashSet<Name> = HashSet::new();
    let nodes = registry.nodes().filter_map(|node| package(node.identifier));
    let names = registry.packages().map(|package| package.name);
    for name in registry.assets().map(|asset| asset.package).chain(names).chain(nodes) {
        if all.insert(name) && rows.len() < MAX_ROWS {
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
    let total = all.len();
    (rows, total)
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

impl PackageRow {
    fn print(&self, at: usize, out: &mut Out) -> anyhow::Result<()> {
        let len = self.disk_size.map_or_else(String::new, |len| format!("  {}", size(len)));
        writeln!(out, "  [{at}] {}{len}", self.name)?;
        let assets = self.assets.iter().map(|(name, class)| format!("{name}: {class}"));
        let lines = assets.chain(self.needs.iter().cloned());
        for line in lines.take(MAX_DEPENDENCIES) {
            writeln!(out, "      {line}")?;
        }
        match (self.assets.len() + self.needs.len()).saturating_sub(MAX_DEPENDENCIES) {
            0 => Ok(()),
            left => Ok(writeln!(out, "      … {} more", count(left as u64))?),
        }
    }
}
