//! Containers in which several packages have one chunk id, as some packers write them.

use super::run::{Ran, corpus_with, uncask};
use std::collections::BTreeSet;
use std::path::Path;

/// Paths below a folder.
fn files(folder: &Path) -> BTreeSet<String> {
    let found = walkdir::WalkDir::new(folder).into_iter().map(Result::unwrap);
    let files = found.filter(|entry| entry.file_type().is_file()).map(walkdir::DirEntry::into_path);
    files.map(|path| path.strip_prefix(folder).unwrap().to_str().unwrap().replace('\\', "/")).collect()
}

fn run(args: &[&str], out: &Path) -> Ran {
    uncask(&[args, &["-o", out.to_str().unwrap(), "--json"]].concat()).ok()
}

/// The container that has four packages, and bulk data of one of them.
fn container() -> Option<String> {
    let made = "found/container/dup.utoc";
    Some(corpus_with(made)?.join(made).to_str().unwrap().to_owned())
}

#[test]
fn every_package_gets_files_of_its_own() {
    let Some(container) = container() else { return };
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let manifest = folder.path().join("manifest.jsonl");
    let ran = run(&["to-legacy", &container, "--manifest", manifest.to_str().unwrap()], &out);
    let json = ran.json();
    assert_eq!((&json["packages"], &json["count"], &json["selected"]), (&4.into(), &5.into(), &5.into()));
    let written = files(&out);
    let with = |end: &str| written.iter().filter(|path| path.ends_with(end)).count();
    assert_eq!((with(".uasset"), with(".uexp"), with(".ubulk"), written.len()), (4, 4, 1, 9), "{written:?}");
    let stems = |end: &str| {
        written.iter().filter_map(|path| Some(path.strip_suffix(end)?.to_owned())).collect::<BTreeSet<_>>()
    };
    assert_eq!(stems(".uasset"), stems(".uexp"), "both files of a package are there");
    assert!(stems(".ubulk").is_subset(&stems(".uexp")), "bulk data lies beside its package: {written:?}");
    assert!(ran.err.contains("4 packages have the chunk id c41b9455e51d1e9800000001"), "{}", ran.err);
    uncask(&["verify", out.to_str().unwrap(), "--manifest", manifest.to_str().unwrap()]).ok();
    let again = run(&["to-legacy", &container, "--resume"], &out).json();
    assert_eq!((&again["count"], &again["unchanged"]), (&0.into(), &5.into()));
    let dry = uncask(&["to-legacy", &container, "-o", out.to_str().unwrap(), "--dry-run"]).ok();
    let reported: BTreeSet<String> = dry.out.lines().map(str::to_owned).collect();
    let is_exports = |path: &&String| Path::new(path).extension().is_some_and(|end| end == "uexp");
    let made: BTreeSet<String> = written.iter().filter(|path| !is_exports(path)).cloned().collect();
    assert_eq!(reported, made);
}

#[test]
fn shards_together_are_everything() {
    let Some(container) = container() else { return };
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole");
    run(&["to-legacy", &container], &whole);
    let mut together = BTreeSet::new();
    for shard in ["1/3", "2/3", "3/3"] {
        let out = folder.path().join(shard.replace('/', "-"));
        let ran = uncask(&["to-legacy", &container, "--shard", shard, "-o", out.to_str().unwrap(), "--json"]);
        if ran.code == 0 {
            let written = files(&out);
            assert!(together.is_disjoint(&written), "{shard}");
            together.extend(written);
        }
    }
    assert_eq!(together, files(&whole));
}

#[test]
fn unpack_and_get_do_not_take_one_for_the_other() {
    let Some(container) = container() else { return };
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let json = run(&["unpack", &container], &out).json();
    let written = files(&out);
    assert_eq!(json["count"], written.len());
    assert_eq!(written.len(), 6, "{written:?}");
    let ran = uncask(&["get", &container, "c41b9455e51d1e9800000001"]);
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert!(ran.err.contains("matches 4 chunks, expected one: "), "{}", ran.err);
    let one = written.iter().find(|path| path.ends_with(".uasset")).unwrap();
    let file = folder.path().join("one");
    uncask(&["get", &container, one, "-o", file.to_str().unwrap()]).ok();
    assert_eq!(std::fs::read(file).unwrap(), std::fs::read(out.join(one)).unwrap());
}
