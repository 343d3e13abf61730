//! What is written comes back, in every version.

use super::model::model;
use crate::support::registry::{Quirks, Registry, VERSIONS, Value};
use proptest::prelude::*;
use uncask::asset_registry::AssetRegistry;
use uncask::version::AssetRegistryVersion;

/// Ways to write that the sources do not agree on; the last two are read because the others do not fit.
const QUIRKS: [Quirks; 4] = {
    let usual =
        Quirks { texts_last: false, no_location: false, other_manage_width: false, terminated_texts: false };
    [
        usual,
        Quirks { texts_last: true, ..usual },
        Quirks { terminated_texts: true, ..usual },
        Quirks { no_location: true, other_manage_width: true, ..usual },
    ]
};

/// The reader does not tell the two kinds of text apart.
fn normal(mut registry: Registry) -> Registry {
    for (_, value) in registry.assets.iter_mut().flat_map(|asset| &mut asset.tags) {
        if let Value::Ansi(text) | Value::Wide(text) = value {
            let text = std::mem::take(text);
            *value = if text.is_ascii() { Value::Ansi(text) } else { Value::Wide(text) };
        }
    }
    registry
}

fn read(file: &[u8]) -> Registry {
    normal(model(&AssetRegistry::parse(file).unwrap_or_else(|fault| panic!("{fault}"))))
}

#[test]
fn every_version_with_every_record() {
    assert_eq!(VERSIONS.count(), AssetRegistryVersion::all().count());
    for version in VERSIONS {
        let sample = normal(Registry::sample(version));
        for quirks in QUIRKS {
            let mut expected = sample.clone();
            if quirks.no_location {
                for package in &mut expected.packages {
                    package.location = None;
                }
            }
            if quirks.other_manage_width {
                // What does not fit into fewer bits is lost.
                for (_, flags) in expected.nodes.iter_mut().flat_map(|node| &mut node.lists[3]) {
                    *flags &= 1;
                }
            }
            let file = sample.write(quirks);
            assert_eq!(read(&file), expected, "version {version}, {quirks:?}");
        }
    }
}

proptest! {
    #[test]
    fn any_registry_of_any_version(version in VERSIONS, seed: u64) {
        let registry = normal(Registry::random(version, seed));
        prop_assert_eq!(read(&registry.write(Quirks::default())), registry);
    }
}

#[test]
fn an_empty_registry_of_any_version() {
    for version in VERSIONS {
        let empty = Registry { version, ..Registry::default() };
        assert_eq!(read(&empty.write(Quirks::default())), empty);
    }
}

#[test]
fn texts_of_values_and_paths() {
    let file = Registry::sample(22).write(Quirks::default());
    let registry = AssetRegistry::parse(&file).unwrap();
    let lines: Vec<String> = registry
        .assets()
        .flat_map(|asset| {
            let path = registry.object_path(&asset);
            let head = format!("{path}: {}", registry.class_path(asset.class));
            let tags: Vec<String> = registry
                .tags(&asset)
                .map(|(name, value)| format!("  {} = {}", registry.name(name), registry.value_text(&value)))
                .collect();
            let bundles = registry.bundles(&asset);
            let below = bundles.iter().flat_map(|bundle| &bundle.assets);
            let below: Vec<String> =
                below.map(|asset| format!("  > {}", registry.bundle_path(asset))).collect();
            [vec![head], tags, below].concat()
        })
        .chain(registry.nodes().map(|node| registry.identifier(node.identifier)))
        .collect();
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn tags_are_counted_as_often_as_they_are_used() {
    for version in VERSIONS {
        for seed in 0..20 {
            let file = Registry::random(version, seed).write(Quirks::default());
            let registry = AssetRegistry::parse(&file).unwrap();
            let mut expected = std::collections::HashMap::new();
            for asset in registry.assets() {
                for (name, _) in registry.tags(&asset) {
                    *expected.entry(name).or_insert(0) += 1;
                }
            }
            assert_eq!(registry.tag_uses(), expected, "version {version}, seed {seed}");
        }
    }
}

#[test]
fn a_version_to_come_is_read_as_the_newest() {
    let mut file = Registry::sample(22).write(Quirks::default());
    file[16] = 30;
    let registry = AssetRegistry::parse(&file).unwrap();
    assert_eq!((registry.version().to_wire(), registry.version().is_known()), (30, false));
    assert_eq!(registry.asset_count(), 3);
    file.pop();
    file.push(1);
    file.push(1);
    let fault = AssetRegistry::parse(&file).unwrap_err();
    assert_eq!(fault.to_string(), "asset registry: version is 30, which is not supported, offset 0x10");
}

#[test]
fn what_is_behind_the_assets_of_old_versions_is_left() {
    let registry = Registry { version: 3, ..Registry::default() };
    let mut file = registry.write(Quirks::default());
    assert_eq!(AssetRegistry::parse(&file).unwrap().unread(), None);
    // Eight bytes between the assets and the name table.
    let table = file.split_off(file.len() - 4);
    file[20] += 8;
    file.extend([[9; 8].as_slice(), &table].concat());
    assert_eq!(AssetRegistry::parse(&file).unwrap().unread(), Some(32..40));
}
