//! `uncask deps` and `uncask unpack --with-deps`.

use super::made::{Links, linked, linked_with, pack};
use super::run::{corpus, fixture, uncask};
use std::collections::BTreeSet;

const ROOT: &str = "/Game/Fixtures/PoseSearch/PSD_Fixture";

#[test]
fn dependencies_in_every_form() {
    let Some(corpus) = corpus() else { return };
    let [container, _] = fixture(&corpus, "tagged");
    for (name, args) in [
        ("tree", &[ROOT][..]),
        ("json", &[ROOT, "--json"]),
        ("dot", &[ROOT, "--dot"]),
        ("depth_1", &[ROOT, "--depth", "1"]),
        ("depth_0", &[ROOT, "--depth", "0"]),
        ("by_file_name", &["DA_AllProperties.uasset"]),
        ("reverse", &["T_BC7", "--reverse"]),
        ("reverse_dot", &["/Game/Fixtures/Textures/T_BC7", "--reverse", "--dot"]),
        ("reverse_missing", &["/Engine/BasicShapes/BasicShapeMaterial", "--reverse"]),
        ("nothing", &["/Game/Nowhere"]),
        ("not_a_package", &["*.container_header"]),
    ] {
        let ran = uncask(&[&["deps", &container], args].concat());
        insta::assert_snapshot!(format!("deps_{name}"), ran.shown(&corpus));
    }
}

#[test]
fn all_packages_agree_with_their_own_headers() {
    let Some(corpus) = corpus() else { return };
    for mode in ["tagged", "unversioned"] {
        let [container, _] = fixture(&corpus, mode);
        let header = uncask(&["inspect", &format!("{container}:*.container_header"), "--json"]).ok().json();
        let packages = header["content"]["packages"].as_array().unwrap();
        assert_eq!(packages.len(), 97);
        for package in packages.iter().filter(|package| !package["imports"].as_array().unwrap().is_empty()) {
            let name = package["name"].as_str().unwrap();
            let own = uncask(&["inspect", &format!("{container}:{name}"), "--json"]).ok().json();
            let found = uncask(&["deps", &container, name, "--depth", "1", "--json"]).ok().json();
            assert_eq!(found["packages"][0]["links"], own["content"]["imported_packages"], "{name}");
        }
    }
}

#[test]
fn circles_end() {
    let folder = tempfile::tempdir().unwrap();
    let imports: [(&str, &[&str]); 3] = [
        ("/Game/A", &["/Game/B", "/Game/C"]),
        ("/Game/B", &["/Game/A"]),
        ("/Game/C", &["/Game/B", "/Game/D"]),
    ];
    let utoc = linked(folder.path(), &imports, None);
    let ran = uncask(&["deps", utoc.to_str().unwrap(), "/Game/A"]).ok();
    insta::assert_snapshot!("deps_circle", ran.shown(folder.path()));
}

/// A imports B; its optional segment imports itself, B and C; it knows B, D and Nowhere by name. D imports E.
fn every_kind(folder: &std::path::Path) -> String {
    let hard: [(&str, &[&str]); 5] = [
        ("/Game/A", &["/Game/B"]),
        ("/Game/B", &[]),
        ("/Game/C", &[]),
        ("/Game/D", &["/Game/E"]),
        ("/Game/E", &[]),
    ];
    let optional: [(&str, &[&str]); 1] = [("/Game/A", &["/Game/A", "/Game/B", "/Game/C"])];
    let soft: [&[&str]; 5] = [&["/Game/B", "/Game/D", "/Game/Nowhere"], &[], &["/Game/B"], &[], &[]];
    let utoc = linked_with(folder, Links { hard: &hard, optional: &optional, soft: &soft, redirect: None });
    utoc.to_str().unwrap().to_owned()
}

#[test]
fn optional_and_soft_links_are_marked() {
    let folder = tempfile::tempdir().unwrap();
    let utoc = every_kind(folder.path());
    for (name, args) in [
        ("tree", &["/Game/A"][..]),
        ("json", &["/Game/A", "--json"]),
        ("dot", &["/Game/A", "--dot"]),
        ("reverse", &["/Game/B", "--reverse"]),
        ("reverse_soft", &["/Game/D", "--reverse", "--json"]),
    ] {
        let ran = uncask(&[&["deps", utoc.as_str()], args].concat()).ok();
        insta::assert_snapshot!(format!("deps_kinds_{name}"), ran.shown(folder.path()));
    }
    let ran = uncask(&["unpack", &utoc, "/Game/A", "--with-deps", "-o", "unused", "--dry-run"]).ok();
    let names: BTreeSet<&str> = ran.out.lines().filter_map(|line| line.rsplit('/').next()).collect();
    let needed = BTreeSet::from(["A.uasset", "B.uasset", "C.uasset"]);
    assert_eq!(names, needed, "soft references are not followed");
}

#[test]
fn two_forms_at_once_are_a_mistake() {
    assert_eq!(uncask(&["deps", "testdata/demo", "/Game/A", "--dot", "--json"]).code, 2);
    assert_eq!(uncask(&["deps", "no/such/folder", "/Game/A"]).code, 3);
}

#[test]
fn unpacking_with_dependencies_takes_what_deps_shows() {
    let Some(corpus) = corpus() else { return };
    let [container, _] = fixture(&corpus, "tagged");
    let found = uncask(&["deps", &container, ROOT, "--json"]).ok().json();
    let present =
        found["packages"].as_array().unwrap().iter().filter(|package| package["state"] == "present");
    let names: Vec<&str> = present.map(|package| package["name"].as_str().unwrap()).collect();
    let files = |args: &[&str]| -> BTreeSet<String> {
        let fixed = ["unpack", &container, "-o", "unused", "--dry-run"];
        let ran = uncask(&[&fixed, args].concat()).ok();
        ran.out.lines().map(str::to_owned).collect()
    };
    let with = files(&[ROOT, "--with-deps"]);
    assert_eq!(with, files(&names), "the packages and their bulk data");
    assert!(with.len() > files(&[ROOT]).len());
}

#[test]
fn names_of_missing_packages_come_from_those_that_import_them() {
    let Some(corpus) = corpus() else { return };
    let folder = tempfile::tempdir().unwrap();
    let content = folder.path().join("content");
    let [container, _] = fixture(&corpus, "tagged");
    let package = "/Game/Fixtures/Properties/DA_AllProperties";
    uncask(&["unpack", &container, "-o", content.to_str().unwrap(), package]).ok();
    let alone = pack(&content, "alone", "8");
    let ran = uncask(&["deps", alone.to_str().unwrap(), package]).ok();
    insta::assert_snapshot!("deps_missing", ran.shown(folder.path()));
}

#[test]
fn a_locked_container_is_told_once() {
    let ran = uncask(&["deps", "testdata/encrypted", "/Game/Maps/Cave"]);
    insta::assert_snapshot!("deps_locked", ran.shown(std::path::Path::new("testdata")));
}
