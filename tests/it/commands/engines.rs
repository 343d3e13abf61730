//! The release that `to-legacy` writes for, the reason, and the message when it cannot be known.

use super::run::{Ran, corpus, fixture, uncask};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

fn to_legacy(input: &str, out: &Path, more: &[&str]) -> Ran {
    uncask(&[&["to-legacy", input, "-o", out.to_str().unwrap(), "--json"], more].concat()).ok()
}

fn engines(ran: &Ran) -> Value {
    ran.json()["engines"].clone()
}

/// An unversioned package of 5.6 to 5.8 may be of any of them.
#[test]
fn clues_outside_the_container_decide() {
    let Some(corpus) = corpus() else { return };
    let [container, global] = fixture(&corpus, "unversioned");
    let out = tempfile::tempdir().unwrap();
    let run = |more: &[&str]| to_legacy(&container, out.path(), &[&["-i", &global, "*T_*"], more].concat());
    let alone = run(&[]);
    let doubt = json!({
        "engine": "5.8", "by": "the newest that fits", "engines_that_fit": ["5.6", "5.7", "5.8"]
    });
    let found = engines(&alone);
    for (key, value) in doubt.as_object().unwrap() {
        assert_eq!(&found[0][key], value);
    }
    let warning = "packages fit UE 5.6, 5.7 and 5.8, whose layouts differ";
    let reported = |ran: &Ran| {
        ran.err
            .lines()
            .any(|line| line.starts_with("warning:") && line.contains(warning) && line.contains("--engine"))
    };
    assert!(reported(&alone), "{}", alone.err);
    // The asset registry of the same game has version 24.
    let paks = corpus.join("pak/ue5.8/plain/Uncompressed");
    let ran = run(&["--base", paks.to_str().unwrap()]);
    assert_eq!(
        (&engines(&ran)[0]["engine"], &engines(&ran)[0]["by"]),
        (&json!("5.8"), &json!("by the asset registry"))
    );
    assert!(!reported(&ran) && engines(&ran).as_array().unwrap().len() == 1, "{}", ran.err);
    // The other cook of this game has packages with versions.
    let [tagged, _] = fixture(&corpus, "tagged");
    let ran = run(&["--base", &tagged]);
    assert_eq!(
        (&engines(&ran)[0]["engine"], &engines(&ran)[0]["by"]),
        (&json!("5.8"), &json!("by the versions in another package"))
    );
    let ran = run(&["--engine", "5.7"]);
    assert_eq!(
        (&engines(&ran)[0]["engine"], &engines(&ran)[0]["by"]),
        (&json!("5.7"), &json!("as asked for"))
    );
    assert!(!reported(&ran));
}

#[test]
fn the_files_of_a_game_decide() {
    let Some(corpus) = corpus() else { return };
    let [container, global] = fixture(&corpus, "unversioned");
    let game = tempfile::tempdir().unwrap();
    let paks = game.path().join("Shooter/Content/Paks");
    fs::create_dir_all(&paks).unwrap();
    for (from, to) in [
        (Path::new(&container).join("CUE4ParseFixtures-Minimal-Uncompressed-Windows.utoc"), "a.utoc"),
        (global.clone().into(), "global.utoc"),
    ] {
        for extension in ["utoc", "ucas"] {
            fs::copy(from.with_extension(extension), paks.join(to).with_extension(extension)).unwrap();
        }
    }
    let build = game.path().join("Engine/Build");
    fs::create_dir_all(&build).unwrap();
    fs::write(build.join("Build.version"), r#"{ "MajorVersion": 5, "MinorVersion": 6, "PatchVersion": 1 }"#)
        .unwrap();
    let [found, asked] = ["found", "asked"].map(|name| game.path().join(name));
    let input = paks.join("a.utoc");
    let ran = to_legacy(input.to_str().unwrap(), &found, &["*T_*"]);
    let packages = ran.json()["packages"].clone();
    assert_eq!(engines(&ran), json!([{ "engine": "5.6", "by": "by Build.version", "packages": packages }]));
    assert!(!ran.err.contains("warning"), "{}", ran.err);
    to_legacy(input.to_str().unwrap(), &asked, &["*T_*", "--engine", "5.6"]);
    let headers = |folder: &Path| {
        let found = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter().map(Result::unwrap);
        let files =
            found.filter(|entry| entry.file_type().is_file()).map(|entry| fs::read(entry.path()).unwrap());
        files.collect::<Vec<_>>()
    };
    assert!(headers(&found) == headers(&asked));
}

/// Packages of 5.4 and 5.5 look alike, too.
#[test]
fn loose_packages_of_5_5() {
    let Some(corpus) = corpus() else { return };
    let input = corpus.join("packages/ue5.5/T_Test.uzenasset");
    let out = tempfile::tempdir().unwrap();
    let alone = to_legacy(input.to_str().unwrap(), out.path(), &[]);
    assert_eq!(engines(&alone)[0]["engines_that_fit"], json!(["5.4", "5.5"]));
    assert!(alone.err.contains("1 package fits UE 5.4 and 5.5, whose layouts differ"), "{}", alone.err);
    let base = corpus.join("iostore/games/way-of-the-ninja");
    let ran = to_legacy(input.to_str().unwrap(), out.path(), &["--base", base.to_str().unwrap()]);
    assert_eq!(engines(&ran), json!([{ "engine": "5.5", "by": "by the other containers", "packages": 1 }]));
    assert!(!ran.err.contains("--engine"), "{}", ran.err);
}
