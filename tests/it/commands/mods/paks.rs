//! Mods that are paks.

use super::{Game, copy, corpus, text, uncask, write_tree};
use std::fs;
use std::path::Path;

/// Published mods, each with its number of packages, have nothing wrong with them.
#[test]
fn real_paks_are_looked_into() {
    let Some(corpus) = corpus() else { return };
    for (pak, packages) in [
        ("drg/ModHub_P.pak", 58),
        ("drg/custom-difficulty2_P.pak", 207),
        ("drg/missionselector_P.pak", 4),
        ("drg/native-spawner_P.pak", 6),
        ("drg/sandboxutilities_P.pak", 131),
        ("drg/skip-start_P.pak", 1),
        ("votv/SpinnyChair.pak", 12),
        ("votv/UninstallSpinnyChairs.pak", 1),
    ] {
        let found = uncask(&["check", text(&corpus.join("mods").join(pak)), "--json"]).ok().json();
        assert_eq!(found["in_paks"], packages, "{pak}: {found}");
        assert_eq!(found["findings"].as_array().unwrap().len(), 0, "{pak}: {found}");
    }
    // Two of them share 33 packages, of which two differ.
    let found = uncask(&["check", text(&corpus.join("mods/drg")), "--json"]).ok().json();
    assert_eq!(found["findings"].as_array().unwrap().len(), 1, "{found}");
    assert_eq!(
        (&found["findings"][0]["kind"], &found["findings"][0]["count"]),
        (&"shared-package".into(), &2.into())
    );
    let said = found["warnings"][0].as_str().unwrap();
    assert!(said.contains("sandboxutilities_P.pak wins") && said.contains("Logger/LOG_"), "{said}");
}

#[test]
fn a_pak_is_compared_with_the_paks_of_a_game() {
    let Some(corpus) = corpus() else { return };
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    let drg = corpus.join("mods/drg");
    let as_name = |from: &str, to: &str| {
        write_tree(folder.path(), [(to, fs::read(drg.join(from)).unwrap())]);
    };
    as_name("custom-difficulty2_P.pak", "game/FSD/Content/Paks/FSD-WindowsNoEditor.pak");
    as_name("sandboxutilities_P.pak", "sandboxutilities.pak");
    let check = |pak: &Path| uncask(&["check", text(pak), "--game", text(&place("game")), "--json"]);
    let found = check(&drg.join("sandboxutilities_P.pak")).ok().json();
    assert_eq!(found["replaced"].as_array().unwrap().len(), 33, "{found}");
    assert!(
        found["replaced"].as_array().unwrap().contains(&"/Game/_AssemblyStorm/Common/Logger/LOG_Lib".into())
    );
    assert_eq!(found["findings"].as_array().unwrap().len(), 0, "{found}");
    // Without _P the game's own win.
    let ran = check(&place("sandboxutilities.pak"));
    let found = ran.json();
    assert_eq!((ran.code, &found["findings"][0]["kind"]), (1, &"overridden".into()), "{found}");
    assert!(found["problems"][0].as_str().unwrap().contains("such as sandboxutilities_P.pak"), "{found}");
    // A game of older paks, and of another project.
    let old = corpus.join("found/pak/v3-SkillsUnedited_P.pak");
    let found =
        uncask(&["check", text(&drg.join("skip-start_P.pak")), "--game", text(&old), "--json"]).json();
    let kinds: Vec<&str> =
        found["findings"].as_array().unwrap().iter().map(|found| found["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["other-pak-version", "other-project"], "{found}");
    assert!(
        found["problems"][0].as_str().unwrap().contains("pak version 11, but the game's paks have 3"),
        "{found}"
    );
}

#[test]
fn packages_in_paks_are_whole() {
    let game = Game::new();
    let file = |name: &str| game.cooked().join("Demo/Content").join(name);
    let pak = game.place("mod/Loose_P.pak");
    let check = |more: &[&str]| {
        uncask(&[&["pack", text(&game.cooked()), "-o", text(&pak), "--force", "--overwrite"], more].concat())
            .ok();
        uncask(&["check", text(&pak)])
    };
    let ran = check(&[]).ok();
    assert!(ran.err.contains("checked 6 packages (0 in containers, 6 in paks): 0 problems"), "{}", ran.err);
    let uexp = fs::read(file("Maps/Start.uexp")).unwrap();
    fs::write(file("Maps/Start.uexp"), &uexp[..uexp.len() / 2]).unwrap();
    fs::remove_file(file("Blueprints/BP_Door.uexp")).unwrap();
    fs::remove_file(file("Data/DA_Doors.uasset")).unwrap();
    fs::remove_file(file("Textures/T_Rock.ubulk")).unwrap();
    fs::write(file("Broken.uasset"), "text").unwrap();
    let header = fs::read(file("Maps/Start.umap")).unwrap();
    fs::write(file("Cut.umap"), &header[..header.len() / 2]).unwrap();
    let ran = check(&[]);
    assert_eq!(ran.code, 1);
    for problem in [
        "error: 1 package has objects up to byte ",
        "error: 1 package has no .uexp beside it",
        "error: 1 .uexp has no .uasset or .umap beside it",
        "error: 1 package has bulk data in a .ubulk of at least ",
        "error: 1 file is named like a cooked package, but is not one",
        "error: 1 package header is damaged (",
        "7 in paks): 6 problems",
    ] {
        assert!(ran.err.contains(problem), "{problem}: {}", ran.err);
    }
    let ran = check(&["--mount-point", "../../../../Demo/"]);
    assert!(
        ran.err.contains("mount point \"../../../../Demo/\", which leads out of the game"),
        "{}",
        ran.err
    );
}

#[test]
fn a_game_with_containers_prefers_them_and_may_want_a_table() {
    let game = Game::new();
    let pak = game.place("mod/Loose_P.pak");
    write_tree(
        &game.cooked(),
        [("Demo/Content/New.umap", fs::read(game.cooked().join("Demo/Content/Maps/Start.umap")).unwrap())],
    );
    write_tree(
        &game.cooked(),
        [("Demo/Content/New.uexp", fs::read(game.cooked().join("Demo/Content/Maps/Start.uexp")).unwrap())],
    );
    uncask(&["pack", text(&game.cooked()), "-o", text(&pak)]).ok();
    let ran = game.check(&pak).ok();
    for warning in [
        "warning: 6 packages are in a pak, but the game has the same in containers, which win",
        "warning: 1 package is in a pak, but the game has its packages in containers, and may look for others nowhere else \
         (Demo/Content/New.umap)",
    ] {
        assert!(ran.err.contains(warning), "{warning}: {}", ran.err);
    }
    // Tables of the demo are those of 5.5 to 5.8, its packages those of 5.5.
    assert!(!ran.err.contains("no .utoc beside the .pak"), "{}", ran.err);
    let Some(corpus) = corpus() else { return };
    let newer = corpus.join("iostore/ue5.8/unversioned/Uncompressed");
    let check = || uncask(&["check", text(&pak), "--game", text(&newer)]);
    let expected = "error: no .utoc beside the .pak: since UE 5.6, games mount no .pak without one";
    assert!(check().err.contains(expected), "{}", check().err);
    // An empty container is one.
    uncask(&["pack", text(&game.cooked()), "-o", text(&pak), "--engine", "5.8", "--force", "--overwrite"])
        .ok();
    assert!(!check().err.contains("no .utoc"), "{}", check().err);
    copy(&pak, &game.place("copy/Loose_P.pak"));
    assert!(!uncask(&["check", text(&game.place("copy"))]).ok().err.contains("warning"));
}
