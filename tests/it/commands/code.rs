//! `uncask code`: blueprints as pseudo-code, listings and JSON, from files, paks and containers.

use super::run::{Ran, corpus_with, uncask};
use crate::support::say;
use std::path::{Path, PathBuf};

fn code(args: &[&str]) -> Ran {
    uncask(&[&["code"], args].concat())
}

#[test]
fn a_blueprint_reads_from_the_head_of_its_class_to_its_last_event() {
    let Some(corpus) = corpus_with("properties/games/BlankGame55") else { return };
    let file = corpus.join("properties/games/BlankGame55/BP_Test.uasset");
    let ran = code(&[file.to_str().unwrap()]).ok();
    insta::assert_snapshot!("code", ran.out);
    let one = code(&[file.to_str().unwrap(), "--function", "receivebeginplay"]).ok();
    assert!(!one.out.contains("class ") && one.out.contains("event ReceiveBeginPlay()"), "{}", one.out);
    let none = code(&[file.to_str().unwrap(), "--function", "Open"]);
    assert_eq!(none.code, 5);
    assert!(none.err.contains("no function is named Open"), "{}", none.err);
}

#[test]
fn heads_have_parents_components_and_variables_with_their_defaults() {
    let Some(corpus) = corpus_with("bytecode/1920-Team+1920-Team-Client") else { return };
    let folder = corpus.join("bytecode/1920-Team+1920-Team-Client/Content/BluePrints/Zombie");
    let ran = code(&[folder.join("Zombie.uasset").to_str().unwrap()]).ok();
    for line in [
        "class Zombie_C : Character {",
        "  component CameraComponent Camera  // attached to CollisionCylinder",
        "    component TextRenderComponent TextRender",
        "  array<BP_RifleBase_C> RifleSlot = [None, None]  // replicated",
        "  double Health = 1  // replicated",
        "event SC_Reload() {  // ExecuteUbergraph_Zombie @09AA, multicast, event",
        "    await Delay(this, 2.5)",
    ] {
        assert!(ran.out.lines().any(|found| found == line), "{line}\n{}", ran.out);
    }
    // All events are written, so nothing is left of the graph.
    assert!(!ran.out.contains("function ExecuteUbergraph_Zombie"), "{}", ran.out);
}

/// The listing spelled out by the sheet.
#[test]
fn a_listing_is_the_canonical_one_with_a_comment_before_each_function() {
    let Some(corpus) = corpus_with("properties/games/BlankGame55") else { return };
    let file = corpus.join("properties/games/BlankGame55/BP_Test.uasset");
    let args = [file.to_str().unwrap(), "--form", "listing", "--function", "ReceiveBeginPlay"];
    let ran = code(&args).ok();
    let (package, functions) = ran.out.split_once("\n\n").unwrap();
    assert_eq!(package, "; package /Game/Blueprints/BP_Test");
    let (comment, listing) = functions.split_once('\n').unwrap();
    assert_eq!(comment, "; function BP_Test_C.ReceiveBeginPlay, export 3, 18 bytes in memory");
    let expected = "0000 LocalFinalFunction \"BP_Test_C.ExecuteUbergraph_BP_Test\"\n0009   IntConst 105\n\
                    000E   EndFunctionParms\n000F Return\n0010   Nothing\n0011 EndOfScript\n";
    assert_eq!(listing, expected);
    let args = [file.to_str().unwrap(), "--form", "json", "--function", "ReceiveBeginPlay"];
    let json: serde_json::Value = serde_json::from_str(&code(&args).ok().out).unwrap();
    assert_eq!(json["schema"], "uncask.code/1");
    let function = &json["functions"][0];
    assert_eq!(function["memory"], 18);
    let ops: Vec<_> = function["code"].as_array().unwrap().iter().map(|line| line["op"].clone()).collect();
    assert_eq!(ops, ["LocalFinalFunction", "Return", "EndOfScript"]);
    assert_eq!(function["code"][0]["operands"][1][0]["operands"][0], 105);
}

/// Mods of a shipped game, cooked by 4.27, in paks.
#[test]
fn every_function_of_shipped_mods_is_written_as_pseudocode() {
    let Some(corpus) = corpus_with("mods/drg") else { return };
    let out = tempfile::tempdir().unwrap();
    let (mut packages, mut functions) = (0, 0);
    for name in ["ModHub_P", "custom-difficulty2_P", "missionselector_P", "native-spawner_P", "skip-start_P"]
    {
        let (pak, out) = (corpus.join(format!("mods/drg/{name}.pak")), out.path().join(name));
        let ran = code(&[pak.to_str().unwrap(), "-o", out.to_str().unwrap(), "--json"]).ok();
        let report: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(report["without_pseudocode"], 0, "{name}: {}", ran.err);
        let written = files(&out).len();
        assert_eq!(report["count"], written, "{name}: {}", ran.err);
        packages += written;
        functions += report["functions"].as_u64().unwrap();
    }
    say(&format!("{functions} functions in {packages} packages"));
    assert_eq!((functions, packages), (1381, 211));
}

/// Files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// The line of each function.
fn signatures(text: &str) -> Vec<&str> {
    let starts = ["event ", "function ", "delegate "];
    text.lines().filter(|line| starts.iter().any(|start| line.starts_with(start))).collect()
}

/// The script objects are those of another release, so what only this project has keeps a number for its name.
#[test]
fn packages_of_a_container_have_the_code_of_the_cooked_packages_they_were_made_of() {
    let Some(corpus) = corpus_with("to-zen/ue5.1/Demo") else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let cooked = corpus.join("to-zen/ue5.1/Demo");
    let cooked = cooked.to_str().unwrap();
    let global = corpus.join("found/container/ue5.4-global.utoc");
    uncask(&["to-zen", cooked, "--engine", "5.1", "-o", &path("Mod_P.utoc")]).ok();
    code(&[&path("Mod_P.utoc"), "--base", global.to_str().unwrap(), "--engine", "5.1", "-o", &path("zen")])
        .ok();
    code(&[cooked, "--engine", "5.1", "-o", &path("cooked")]).ok();
    let mut all = 0;
    for file in files(&folder.path().join("cooked")) {
        let other = folder.path().join("zen").join(file.strip_prefix(folder.path().join("cooked")).unwrap());
        let [one, other] = [&file, &other].map(|path| std::fs::read_to_string(path).unwrap());
        all += signatures(&one).len();
        assert_eq!(signatures(&one).len(), signatures(&other).len(), "{}", file.display());
    }
    say(&format!("{all} functions, from files and from a container"));
    assert_eq!(all, 39);
}

#[test]
fn what_has_no_code_is_told_and_is_no_success() {
    let Some(corpus) = corpus_with("properties/ue5.8/tagged") else { return };
    let folder = corpus.join("properties/ue5.8/tagged/Fixtures/Properties");
    let ran = code(&[folder.join("DA_AllProperties.uasset").to_str().unwrap()]);
    assert_eq!((ran.code, &*ran.out), (5, ""), "{}", ran.err);
    assert!(ran.err.contains("no blueprint in what was selected"), "{}", ran.err);
}

/// The place of a token in a listing: the first line that has a text, below a line that has another.
fn place_of<'l>(listing: &'l str, after: &str, token: &str) -> &'l str {
    let mut lines = listing.lines().skip_while(|line| !line.contains(after));
    lines.find(|line| line.contains(token)).and_then(|line| line.split_once(' ')).unwrap().0
}

/// A cooked blueprint of UE 5.1 with latent calls, and its listing in a file.
fn ability(corpus: &Path, folder: &Path) -> (String, PathBuf, String) {
    let package = corpus.join("to-zen/ue5.1/Demo/Content/MyDemo/Abilities_Finish/GA_Attack.uasset");
    let package = package.to_str().unwrap().to_owned();
    let listing = code(&[&package, "--engine", "5.1", "--form", "listing"]).ok().out;
    let file = folder.join("GA_Attack.txt");
    std::fs::write(&file, &listing).unwrap();
    (package, file, listing)
}

#[test]
fn a_constant_of_a_function_changes_and_a_container_with_it_is_accepted_and_reads_back() {
    let Some(corpus) = corpus_with("to-zen/ue5.1/Demo") else { return };
    let folder = tempfile::tempdir().unwrap();
    let (package, _, listing) = ability(&corpus, folder.path());
    let place = place_of(&listing, "KismetSystemLibrary.Delay", "FloatConst");
    let address = format!("ExecuteUbergraph_GA_Attack@0x{place}=2.0");
    let out = folder.path().join("Attack_P.utoc");
    let out = out.to_str().unwrap();
    let ran = uncask(&["set", &package, &address, "3.5", "--engine", "5.1", "-o", out]).ok();
    assert!(ran.err.contains(&format!("ExecuteUbergraph_GA_Attack@0x{place}: 2.0 -> 3.5")), "{}", ran.err);
    uncask(&["check", out]).ok();
    let global = corpus.join("found/container/ue5.4-global.utoc");
    let read = code(&[out, "--base", global.to_str().unwrap(), "--engine", "5.1"]).ok().out;
    assert!(read.contains("await Delay(this, 3.5)"), "{read}");
    // What is expected there decides.
    let ran =
        uncask(&["set", &package, &address.replace("=2.0", "=9.0"), "3.5", "--engine", "5.1", "--dry-run"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("found 2.0, expected 9.0"), "{}", ran.err);
}

#[test]
fn an_edited_listing_becomes_a_function_and_events_still_enter_their_graph() {
    let Some(corpus) = corpus_with("to-zen/ue5.1/Demo") else { return };
    let folder = tempfile::tempdir().unwrap();
    let (package, file, listing) = ability(&corpus, folder.path());
    let before = code(&[&package, "--engine", "5.1"]).ok().out;
    let run = |dry: &[&str]| {
        let onto = ["asm", file.to_str().unwrap(), "--onto", &package, "--engine", "5.1"];
        uncask(&[&onto[..], dry].concat())
    };
    let same = run(&["--dry-run"]);
    assert_eq!(same.code, 5, "{}", same.err);
    assert!(same.err.contains("nothing changed"), "{}", same.err);
    // The event graph gets a statement without effect near its start, so every entry moves.
    let (head, graph) = listing.split_once("; function GA_Attack_C.ExecuteUbergraph_GA_Attack").unwrap();
    let mut second = graph.match_indices('\n').map(|(at, _)| at + 1).filter(|at| {
        let line = graph[*at..].lines().next().unwrap_or_default();
        line.split_once(' ').is_some_and(|(_, rest)| !rest.starts_with(' '))
    });
    let second = second.nth(1).unwrap();
    let graph = format!("{}FFFFFF00 Nothing\n{}", &graph[..second], &graph[second..]);
    std::fs::write(&file, format!("{head}; function GA_Attack_C.ExecuteUbergraph_GA_Attack{graph}")).unwrap();
    let out = folder.path().join("out");
    run(&["-o", out.to_str().unwrap()]).ok();
    let made =
        files(&out).into_iter().find(|path| path.extension().is_some_and(|end| end == "uasset")).unwrap();
    let after = code(&[made.to_str().unwrap(), "--engine", "5.1"]).ok().out;
    let without_places = |text: &str| -> Vec<String> {
        text.lines().map(|line| line.split("  // ExecuteUbergraph").next().unwrap().to_owned()).collect()
    };
    assert_ne!(before, after);
    assert_eq!(without_places(&before), without_places(&after));
}

#[test]
fn calls_and_lines_of_code_are_found_with_their_places() {
    let Some(corpus) = corpus_with("to-zen/ue5.1/Demo") else { return };
    let folder = corpus.join("to-zen/ue5.1/Demo");
    let find =
        |args: &[&str]| uncask(&[&["find", folder.to_str().unwrap(), "--engine", "5.1"], args].concat());
    let calls = find(&["--calls", "delay", "--json"]).ok();
    let json: serde_json::Value = serde_json::from_str(&calls.out).unwrap();
    let hits = json["hits"].as_array().unwrap();
    assert!(!hits.is_empty() && hits.iter().all(|hit| hit["at"].is_u64()), "{}", calls.out);
    assert!(
        hits.iter().all(|hit| hit["text"] == "/Script/Engine.KismetSystemLibrary.Delay"),
        "{}",
        calls.out
    );
    let lines = find(&["--code", r"await delay\(this, 2"]).ok();
    assert!(lines.out.contains("GA_Attack_C.K2_ActivateAbility:"), "{}", lines.out);
    assert!(lines.out.contains("await Delay(this, 2.0)"), "{}", lines.out);
    // Both: only lines of functions that have such a call.
    let both = find(&["--calls", "GetAllActors*", "--code", "Delay"]);
    assert_eq!(both.code, 5, "{}", both.out);
    assert_eq!(find(&["--calls", "NobodyCallsThis"]).code, 5);
    let refused = find(&["--calls", "Delay", "--value", "1"]);
    assert_eq!(refused.code, 2, "{}", refused.err);
}

#[test]
fn functions_that_changed_are_shown_as_a_unified_diff() {
    let Some(corpus) = corpus_with("to-zen/ue5.1/Demo") else { return };
    let folder = tempfile::tempdir().unwrap();
    let (package, _, listing) = ability(&corpus, folder.path());
    let place = place_of(&listing, "KismetSystemLibrary.Delay", "FloatConst");
    let address = format!("ExecuteUbergraph_GA_Attack@0x{place}");
    let out = folder.path().join("out");
    uncask(&["set", &package, &address, "3.5", "--engine", "5.1", "-o", out.to_str().unwrap()]).ok();
    let made =
        files(&out).into_iter().find(|path| path.extension().is_some_and(|end| end == "uasset")).unwrap();
    let diff = |args: &[&str]| {
        let both = ["diff", &package, made.to_str().unwrap(), "--code", "--engine", "5.1"];
        uncask(&[&both[..], args].concat())
    };
    let ran = diff(&[]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert!(
        lines[0].starts_with("--- ") && lines[0].ends_with(":GA_Attack_C.K2_ActivateAbility"),
        "{}",
        ran.out
    );
    assert!(lines.contains(&"-    await Delay(this, 2.0)"), "{}", ran.out);
    assert!(lines.contains(&"+    await Delay(this, 3.5)"), "{}", ran.out);
    assert!(ran.err.contains("1 function differs, in 1 package"), "{}", ran.err);
    let json: serde_json::Value = serde_json::from_str(&diff(&["--json"]).out).unwrap();
    assert_eq!(json["packages"][0]["functions"][0]["change"], "changed");
    let same = uncask(&["diff", &package, &package, "--code", "--engine", "5.1"]).ok();
    assert_eq!(same.out, "");
}

#[test]
fn inspect_says_what_a_blueprint_holds() {
    let Some(corpus) = corpus_with("bytecode/1920-Team+1920-Team-Client") else { return };
    let file = corpus.join("bytecode/1920-Team+1920-Team-Client/Content/BluePrints/Zombie/Zombie.uasset");
    let ran = uncask(&["inspect", file.to_str().unwrap()]).ok();
    let facts = "blueprint of Character, 17 variables, 2 components, 54 functions, ";
    assert!(ran.out.contains(facts), "{}", ran.out);
}

/// A mod without its game: the names of the engine's objects are known anyway.
#[test]
fn a_container_alone_has_names_for_what_every_game_has() {
    let Some(corpus) = corpus_with("to-zen/ue5.1") else { return };
    let folder = tempfile::tempdir().unwrap();
    let (cook, toc) = (corpus.join("to-zen/ue5.1"), folder.path().join("Mod_P.utoc"));
    let [cook, toc] = [&cook, &toc].map(|path| path.to_str().unwrap());
    uncask(&["to-zen", cook, "-o", toc, "--engine", "5.1", "--force", "--overwrite"]).ok();
    let of_zen = code(&[toc, "BP_NPC.uasset"]).ok().out;
    let of_cook = code(&[cook, "BP_NPC.uasset"]).ok().out;
    assert!(of_cook.contains("= text(GetEnumeratorUserFriendlyName("), "{of_cook}");
    // Objects of packages that are missing have no names.
    let lines = of_zen.lines().zip(of_cook.lines()).filter(|(zen, _)| !zen.contains("UnknownExport_x"));
    let lines: Vec<(&str, &str)> = lines.collect();
    assert!(lines.len() > 80, "{of_zen}");
    assert!(lines.iter().all(|(zen, cook)| zen == cook), "{of_zen}\n{of_cook}");
    let listed = uncask(&["list", toc, "--show-class", "--csv", "BP_NPC.uasset"]).ok().out;
    assert!(listed.contains("/Script/Engine.BlueprintGeneratedClass"), "{listed}");
}
