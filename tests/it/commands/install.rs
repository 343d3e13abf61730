//! `uncask install` and `uncask uninstall`.

use super::run::uncask;
use std::fs;

const DEMO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/demo");

/// A game of the demo's containers, and a mod of it.
fn game() -> (tempfile::TempDir, impl Fn(&str) -> String) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().to_owned();
    let path = move |name: &str| root.join(name).to_str().unwrap().to_owned();
    fs::create_dir_all(path("Game/Demo/Content/Paks")).unwrap();
    for entry in fs::read_dir(DEMO).unwrap() {
        let entry = entry.unwrap();
        let to = path("Game/Demo/Content/Paks");
        fs::copy(entry.path(), std::path::Path::new(&to).join(entry.file_name())).unwrap();
    }
    let start = format!("{DEMO}:/Game/Maps/Start");
    let made = uncask(&["set", &start, "Start.Count", "77", "-o", &path("Count_P.utoc")]).ok();
    let place =
        "Count_P.pak, Count_P.utoc and Count_P.ucas go into Content/Paks/~mods of the game: `uncask install ";
    assert!(made.err.contains(place), "{}", made.err);
    (folder, path)
}

#[test]
fn a_mod_changes_the_game_until_it_is_removed() {
    let (_folder, path) = game();
    let (game, file) = (path("Game"), path("Count_P.utoc"));
    let count = || uncask(&["find", &game, "/Game/Maps/Start", "--property", "Count", "--value", "77"]).code;
    let tried = uncask(&["install", &file, &game, "--dry-run"]).ok();
    assert!(tried.err.contains("would install Count_P: 3 files"), "{}", tried.err);
    assert_eq!((tried.out.lines().count(), count()), (3, 5));
    let done = uncask(&["install", &file, &game, "--json"]).ok().json();
    assert_eq!(done["files"].as_array().unwrap().len(), 3, "{done}");
    assert!(
        done["folder"].as_str().unwrap().replace('\\', "/").ends_with("Demo/Content/Paks/~mods"),
        "{done}"
    );
    assert_eq!(count(), 0, "the mod wins");
    let again = uncask(&["install", &file, &game]);
    assert_eq!((again.code, again.err.contains("--overwrite replaces it")), (1, true), "{}", again.err);
    uncask(&["install", &file, &game, "--overwrite"]).ok();
    let other = uncask(&["uninstall", "Other_P", &game]);
    assert_eq!((other.code, other.err.contains("installed there: Count_P")), (5, true), "{}", other.err);
    let gone = uncask(&["uninstall", "Count_P", &game]).ok();
    assert!(gone.err.contains("removed Count_P: 3 files"), "{}", gone.err);
    assert_eq!(count(), 5);
}

#[test]
fn what_is_no_mod_is_not_installed() {
    let (folder, path) = game();
    let install = |file: &str, game: &str| uncask(&["install", &path(file), &path(game)]);
    fs::write(path("Note.txt"), "text").unwrap();
    let ran = install("Note.txt", "Game");
    assert_eq!((ran.code, ran.err.contains("not a .utoc or .pak: ")), (2, true), "{}", ran.err);
    fs::create_dir(path("Empty")).unwrap();
    assert_eq!(install("Count_P.utoc", "Empty").code, 3);
    // Without the suffix, the game would load its own package instead.
    for extension in ["utoc", "ucas", "pak"] {
        fs::copy(path(&format!("Count_P.{extension}")), path(&format!("Count.{extension}"))).unwrap();
    }
    let ran = install("Count.utoc", "Game");
    assert_eq!((ran.code, ran.err.contains("nothing was installed; --force")), (1, true), "{}", ran.err);
    fs::remove_file(path("Count_P.pak")).unwrap();
    let ran = install("Count_P.utoc", "Game");
    assert_eq!((ran.code, ran.err.contains("the mod has no .pak beside it")), (3, true), "{}", ran.err);
    assert!(!folder.path().join("Game/Demo/Content/Paks/~mods").exists(), "nothing was written");
}

/// A copy of a container that somebody has kept below the game, and containers among the files to pack, are told.
#[test]
fn forgotten_containers_are_told() {
    let (_folder, path) = game();
    let plain = uncask(&["info", &path("Game")]).ok();
    assert!(!plain.err.contains("one name"), "{}", plain.err);
    fs::create_dir(path("Game/backup")).unwrap();
    for extension in ["utoc", "ucas"] {
        let name = format!("pakchunk1-Demo.{extension}");
        fs::copy(path(&format!("Game/Demo/Content/Paks/{name}")), path(&format!("Game/backup/{name}")))
            .unwrap();
    }
    let told = uncask(&["info", &path("Game")]).ok();
    assert!(
        told.err.contains("warning: 2 containers have one name, and all of them count: "),
        "{}",
        told.err
    );
    uncask(&["to-legacy", DEMO, "*/Maps/Start*", "-o", &path("cooked")]).ok();
    for extension in ["utoc", "ucas", "pak"] {
        fs::copy(path(&format!("Count_P.{extension}")), path(&format!("cooked/Count_P.{extension}")))
            .unwrap();
    }
    let to_zen = |more: &[&str]| {
        uncask(&[&["to-zen", &path("cooked"), "-o", &path("New_P.utoc"), "--engine", "5.5"], more].concat())
    };
    let refused = to_zen(&[]);
    assert_eq!(
        (refused.code, refused.err.contains("3 containers or paks are among the files")),
        (1, true),
        "{}",
        refused.err
    );
    to_zen(&["--force"]).ok();
}
