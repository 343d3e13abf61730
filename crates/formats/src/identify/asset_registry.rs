//! Format of asset registries.

mod json;
mod packages;
mod uses;

use super::format::{Detected, File, Finding, Format, Input, Sureness};
use super::view::{View, ViewPart};
use crate::asset_registry::AssetRegistry;
use crate::version::AssetRegistryVersion;
use crate::wire::Partial;
use crate::wire::{count, counted};
use serde::{Serialize, Serializer};

pub(super) struct Registry;

/// A registry in file form: rows for a large game would take ten times the memory.
struct RegistryView<'a>(AssetRegistry<'a>);

impl Format for Registry {
    fn detect(&self, file: &File<'_>) -> Option<Detected> {
        if file.start.starts_with(&AssetRegistryVersion::GUID) {
            return Some(Detected::new(Sureness::Mark, "the GUID of asset registries"));
        }
        // Version 0 has no GUID, so its first asset must do.
        if AssetRegistry::sniff(file.start) {
            return Some(Detected::new(Sureness::Layout, "the path of an asset, and its folder"));
        }
        // A damaged registry is still shown as one if its name says so.
        let is_named =
            file.name.file_name().is_some_and(|name| name.eq_ignore_ascii_case("AssetRegistry.bin"));
        is_named.then(|| Detected::new(Sureness::Name, "its name"))
    }

    fn read<'a>(&self, input: &Input<'a>) -> Finding<'a> {
        const STRUCTURE: &str = "asset registry";
        let Partial { value: registry, fault } = match AssetRegistry::parse_partial(input.bytes) {
            Err(fault) => return Finding::unread(STRUCTURE, fault),
            Ok(partial) => partial,
        };
        let warning = registry.newer_than_known(fault);
        // In a version newer than the known ones, a part that does not fit is no damage: the warning covers
        // it.
        let fault = fault.filter(|_| warning.is_none());
        let kind = format!("{STRUCTURE}, version {}", registry.version());
        Finding { warning, ..Finding::new(STRUCTURE, kind, RegistryView(registry), fault) }
    }
}

impl Serialize for RegistryView<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        json::serialize(&self.0, serializer)
    }
}

impl View for RegistryView<'_> {
    fn parts(&self) -> Vec<ViewPart<'_>> {
        let registry = &self.0;
        let number = |number: usize| count(number as u64);
        let version = registry.version();
        let name = version.name().map_or_else(String::new, |name| format!(", {name}"));
        let mut parts = vec![ViewPart::fact("version", format!("{version}{name}"))];
        parts.extend(registry.is_filtered().map(|is_filtered| {
            ViewPart::fact("editor data", if is_filtered { "left out" } else { "included" })
        }));
        parts.push(ViewPart::fact("names", number(registry.names().len())));
        parts.push(ViewPart::fact("assets", number(registry.asset_count())));
        parts.push(ViewPart::fact("dependencies", counted(registry.node_count() as u64, "node", "nodes")));
        parts.push(ViewPart::fact("packages", format!("{} with data", number(registry.package_count()))));
        // Only versions 2 and 3 have an unread part.
        parts.extend(registry.unread().map(|unread| {
            ViewPart::fact(
                "unread",
                format!("{} after the assets", counted(unread.end - unread.start, "byte", "bytes")),
            )
        }));
        let used = |(name, n): (String, u64)| format!("{name}  {}", counted(n, "asset", "assets"));
        // Both lists are sorted by frequency, so the shown part of a long list is the useful one.
        for (title, uses) in [("classes", uses::classes(registry)), ("tags", uses::tags(registry))] {
            parts.push(ViewPart::long_list(title, uses.len(), uses.into_iter().map(used)));
        }
        let (packages, total) = packages::first(registry);
        parts.push(ViewPart::long_list("packages", total, packages.into_iter()));
        parts
    }
}
