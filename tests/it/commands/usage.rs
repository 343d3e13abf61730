//! `uncask du` with what a selection needs.

use super::run::{corpus_with, uncask};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use uncask::package::legacy::Package;

const DEMO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/demo");

fn total(args: &[&str]) -> (u64, u64) {
    let report = uncask(&[args, &["--json"]].concat()).ok().json();
    (report["total"]["count"].as_u64().unwrap(), report["total"]["raw"].as_u64().unwrap())
}

#[test]
fn a_map_in_a_container_counts_with_what_unpack_would_write() {
    let map = "/Game/Maps/Start";
    let out = tempfile::tempdir().unwrap();
    let out = out.path().to_str().unwrap();
    let plan = uncask(&["unpack", DEMO, map, "--with-deps", "-o", out, "--dry-run", "--json"]).ok().json();
    let files = plan["files"].as_array().unwrap();
    let bytes = files.iter().map(|file| file["bytes"].as_u64().unwrap()).sum::<u64>();
    assert_eq!(total(&["du", DEMO, map, "--with-deps"]), (files.len() as u64, bytes));
    assert!(total(&["du", DEMO, map]).0 < files.len() as u64);
}

/// Packages below a folder by name in lower case, with what they import and the length of their files.
fn packages(content: &Path) -> BTreeMap<String, (Vec<String>, u64)> {
    let mut found = BTreeMap::new();
    for entry in walkdir::WalkDir::new(content).into_iter().map(Result::unwrap) {
        if entry.path().extension().is_none_or(|extension| extension != "uasset") {
            continue;
        }
        let bytes = std::fs::read(entry.path()).unwrap();
        let package = Package::parse(&bytes).unwrap();
        let below = entry.path().strip_prefix(content).unwrap().with_extension("");
        let name = format!("/game/{}", below.to_str().unwrap().replace('\\', "/")).to_lowercase();
        let imported = package.imported_packages().map(|name| name.to_lowercase()).collect();
        found.insert(name, (imported, bytes.len() as u64));
    }
    found
}

#[test]
fn an_asset_of_a_project_counts_with_all_that_it_imports() {
    let Some(corpus) = corpus_with("mods/drg/editor") else { return };
    let project = corpus.join("mods/drg/editor");
    let all = packages(&project.join("Content"));
    let name = "/Game/_AssemblyStorm/SandboxUtilities/SandboxUtilities";
    // The closure, by a queue of names.
    let (mut needed, mut queue) = (BTreeSet::new(), vec![name.to_lowercase()]);
    while let Some(name) = queue.pop() {
        if let Some((imported, _)) = all.get(&name).filter(|_| needed.insert(name.clone())) {
            queue.extend(imported.iter().cloned());
        }
    }
    let len = needed.iter().map(|name| all[name].1).sum();
    let project = project.to_str().unwrap();
    assert_eq!(total(&["du", project, name, "--with-deps"]), (needed.len() as u64, len));
    assert_eq!(total(&["du", project, name]), (1, all[&name.to_lowercase()].1));
    let whole = all.values().map(|(_, len)| len).sum();
    for by in ["folder", "type", "class"] {
        assert_eq!(total(&["du", project, "--by", by]), (all.len() as u64, whole));
    }
    let ran = uncask(&["du", project, "--by", "method"]);
    assert!(ran.err.contains("packages that are files have no containers"), "{}", ran.err);
    let ran = uncask(&["du", project, name, "--with-deps"]);
    assert!(ran.err.contains("dependencies are not there, such as /Game/"), "{}", ran.err);
}

#[test]
fn a_map_counts_with_its_actors_in_files_of_their_own() {
    let Some(corpus) = corpus_with("mods/drg/editor") else { return };
    let from = corpus.join("mods/drg/editor/Content/_AssemblyStorm/SandboxUtilities/SU_Border.uasset");
    let folder = tempfile::tempdir().unwrap();
    for path in [
        "Maps/X.umap",
        "Maps/XY.umap",
        "__ExternalActors__/Maps/X/0/AB/Q1.uasset",
        "__ExternalActors__/Maps/XY/0/AB/Q2.uasset",
        "__ExternalObjects__/Maps/X/3/CD/Q3.uasset",
    ] {
        let path = folder.path().join("My/Content").join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, std::fs::read(&from).unwrap()).unwrap();
    }
    let project = folder.path().join("My");
    assert_eq!(total(&["du", project.to_str().unwrap(), "/Game/Maps/X", "--with-deps"]).0, 3);
}
