//! `uncask to-legacy`.

use super::run::{Ran, corpus, corpus_with, fixture, uncask};
use crate::pak::Pak;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Every file below a folder, by its path there.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let found = walkdir::WalkDir::new(folder).into_iter().map(Result::unwrap);
    let files = found.filter(|entry| entry.file_type().is_file()).map(walkdir::DirEntry::into_path);
    let name = |path: &PathBuf| path.strip_prefix(folder).unwrap().to_str().unwrap().replace('\\', "/");
    files.map(|path| (name(&path), fs::read(&path).unwrap())).collect()
}

/// The files of a folder by file name alone.
fn by_file_name(files: &BTreeMap<String, Vec<u8>>) -> BTreeMap<&str, &[u8]> {
    files.iter().map(|(path, bytes)| (path.rsplit('/').next().unwrap(), bytes.as_slice())).collect()
}

fn to_legacy(input: &str, output: &Path, more: &[&str]) -> Ran {
    uncask(&[&["to-legacy", input, "-o", output.to_str().unwrap()], more].concat())
}

/// The folder of both fixture containers, `global` included.
fn mode_folder(corpus: &Path, mode: &str) -> [String; 4] {
    let [container, global] = fixture(corpus, mode);
    [container, "-i".to_owned(), global, "--json".to_owned()]
}

#[test]
fn the_cookers_files_come_out_byte_for_byte() {
    let Some(corpus) = corpus() else { return };
    for mode in ["tagged", "unversioned"] {
        let out = tempfile::tempdir().unwrap();
        let [container, flag, global, json] = mode_folder(&corpus, mode);
        let ran = to_legacy(&container, out.path(), &[&flag, &global, &json, "--check"]).ok();
        assert_eq!(ran.json()["packages"], 97, "{mode}");
        let written = files(out.path());
        let written = by_file_name(&written);
        let cooked = files(&corpus.join(format!("packages/ue5.8-{mode}")));
        assert_eq!(cooked.len(), 11);
        for (name, bytes) in &cooked {
            assert!(written[name.as_str()] == bytes.as_slice(), "{mode}/{name} differs");
        }
    }
}

/// The `.pak` files of another cook of the same project.
#[test]
fn the_cookers_paks_hold_the_same_files() {
    let Some(corpus) = corpus() else { return };
    for (mode, name) in [("tagged", "Tagged"), ("unversioned", "Unversioned")] {
        let pak =
            format!("pak/ue5.8/legacy/{name}/Uncompressed/CUE4ParseFixtures-Legacy-{name}-Uncompressed.pak");
        let cooked = Pak::open(&corpus.join(pak)).files();
        let out = tempfile::tempdir().unwrap();
        let [container, flag, global, json] = mode_folder(&corpus, mode);
        to_legacy(&container, out.path(), &[&flag, &global, &json, "--engine", "5.8"]).ok();
        let written = files(out.path());
        assert!(cooked.len() >= 11);
        for (path, bytes) in &cooked {
            assert!(written.get(path) == Some(bytes), "{mode}: {path}");
        }
    }
}

#[test]
fn loose_packages_come_out_as_those_of_containers_do() {
    let Some(corpus) = corpus() else { return };
    let [container, global] = fixture(&corpus, "tagged");
    let folder = tempfile::tempdir().unwrap();
    let [unpacked, loose, direct] = ["unpacked", "loose", "direct"].map(|name| folder.path().join(name));
    uncask(&["unpack", &container, "-o", unpacked.to_str().unwrap()]).ok();
    let base = ["--base", &global, "--engine", "5.8"];
    to_legacy(unpacked.to_str().unwrap(), &loose, &base).ok();
    to_legacy(&container, &direct, &base).ok();
    let (loose, direct) = (files(&loose), files(&direct));
    assert!(loose.len() > 150, "{}", loose.len());
    assert!(
        loose == direct,
        "{:?}",
        loose.keys().filter(|name| loose.get(*name) != direct.get(*name)).collect::<Vec<_>>()
    );
}

#[test]
fn loose_packages_of_5_5_differ_only_in_the_guid() {
    let Some(corpus) = corpus() else { return };
    let folder = corpus.join("packages/ue5.5");
    let base = corpus.join("iostore/games/way-of-the-ninja");
    let out = tempfile::tempdir().unwrap();
    to_legacy(folder.to_str().unwrap(), out.path(), &["--base", base.to_str().unwrap(), "--check"]).ok();
    let (written, cooked) = (files(out.path()), files(&folder));
    for name in ["T_Test", "SM_Cube"] {
        for extension in ["uexp", "ubulk"] {
            let name = format!("{name}.{extension}");
            assert!(written[&name] == cooked[&name], "{name}");
        }
        let (ours, theirs) = (&written[&format!("{name}.uasset")], &cooked[&format!("{name}.uasset")]);
        assert_eq!(ours.len(), theirs.len(), "{name}");
        let differing: Vec<usize> = (0..ours.len()).filter(|at| ours[*at] != theirs[*at]).collect();
        let span = differing.last().unwrap() - differing.first().unwrap();
        assert!(span < 16 && differing.iter().all(|at| ours[*at] == 0), "{name}: {differing:?}");
    }
    assert!(written["BP_ThirdPersonCharacter.uexp"] == cooked["BP_ThirdPersonCharacter.uexp"]);
}

#[test]
fn what_is_there_already_is_kept_or_replaced() {
    let Some(corpus) = corpus() else { return };
    let [container, global] = fixture(&corpus, "unversioned");
    let out = tempfile::tempdir().unwrap();
    let run = |more: &[&str]| {
        let fixed = ["T_Streaming", "-i", &global, "--json"];
        to_legacy(&container, out.path(), &[&fixed, more].concat()).ok().json()
    };
    let first = run(&[]);
    assert_eq!((first["count"].as_u64(), first["kept"].as_u64()), (Some(2), Some(0)));
    let before = files(out.path());
    assert_eq!(before.len(), 3);
    let header = out.path().join(before.keys().find(|name| name.ends_with(".uasset")).unwrap());
    let changed = || fs::metadata(&header).unwrap().modified().unwrap();
    let written = changed();
    let resumed = run(&["--resume"]);
    assert_eq!(changed(), written, "the same content is not written again");
    assert_eq!((&resumed["unchanged"], &resumed["count"]), (&2.into(), &0.into()));
    fs::write(&header, "something else").unwrap();
    assert_eq!(run(&["--overwrite", "never"])["kept"], 2);
    assert_eq!(fs::read(&header).unwrap(), b"something else");
    let resumed = run(&["--resume"]);
    assert_eq!((&resumed["unchanged"], &resumed["count"]), (&1.into(), &1.into()));
    assert!(files(out.path()) == before);
}

#[test]
fn what_the_user_sees() {
    let Some(corpus) = corpus() else { return };
    let [container, global] = fixture(&corpus, "tagged");
    let out = tempfile::tempdir().unwrap();
    let report = out.path().join("report.json");
    let dry = to_legacy(&container, out.path(), &["*Empty*", "*T_Streaming*", "-i", &global, "--dry-run"]);
    insta::assert_snapshot!("to_legacy_dry_run", dry.shown(out.path()));
    let more = ["*Empty*", "DT_*", "-i", &global, "--report", report.to_str().unwrap()];
    let ran = to_legacy(&container, out.path(), &more).ok();
    insta::assert_snapshot!("to_legacy_report", fs::read_to_string(&report).unwrap());
    // The line with the time differs from run to run.
    let summary: Vec<&str> = ran.err.lines().filter(|line| !line.starts_with("converted ")).collect();
    insta::assert_snapshot!("to_legacy_summary", summary.join("\n"));
}

#[test]
fn without_the_global_container_assets_are_written_and_losses_told() {
    let Some(corpus) = corpus() else { return };
    let folder = corpus.join("packages/ue5.5");
    let out = tempfile::tempdir().unwrap();
    let report = out.path().join("report.json");
    let input = folder.join("T_Test.uzenasset");
    to_legacy(input.to_str().unwrap(), out.path(), &["--report", report.to_str().unwrap(), "--check"]).ok();
    insta::assert_snapshot!("to_legacy_alone", fs::read_to_string(&report).unwrap());
    // Bulk data is compared, too: of the same length, but with other bytes, it is written again.
    let bulk = out.path().join("T_Test.ubulk");
    let sound = fs::read(&bulk).unwrap();
    fs::write(&bulk, vec![0; sound.len()]).unwrap();
    let resumed = to_legacy(input.to_str().unwrap(), out.path(), &["--resume", "--json"]).ok().json();
    assert_eq!((&resumed["unchanged"], &resumed["count"]), (&1.into(), &1.into()));
    assert!(fs::read(&bulk).unwrap() == sound);
    assert_eq!(
        files(out.path()).keys().collect::<Vec<_>>(),
        ["T_Test.uasset", "T_Test.ubulk", "T_Test.uexp", "report.json"]
    );
}

#[test]
fn nothing_to_convert_is_told() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("text.uasset"), "no package").unwrap();
    let out = folder.path().join("out");
    let input = folder.path().to_str().unwrap();
    insta::assert_snapshot!("to_legacy_nothing", to_legacy(input, &out, &[]).shown(folder.path()));
    insta::assert_snapshot!(
        "to_legacy_bad_engine",
        to_legacy(input, &out, &["--engine", "4.2"]).shown(folder.path())
    );
}

/// A package of 30,000 bytes of name, in 15,000 folders: no path of a file comes of that.
#[test]
fn names_in_headers_make_no_path_that_is_too_long() {
    let Some(corpus) = corpus_with("hostile/deep_package_name") else { return };
    let container = corpus.join("hostile/deep_package_name/c.utoc");
    let out = tempfile::tempdir().unwrap();
    uncask(&["unpack", container.to_str().unwrap(), "-o", out.path().to_str().unwrap()]).ok();
    let ran = uncask(&["to-legacy", container.to_str().unwrap(), "-o", out.path().to_str().unwrap()]);
    assert!(ran.code <= 3, "{}", ran.err);
    let written = files(out.path());
    assert!(!written.is_empty());
    for path in written.keys() {
        assert!(path.len() <= 1023 && path.split('/').count() <= 128, "{path}");
    }
}

/// Files that the user has changed stay, whether packages come from a container or from a folder.
#[test]
fn nothing_that_is_there_is_replaced_where_that_is_forbidden() {
    let folder = tempfile::tempdir().unwrap();
    let is = |name: &str, end: &str| Path::new(name).extension().is_some_and(|found| found == end);
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/demo");
    let loose = folder.path().join("loose");
    uncask(&["unpack", demo.to_str().unwrap(), "-o", loose.to_str().unwrap()]).ok();
    for (at, input) in [demo, loose].into_iter().enumerate() {
        let out = folder.path().join(format!("out{at}"));
        to_legacy(input.to_str().unwrap(), &out, &[]).ok();
        let mut expected = files(&out);
        for (name, bytes) in expected.iter_mut().filter(|(name, _)| !is(name, "json")) {
            *bytes = b"mine".to_vec();
            fs::write(out.join(name), &*bytes).unwrap();
        }
        assert!(
            expected.keys().any(|name| is(name, "uasset")) && expected.keys().any(|name| is(name, "ubulk"))
        );
        let report =
            to_legacy(input.to_str().unwrap(), &out, &["--overwrite", "never", "--json"]).ok().json();
        assert!(files(&out) == expected, "{input:?}");
        assert_eq!(
            (&report["packages"], report["kept"].as_u64() > Some(0)),
            (&serde_json::json!(0), true),
            "{report:#}"
        );
    }
}
