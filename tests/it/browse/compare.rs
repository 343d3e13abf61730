//! Two builds beside each other.

use super::{Page, demo, pak};
use serde_json::{Value, json};
use std::path::Path;

/// Two builds: one file is the same, and one of each other kind.
fn builds(folder: &Path) -> [std::path::PathBuf; 2] {
    let paths = ["old.pak", "new.pak"].map(|name| folder.join(name));
    let both = ("Game/Same.ini", "[same]\n");
    let old =
        [both, ("Game/Text.ini", "one\ntwo\n"), ("Game/Gone.ini", "gone"), ("Game/A/Walks.txt", "walks")];
    let new =
        [both, ("Game/Text.ini", "one\n2\n"), ("Game/Fresh.ini", "fresh!"), ("Game/B/Walks.txt", "walks")];
    pak(&paths[0], &old);
    pak(&paths[1], &new);
    paths
}

/// Searches the differences; returns `change path` of each match.
fn found(page: &Page, text: &str, folder: &str) -> Vec<String> {
    let search = json!({ "text": text, "folder": folder, "compared": true, "count": 100 });
    let rows = page.post("api/rows", &search).json();
    let rows = rows["rows"].as_array().unwrap_or_else(|| panic!("{rows}"));
    let text = |row: &Value| format!("{} {}", row["change"].as_str().unwrap(), row["path"].as_str().unwrap());
    rows.iter().map(text).collect()
}

#[test]
fn what_changed_is_counted_searched_and_looked_at_on_both_sides() {
    let folder = tempfile::tempdir().unwrap();
    let [old, new] = builds(folder.path());
    let page = Page::start(None);
    assert_eq!(page.post("api/compare", &json!({ "path": old })).status, 409, "no game is open");
    assert_eq!(page.open(&new, &[]).status, 200);
    let wrong = page.post("api/rows", &json!({ "text": "changed:added" }));
    assert_eq!(wrong.status, 400, "{}", wrong.json());
    let all = page.post("api/compare", &json!({ "path": old })).json();
    let counts =
        ["added", "removed", "changed", "moved"].map(|change| all["changes"][change]["files"].as_u64());
    assert_eq!((counts, all["same"].as_u64()), ([Some(1); 4], Some(1)), "{all}");
    assert_eq!(page.get("api/game").json()["comparison"]["changes"], all["changes"]);
    let every =
        ["moved Game/B/Walks.txt", "added Game/Fresh.ini", "removed Game/Gone.ini", "changed Game/Text.ini"];
    assert_eq!(found(&page, "", ""), every);
    assert_eq!(found(&page, "changed:removed,moved", ""), [every[0], every[2]]);
    assert_eq!(found(&page, "ini changed:added", ""), [every[1]]);
    assert_eq!(found(&page, "size:>5", ""), [every[1], every[3]]);
    assert_eq!(found(&page, "", "game/b/"), [every[0]]);
    assert_eq!(found(&page, "container:old", ""), [every[2]]);
    let folders = page.get("api/tree?folder=game/&compared=1").json();
    assert_eq!(folders["folders"][0]["path"], "game/b/", "the old folder is empty: {folders}");
    // Both sides of a file.
    let row = page.get("api/row?name=Game/Text.ini&compared=1").json();
    let bytes = |row: &Value| page.get(&format!("api/bytes?row={row}")).body;
    assert_eq!(
        (bytes(&row["row"]), bytes(&row["before"]["row"])),
        (b"one\n2\n".into(), b"one\ntwo\n".into())
    );
    let gone = page.get("api/row?name=game/gone.ini&compared=1").json();
    assert_eq!((&gone["change"], bytes(&gone["row"])), (&json!("removed"), b"gone".to_vec()));
    assert_eq!(page.get("api/row?name=Game/Gone.ini").status, 404, "the game that is shown does not have it");
    let moved = page.get("api/row?name=Game/B/Walks.txt&compared=1").json();
    assert_eq!(moved["before"]["path"], "Game/A/Walks.txt");
    // What is the same is found, too, without a change.
    let same = page.get("api/row?name=Game/Same.ini&compared=1").json();
    assert_eq!((&same["change"], &same["path"]), (&Value::Null, &json!("Game/Same.ini")));
    // Afterwards, the rows of the other build are none.
    assert_eq!(page.post("api/compare/end", &json!({})).status, 200);
    assert_eq!(page.get(&format!("api/bytes?row={}", gone["row"])).status, 409);
    assert_eq!(page.post("api/rows", &json!({ "compared": true })).status, 409);
    assert_eq!(bytes(&row["row"]), b"one\n2\n", "the game stays open");
}

#[test]
fn the_other_build_may_be_the_newer_one() {
    let folder = tempfile::tempdir().unwrap();
    let [old, new] = builds(folder.path());
    let page = Page::start(None);
    page.open(&old, &[]);
    let answer = page.post("api/compare", &json!({ "path": new, "is_newer": true })).json();
    assert_eq!(answer["new"]["path"].as_str(), new.to_str(), "{answer}");
    assert_eq!(found(&page, "changed:added", ""), ["added Game/Fresh.ini"]);
    // A build that cannot be opened closes the comparison, and the game stays.
    assert_eq!(page.post("api/compare", &json!({ "path": "/nowhere" })).status, 422);
    assert_eq!(page.get("api/game").json()["comparison"], Value::Null);
    assert_eq!(page.rows("")["total"], 4);
}

#[test]
fn what_is_new_is_saved_and_rows_of_two_builds_are_not() {
    let (folder, saved) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let [old, new] = builds(folder.path());
    let page = Page::start(Some(saved.path()));
    page.open(&new, &[]);
    page.post("api/compare", &json!({ "path": old }));
    let game = page.get("api/game").json()["game"]["number"].clone();
    let made = page.post("api/save", &json!({ "game": game, "form": "raw", "compared": true })).json();
    assert_eq!((&made["files"], &made["problem_count"]), (&json!(3), &json!(0)), "{made}");
    assert_eq!(std::fs::read(saved.path().join("Game/Text.ini")).unwrap(), b"one\n2\n");
    assert!(!saved.path().join("Game/Gone.ini").exists());
    let rows = ["Game/Gone.ini", "Game/Fresh.ini"]
        .map(|name| page.get(&format!("api/row?name={name}&compared=1")).json()["row"].clone());
    let both = page.post("api/save", &json!({ "game": game, "form": "raw", "rows": rows }));
    assert_eq!(both.status, 400, "{}", both.json());
    let one = page.post("api/save", &json!({ "game": game, "form": "raw", "rows": [rows[0]] })).json();
    assert_eq!(one["files"], 1, "{one}");
    assert_eq!(std::fs::read(saved.path().join("Game/Gone.ini")).unwrap(), b"gone");
}

/// The demo against its first container: the patch has another version of the map.
#[test]
fn packages_are_compared_by_their_values_and_classes() {
    let page = Page::with_demo(None);
    let all = page.post("api/compare", &json!({ "path": demo().join("pakchunk0-Demo.utoc") })).json();
    assert!(all["changes"]["changed"]["files"].as_u64() > Some(0), "{all}");
    let maps = found(&page, "class:world changed:changed", "");
    assert!(maps.iter().any(|map| map.ends_with("Maps/Start.umap")), "{maps:?}");
    let row = page.get("api/row?name=Demo/Content/Maps/Start.umap&compared=1").json();
    let values = |row: &Value| page.get(&format!("api/properties?row={row}")).json();
    let (before, after) = (values(&row["before"]["row"]), values(&row["row"]));
    assert!(before.is_array() && after.is_array(), "{before} {after}");
    let hash = |row: &Value| page.get(&format!("api/chunk?row={row}")).json()["hash"].clone();
    assert!(hash(&row["row"]) != hash(&row["before"]["row"]) && hash(&row["row"]).is_string());
}
