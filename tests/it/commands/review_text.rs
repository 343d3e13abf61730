//! `uncask text` and `uncask diff --text`: packages as text for review.

use super::run::{Ran, corpus_with, uncask};
use std::path::{Path, PathBuf};

const DEMO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/demo");

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn run(args: &[&str]) -> Ran {
    uncask(&[&["text"], args].concat())
}

/// Versions of a real asset, oldest first.
fn versions(name: &str) -> Option<Vec<PathBuf>> {
    let folder = format!("uncooked-projects/history/{name}");
    let folder = corpus_with(&folder)?.join(folder);
    let mut versions: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    versions.sort();
    Some(versions)
}

#[test]
fn a_blueprint_is_its_head_components_defaults_and_graphs() {
    let Some(versions) = versions("BP_ToonTanksGameMode") else { return };
    let ran = run(&[text(&versions[4])]).ok();
    for line in [
        "Blueprint BP_ToonTanksGameMode",
        "  parent /Script/ToonTanks.ToonTanksGameMode",
        "defaults of BP_ToonTanksGameMode_C",
        "event graph EventGraph",
        "  Event ToonTanksGameMode.GameOver",
        "    then -> CreateWidget",
        "    Class: Class<UserWidget> = WBP_EndGameWidget_C",
        "    self: UserWidget <- CreateWidget.ReturnValue",
        "    InText: text = Victory!",
    ] {
        assert!(ran.out.lines().any(|found| found == line), "{line}\n{}", ran.out);
    }
    assert!(!ran.out.contains("NodePosX"), "{}", ran.out);
    let all = run(&[text(&versions[4]), "--all"]).ok();
    assert!(all.out.contains("    NodePosX = ") && all.out.contains("NodeGuid = "), "{}", all.out);
    // The name of the file is nothing of its contents: git passes temporary ones.
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("other.uasset");
    std::fs::copy(&versions[4], &copy).unwrap();
    assert_eq!(run(&[text(&copy)]).ok().out, ran.out);
}

#[test]
fn json_has_sections_and_graphs() {
    let Some(versions) = versions("BP_ToonTanksGameMode") else { return };
    let document = run(&[text(&versions[4]), "--json"]).ok().json();
    assert_eq!(document["schema"], "uncask.text/1");
    let graph =
        document["graphs"].as_array().unwrap().iter().find(|graph| graph["kind"] == "events").unwrap();
    let nodes = graph["nodes"].as_array().unwrap();
    let node = |title: &str| nodes.iter().find(|node| node["title"] == title).unwrap();
    let event = node("Event ToonTanksGameMode.GameOver");
    let then = event["pins"].as_array().unwrap().iter().find(|pin| pin["name"] == "then").unwrap();
    assert_eq!(then["links"][0]["node"], node("CreateWidget")["export"]);
    let sections = document["sections"].as_array().unwrap();
    assert!(sections.iter().any(|section| section["heading"] == "event graph EventGraph"), "{sections:?}");
}

#[test]
fn packages_of_a_game_come_with_their_code() {
    let ran = run(&[DEMO, "/Game/Blueprints/BP_Door"]).ok();
    assert!(ran.out.contains("defaults of BP_Door_C\n  OpenAngle = 90\n"), "{}", ran.out);
    let two = run(&[DEMO, "/Game/Blueprints/BP_Door", "/Game/Maps/Start"]);
    assert!(two.out.starts_with("package /Game/"), "{}", two.out);
    assert_eq!(two.out.matches("\npackage /Game/").count(), 1, "{}", two.out);
    let none = run(&[DEMO, "/Game/Nothing"]);
    assert_eq!(none.code, 5, "{}", none.err);
}

#[test]
fn a_folder_gets_a_file_for_each_package() {
    let Some(versions) = versions("BP_PawnTank") else { return };
    let folder = tempfile::tempdir().unwrap();
    let project = versions[0].parent().unwrap();
    let report = run(&[text(project), "-o", text(folder.path()), "--json"]).ok().json();
    assert_eq!(report["schema"], "uncask.text-files/1");
    assert_eq!(report["count"], versions.len());
    let one = std::fs::read_to_string(folder.path().join("01-7ed25f6e.review.txt")).unwrap();
    assert_eq!(one, run(&[text(&versions[0])]).ok().out);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), versions.len());
}

#[test]
fn a_diff_shows_what_was_changed() {
    let Some(versions) = versions("BP_PawnTank") else { return };
    let diff = |from: usize, to: usize| {
        uncask(&["diff", text(&versions[from]), text(&versions[to]), "--text", "--color", "never"])
    };
    let changed = diff(4, 5);
    assert_eq!(changed.code, 1, "{}", changed.err);
    let lines: Vec<&str> = changed.out.lines().filter(|line| line.starts_with(['+', '-'])).skip(2).collect();
    assert_eq!(lines, ["-  TurnRate = 45", "+  Speed = 700", "+  TurnRate = 120"]);
    // Saved again, without a change.
    let same = diff(2, 3).ok();
    assert_eq!(same.out, "");
    let report = uncask(&["diff", text(&versions[4]), text(&versions[5]), "--text", "--json"]);
    assert_eq!(report.json()["packages"][0]["change"], "changed");
}
