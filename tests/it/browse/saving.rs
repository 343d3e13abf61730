//! Saved files and their places.

use super::Page;
use crate::support::cli::uncask;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{Cursor, Read};
use std::path::Path;

/// Files below a folder, by their paths.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = walkdir::WalkDir::new(folder).into_iter().map(|entry| entry.unwrap().into_path());
    let files = files.filter(|path| path.is_file());
    let named = files.map(|path| {
        let name = path.strip_prefix(folder).unwrap().to_str().unwrap().replace('\\', "/");
        (name, std::fs::read(&path).unwrap())
    });
    named.collect()
}

fn unzip(bytes: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let mut zip = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    let mut found = BTreeMap::new();
    for at in 0..zip.len() {
        let mut file = zip.by_index(at).unwrap();
        let mut content = Vec::new();
        file.read_to_end(&mut content).unwrap();
        found.insert(file.name().to_owned(), content);
    }
    found
}

fn game(page: &Page) -> Value {
    page.get("api/game").json()["game"]["number"].clone()
}

#[test]
fn a_zip_and_a_folder_have_what_the_library_unpacks() {
    let (saved, unpacked) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let page = Page::with_demo(Some(saved.path()));
    uncask::Game::open(super::demo()).unwrap().all().unpack(unpacked.path()).unwrap();
    let expected = files(unpacked.path());
    assert!(expected.len() > 10);
    let selection = json!({ "game": game(&page), "form": "raw" });
    let made = page.post("api/save", &selection).json();
    assert_eq!((&made["files"], &made["problem_count"]), (&json!(expected.len()), &json!(0)), "{made}");
    assert!(files(saved.path()) == expected);
    let number = page.post("api/select", &selection).json();
    let zip = page.get(&format!("api/zip?selection={number}"));
    assert_eq!(zip.header("content-type"), Some("application/zip"));
    assert!(unzip(&zip.body) == expected);
}

#[test]
fn forms_have_the_names_of_the_command_line() {
    let saved = tempfile::tempdir().unwrap();
    let page = Page::with_demo(Some(saved.path()));
    let row = page.row("/Game/Textures/T_Rock");
    for (form, ends) in [
        ("png", &[".png"][..]),
        ("dds", &[".dds"]),
        ("json", &[".json"]),
        ("legacy", &[".uasset", ".ubulk", ".uexp"]),
    ] {
        let made = page.post("api/save", &json!({ "game": game(&page), "rows": [row], "form": form })).json();
        assert_eq!(made["problem_count"], 0, "{made}");
        for end in ends {
            let name = saved.path().join(format!("Demo/Content/Textures/T_Rock{end}"));
            assert!(name.is_file(), "{} of {:?}", name.display(), files(saved.path()).keys());
        }
    }
    let png = page.get(&format!("api/download?row={row}&form=png"));
    assert_eq!(
        png.header("content-disposition"),
        Some("attachment; filename=\"T_Rock.png\"; filename*=UTF-8''T_Rock.png")
    );
    assert!(png.body.starts_with(b"\x89PNG"));
    assert_eq!(png.body, std::fs::read(saved.path().join("Demo/Content/Textures/T_Rock.png")).unwrap());
    let legacy = page.get(&format!("api/download?row={row}&form=legacy"));
    assert_eq!(unzip(&legacy.body).len(), 3);
    let none = page.get(&format!("api/download?row={row}&form=wav"));
    assert_eq!((none.status, none.json()["error"].as_str()), (422, Some("this has no such form")));
}

/// The page offers every form of `export`, and no other.
#[test]
fn the_page_offers_every_form() {
    let source = include_str!("../../../src/browse/page/saving.js");
    let list = source.split_once("FORMS = [").unwrap().1.split_once("];").unwrap().0;
    let names: Vec<&str> = list.split("['").skip(1).map(|entry| entry.split_once('\'').unwrap().0).collect();
    let page = Page::with_demo(None);
    let row = page.row("/Game/Textures/T_Rock");
    for name in &names {
        let status = page.get(&format!("api/download?row={row}&form={name}")).status;
        assert!(matches!(status, 200 | 422), "{name}: {status}");
    }
    assert_eq!(page.get(&format!("api/download?row={row}&form=nothing")).status, 400);
    // What `--as` calls otherwise: its JSON is that of sound cues, and its bytes are those of assets.
    let refused = uncask(["export", "x", "-o", "y", "--as", "nothing"]).stderr;
    let values = refused.split_once("[possible values: ").unwrap().1.split_once(']').unwrap().0;
    for value in values.split(',').map(str::trim) {
        let own = match value {
            "json" => "cues",
            "raw" => "data",
            value => value,
        };
        assert!(names.contains(&own), "--as {value}: {names:?}");
    }
}

#[test]
fn nothing_is_saved_without_a_folder_or_for_another_game() {
    let page = Page::with_demo(None);
    let answer = page.post("api/save", &json!({ "game": game(&page), "form": "raw" }));
    assert_eq!(answer.status, 403);
    // Far enough inside that nothing above is another program's.
    let outer = tempfile::tempdir().unwrap();
    let folder = outer.path().join("a/saved");
    std::fs::create_dir_all(&folder).unwrap();
    let page = Page::with_demo(Some(&folder));
    let answer = page.post("api/save", &json!({ "game": 99, "form": "raw" }));
    assert_eq!(answer.status, 409, "{}", answer.json());
    for (row, status) in [(999_999, 409), ((1_u64 << 32) + 999_999, 404)] {
        let selection = json!({ "game": game(&page), "form": "raw", "rows": [row] });
        assert_eq!(page.post("api/save", &selection).status, status, "{row}");
    }
    // The page cannot say where: there is no such member, and what it adds counts for nothing.
    let traversal =
        json!({ "game": game(&page), "form": "raw", "text": "start", "save_to": "/", "path": "../../x" });
    page.post("api/save", &traversal);
    assert!(
        files(&folder).keys().all(|path| path.starts_with("Demo/") || path.starts_with("Engine/")),
        "{:?}",
        files(&folder).keys()
    );
    assert!(["x", "a/x"].iter().all(|path| !outer.path().join(path).exists()));
}

/// Paths in containers may say anything.
#[test]
fn hostile_names_stay_below_the_folder_and_are_plain_text() {
    let (game_folder, saved) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let names = super::answers::HOSTILE;
    super::answers::hostile_pak(&game_folder.path().join("hostile.pak"));
    let page = Page::start(Some(saved.path()));
    assert_eq!(page.open(game_folder.path(), &[]).status, 200);
    let rows = page.rows("");
    assert_eq!(rows["total"], names.len());
    let made = page.post("api/save", &json!({ "game": game(&page), "form": "raw" })).json();
    assert_eq!(made["files"], names.len(), "{made}");
    let found = files(saved.path());
    assert_eq!(found.len(), names.len(), "{:?}", found.keys());
    assert!(found.keys().all(|path| !path.split('/').any(|part| part == "..")), "{:?}", found.keys());
    assert_eq!(
        std::fs::read_dir(saved.path().parent().unwrap())
            .unwrap()
            .filter(|entry| { entry.as_ref().unwrap().file_name().to_string_lossy().contains("evil") })
            .count(),
        0
    );
    let number = page.post("api/select", &json!({ "game": game(&page), "form": "raw" })).json();
    let zip = unzip(&page.get(&format!("api/zip?selection={number}")).body);
    assert_eq!(zip, found);
}
