//! Containers without a directory index, whose packages a registry names.

use crate::support::cli::uncask;
use crate::support::containers::{Packed, prose, write_tree};
use crate::support::registry::{Asset, Node, Package, Quirks, Registry, plain};
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use uncask::codec::Method;
use uncask::crypto::AesKey;
use uncask::id::Guid;
use uncask::pack::PackOptions;

const KEY: [u8; 32] = [7; 32];

/// `Game/Content/Paks` with a container that names nothing, whose packages are text: no header helps.
fn game(key: bool) -> (TempDir, PathBuf) {
    let options = PackOptions {
        method: Method::Zlib,
        directory_index: false,
        key: key.then(|| (Guid::ZERO, AesKey::new(KEY))),
        ..PackOptions::default()
    };
    let files = [
        ("Game/Content/Hero.uasset", prose(3000)),
        ("Game/Content/Hero.ubulk", prose(5000)),
        ("Game/Content/Maps/Start.umap", prose(100)),
        ("Game/Content/Maps/Other.umap", prose(200)),
        ("Game/Content/Unknown.uasset", prose(300)),
    ];
    let packed = Packed::new(files, &options);
    let folder = tempfile::tempdir().unwrap();
    let paks = folder.path().join("Shooter/Content/Paks");
    std::fs::create_dir_all(&paks).unwrap();
    for extension in ["utoc", "ucas"] {
        std::fs::copy(packed.toc.with_extension(extension), paks.join("game").with_extension(extension))
            .unwrap();
    }
    (folder, paks)
}

/// A registry that knows one level by its class, another by its flags, and packages by their data and their nodes.
fn registry() -> Vec<u8> {
    let engine = |class: &str| (Some(plain("/Script/Engine")), plain(class));
    let flagged = Asset { package_flags: 0x2_0000, ..Asset::of("/Game/Maps", "Other", engine("Thing")) };
    let node = Node { identifier: [Some(plain("/Game/Nowhere")), None, None, None], ..Node::default() };
    let registry = Registry {
        version: 22,
        assets: vec![Asset::of("/Game/Maps", "Start", engine("World")), flagged],
        packages: vec![Package::of("/Game/Hero")],
        nodes: vec![node],
        ..Registry::default()
    };
    registry.write(Quirks::default())
}

/// Puts a registry into a pak beside the container.
fn pack_registry(paks: &Path, bytes: Vec<u8>) {
    let tree = tempfile::tempdir().unwrap();
    write_tree(tree.path(), [("Shooter/AssetRegistry.bin", bytes)]);
    let pak = paks.join("game.pak");
    uncask(["pack", tree.path().to_str().unwrap(), "-o", pak.to_str().unwrap()]).expect(0);
}

/// Paths of the container's chunks, and what was said.
fn list(paks: &Path, code: i32) -> String {
    let ran = uncask(["list", paks.to_str().unwrap()]).expect(code);
    let text = format!("{}---\n{}", ran.stdout, ran.stderr);
    text.replace('\\', "/").replace(&paks.to_str().unwrap().replace('\\', "/"), "PAKS")
}

#[test]
fn a_registry_in_a_pak_names_packages_and_their_bulk_data() {
    let (folder, paks) = game(false);
    insta::assert_snapshot!("names_none", list(&paks, 0));
    pack_registry(&paks, registry());
    insta::assert_snapshot!("names_from_a_pak", list(&paks, 0));
    let out = folder.path().join("out");
    uncask(["unpack", paks.to_str().unwrap(), "-o", out.to_str().unwrap()]).expect(0);
    assert_eq!(std::fs::read(out.join("Shooter/Content/Hero.uasset")).unwrap(), prose(3000));
    assert_eq!(std::fs::read(out.join("Shooter/Content/Hero.ubulk")).unwrap(), prose(5000));
    assert_eq!(std::fs::read(out.join("Shooter/Content/Maps/Start.umap")).unwrap(), prose(100));
}

#[test]
fn a_loose_registry_names_packages_from_where_games_keep_it() {
    let expected = |paks: &Path| assert!(list(paks, 0).contains("Shooter/Content/Maps/Other.umap"));
    for place in [
        "Shooter/AssetRegistry.bin",
        "Shooter/Content/AssetRegistry.bin",
        "Shooter/Content/Paks/AssetRegistry.bin",
    ] {
        let (folder, paks) = game(false);
        std::fs::write(folder.path().join(place), registry()).unwrap();
        expected(&paks);
        expected(&paks.join("game.utoc"));
    }
    let (folder, paks) = game(false);
    std::fs::write(folder.path().join("AssetRegistry.bin"), registry()).unwrap();
    assert!(!list(&paks, 0).contains("Maps/Other"), "nobody looks that far up");
}

#[test]
fn packages_whose_data_cannot_be_read_have_names() {
    let (_folder, paks) = game(true);
    pack_registry(&paks, registry());
    insta::assert_snapshot!("names_of_a_locked_container", list(&paks, 4));

    let (_folder, paks) = game(false);
    pack_registry(&paks, registry());
    std::fs::remove_file(paks.join("game.ucas")).unwrap();
    assert!(list(&paks, 0).contains("Shooter/Content/Maps/Start.umap"));
}

#[test]
fn a_damaged_registry_is_a_warning() {
    let (_folder, paks) = game(false);
    let mut bytes = registry();
    bytes.truncate(bytes.len() - 5);
    pack_registry(&paks, bytes);
    insta::assert_snapshot!("names_from_a_damaged_registry", list(&paks, 0));

    let (_folder, paks) = game(false);
    std::fs::write(paks.join("AssetRegistry.bin"), "nothing").unwrap();
    insta::assert_snapshot!("names_from_no_registry", list(&paks, 0));
}

#[test]
fn nobody_reads_a_registry_where_all_packages_have_paths() {
    let packed = Packed::new([("Game/Content/A.uasset", prose(100))], &PackOptions::default());
    std::fs::write(packed.beside("AssetRegistry.bin"), "nothing").unwrap();
    let ran = uncask(["list", packed.toc.to_str().unwrap()]).expect(0);
    assert_eq!(ran.stderr, "");
}
