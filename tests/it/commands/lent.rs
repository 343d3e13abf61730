//! A single container, and those in its folder, which lend it their names.

use super::run::{Ran, corpus, uncask};
use std::fs;
use std::path::{Path, PathBuf};

/// A container of the 5.8 fixture with its game's global container beside it.
struct Folder {
    folder: tempfile::TempDir,
    toc: PathBuf,
}

impl Folder {
    fn new() -> Option<Self> {
        let corpus = corpus()?.join("iostore/ue5.8/tagged");
        let folder = tempfile::tempdir().unwrap();
        let copy = |from: &Path, name: &str| {
            for extension in ["utoc", "ucas"] {
                let to = folder.path().join(name).with_extension(extension);
                fs::copy(from.with_extension(extension), to).unwrap();
            }
        };
        copy(&corpus.join("Uncompressed/CUE4ParseFixtures-Minimal-Uncompressed-Windows"), "mod.utoc");
        copy(&corpus.join("global"), "global.utoc");
        let toc = folder.path().join("mod.utoc");
        Some(Self { folder, toc })
    }

    fn run(&self, command: &str, more: &[&str]) -> Ran {
        uncask(&[&[command, self.toc.to_str().unwrap()], more].concat())
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }
}

#[test]
fn native_objects_have_the_names_of_the_global_container_beside_it() {
    let Some(folder) = Folder::new() else { return };
    let (alone, with) = (folder.path("alone"), folder.path("with"));
    let ran = folder.run("to-legacy", &["-o", &alone, "--json", "--quiet"]).ok();
    let (json, reported) = (
        ran.json(),
        folder.run("to-legacy", &["-o", &with, "-i", &folder.path("global.utoc"), "--json"]).ok().json(),
    );
    assert_eq!(json["packages"], 97);
    assert_eq!(json["losses"].get("native object not found"), None, "{}", json["losses"]);
    assert_eq!((&json["losses"], &json["engines"]), (&reported["losses"], &reported["engines"]));
    let headers = |folder: &str| {
        let found = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter().map(Result::unwrap);
        let files =
            found.filter(|entry| entry.file_type().is_file()).map(|entry| fs::read(entry.path()).unwrap());
        files.collect::<Vec<_>>()
    };
    assert!(headers(&alone) == headers(&with));
}

#[test]
fn only_its_own_chunks_count() {
    let Some(folder) = Folder::new() else { return };
    let own = folder.run("list", &["--jsonl"]).ok().out.lines().count();
    assert_eq!(own, 112);
    assert_eq!(folder.run("list", &["-l", "--jsonl"]).ok().out.lines().count(), own, "with classes");
    assert_eq!(folder.run("verify", &["--json"]).ok().json()["selected"], own);
    let out = folder.path("out");
    assert_eq!(folder.run("unpack", &["-o", &out, "--json"]).ok().json()["count"], own);
}

#[test]
fn what_is_wrong_beside_it_is_no_more_than_a_warning() {
    let Some(folder) = Folder::new() else { return };
    fs::write(folder.path("broken.utoc"), "this is no container").unwrap();
    fs::create_dir(folder.path("below")).unwrap();
    fs::write(folder.path("below/other.utoc"), "nor is this").unwrap();
    let out = folder.path("out");
    let ran = folder.run("to-legacy", &["-o", &out]).ok();
    let warnings: Vec<&str> = ran.err.lines().filter(|line| line.contains("broken.utoc")).collect();
    assert_eq!(warnings.len(), 1, "{}", ran.err);
    assert!(
        warnings[0].starts_with("warning:") && warnings[0].contains("its names are missing"),
        "{}",
        ran.err
    );
    assert!(!ran.err.contains("other.utoc"), "folders below are not searched: {}", ran.err);
    // Nothing beside it matters to those who only count chunks.
    assert!(!folder.run("verify", &[]).ok().err.contains("broken.utoc"));
}
