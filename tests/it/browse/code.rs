//! Blueprints as code, and the search in it.

use super::Page;
use crate::support::corpus::with as corpus_with;
use serde_json::{Value, json};

fn paths(found: &Value) -> Vec<&str> {
    found["rows"].as_array().unwrap().iter().map(|row| row["path"].as_str().unwrap()).collect()
}

#[test]
fn a_blueprint_is_shown_as_code_with_links_to_what_it_calls() {
    let Some(corpus) = corpus_with("mods/drg") else { return };
    let page = Page::start(None);
    assert_eq!(page.open(&corpus.join("mods/drg/missionselector_P.pak"), &[]).status, 200);
    let row = page.row("/Game/_AssemblyStorm/MissionSelector/MissionSelector");
    let code = page.get(&format!("api/code?row={row}")).json();
    let text = code["text"].as_str().unwrap();
    assert!(text.starts_with("// /Game/_AssemblyStorm/MissionSelector/MissionSelector\n\nclass "), "{text}");
    assert!(text.contains("    await Delay(this, 0.0)\n"), "{text}");
    // Seven functions: the graph is not shown, since its events are.
    assert_eq!(code["functions"], 7);
    let link = |package: &str, is_function: bool| json!({ "package": package, "is_function": is_function });
    assert_eq!(code["links"]["LIB_F_Main_C"], link("/Game/DRGLib/Main/LIB_F_Main", false));
    let settings = "/Game/_AssemblyStorm/MissionSelector/MissionSelectorSettings";
    assert_eq!(code["links"]["MissionSelectorSettings_C"], link(settings, false));
    let words: Vec<&String> = code["links"].as_object().unwrap().keys().collect();
    // Neither functions of modules, nor default objects and components.
    let expected = [
        "IHubMod_C",
        "IHubPageWidget_C",
        "IHub_C",
        "LIB_A_Main_C",
        "LIB_F_Main_C",
        "MissionSelectorSettings_C",
    ];
    assert_eq!(words, expected);
}

#[test]
fn packages_are_found_by_what_their_code_calls_and_says() {
    let Some(corpus) = corpus_with("mods/drg") else { return };
    let page = Page::start(None);
    assert_eq!(page.open(&corpus.join("mods/drg/missionselector_P.pak"), &[]).status, 200);
    let found = page.rows("calls:isdrglibready");
    assert_eq!(paths(&found), ["FSD/Content/_AssemblyStorm/MissionSelector/MissionSelector.uasset"]);
    assert_eq!(paths(&page.rows(r#"code:"while \(!\S+ready""#)), paths(&found));
    assert!(paths(&page.rows("calls:isdrglibready settings")).is_empty(), "words narrow it down");
    assert!(paths(&page.rows("code:NothingSaysThis")).is_empty());
    let wrong = page.post("api/rows", &json!({ "text": "code:(" }));
    assert_eq!(wrong.status, 400, "{}", wrong.json());
    // While builds are compared, each difference is looked at in its own build.
    let other = json!({ "path": corpus.join("mods/drg/ModHub_P.pak"), "keys": [], "is_newer": true });
    let compared = page.post("api/compare", &other);
    assert_eq!(compared.status, 200, "{}", compared.json());
    let removed = page
        .post("api/rows", &json!({ "text": "calls:isdrglibready", "compared": true, "count": 100 }))
        .json();
    assert_eq!(paths(&removed), paths(&found), "it is gone in the other build");
    let added = page
        .post("api/rows", &json!({ "text": "calls:AddToViewport", "compared": true, "count": 100 }))
        .json();
    assert!(paths(&added).iter().all(|path| path.contains("ModHub")), "{added}");
}
