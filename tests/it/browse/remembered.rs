//! State that outlives the program.

use super::{Page, demo};
use serde_json::{Value, json};

fn recent(page: &Page) -> Value {
    page.get("api/game").json()["recent"].clone()
}

#[test]
fn games_are_remembered_and_keys_only_if_asked() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("browse.json");
    let secret = demo().with_file_name("encrypted");
    let (key, wrong) = ("11".repeat(32), "22".repeat(32));
    let page = Page::start_with(|options| options.remember_in = Some(folder.path().to_owned()));
    assert_eq!(page.open(&secret, &[&key]).status, 200);
    let game = |has_keys: bool| json!([{ "path": secret, "has_keys": has_keys }]);
    assert_eq!(recent(&page), game(false));
    assert!(!std::fs::read_to_string(&file).unwrap().contains(&key), "nobody asked for that");
    let open = |page: &Page, keys: &[&str], remembers: bool| {
        let opening = json!({ "path": secret, "keys": keys, "remembers_keys": remembers });
        page.post("api/open", &opening).json()["locked"].as_array().map(Vec::len)
    };
    assert_eq!(open(&page, &[&key], true), Some(0));
    assert_eq!(recent(&page), game(true));
    // Another program, which is given no key.
    let next = Page::start_with(|options| options.remember_in = Some(folder.path().to_owned()));
    assert_eq!(open(&next, &[], false), Some(0));
    assert!(!next.get("api/game").json().to_string().contains(&key), "the page never sees it");
    // A key that is given counts, and leaves the other one alone.
    assert_ne!(open(&next, &[&wrong], false), Some(0));
    assert_eq!(open(&next, &[], false), Some(0));
    assert_eq!(next.post("api/forget", &json!({ "path": secret })).json(), json!([]));
    assert_ne!(open(&page, &[], false), Some(0));
    assert!(!std::fs::read_to_string(&file).unwrap().contains(&key));
    assert_eq!(page.post("api/forget", &json!({})).json(), json!([]));
}

#[test]
fn a_key_that_cannot_be_remembered_is_said_so() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let page = Page::start_with(|options| options.remember_in = Some(file.join("below")));
    assert_eq!(page.open(&demo(), &[]).status, 200);
    assert_eq!(recent(&page)[0]["has_keys"], false, "the path is known until the end");
    let opening = json!({ "path": demo(), "keys": ["11".repeat(32)], "remembers_keys": true });
    let answer = page.post("api/open", &opening);
    assert_eq!(answer.status, 422);
    let error = answer.json()["error"].as_str().unwrap().to_owned();
    assert!(error.contains("cannot be remembered") && !error.contains("1111"), "{error}");
}
