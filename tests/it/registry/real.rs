//! Registries of real games and projects, each read to its last byte.

use super::model::model;
use crate::support::cli::uncask;
use crate::support::corpus;
use std::fmt::Write;
use std::path::Path;
use uncask::asset_registry::{AssetRegistry, DependencyKind};
use uncask::container::Toc;

/// Contents of each registry: counts, and a digest of everything read. The counts of versions 0 and 1, and
/// the assets of version 24, come from an independent reader.
#[test]
fn every_registry_is_read_to_its_end() {
    let Some(corpus) = corpus::find() else { return };
    let folder = corpus.join("found/assetregistry");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut text = String::new();
    for file in files {
        let bytes = std::fs::read(&file).unwrap();
        let registry =
            AssetRegistry::parse(&bytes).unwrap_or_else(|fault| panic!("{}: {fault}", file.display()));
        assert!(AssetRegistry::sniff(&bytes) && AssetRegistry::parse(&bytes[..bytes.len() - 1]).is_err());
        let digest = blake3::hash(format!("{:?}", model(&registry)).as_bytes()).to_hex();
        let depends: usize = registry.nodes().map(|node| node.dependencies().count()).sum();
        writeln!(
            text,
            "{}: version {}, {} assets, {} nodes with {depends} dependencies, {} packages, {}",
            file.file_stem().unwrap().display(),
            registry.version(),
            registry.asset_count(),
            registry.node_count(),
            registry.package_count(),
            &digest[..16],
        )
        .unwrap();
    }
    insta::assert_snapshot!(text);
}

/// A dependency of a node lists the node as a referencer, which misread lists would not. Engines omit some,
/// and in the registry of 5.1 nodes are their own referencers.
#[test]
fn both_directions_of_dependencies_agree() {
    let Some(corpus) = corpus::find() else { return };
    let mut rows = Vec::new();
    for name in [
        "v1",
        "v5-dev",
        "v6-dev",
        "v8-dev-mit",
        "v12-ue5.0-dev",
        "v16-ue5.1-dev",
        "v17-ue5.4-dev",
        "v24-ue5.8",
    ] {
        let bytes = std::fs::read(corpus.join(format!("found/assetregistry/{name}.bin"))).unwrap();
        let registry = AssetRegistry::parse(&bytes).unwrap();
        let (mut there, mut back) = (Vec::new(), Vec::new());
        for (at, node) in (0_u32..).zip(registry.nodes()) {
            for on in node.dependencies() {
                match on.kind {
                    DependencyKind::Referencer => back.push((on.node, at)),
                    _ => there.push((at, on.node)),
                }
            }
        }
        for list in [&mut there, &mut back] {
            list.sort_unstable();
            list.dedup();
        }
        let confirmed = back.iter().filter(|pair| there.binary_search(pair).is_ok()).count();
        rows.push(format!("{name}: {} one way, {} the other, {confirmed} both", there.len(), back.len()));
    }
    insta::assert_snapshot!(rows.join("\n"));
}

/// The registry that lies in a pak of the 5.8 fixtures knows every package of their containers.
#[test]
fn a_container_without_an_index_gets_its_names_from_the_registry() {
    let Some(corpus) = corpus::with("iostore/ue5.8/tagged/expected.tsv") else { return };
    let fixtures = corpus.join("iostore/ue5.8/tagged");
    let folder = tempfile::tempdir().unwrap();
    let paks = folder.path().join("CUE4ParseFixtures/Content/Paks");
    std::fs::create_dir_all(&paks).unwrap();
    let toc = walkdir::WalkDir::new(fixtures.join("Uncompressed"))
        .into_iter()
        .map(|entry| entry.unwrap().into_path());
    let toc = toc
        .filter(|path| path.extension().is_some_and(|end| end == "utoc"))
        .find(|path| !path.ends_with("global.utoc"));
    // Without the data, no header can help.
    std::fs::write(paks.join("game.utoc"), without_index(&toc.unwrap())).unwrap();
    let list = || uncask(["list", paks.join("game.utoc").to_str().unwrap()]).expect(0).stdout;
    assert!(list().lines().all(|line| line.starts_with("chunks/")));
    std::fs::copy(corpus.join("found/assetregistry/v24-ue5.8.bin"), paks.join("AssetRegistry.bin")).unwrap();
    let found: Vec<String> = list().lines().map(str::to_owned).collect();
    let expected = corpus::expected(&fixtures.join("expected.tsv"));
    let packages: Vec<&str> = expected
        .iter()
        .filter_map(|chunk| chunk.game_path())
        .filter(|path| [".uasset", ".umap"].iter().any(|end| path.ends_with(end)))
        .collect();
    assert!(packages.len() > 50, "{}", packages.len());
    let missing: Vec<_> = packages.iter().filter(|path| !found.iter().any(|found| found == *path)).collect();
    assert!(missing.is_empty(), "{missing:?} of {found:#?}");
}

/// A table of contents with its directory index cut out.
fn without_index(toc: &Path) -> Vec<u8> {
    let mut bytes = std::fs::read(toc).unwrap();
    let index = Toc::parse(bytes.clone().into()).unwrap().directory_index_bytes();
    let at = bytes.windows(index.len()).position(|window| window == index).unwrap();
    bytes.drain(at..at + index.len());
    bytes[48..52].fill(0);
    let toc = Toc::parse(bytes.clone().into()).unwrap();
    assert!(toc.directory_index_bytes().is_empty());
    bytes
}
