//! The options that `export` shares with `unpack`.

use super::{files, fixture, payloads, uncask};
use crate::support::cli::Run;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A run on the textures of the fixture.
fn export(content: &str, more: &[&str], out: &Path) -> Run {
    uncask([&["export", content, "*/Textures/*", "-o", out.to_str().unwrap()], more].concat())
}

/// The lines of a JSON file.
fn lines(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A copy of the fixture in which a byte of a chunk is another one.
fn damaged(content: &str, folder: &Path, chunk: &str) -> PathBuf {
    let rows = uncask(["list", content, chunk, "--jsonl"]).expect(0).stdout;
    let row: Value = serde_json::from_str(rows.lines().next().unwrap()).unwrap();
    let at = usize::try_from(row["offset"].as_u64().unwrap()).unwrap();
    for entry in std::fs::read_dir(content).unwrap() {
        let path = entry.unwrap().path();
        let mut bytes = std::fs::read(&path).unwrap();
        if path.extension().is_some_and(|extension| extension == "ucas") {
            bytes[at + 17] ^= 1;
        }
        std::fs::write(folder.join(path.file_name().unwrap()), bytes).unwrap();
    }
    folder.to_owned()
}

#[test]
fn a_dry_run_names_what_is_written_afterwards() {
    let Some(payloads) = payloads() else { return };
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let [content, ..] = fixture(&payloads, "tagged");
    let planned = export(&content, &["--dry-run", "--json"], &out).expect(0);
    assert!(!out.exists(), "nothing is written, not even the folder");
    let report: Value = serde_json::from_str(&planned.stdout).unwrap();
    assert_eq!(report["schema"], "uncask.export.dry_run/1");
    export(&content, &[], &out).expect(0);
    let planned = report["files"].as_array().unwrap();
    for file in planned {
        let len = out.join(file["path"].as_str().unwrap()).metadata().unwrap().len();
        assert_eq!(file["bytes"], len, "{file}");
    }
    assert_eq!(planned.len(), files(&out).len());
}

#[test]
fn manifests_of_shares_are_verified_together() {
    let Some(payloads) = payloads() else { return };
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let [content, ..] = fixture(&payloads, "tagged");
    let manifests = ["1", "2"].map(|number| folder.path().join(format!("{number}.jsonl")));
    for (share, manifest) in ["1/2", "2/2"].into_iter().zip(&manifests) {
        export(&content, &["--shard", share, "--manifest", manifest.to_str().unwrap()], &out).expect(0);
    }
    let verify = |manifests: &[PathBuf]| {
        let more = manifests.iter().flat_map(|path| ["--manifest", path.to_str().unwrap()]);
        uncask(["verify", out.to_str().unwrap()].into_iter().chain(more))
    };
    verify(&manifests).expect(0);
    let alone = verify(&manifests[..1]).expect(1);
    assert!(alone.stderr.contains("the manifest of shard 2/2 is missing"), "{}", alone.stderr);
    // One line for each file, and one for each package that says how many these are.
    let listed = manifests.iter().flat_map(|path| lines(path)).collect::<Vec<_>>();
    let count = |field: &str| listed.iter().filter(|line| !line[field].is_null()).count();
    assert_eq!(count("path"), files(&out).len());
    assert!(count("source") >= 21, "{}", count("source"));
    // A package that is in no manifest, and a file that changed, are found.
    let text = std::fs::read_to_string(&manifests[0]).unwrap();
    let shorter: Vec<&str> = text.lines().filter(|line| !line.contains("\"files\":1,")).collect();
    assert!(shorter.len() < text.lines().count());
    std::fs::write(&manifests[0], shorter.join("\n")).unwrap();
    let cut = verify(&manifests).expect(3);
    assert!(cut.stderr.contains("the manifest has lines missing"), "{}", cut.stderr);
    std::fs::write(&manifests[0], text).unwrap();
    std::fs::write(&files(&out)["T_BC1.png"], "x").unwrap();
    let changed = verify(&manifests).expect(1);
    assert!(changed.stderr.contains("file has 1 byte"), "{}", changed.stderr);
}

#[test]
fn only_packages_that_changed_are_exported() {
    let Some(payloads) = payloads() else { return };
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let [content, ..] = fixture(&payloads, "tagged");
    let same = export(&content, &["--changed-since", &content], &out);
    assert_eq!(same.code, 5, "{}", same.stderr);
    // Another texture only: its bulk data is a chunk of its own, and its hash the one of the old build.
    let old = folder.path().join("old");
    std::fs::create_dir(&old).unwrap();
    let tree = folder.path().join("tree");
    let unpack = ["unpack", &content, "-o", tree.to_str().unwrap(), "*/T_BC*", "*/T_Streaming*"];
    uncask(unpack).expect(0);
    let bulk = files(&tree)["T_Streaming.ubulk"].clone();
    std::fs::write(&bulk, [std::fs::read(&bulk).unwrap(), vec![0]].concat()).unwrap();
    let packed = old.join("old.utoc");
    uncask(["pack", tree.to_str().unwrap(), "-o", packed.to_str().unwrap(), "--like", &content]).expect(0);
    let since = ["--changed-since", old.to_str().unwrap(), "-o", out.to_str().unwrap()];
    let changed = uncask([&["export", &content, "T_BC1", "T_Streaming"], &since[..]].concat());
    assert_eq!(changed.code, 0, "{}", changed.stderr);
    assert_eq!(files(&out).into_keys().collect::<Vec<_>>(), ["T_Streaming.png"], "{}", changed.stderr);
    // Loose packages have no older build.
    let loose = payloads.join("ue5.1-cooked");
    for option in ["--changed-since", "--manifest"] {
        let refused = uncask(["export", loose.to_str().unwrap(), "-o", out.to_str().unwrap(), option, "x"]);
        assert_eq!(refused.code, 2, "{}", refused.stderr);
        assert!(refused.stderr.contains("works for packages in containers"), "{}", refused.stderr);
    }
}

#[test]
fn damaged_bulk_data_is_found_and_with_strict_not_written() {
    let Some(payloads) = payloads() else { return };
    let folder = tempfile::tempdir().unwrap();
    let [content, ..] = fixture(&payloads, "tagged");
    let content = damaged(&content, folder.path(), "*/T_Streaming.ubulk");
    let content = content.to_str().unwrap();
    let run = |name: &str, more: &[&str]| {
        let out = folder.path().join(name);
        let run = uncask([&["export", content, "T_Streaming", "-o", out.to_str().unwrap()], more].concat());
        (run, files(&out).len())
    };
    let (found, written) = run("told", &[]);
    assert_eq!((found.code, written), (1, 1), "{}", found.stderr);
    assert!(found.stderr.contains("T_Streaming"), "{}", found.stderr);
    assert!(found.stderr.contains("hash"), "{}", found.stderr);
    let (strict, written) = run("strict", &["--strict"]);
    assert_eq!((strict.code, written), (1, 0), "{}", strict.stderr);
    let (unchecked, written) = run("unchecked", &["--no-verify"]);
    assert_eq!((unchecked.code, written), (0, 1), "{}", unchecked.stderr);
}

#[test]
fn levels_of_detail_are_chosen() {
    let Some(payloads) = payloads() else { return };
    let folder = tempfile::tempdir().unwrap();
    let [content, base, global, mappings] = fixture(&payloads, "tagged");
    let run = |name: &str, more: &[&str]| {
        let out = folder.path().join(name);
        let args = [
            "export",
            &content,
            &base,
            &global,
            "--mappings",
            &mappings,
            "SM_Fixture",
            "SK_Fixture",
            "--as",
            "gltf",
            "-o",
        ];
        let run = uncask([&args[..], &[out.to_str().unwrap()], more].concat()).expect(0);
        (run.stderr, files(&out))
    };
    let (_, all) = run("all", &["--all-lods"]);
    let names: Vec<&str> = all.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        ["SK_Fixture_LOD0.glb", "SK_Fixture_LOD1.glb", "SM_Fixture_LOD0.glb", "SM_Fixture_LOD1.glb"]
    );
    let (_, best) = run("best", &[]);
    let bytes = |path: &PathBuf| std::fs::read(path).unwrap();
    assert_eq!(bytes(&best["SK_Fixture.glb"]), bytes(&all["SK_Fixture_LOD0.glb"]));
    let (_, one) = run("one", &["--lod", "1"]);
    assert_eq!(bytes(&one["SK_Fixture_LOD1.glb"]), bytes(&all["SK_Fixture_LOD1.glb"]));
    assert_ne!(bytes(&all["SK_Fixture_LOD0.glb"]), bytes(&all["SK_Fixture_LOD1.glb"]));
    let (said, none) = run("none", &["--lod", "7"]);
    assert!(none.is_empty() && said.contains("it has only 2 levels of detail"), "{said}");
}
