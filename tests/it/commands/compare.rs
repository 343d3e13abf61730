//! `uncask diff`, `uncask du`, `uncask list --conflicts` and `--changed-since`.

use super::run::{corpus, fixture, uncask};
use std::fs;
use std::path::{Path, PathBuf};

/// A build of two files, and one after it: a file changed, one went, one came, one moved.
fn builds(folder: &Path) -> [String; 2] {
    let file = |build: &str, name: &str, content: &[u8]| {
        let path = folder.join(build).join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    };
    for build in ["old", "new"] {
        file(build, "Game/Content/Same.bin", &[1; 4000]);
    }
    file("old", "Game/Content/Gone.bin", b"gone");
    file("old", "Game/Content/Changed.bin", b"before");
    file("new", "Game/Content/Changed.bin", b"behind");
    file("old", "Game/Content/Here.bin", &[7; 3000]);
    file("new", "Game/Content/There.bin", &[7; 3000]);
    file("new", "Game/Content/Sub/Come.bin", &[9; 2000]);
    ["old", "new"].map(|build| {
        let table = folder.join(format!("{build}.utoc")).to_str().unwrap().to_owned();
        let source = folder.join(build);
        uncask(&["pack", source.to_str().unwrap(), "-o", &table, "--method", "zlib"]).ok();
        table
    })
}

#[test]
fn a_diff_in_every_form() {
    let folder = tempfile::tempdir().unwrap();
    let [old, new] = builds(folder.path());
    for (name, more) in [("text", None), ("json", Some("--json")), ("csv", Some("--csv"))] {
        let args = ["diff", &old, &new].into_iter().chain(more);
        let ran = uncask(&args.collect::<Vec<_>>());
        assert_eq!(ran.code, 1, "{}", ran.err);
        insta::assert_snapshot!(format!("diff_{name}"), ran.shown(folder.path()));
    }
    assert_eq!(uncask(&["diff", &old, &old]).ok().out, "");
    assert_eq!(uncask(&["diff", &old, &new, "*Same*"]).code, 0);
    assert_eq!(uncask(&["diff", &old, "nowhere"]).code, 3);
}

#[test]
fn a_patch_is_compared_with_its_base() {
    let Some(corpus) = corpus() else { return };
    let folder = corpus.join("iostore/ue5.8/patch");
    let table =
        |name: &str| folder.join(format!("CUE4ParseFixtures-{name}.utoc")).to_str().unwrap().to_owned();
    let ran = uncask(&["diff", &table("PatchBase"), &table("PatchBase_0_P")]);
    insta::assert_snapshot!("diff_patch", ran.shown(&corpus));
    let listed = uncask(&["list", folder.to_str().unwrap(), "--conflicts"]).ok();
    insta::assert_snapshot!("list_conflicts", listed.shown(&corpus));
    let listed = uncask(&["list", folder.to_str().unwrap(), "--conflicts", "--json"]).ok();
    insta::assert_snapshot!("list_conflicts_json", listed.shown(&corpus));
}

#[test]
fn two_cooks_differ_in_every_package() {
    let Some(corpus) = corpus() else { return };
    let [tagged, _] = fixture(&corpus, "tagged");
    let [unversioned, _] = fixture(&corpus, "unversioned");
    let found = uncask(&["diff", &tagged, &unversioned, "--json"]).json();
    assert_eq!(found["packages"]["changed"], 97);
    assert_eq!(found["same"].as_u64().unwrap() + found["totals"]["changed"]["chunks"].as_u64().unwrap(), 112);
}

#[test]
fn only_what_changed_is_unpacked() {
    let folder = tempfile::tempdir().unwrap();
    let [old, new] = builds(folder.path());
    let ran = uncask(&["unpack", &new, "-o", "unused", "--changed-since", &old, "--dry-run"]).ok();
    let mut paths: Vec<&str> = ran.out.lines().collect();
    paths.sort_unstable();
    let expected = ["Game/Content/Changed.bin", "Game/Content/Sub/Come.bin", "Game/Content/There.bin"];
    assert_eq!(paths, expected);
    let nothing = uncask(&["unpack", &new, "-o", "unused", "--changed-since", &new]);
    assert_eq!(nothing.code, 5, "{}", nothing.err);
}

#[test]
fn shares_add_up_to_the_whole() {
    let Some(corpus) = corpus() else { return };
    let [container, _] = fixture(&corpus, "tagged");
    for command in ["unpack", "to-legacy"] {
        let files = |more: &[&str]| {
            let ran = uncask(&[&[command, &container, "-o", "unused", "--dry-run"], more].concat()).ok();
            ran.out.lines().map(str::to_owned).collect::<Vec<_>>()
        };
        let mut whole = files(&[]);
        let shares: Vec<Vec<String>> =
            ["1/3", "2/3", "3/3"].iter().map(|shard| files(&["--shard", shard])).collect();
        assert!(shares.iter().all(|share| !share.is_empty() && share.len() < whole.len()), "{shares:?}");
        let mut together = shares.concat();
        together.sort_unstable();
        whole.sort_unstable();
        assert_eq!(together, whole, "{command}");
    }
    let verified = ["1/2", "2/2"].map(|shard| {
        let found = uncask(&["verify", &container, "--shard", shard, "--json"]).ok().json();
        found["count"].as_u64().unwrap()
    });
    assert_eq!(verified.iter().sum::<u64>(), 112);
    assert_eq!(uncask(&["verify", &container, "--shard", "3/2"]).code, 2);
}

#[test]
fn sizes_by_everything() {
    let Some(corpus) = corpus() else { return };
    let folder: PathBuf = corpus.join("iostore/ue5.8/tagged");
    let (input, global) = (folder.join("Oodle"), folder.join("global.utoc"));
    let (input, global) = (input.to_str().unwrap(), global.to_str().unwrap());
    for by in ["folder", "type", "class", "container", "method"] {
        let ran = uncask(&["du", input, "-i", global, "--by", by, "-n", "12"]).ok();
        insta::assert_snapshot!(format!("du_{by}"), ran.shown(&corpus));
    }
    let deep = uncask(&["du", input, "--depth", "4", "--json"]).ok().json();
    let rows = deep["rows"].as_array().unwrap();
    let top: u64 = rows.iter().filter(|row| row["depth"] == 0).map(|row| row["raw"].as_u64().unwrap()).sum();
    assert_eq!(deep["total"]["raw"].as_u64().unwrap(), top);
    let chunks = uncask(&["list", input, "--jsonl"]).ok();
    let listed = chunks.out.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    assert_eq!(listed.map(|row| row["size"].as_u64().unwrap()).sum::<u64>(), top);
}

#[test]
fn what_shells_and_manual_readers_get() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = uncask(&["completions", shell]).ok().out;
        assert!(script.contains("to-legacy") && script.contains("uncask"), "{shell}");
    }
    let page = uncask(&["man"]).ok().out;
    assert!(page.contains(".TH uncask 1") && page.contains("to\\-legacy"), "{page}");
    let folder = tempfile::tempdir().unwrap();
    uncask(&["man", "-o", folder.path().to_str().unwrap()]).ok();
    assert!(fs::read_to_string(folder.path().join("uncask-unpack.1")).unwrap().contains("changed\\-since"));
}
