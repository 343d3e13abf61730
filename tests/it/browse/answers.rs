//! Answers of the server.

use super::{Page, demo, pak};
use crate::support::cli::uncask;
use crate::support::corpus;
use serde_json::{Value, json};
use std::path::Path;

/// Names that would be something else if they were taken for markup, scripts or paths.
pub(super) const HOSTILE: [&str; 5] = [
    "<img src=x onerror=alert(1)>.txt",
    "a\"b'c&d;e.txt",
    "../../evil.txt",
    "javascript:alert(1).txt",
    "</script><script>alert(1)</script>.txt",
];

/// A pak with a file of each of these names.
pub(super) fn hostile_pak(path: &Path) {
    pak(path, &HOSTILE.map(|name| (name, "text")));
}

#[test]
fn the_demo_is_searched() {
    let page = Page::with_demo(None);
    let all = page.rows("");
    assert_eq!(all["total"].as_u64().unwrap(), uncask::Game::open(demo()).unwrap().chunks().len() as u64);
    let paths = |text: &str| -> Vec<String> {
        let rows = page.rows(text)["rows"].as_array().cloned().unwrap_or_default();
        rows.iter().map(|row| row["path"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(paths("t_rock .uasset"), ["Demo/Content/Textures/T_Rock.uasset"]);
    assert_eq!(paths("class:texture2d"), ["Demo/Content/Textures/T_Rock.uasset"]);
    assert!(paths("type:bulk").iter().all(|path| path.contains(".ubulk")) && !paths("type:bulk").is_empty());
    assert!(paths("size:>100M").is_empty() && !paths("size:>1k").is_empty());
    assert!(paths("container:pakchunk1 .umap").len() == 1, "{:?}", paths("container:pakchunk1"));
    let wrong = page.post("api/rows", &json!({ "text": "size:big" }));
    assert_eq!(wrong.status, 400);
    let by_size = page.post("api/rows", &json!({ "order": "size", "reversed": true, "count": 500 })).json();
    let sizes: Vec<u64> =
        by_size["rows"].as_array().unwrap().iter().map(|row| row["size"].as_u64().unwrap()).collect();
    assert!(sizes.is_sorted_by(|a, b| a >= b) && sizes.len() > 5);
}

#[test]
fn the_tree_leads_to_every_file() {
    let page = Page::with_demo(None);
    let top = page.get("api/tree?folder=").json();
    let demo = top["folders"].as_array().unwrap().iter().find(|folder| folder["name"] == "Demo").unwrap();
    assert_eq!((&demo["path"], &demo["has_folders"]), (&json!("demo/"), &json!(true)));
    let inside = page.get("api/tree?folder=demo/").json();
    let names: Vec<&Value> =
        inside["folders"].as_array().unwrap().iter().map(|folder| &folder["name"]).collect();
    assert!(names.contains(&&json!("Content")), "{names:?}");
    let rows = page.post("api/rows", &json!({ "folder": "demo/content/maps/", "count": 100 })).json();
    assert!(rows["total"].as_u64().unwrap() > 0);
}

#[test]
fn one_file_in_every_view() {
    let page = Page::with_demo(None);
    let row = page.row("/Game/Textures/T_Rock");
    let facts = page.get(&format!("api/chunk?row={row}")).json();
    assert_eq!(facts["class"], "/Script/Engine.Texture2D");
    assert!(facts["what"].as_str().unwrap().contains("zen package"), "{facts}");
    assert!(facts["parts"].as_array().unwrap().len() > 3);
    let values = page.get(&format!("api/properties?row={row}")).json();
    assert_eq!(values[0]["Name"], "T_Rock", "{values}");
    let made = page.get(&format!("api/preview?row={row}&mips=all")).json();
    let shown = made["shown"].as_array().unwrap();
    assert_eq!(shown.len(), 2, "{made}");
    let png = page.get(shown[0]["url"].as_str().unwrap());
    assert_eq!(png.header("content-type"), Some("image/png"));
    assert!(png.body.starts_with(b"\x89PNG"));
    let small = page.get(&format!("api/thumbnail?row={row}"));
    assert!(small.status == 200 && small.body.starts_with(b"\x89PNG"), "{}", small.status);
    // 128 by 128, as its header says.
    assert_eq!(small.body[16..24], [0, 0, 0, 128, 0, 0, 0, 128]);
    let none = page.get(&format!("api/thumbnail?row={}", page.row("/Game/Maps/Start")));
    assert!(none.status == 200 && none.body.is_empty(), "{}", none.status);
    let (host, cookie) = (page.host(), page.cookie());
    let part = |range: &str| {
        let headers = [("Host", &*host), ("Cookie", &*cookie), ("Range", range)];
        page.request("GET", shown[0]["url"].as_str().unwrap(), &headers, b"")
    };
    assert_eq!(png.header("accept-ranges"), Some("bytes"));
    let tail = part("bytes=5-9");
    assert_eq!((tail.status, &tail.body[..]), (206, &png.body[5..10]));
    assert_eq!(tail.header("content-range"), Some(&*format!("bytes 5-9/{}", png.body.len())));
    assert_eq!((part("bytes=99999999-").status, part("lines=1-2").status), (416, 200));
    let game = uncask::Game::open(demo()).unwrap();
    let content = game.read("/Game/Textures/T_Rock").unwrap();
    assert_eq!(page.get(&format!("api/bytes?row={row}&from=16&count=64")).body, content[16..80]);
    assert_eq!(page.get(&format!("api/download?row={row}&form=raw")).body, content);
    let map = page.row("/Game/Maps/Start");
    let needs = page.get(&format!("api/references?row={map}")).json();
    assert!(needs["total"].as_u64().unwrap() > 0, "{needs}");
    let needed = page.get(&format!("api/references?row={row}&reverse=1")).json();
    let names: Vec<&str> =
        needed["links"].as_array().unwrap().iter().map(|link| link["name"].as_str().unwrap()).collect();
    assert!(names.iter().any(|name| name.starts_with("/Game/Materials/")), "{names:?}");
    // The patch has the map, too.
    assert_eq!(page.get(&format!("api/chunk?row={map}")).json()["overrides"], json!(["pakchunk0-Demo"]));
    // An object of a package leads to the package.
    assert_eq!(page.row("/Game/Textures/T_Rock.T_Rock"), row);
}

#[test]
fn a_key_is_asked_for_and_tried_at_once() {
    let page = Page::start(None);
    assert_eq!(page.post("api/rows", &json!({})).status, 409);
    let secret = demo().with_file_name("encrypted");
    let locked = page.open(&secret, &[]).json();
    let is_locked = |game: &Value| !game["locked"].as_array().unwrap().is_empty();
    assert!(is_locked(&locked), "{locked}");
    let wrong = page.open(&secret, &[&"22".repeat(32)]).json();
    assert!(is_locked(&wrong), "{wrong}");
    let nonsense = page.open(&secret, &["xyz"]);
    assert_eq!(nonsense.status, 422, "{}", nonsense.json());
    assert!(!nonsense.json()["error"].as_str().unwrap().contains("xyz"), "keys appear in no message");
    let right = page.open(&secret, &[&"11".repeat(32)]).json();
    assert!(!is_locked(&right) && right["failed"] == json!([]), "{right}");
    assert!(page.rows("")["total"].as_u64().unwrap() > 0);
    assert!(!page.get("api/game").json().to_string().contains("1111"));
}

#[test]
fn a_game_that_cannot_be_opened_leaves_the_other_one_open() {
    let page = Page::with_demo(None);
    let answer = page.open(Path::new("/nowhere/at/all"), &[]);
    assert_eq!(answer.status, 422);
    assert!(answer.json()["error"].as_str().unwrap().contains("nowhere"));
    assert!(page.rows("")["total"].as_u64().unwrap() > 0);
}

#[test]
fn the_page_can_end_the_program() {
    let page = Page::start(None);
    assert_eq!(page.post("api/end", &json!({})).status, 200);
    let start = std::time::Instant::now();
    while std::net::TcpStream::connect(("127.0.0.1", page.port)).is_ok() {
        assert!(start.elapsed().as_secs() < 30, "it still listens");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

#[test]
fn a_release_can_be_given_where_packages_do_not_name_it() {
    let Some(corpus) = corpus::with("geometry/landscape/ue5.3") else { return };
    let folder = tempfile::tempdir().unwrap();
    let from = corpus.join("geometry/landscape/ue5.3/OpenWorld/_Generated_");
    let content = folder.path().join("in/TTT2/Content/Maps");
    std::fs::create_dir_all(&content).unwrap();
    for extension in ["umap", "uexp", "ubulk"] {
        let name = format!("34O4HWE91N0335BLFJ1EI1BB6.{extension}");
        std::fs::write(content.join(&name), std::fs::read(from.join(&name)).unwrap()).unwrap();
    }
    let text = |path: &Path| path.to_str().unwrap().to_owned();
    let game = text(&folder.path().join("TTT2.pak"));
    let packed = uncask(["pack", &text(&folder.path().join("in")), "-o", &game]);
    assert_eq!(packed.code, 0, "{}", packed.stderr);
    let mappings = text(&corpus.join("geometry/landscape/ue5.3/Engine.usmap"));
    let page = Page::start(None);
    let notes = |engine: &str| {
        let asked = json!({ "path": game, "mappings": mappings, "engine": engine });
        let opened = page.post("api/open", &asked).json();
        let row = page.row("TTT2/Content/Maps/34O4HWE91N0335BLFJ1EI1BB6.umap");
        let made = page.get(&format!("api/preview?row={row}&form=scene")).json();
        (opened["engine"].clone(), made["notes"].as_array().unwrap().len())
    };
    // Nothing but the mappings tells this release from the next one.
    assert_eq!((notes(" 5.3 "), notes("")), ((json!("5.3"), 0), (Value::Null, 0)));
    let (engine, notes) = notes("5.4");
    assert!(engine == "5.4" && notes > 0, "{notes}");
    let refused = page.post("api/open", &json!({ "path": game, "engine": "5.x" }));
    let error = refused.json()["error"].as_str().unwrap().to_owned();
    assert!(error.contains("there is no engine release \"5.x\""), "{error}");
}
