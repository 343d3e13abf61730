//! `uncask inspect` on registries.

use crate::support::cli::uncask;
use crate::support::containers::write_tree;
use crate::support::registry::early::early;
use crate::support::registry::{Asset, Quirks, Registry, VERSIONS, plain};

/// The output of `inspect` for a file with these contents.
fn inspect(bytes: &[u8], name: &str, options: &[&str], code: i32) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(name);
    std::fs::write(&file, bytes).unwrap();
    let ran = uncask([&["inspect", file.to_str().unwrap()], options].concat()).expect(code);
    let text = if ran.stderr.is_empty() { ran.stdout } else { format!("{}---\n{}", ran.stdout, ran.stderr) };
    let prefix = format!("{}{}", folder.path().display(), std::path::MAIN_SEPARATOR);
    // JSON doubles the separators of Windows.
    text.replace(&prefix, "").replace(&prefix.replace('\\', r"\\"), "")
}

#[test]
fn text_and_json() {
    for version in [3, 6, 8, 22, 24] {
        let file = Registry::sample(version).write(Quirks::default());
        insta::assert_snapshot!(format!("inspect_{version}"), inspect(&file, "AssetRegistry.bin", &[], 0));
    }
    for version in [6, 22] {
        let file = Registry::sample(version).write(Quirks::default());
        insta::assert_snapshot!(format!("inspect_{version}_json"), inspect(&file, "Any.bin", &["--json"], 0));
    }
}

#[test]
fn every_version_in_json() {
    for version in VERSIONS {
        let registry = Registry::random(version, version.into());
        let text = inspect(&registry.write(Quirks::default()), "Any.bin", &["--json"], 0);
        let found: serde_json::Value = serde_json::from_str(&text).unwrap();
        let len = |list: &str| found["content"][list].as_array().unwrap().len();
        assert_eq!(found["kind"], format!("asset registry, version {version}"));
        assert_eq!(len("assets"), registry.assets.len());
        assert_eq!((len("packages"), len("dependencies")), (registry.packages.len(), registry.nodes.len()));
    }
}

/// Versions 0 and 1; of the first not even the name has to tell.
#[test]
fn early_versions() {
    for version in [0, 1] {
        insta::assert_snapshot!(format!("inspect_{version}"), inspect(&early(version), "Any.bin", &[], 0));
    }
}

/// Data that does not fit a future version is a warning, and the exit code is that of a whole file.
#[test]
fn a_version_to_come() {
    let mut file = Registry::sample(24).write(Quirks::default());
    file[16] = 25;
    let shown = inspect(&file, "AssetRegistry.bin", &[], 0);
    let warning = "warning: asset registry version 25 is read as 24, the newest known: AssetRegistry.bin\n";
    assert!(shown.ends_with(warning), "{shown}");
    file.truncate(file.len() - 3);
    let shown = inspect(&file, "AssetRegistry.bin", &[], 0);
    let warning = "25 is read as 24, the newest known, which stopped fitting: package: ";
    assert!(shown.contains(warning) && shown.contains(": cut off ("), "{shown}");
    let json: serde_json::Value =
        serde_json::from_str(inspect(&file, "Any.bin", &["--json"], 0).split("---").next().unwrap()).unwrap();
    assert!(json["warning"].as_str().unwrap().contains(warning), "{json}");
    assert_eq!(json["fault"], serde_json::Value::Null);
}

#[test]
fn damage() {
    let (file, marks) = Registry::sample(22).write_marked(Quirks::default());
    for (name, bytes) in [
        ("cut", &file[..marks["nodes"] + 20]),
        ("cut_early", &file[..18]),
        ("no_guid", &b"not a registry at all"[..]),
    ] {
        insta::assert_snapshot!(format!("inspect_{name}"), inspect(bytes, "AssetRegistry.bin", &[], 1));
    }
}

#[test]
fn long_lists_are_cut_for_people() {
    let class = || (Some(plain("/Script/Engine")), plain("Texture2D"));
    let assets = (0..150).map(|number| Asset::of("/Game", &format!("T{number}"), class()));
    let many = std::iter::repeat_n(Asset::of("/Game", "T0", class()), 30);
    let registry = Registry { version: 16, assets: assets.chain(many).collect(), ..Registry::default() };
    let text = inspect(&registry.write(Quirks::default()), "AssetRegistry.bin", &[], 0);
    assert!(text.contains("  [99] /Game/T99\n") && !text.contains("/Game/T100"), "{text}");
    assert!(text.contains("\n      … 11 more\n"), "{text}");
    assert!(text.ends_with("  and 50 more; --json has them all\n"), "{text}");
}

#[test]
fn a_file_of_a_pak() {
    let folder = tempfile::tempdir().unwrap();
    let tree = folder.path().join("tree");
    write_tree(&tree, [("Game/AssetRegistry.bin", Registry::sample(22).write(Quirks::default()))]);
    let pak = folder.path().join("game.pak");
    uncask(["pack", tree.to_str().unwrap(), "-o", pak.to_str().unwrap()]).expect(0);
    let ran = uncask(["inspect", &format!("{}:*AssetRegistry.bin", pak.display())]).expect(0);
    let (head, rest) = ran.stdout.split_once('\n').unwrap();
    assert!(head.ends_with("Game/AssetRegistry.bin"), "{head}");
    let file = Registry::sample(22).write(Quirks::default());
    let loose = inspect(&file, "AssetRegistry.bin", &[], 0);
    assert_eq!(rest, loose.split_once('\n').unwrap().1);
}
