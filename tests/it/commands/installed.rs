//! `uncask mods`: the mods of a game.

use super::run::uncask;
use std::path::{Path, PathBuf};

const DEMO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/demo");

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A game with the containers of the demo, and its `Paks` folder.
fn game(folder: &Path) -> (PathBuf, PathBuf) {
    let paks = folder.join("Demo/Content/Paks");
    std::fs::create_dir_all(paks.join("~mods")).unwrap();
    for entry in std::fs::read_dir(DEMO).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, paks.join(path.file_name().unwrap())).unwrap();
    }
    (folder.to_owned(), paks)
}

#[test]
fn mods_are_listed_in_their_order_with_what_they_do() {
    let folder = tempfile::tempdir().unwrap();
    let (root, paks) = game(folder.path());
    let none = uncask(&["mods", text(&root)]).ok();
    assert_eq!((none.out.as_str(), none.err.as_str()), ("", "no mods\n"));
    let door = format!("{}:/Game/Blueprints/BP_Door", root.display());
    let set = |angle: &str, to: PathBuf| {
        uncask(&["set", &door, "Default__BP_Door_C.OpenAngle", angle, "-o", text(&to)]).ok();
    };
    set("45", paks.join("~mods/Doors_P.utoc"));
    set("60", paks.join("~mods/More_1_P.utoc"));
    let map = format!("{}:/Game/Maps/Start", root.display());
    uncask(&["set", &map, "Start.Count", "9", "-o", text(&paks.join("Map_P.utoc"))]).ok();
    let ran = uncask(&["mods", text(&root)]);
    assert_eq!(ran.code, 1, "one of them does nothing: {}", ran.err);
    let rows: Vec<Vec<&str>> = ran.out.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[1][..5], ["More_1_P", "203", "1", "0", "0"], "{}", ran.out);
    assert_eq!(rows[2][..5], ["Doors_P", "103", "1", "0", "1"], "{}", ran.out);
    assert!(ran.out.contains("without effect: other mods have all of it"), "{}", ran.out);
    assert_eq!(rows[3][..6], ["Map_P", "103", "1", "0", "0", "ok"], "{}", ran.out);
    assert!(ran.err.contains("3 mods in"), "{}", ran.err);

    // Without its .pak, no game finds it: nothing is hidden by it any more.
    std::fs::remove_file(paks.join("~mods/More_1_P.pak")).unwrap();
    let ran = uncask(&["mods", text(&root), "--json"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    let found = ran.json();
    assert_eq!(found["mods"][0]["ignored"], "no_pak");
    assert_eq!(found["mods"][1]["hidden"], serde_json::json!([]));
    assert_eq!(found["mods"][0]["findings"][0]["is_problem"], true);
}
