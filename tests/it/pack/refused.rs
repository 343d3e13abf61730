//! Files that a game would reject are refused by name, and packed with `--force`.

use crate::support::cli::{Run, uncask};
use crate::support::containers::write_tree;
use crate::support::zen::{COOKED, Package};
use std::path::Path;
use uncask::version::ZenGeneration;

const LEGACY: &[u8] = b"\xC1\x83\x2A\x9E\xF8\xFF\xFF\xFF and so on";

fn zen(name: &str, generation: ZenGeneration) -> Vec<u8> {
    Package {
        generation,
        name,
        flags: COOKED,
        cooked_header_len: 300,
        names: vec!["None"],
        imports: Vec::new(),
        exports: Vec::new(),
        bulk: Vec::new(),
    }
    .bytes()
}

fn pack(folder: &Path, output: &str, more: &[&str]) -> Run {
    let [tree, output] = ["tree", output].map(|name| folder.join(name).display().to_string());
    uncask([&["pack", &tree, "-o", &output], more].concat())
}

/// Expects a refusal with this reason, and the same files to be packed with `--force`.
#[track_caller]
fn refused(files: &[(&str, &[u8])], output: &str, more: &[&str], reason: &str) {
    let folder = tempfile::tempdir().unwrap();
    let files = files.iter().map(|(path, content)| (*path, content.to_vec()));
    write_tree(&folder.path().join("tree"), files);
    let run = pack(folder.path(), output, more).expect(1);
    assert!(run.stderr.contains(&format!("error: {reason}")), "{}", run.stderr);
    assert!(run.stderr.contains("nothing was written; --force packs it anyway"), "{}", run.stderr);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing was written");
    let run = pack(folder.path(), output, &[more, &["--force"]].concat()).expect(0);
    assert!(run.stderr.contains(&format!("warning: {reason}")), "{}", run.stderr);
    assert!(folder.path().join(output).is_file());
}

#[test]
fn legacy_assets_in_a_container() {
    let files = [("G/Content/A.uasset", LEGACY), ("G/Content/A.uexp", b"data"), ("G/Content/B.umap", LEGACY)];
    refused(
        &files,
        "a.utoc",
        &[],
        "3 legacy assets (tag 0x9E2A83C1, or .uexp): games crash on these in a container",
    );
}

#[test]
fn files_that_are_named_like_packages() {
    refused(
        &[("G/Content/A.uasset", b"text")],
        "a.utoc",
        &[],
        "1 file is named like a package, but is not one (zen",
    );
}

#[test]
fn zen_packages_in_a_pak() {
    let package = zen("/Game/A", ZenGeneration::Cells);
    refused(
        &[("G/Content/A.uasset", &package)],
        "a.pak",
        &[],
        "1 zen package: games load these only from containers",
    );
}

#[test]
fn packages_of_another_engine() {
    let package = zen("/Game/A", ZenGeneration::DependencyBundles);
    let files = [("G/Content/A.uasset", package.as_slice())];
    let reason = "1 package is from UE 5.3, but the container is for UE 5.5–5.8, which crashes on them";
    refused(&files, "a.utoc", &["--toc-version", "8"], reason);
    let reason = "1 package is from UE 5.3, but the container is for UE 5.2, which crashes on them";
    refused(&files, "a.utoc", &["--engine", "5.2"], reason);
    let mixed = zen("/Game/B", ZenGeneration::PaddedBulkMap);
    let files = [("G/Content/A.uasset", zen("/Game/A", ZenGeneration::Cells)), ("G/Content/B.uasset", mixed)];
    let files = files.each_ref().map(|(path, content)| (*path, content.as_slice()));
    refused(&files, "a.utoc", &[], "1 package is from UE 5.");
}

#[test]
fn versions_of_development_builds() {
    for version in ["7", "9"] {
        let reason = format!("no released engine reads toc version {version} (");
        refused(&[("a.ini", b"text")], "a.utoc", &["--toc-version", version], &reason);
    }
}

#[test]
fn an_existing_container_is_replaced_only_on_demand() {
    let folder = tempfile::tempdir().unwrap();
    write_tree(&folder.path().join("tree"), [("a.ini", b"text".to_vec())]);
    for name in ["a.utoc", "a.pak"] {
        let target = folder.path().join(name);
        pack(folder.path(), name, &["--no-companion"]).expect(0);
        std::fs::write(&target, "mine").unwrap();
        let run = pack(folder.path(), name, &[]).expect(1);
        assert!(
            run.stderr.contains(&format!("error: output exists already: {}", target.display())),
            "{}",
            run.stderr
        );
        assert_eq!(std::fs::read(&target).unwrap(), b"mine");
        let run = pack(folder.path(), name, &["--force"]).expect(1);
        assert!(run.stderr.contains("nothing was written; --overwrite replaces it"), "{}", run.stderr);
        assert_eq!(std::fs::read(&target).unwrap(), b"mine");
        let run = pack(folder.path(), name, &["--overwrite", "--no-companion"]).expect(0);
        assert!(!run.stderr.contains("warning"), "{}", run.stderr);
        uncask(["verify", target.to_str().unwrap()]).expect(0);
    }
    // Data without a table is the other half of somebody's container.
    std::fs::remove_file(folder.path().join("a.utoc")).unwrap();
    pack(folder.path(), "a.utoc", &[]).expect(1);
}

#[test]
fn missing_folders_are_made_and_an_empty_one_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("tree")).unwrap();
    for name in ["new/a.utoc", "new/a.pak"] {
        let run = pack(folder.path(), name, &[]).expect(3);
        assert!(run.stderr.contains("the folder has no files to pack"), "{}", run.stderr);
        assert!(!folder.path().join("new").exists());
    }
    write_tree(&folder.path().join("tree"), [("a.ini", b"text".to_vec())]);
    for name in ["new/deep/a.utoc", "new/other/a.pak"] {
        pack(folder.path(), name, &[]).expect(0);
        assert!(folder.path().join(name).is_file());
    }
}

#[test]
fn an_engine_decides_the_toc_version() {
    let folder = tempfile::tempdir().unwrap();
    write_tree(&folder.path().join("tree"), [("a.ini", b"text".to_vec())]);
    for (engine, version) in [("5.0", 5), ("5.4", 6), ("UE5_7", 8), ("6.0", 10)] {
        pack(folder.path(), &format!("{engine}.utoc"), &["--engine", engine]).expect(0);
        assert_eq!(std::fs::read(folder.path().join(format!("{engine}.utoc"))).unwrap()[16], version);
    }
    for args in [&["--engine", "4.20"][..], &["--engine", "5.4", "--toc-version", "8"]] {
        pack(folder.path(), "b.utoc", args).expect(2);
    }
}
