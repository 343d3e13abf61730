//! Classes and tags of the assets, by frequency.

use crate::asset_registry::AssetRegistry;
use std::collections::{BTreeMap, HashMap};

/// Returns classes with their numbers of assets, most frequent first.
pub(super) fn classes(registry: &AssetRegistry<'_>) -> Vec<(String, u64)> {
    let mut uses = HashMap::new();
    for asset in registry.assets() {
        *uses.entry(asset.class).or_default() += 1;
    }
    by_frequency(uses.into_iter().map(|(class, n)| (registry.class_path(class), n)))
}

/// Returns tags with their numbers of assets, most frequent first.
pub(super) fn tags(registry: &AssetRegistry<'_>) -> Vec<(String, u64)> {
    by_frequency(registry.tag_uses().into_iter().map(|(tag, n)| (registry.name(tag).to_string(), n)))
}

fn by_frequency(uses: impl Iterator<Item = (String, u64)>) -> Vec<(String, u64)> {
    // Names of different index may have the same text, so the sums are by text.
    let mut sums = BTreeMap::new();
    for (name, n) in uses {
        *sums.entry(name).or_default() += n;
    }
    let mut uses: Vec<_> = sums.into_iter().collect();
    // The sort is stable: names of equal frequency stay in alphabetical order.
    uses.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    uses
}
