//! Writing and reading gives the same registry, in every version.

use super::model::model;
use crate::support::registry::early::early;
use crate::support::registry::{Asset, Node, Quirks, Registry, VERSIONS, Value, plain};
use proptest::prelude::*;
use uncask::asset_registry::AssetRegistry;
use uncask::version::AssetRegistryVersion;

/// Ways to write that the sources do not agree on; the last two are read because the others do not fit.
const QUIRKS: [Quirks; 4] = {
    let usual = Quirks {
        texts_last: false,
        other_location: false,
        other_manage_width: false,
        terminated_texts: false,
    };
    [
        usual,
        Quirks { texts_last: true, ..usual },
        Quirks { terminated_texts: true, ..usual },
        Quirks { other_location: true, other_manage_width: true, ..usual },
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
    assert_eq!(VERSIONS.count() + 2, AssetRegistryVersion::all().count());
    for version in VERSIONS {
        let sample = normal(Registry::sample(version));
        for quirks in QUIRKS {
            let mut expected = sample.clone();
            if quirks.other_location {
                for package in &mut expected.packages {
                    package.location = (version >= 24).then_some(3);
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
    let mut file = Registry::sample(24).write(Quirks::default());
    file[16] = 30;
    let registry = AssetRegistry::parse(&file).unwrap();
    assert_eq!((registry.version().to_wire(), registry.version().is_known()), (30, false));
    assert_eq!(registry.asset_count(), 3);
    file.pop();
    file.push(1);
    file.push(1);
    let partial = AssetRegistry::parse_partial(&file).unwrap();
    assert_eq!((partial.value.asset_count(), partial.value.node_count()), (3, 5));
    let warning = partial.value.newer_than_known(partial.fault).unwrap();
    let (head, place) = warning.split_once(" asset registry: ").unwrap();
    assert_eq!(head, "asset registry version 30 is read as 24, the newest known, which stopped fitting:");
    let end = file.len() - 1;
    assert_eq!(place, format!("1 byte left after the end, offset {end:#x}"));
    let known = Registry::sample(24).write(Quirks::default());
    assert_eq!(AssetRegistry::parse(&known).unwrap().newer_than_known(None), None);
}

#[test]
fn names_are_written_out_in_the_first_versions() {
    for version in [0, 1] {
        let file = early(version);
        let registry = AssetRegistry::parse(&file).unwrap();
        assert_eq!(registry.version().to_wire(), version);
        let expected = |name: &str, class: &str, flags: u32| Asset {
            object_path: Some(plain(&format!("/Game/{name}.{name}"))),
            package_flags: if version > 0 { flags } else { 0 },
            outer: None,
            ..Asset::of("/Game", name, (None, plain(class)))
        };
        let first = Asset {
            tags: vec![(plain("Icon"), Value::Wide("\u{1F980}".into()))],
            chunks: vec![7],
            ..expected("A", "Texture2D", 0x2000_0000)
        };
        let node = |name: &str, hard: &[u32], referencers: &[u32]| {
            let list = |numbers: &[u32]| numbers.iter().map(|number| (*number, 0)).collect::<Vec<_>>();
            let mut node = Node { identifier: [Some(plain(name)), None, None, None], ..Node::default() };
            (node.lists[0], node.lists[5]) = (list(hard), list(referencers));
            node
        };
        let nodes = vec![node("/Game/A", &[], &[1]), node("/Game/B", &[0], &[])];
        let expected = Registry {
            version,
            assets: vec![first, expected("B", "World", 0x2_0000)],
            nodes: if version > 0 { nodes } else { Vec::new() },
            ..Registry::default()
        };
        assert_eq!(model(&registry), expected);
        assert_eq!(
            registry.assets().map(|asset| asset.is_in_map()).collect::<Vec<_>>(),
            [false, version > 0]
        );
        for len in 0..file.len() {
            assert!(AssetRegistry::parse(&file[..len]).is_err(), "version {version}, cut to {len}");
        }
        let partial = AssetRegistry::parse_partial(&file[..150 + 20 * version as usize]).unwrap();
        assert_eq!((partial.value.assets().count(), partial.value.node_count()), (1, 0));
        let longer = [&file[..], &[0; 3]].concat();
        assert!(AssetRegistry::parse(&longer).is_err(), "version {version}");
    }
    let mut file = early(1);
    let at = file.len() - 4;
    file[at] = 2;
    let fault = AssetRegistry::parse(&file).unwrap_err();
    let expected = format!(
        "dependencies: number of an asset: index 2 is out of range, the table has 2 entries, offset {at:#x}"
    );
    assert_eq!(fault.to_string(), expected);
}

/// The engine's form: the type, and the name as an object without a package.
#[test]
fn a_primary_asset_is_its_type_and_its_name() {
    let identifier = [None, Some(plain("Map")), Some(plain("/Game/Maps/Start")), None];
    let registry =
        Registry { version: 16, nodes: vec![Node { identifier, ..Node::default() }], ..Registry::default() };
    let file = registry.write(Quirks::default());
    let registry = AssetRegistry::parse(&file).unwrap();
    let node = registry.node(0).unwrap();
    assert_eq!(registry.identifier(node.identifier), "Map:/Game/Maps/Start");
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
