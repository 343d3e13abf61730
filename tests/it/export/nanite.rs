//! `uncask export --nanite`: meshes at full detail, or what is shown in their place.

use super::{files, fixture, json_of, payloads, uncask};
use crate::support::corpus;
use std::path::Path;

/// Triangles and vertices of the first mesh in a file.
fn sizes(path: &Path) -> (u64, u64) {
    let json = json_of(path);
    let count = |accessor: &serde_json::Value| {
        json["accessors"][usize::try_from(accessor.as_u64().unwrap()).unwrap()]["count"].as_u64().unwrap()
    };
    let primitives = json["meshes"][0]["primitives"].as_array().unwrap();
    let triangles = primitives.iter().map(|primitive| count(&primitive["indices"]) / 3).sum();
    (triangles, count(&primitives[0]["attributes"]["POSITION"]))
}

#[test]
fn a_mesh_in_a_container_has_all_triangles_unless_the_fallback_is_asked_for() {
    let Some(payloads) = payloads() else { return };
    let [content, base, global, mappings] = fixture(&payloads, "unversioned");
    let run = |more: &[&str]| {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().to_str().unwrap();
        let args = ["export", &content, &base, &global, "--mappings", &mappings, "*/SM_Nanite*", "-o", out];
        let ran = uncask([&args[..], more].concat());
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let found = files(folder.path());
        let sizes: Vec<_> = found.iter().map(|(name, path)| (name.clone(), sizes(path))).collect();
        (sizes, ran.stderr)
    };
    // Triangles and vertices that the mesh records of its source.
    let (full, said) = run(&[]);
    assert_eq!(full, [("SM_Nanite.glb".to_owned(), (2048, 1089))]);
    assert!(!said.contains("Nanite mesh"), "{said}");
    let (fallback, said) = run(&["--nanite", "fallback"]);
    assert!(fallback[0].1.0 < 2048, "{fallback:?}");
    assert!(
        said.contains("it is a Nanite mesh of 2,048 triangles: the file has the mesh that is shown"),
        "{said}"
    );
    assert_eq!(run(&["--all-lods"]).0[0].1, (2048, 1089));
    // About half of the triangles, and a cluster.
    let (coarse, said) = run(&["--nanite-error", "5"]);
    assert!((512..1536).contains(&coarse[0].1.0), "{coarse:?}");
    assert!(said.contains("of 2,048 triangles: the file has 1,007 triangles, whose surface is at most 5 cm from the full one"), "{said}");
    assert!(run(&["--nanite-error", "1000"]).0[0].1.0 <= 128);
}

#[test]
fn a_mesh_whose_pages_are_not_there_becomes_its_fallback() {
    let Some(corpus) = corpus::with("geometry/nanite/ue5.4") else { return };
    let from = corpus.join("geometry/nanite/ue5.4");
    let folder = tempfile::tempdir().unwrap();
    for extension in ["uasset", "uexp", "ubulk"] {
        let name = format!("SM_Hanger.{extension}");
        // Not as a copy, which would be read-only like a file of the corpus.
        std::fs::write(folder.path().join(&name), std::fs::read(from.join(&name)).unwrap()).unwrap();
    }
    let export = || {
        let out = folder.path().join("out");
        let path = folder.path().join("SM_Hanger.uasset");
        let args = ["export", path.to_str().unwrap(), "-o", out.to_str().unwrap(), "--overwrite", "always"];
        let ran = uncask(args);
        (sizes(&files(&out)["SM_Hanger.glb"]).0, ran.stderr)
    };
    assert_eq!(export().0, 15_868);
    std::fs::remove_file(folder.path().join("SM_Hanger.ubulk")).unwrap();
    let (triangles, said) = export();
    assert!(triangles < 15_868);
    assert!(said.contains("pages are in bulk data that is not here"), "{said}");
}
