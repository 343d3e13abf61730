//! Registries that are cut off, or that lie.

use crate::support::registry::{Quirks, Registry, VERSIONS};
use uncask::asset_registry::AssetRegistry;

#[test]
fn no_registry_is_whole_when_it_is_cut() {
    for version in VERSIONS {
        let file = Registry::sample(version).write(Quirks::default());
        for len in 0..file.len() {
            assert!(AssetRegistry::parse(&file[..len]).is_err(), "version {version}, cut to {len}");
        }
        let longer = [&file[..], &[0; 3]].concat();
        assert!(AssetRegistry::parse(&longer).is_err(), "version {version}");
    }
}

#[test]
fn what_was_read_before_a_fault_is_there() {
    let (file, marks) = Registry::sample(22).write_marked(Quirks::default());
    let counts = |len: usize| {
        let partial = AssetRegistry::parse_partial(&file[..len]).unwrap();
        assert!(partial.fault.is_some(), "cut to {len}");
        let registry = partial.value;
        assert_eq!(registry.assets().count(), registry.asset_count());
        assert_eq!(registry.packages().count(), registry.package_count());
        [
            registry.names().len().min(1),
            registry.asset_count(),
            registry.node_count(),
            registry.package_count(),
        ]
    };
    assert_eq!(counts(marks["names"]), [0; 4]);
    assert_eq!(counts(marks["assets"]), [1, 0, 0, 0]);
    assert_eq!(counts(marks["nodes"]), [1, 3, 0, 0]);
    assert_eq!(counts(marks["packages"]), [1, 3, 5, 0]);
    assert_eq!(counts(marks["end"] - 1), [1, 3, 5, 1]);
}

#[test]
fn messages() {
    let (file, marks) = Registry::sample(22).write_marked(Quirks::default());
    let (old, old_marks) = Registry::sample(7).write_marked(Quirks::default());
    let with = |file: &[u8], at: usize, bytes: &[u8]| {
        let mut file = file.to_vec();
        file[at..at + bytes.len()].copy_from_slice(bytes);
        AssetRegistry::parse(&file).unwrap_err().to_string()
    };
    let store = marks["store"];
    let lines = [
        with(&file, 0, b"x"),
        with(&file, 16, &[1]),
        with(&file, 20, &[2]),
        with(&file, store, &[0]),
        with(&file, store + 4, &[0xFF; 4]),
        with(&file, store + 8, &[0xFF; 4]),
        with(&file, store + 36, &[1]),
        with(&file, marks["assets"] - 4, &[0]),
        with(&file, marks["assets"], &[0xFF; 4]),
        with(&file, marks["assets"], &[0xFF, 0, 0, 0]),
        with(&file, marks["assets"] + 4, &[0xFF, 0xFF, 0xFF, 0x7F]),
        with(&file, marks["assets"] + 24, &[0xFF; 4]),
        with(&file, marks["nodes"], &[0xFF]),
        with(&file, marks["nodes"] + 8, &[0xFF]),
        with(&file, marks["packages"], &[0xFF; 4]),
        with(&file, marks["packages"], &[1]),
        with(&old, 20, &[0xFF; 8]),
        with(&old, 20, &[1, 0, 0, 0]),
        with(&old, old_marks["end"], &[0xFF, 0xFF, 0, 0]),
        AssetRegistry::parse(b"").unwrap_err().to_string(),
    ];
    insta::assert_snapshot!(lines.join("\n"));
}

/// Every handle may lead to all pairs: counting must not take a step for each.
#[test]
fn many_assets_that_share_many_tags_are_counted_at_once() {
    let mut registry = Registry::sample(22);
    let one = registry.assets[0].tags[0].clone();
    registry.assets[2].tags.clear();
    registry.assets[0].tags = vec![one; 60_000];
    let shared = registry.assets[2].clone();
    registry.assets.extend(std::iter::repeat_n(shared, 50_000));
    let (mut file, marks) = registry.write_marked(Quirks::default());
    let asset_len = 40;
    let end = marks["nodes"];
    // The handle stands after five names.
    for asset in file[end - 50_000 * asset_len..end].chunks_exact_mut(asset_len) {
        asset[20..28].copy_from_slice(&(60_000_u64 << 32 | 1 << 63).to_le_bytes());
    }
    let registry = AssetRegistry::parse(&file).unwrap();
    assert_eq!(registry.tag_uses().values().max(), Some(&(60_000 * 50_001 + 1)));
}
