//! Mods with texts: held against each other, merged and ported, text by text.

use super::run::{Ran, corpus_with, uncask};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

const DEMO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/demo");
const PLACE: &str = "Demo/Content/Localization/Game/de/Game.locres";

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// The demo with a real localization file in a pak, and the keys of its first texts.
fn game(corpus: &Path, folder: &Path, name: &str) -> (PathBuf, Vec<String>) {
    let (loose, game) = (folder.join(format!("loose-{name}")), folder.join(name));
    let place = loose.join(PLACE);
    std::fs::create_dir_all(place.parent().unwrap()).unwrap();
    let real = corpus.join("found/locres/v0-a-kushnir-Content_Localization_Game_de_Game.locres");
    std::fs::copy(&real, &place).unwrap();
    std::fs::create_dir_all(&game).unwrap();
    for file in std::fs::read_dir(DEMO).unwrap().map(|entry| entry.unwrap().path()) {
        std::fs::copy(&file, game.join(file.file_name().unwrap())).unwrap();
    }
    uncask(&["pack", text(&loose), "-o", text(&game.join("pakchunk9-Texts.pak"))]).ok();
    let listed = texts(&place);
    assert!(listed.len() > 50, "{}", listed.len());
    (game, listed.into_iter().map(|(key, _)| key).collect())
}

/// Keys and texts of the first file below a path, in the order of their keys.
fn texts(path: &Path) -> Vec<(String, String)> {
    let bytes = std::fs::read(path).unwrap();
    let file = uncask::localization::LocalizationResource::parse(&bytes).unwrap();
    let entries = file.namespaces().flat_map(|space| space.entries().collect::<Vec<_>>());
    let mut texts: Vec<(String, String)> = entries
        .filter(|entry| !entry.key.is_empty())
        .map(|entry| (entry.key.to_owned(), entry.text.unwrap_or_default().to_owned()))
        .collect();
    texts.sort();
    texts.dedup_by(|a, b| a.0 == b.0);
    texts
}

/// The texts of a mod: those in the pak beside its container.
fn texts_of(container: &Path) -> Vec<(String, String)> {
    let out = container.with_extension("out");
    uncask(&["unpack", text(&container.with_extension("pak")), "-o", text(&out)]).ok();
    texts(&out.join(PLACE))
}

fn value<'t>(texts: &'t [(String, String)], key: &str) -> &'t str {
    &texts.iter().find(|(known, _)| known == key).unwrap().1
}

/// A mod of texts and an angle.
fn made(game: &Path, folder: &Path, name: &str, angle: Option<u32>, texts: &[(&str, &str)]) -> PathBuf {
    let mut toml = String::new();
    let namespace = namespaces(folder);
    for (key, set) in texts {
        let space = &namespace[*key];
        let _ = write!(
            toml,
            "[[text]]\nfile = \"Demo/Content/Localization/Game/{{culture}}/Game.locres\"\nculture = \"de\"\n\
             namespace = {space:?}\nkey = {key:?}\nset = {set:?}\n"
        );
    }
    if let Some(angle) = angle {
        let _ = write!(
            toml,
            "[[change]]\npackages = \"/Game/Blueprints/BP_Door\"\nproperty = \"Default__BP_Door_C.OpenAngle\"\nset = {angle}\n"
        );
    }
    let recipe = folder.join(format!("{name}.toml"));
    std::fs::write(&recipe, toml).unwrap();
    let out = folder.join(name).join(format!("{name}_P.utoc"));
    uncask(&["build", text(&recipe), "--game", text(game), "-o", text(&out)]).ok();
    out
}

/// Namespaces by key.
fn namespaces(folder: &Path) -> std::collections::HashMap<String, String> {
    let bytes = std::fs::read(folder.join("loose-game").join(PLACE)).unwrap();
    let file = uncask::localization::LocalizationResource::parse(&bytes).unwrap();
    file.namespaces()
        .flat_map(|space| {
            space.entries().map(|entry| (entry.key.to_owned(), space.name().to_owned())).collect::<Vec<_>>()
        })
        .collect()
}

fn conflicts(mods: [&Path; 2], game: &Path) -> (Ran, Value) {
    let ran = uncask(&["conflicts", text(mods[0]), text(mods[1]), "--game", text(game), "--json"]);
    let json = ran.json();
    let items = json["items"].as_array().or_else(|| json["shared"].as_array()).unwrap().clone();
    let file = items.into_iter().find(|item| item["path"].as_str().unwrap().ends_with(".locres")).unwrap();
    (ran, file)
}

#[test]
fn texts_of_two_mods_are_compared_and_merged_by_their_keys() {
    let Some(corpus) = corpus_with("found/locres") else { return };
    let folder = tempfile::tempdir().unwrap();
    let (game, keys) = game(&corpus, folder.path(), "game");
    let [a, b, c] = [0, 1, 2].map(|at| keys[at].as_str());
    let one = made(&game, folder.path(), "One", Some(120), &[(a, "eins"), (c, "gleich")]);
    let two = made(&game, folder.path(), "Two", None, &[(b, "zwei"), (c, "gleich")]);
    let (ran, file) = conflicts([&one, &two], &game);
    assert_eq!((ran.code, &file["verdict"]), (0, &json!("compatible")), "{file}");
    let changes = file["changes"].as_array().unwrap();
    let told: Vec<_> = changes.iter().map(|row| (row["property"].clone(), row["verdict"].clone())).collect();
    let mut expected =
        vec![(json!(a), json!("compatible")), (json!(b), json!("compatible")), (json!(c), json!("same"))];
    let by_key = |a: &(Value, Value), b: &(Value, Value)| a.0.as_str().cmp(&b.0.as_str());
    expected.sort_by(by_key);
    let mut told = told;
    told.sort_by(by_key);
    assert_eq!(told, expected);
    assert!(changes.iter().all(|row| row["part"] == "text" && row["from"].is_string()), "{file}");

    let mut all = Vec::new();
    for (order, mods) in [[&one, &two], [&two, &one]].into_iter().enumerate() {
        let to = folder.path().join(format!("merged{order}/Both_P.utoc"));
        let args = ["merge", text(mods[0]), text(mods[1]), "--game", text(&game), "-o", text(&to), "--json"];
        let merged = uncask(&args).ok().json();
        assert_eq!(merged["texts"], json!([PLACE]), "{merged}");
        uncask(&["check", text(&to), "--game", text(&game)]).ok();
        let merged = texts_of(&to);
        assert_eq!((value(&merged, a), value(&merged, b), value(&merged, c)), ("eins", "zwei", "gleich"));
        let json = uncask(&["json", text(&to), "/Game/Blueprints/BP_Door", "--base", text(&game)]).ok().out;
        assert!(json.contains("120"), "{json}");
        all.push(merged);
    }
    assert!(all[0] == all[1] && all[0].len() == keys.len());
}

#[test]
fn texts_in_conflict_are_refused_unless_a_mod_is_preferred() {
    let Some(corpus) = corpus_with("found/locres") else { return };
    let folder = tempfile::tempdir().unwrap();
    let (game, keys) = game(&corpus, folder.path(), "game");
    let [a, b] = [0, 1].map(|at| keys[at].as_str());
    let one = made(&game, folder.path(), "One", None, &[(a, "eins"), (b, "mehr")]);
    let two = made(&game, folder.path(), "Two", None, &[(a, "zwei")]);
    let (ran, file) = conflicts([&one, &two], &game);
    assert_eq!((ran.code, &file["verdict"]), (1, &json!("conflict")), "{file}");
    let lines = uncask(&["conflicts", text(&one), text(&two), "--game", text(&game)]).out;
    assert!(lines.contains("eins in One_P.utoc, zwei in Two_P.utoc"), "{lines}");
    let to = folder.path().join("Both_P.pak");
    let args = ["merge", text(&one), text(&two), "--game", text(&game), "-o", text(&to)];
    let ran = uncask(&args);
    assert!(ran.code == 1 && ran.err.contains(a) && !to.exists(), "{}", ran.err);
    uncask(&[&args[..], &["--prefer", "Two_P.utoc"]].concat()).ok();
    let merged = texts_of(&to);
    assert_eq!((value(&merged, a), value(&merged, b)), ("zwei", "mehr"));
}

#[test]
fn texts_come_along_to_a_new_build() {
    let Some(corpus) = corpus_with("found/locres") else { return };
    let folder = tempfile::tempdir().unwrap();
    let (old, keys) = game(&corpus, folder.path(), "game");
    let [a, b, c] = [0, 1, 2].map(|at| keys[at].as_str());
    // The update changes two texts.
    let update = made(&old, folder.path(), "Update", None, &[(b, "neu"), (c, "auch neu")]);
    let new = folder.path().join("new");
    std::fs::create_dir(&new).unwrap();
    for file in std::fs::read_dir(&old).unwrap().map(|entry| entry.unwrap().path()) {
        std::fs::copy(&file, new.join(file.file_name().unwrap())).unwrap();
    }
    std::fs::copy(update.with_extension("pak"), new.join("pakchunk9-Texts.pak")).unwrap();
    let own = made(&old, folder.path(), "Own", Some(120), &[(a, "eins"), (c, "meins")]);
    let to = folder.path().join("ported/Own_P.utoc");
    let args = ["port", text(&own), "--from", text(&old), "--to", text(&new), "-o", text(&to), "--json"];
    let ran = uncask(&args).ok();
    let ported = ran.json();
    assert_eq!(
        (&ported["texts"], ported["doubts"].as_array().unwrap().len()),
        (&json!([PLACE]), 1),
        "{ported}"
    );
    let doubt = &ported["doubts"][0];
    assert_eq!(
        (&doubt["reason"], &doubt["value"], &doubt["new_value"]),
        (&json!("changed_by_both"), &json!("meins"), &json!("auch neu"))
    );
    let texts = texts_of(&to);
    assert_eq!((value(&texts, a), value(&texts, b), value(&texts, c)), ("eins", "neu", "meins"));
    assert_eq!(texts.len(), keys.len());
}

/// Games look for texts in paks only.
#[test]
fn texts_are_packed_beside_a_container() {
    let Some(corpus) = corpus_with("found/locres") else { return };
    let folder = tempfile::tempdir().unwrap();
    game(&corpus, folder.path(), "game");
    let to = folder.path().join("Texts_P.utoc");
    uncask(&["pack", text(&folder.path().join("loose-game")), "-o", text(&to)]).ok();
    let listed = |path: &Path| uncask(&["list", text(path)]).out;
    assert_eq!(listed(&to.with_extension("pak")).trim(), PLACE);
    assert!(!listed(&to).contains("locres"));
}
