//! Manifests: three shards are the whole, and what is damaged, missing or left out is found.

use crate::support::cli::{Run, uncask};
use crate::support::corpus;
use std::collections::BTreeSet;
use std::path::Path;

/// Unpacks the demo containers in three shards, and gives the arguments that check them.
fn unpack_three(folder: &Path) -> Vec<String> {
    let out = folder.join("out").display().to_string();
    let mut args = vec!["verify".to_owned(), out.clone()];
    for shard in 1..=3 {
        let manifest = folder.join(format!("{shard}.jsonl")).display().to_string();
        let shard = format!("{shard}/3");
        uncask(["unpack", "testdata/demo", "-o", &out, "--shard", &shard, "--manifest", &manifest]).expect(0);
        args.extend(["--manifest".to_owned(), manifest]);
    }
    args
}

/// The paths in a manifest.
fn paths(manifest: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(manifest).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    lines.filter_map(|line| Some(line.get("path")?.as_str()?.to_owned())).collect()
}

fn check(args: &[String]) -> Run {
    uncask(args)
}

#[test]
fn three_shards_are_exactly_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let args = unpack_three(folder.path());
    let whole = folder.path().join("whole.jsonl");
    let out = folder.path().join("whole").display().to_string();
    uncask(["unpack", "testdata/demo", "-o", &out, "--manifest", &whole.display().to_string()]).expect(0);
    let mut shares = Vec::new();
    for shard in 1..=3 {
        let share = paths(&folder.path().join(format!("{shard}.jsonl")));
        assert!(!share.is_empty(), "shard {shard}");
        shares.extend(share);
    }
    let mut whole = paths(&whole);
    shares.sort();
    whole.sort();
    assert_eq!(shares, whole);
    let run = check(&args).expect(0);
    assert_eq!(run.stderr, format!("checked {} files against the manifests: 0 problems\n", whole.len()));
}

#[test]
fn a_missing_shard_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let mut args = unpack_three(folder.path());
    args.truncate(6);
    let run = check(&args).expect(1);
    assert!(run.stderr.contains("error: the manifest of shard 3/3 is missing\n"), "{}", run.stderr);
    args.extend_from_within(4..6);
    let run = check(&args).expect(1);
    assert!(run.stderr.contains("error: shard 2/3 has two manifests\n"), "{}", run.stderr);
}

#[test]
fn damage_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let args = unpack_three(folder.path());
    let files: Vec<_> =
        (1..=3).flat_map(|shard| paths(&folder.path().join(format!("{shard}.jsonl")))).take(3).collect();
    let path = |at: usize| folder.path().join("out").join(&files[at]);
    std::fs::remove_file(path(0)).unwrap();
    let mut bytes = std::fs::read(path(1)).unwrap();
    bytes.push(0);
    std::fs::write(path(1), &bytes).unwrap();
    let mut bytes = std::fs::read(path(2)).unwrap();
    bytes[0] ^= 1;
    std::fs::write(path(2), &bytes).unwrap();
    let run = check(&args).expect(1);
    for (start, at) in [("file is missing: ", 0), ("file has ", 1), ("content hash is ", 2)] {
        let reported =
            |line: &str| line.starts_with(&format!("error: {start}")) && line.ends_with(&files[at]);
        assert!(run.stderr.lines().any(reported), "{}", run.stderr);
    }
    assert!(run.stderr.ends_with(": 3 problems\n"), "{}", run.stderr);
}

#[test]
fn what_cannot_be_read_is_an_input_error() {
    let folder = tempfile::tempdir().unwrap();
    let args = unpack_three(folder.path());
    let manifest = folder.path().join("3.jsonl");
    let text = std::fs::read_to_string(&manifest).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    std::fs::write(&manifest, lines[..lines.len() - 1].join("\n")).unwrap();
    let run = check(&args).expect(3);
    assert!(run.stderr.contains("the manifest is cut off"), "{}", run.stderr);
    std::fs::remove_file(&manifest).unwrap();
    check(&args).expect(3);
}

#[test]
fn shards_of_rebuilt_packages_are_exactly_the_whole() {
    let Some(corpus) = corpus::find() else { return };
    let folder = tempfile::tempdir().unwrap();
    let input = corpus.join("iostore/ue5.8/tagged/Uncompressed").display().to_string();
    let global = corpus.join("iostore/ue5.8/tagged/global.utoc").display().to_string();
    let out = folder.path().join("out").display().to_string();
    let manifest = |shard: u32| folder.path().join(format!("{shard}.jsonl"));
    for shard in 1..=3 {
        let (share, path) = (format!("{shard}/3"), manifest(shard).display().to_string());
        let args = ["to-legacy", &input, "-i", &global, "-o", &out, "--shard", &share, "--manifest", &path];
        uncask(args.into_iter().chain(["--quiet"])).expect(0);
    }
    let listed: BTreeSet<String> = (1..=3).flat_map(|shard| paths(&manifest(shard))).collect();
    let root = folder.path().join("out");
    let written = walkdir::WalkDir::new(&root).into_iter().map(Result::unwrap);
    let written: BTreeSet<String> = written
        .filter(|entry| entry.file_type().is_file())
        .map(|entry| entry.path().strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/"))
        .collect();
    assert_eq!(listed, written);
    let map = listed.iter().find(|path| path.contains(".umap"));
    assert!(map.is_some() && listed.len() > 200, "{} files", listed.len());
    let args: Vec<String> = ["verify".to_owned(), out]
        .into_iter()
        .chain((1..=3).flat_map(|shard| ["--manifest".to_owned(), manifest(shard).display().to_string()]))
        .collect();
    check(&args).expect(0);
    std::fs::remove_file(root.join(map.unwrap())).unwrap();
    let run = check(&args).expect(1);
    assert!(run.stderr.contains("is missing: "), "{}", run.stderr);
}
