//! `uncask json`.

use super::run::{Ran, corpus, corpus_with, fixture, uncask};
use std::path::Path;

/// A package of the fixtures that has a property of nearly every type.
const PACKAGE: &str = "/Game/Fixtures/Properties/DA_AllProperties";
/// Its file in the game, which FModel's form has.
const FILE: &str = "CUE4ParseFixtures/Content/Fixtures/Properties/DA_AllProperties";

fn usmap(corpus: &Path, method: &str) -> String {
    let files = std::fs::read_dir(corpus.join("properties/ue5.8/mappings")).unwrap();
    let paths = files.map(|entry| entry.unwrap().path().display().to_string());
    paths.into_iter().find(|path| path.contains(method)).unwrap()
}

/// The values that say that properties were read.
fn check(document: &serde_json::Value, package: &str) {
    let exports = document.as_array().unwrap();
    assert_eq!(exports.len(), 2);
    let asset = exports.iter().find(|export| export["Name"] == "DA_AllProperties").unwrap();
    assert_eq!(asset["Type"], "ParserFixtureData");
    assert_eq!(asset["Class"], "UScriptClass'ParserFixtureData'");
    assert_eq!(asset["Package"], package);
    assert_eq!(asset["Flags"], "RF_Public | RF_Standalone | RF_WasLoaded | RF_LoadCompleted");
    let values = &asset["Properties"];
    assert_eq!(values["Integer"], 305_419_896);
    assert_eq!(values["Guid"], "DEADBEEF-01234567-89ABCDEF-13579BDF");
    assert_eq!(values["Color"]["Hex"], "78123456");
    assert_eq!(values["FixedIntegerArray[2]"], 2_147_483_647);
    assert_eq!(values["IntegerMap"][1], serde_json::json!({ "Key": "Answer", "Value": 42 }));
    assert_eq!(values["ScalarInstancedStruct"]["BaseMarker"], 1001);
    assert_eq!(values["SoftTextureReference"]["AssetPathName"], "/Game/Fixtures/Textures/T_BC6H.T_BC6H");
    let inline = &values["InlineObject"];
    assert_eq!(inline["ObjectName"], "FixtureInlineObject'DA_AllProperties:InlineFixture'");
    assert_eq!(inline["ObjectPath"], format!("{package}.0"));
}

fn json(args: &[&str]) -> Ran {
    uncask(&[&["json"], args].concat())
}

#[test]
fn one_package_of_a_container_goes_to_stdout() {
    let Some(corpus) = corpus() else { return };
    let tagged = fixture(&corpus, "tagged");
    check(&json(&[&tagged[0], PACKAGE, "--base", &tagged[1]]).ok().json(), FILE);
    let unversioned = fixture(&corpus, "unversioned");
    for method in ["Brotli", "Oodle", "Uncompressed", "Zstandard"] {
        let mappings = usmap(&corpus, method);
        let args = [&*unversioned[0], PACKAGE, "--base", &unversioned[1], "--mappings", &mappings];
        check(&json(&args).ok().json(), FILE);
    }
}

#[test]
fn classes_of_a_game_need_mappings_and_one_line_says_so() {
    let Some(corpus) = corpus() else { return };
    let unversioned = fixture(&corpus, "unversioned");
    let ran = json(&[&unversioned[0], PACKAGE, "--base", &unversioned[1]]);
    assert_eq!(ran.code, 1);
    let reported: Vec<&str> = ran.err.lines().collect();
    // Nothing of it was read, so nothing is said about the classes that others are read by.
    let [error] = &reported[..] else { panic!("{reported:?}") };
    assert!(error.contains("properties of the game's own classes"), "{error}");
    assert!(error.contains("--mappings") && error.contains("Dumper-7"), "{error}");
    // Of several, those are counted of which anything was read.
    let both =
        json(&[&unversioned[0], "*/DA_AllProperties.*", "*/T_BC3.*", "--base", &unversioned[1], "--jsonl"]);
    let said = "1 package read by the classes of UE 5.8, since there are no mappings";
    assert!(both.err.contains(said), "{}", both.err);
    // No classes of that release are built in.
    let newer = json(&[&unversioned[0], PACKAGE, "--base", &unversioned[1], "--engine", "6.0"]);
    let [error] = newer.err.lines().collect::<Vec<_>>()[..] else { panic!("{}", newer.err) };
    assert!(error.contains("1 package has properties without tags, which need mappings"), "{error}");
    // What needs none is there all the same.
    let document: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(document[1]["Name"], "DA_AllProperties");
    assert!(document[1]["Problem"].as_str().unwrap().contains("ParserFixtureData: "), "{document:#}");
}

#[test]
fn a_document_for_each_package_goes_to_a_folder() {
    let Some(corpus) = corpus() else { return };
    let out = tempfile::tempdir().unwrap();
    for (cook, form) in [("tagged", "fmodel"), ("unversioned", "tree")] {
        let fixture = fixture(&corpus, cook);
        let mappings = usmap(&corpus, "Zstandard");
        let folder = out.path().join(cook);
        let folder = folder.to_str().unwrap();
        let args =
            [&*fixture[0], "--base", &fixture[1], "--mappings", &mappings, "-o", folder, "--form", form];
        // Control rigs and neural networks have forms of their own, and the mappings have no editor classes.
        let ran = json(&args);
        let unread = if cook == "tagged" { 3 } else { 9 };
        assert_eq!(ran.code, 1);
        assert!(ran.err.contains(&format!("0 failed, values of {unread} exports not read\n")), "{}", ran.err);
        let files = walkdir::WalkDir::new(folder).into_iter().map(|entry| entry.unwrap().into_path());
        let documents: Vec<_> =
            files.filter(|path| path.extension().is_some_and(|end| end == "json")).collect();
        assert_eq!(documents.len(), 97, "{cook}");
        for document in documents {
            let bytes = std::fs::read(&document).unwrap();
            let found: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
            assert_eq!(found.is_array(), form == "fmodel", "{}", document.display());
        }
    }
    let ran = json(&[&fixture(&corpus, "tagged")[0], "*/Textures/*"]);
    assert_eq!(ran.code, 2, "several packages do not go to stdout");
    assert!(ran.err.contains("-o"), "{}", ran.err);
}

#[test]
fn loose_files_and_files_of_paks_are_packages_too() {
    let Some(corpus) = corpus_with("properties/ue5.8/tagged") else { return };
    let folder = corpus.join("properties/ue5.8/tagged");
    let file = folder.join("Fixtures/Properties/DA_AllProperties.uasset");
    // Where the folders of the game are not there, packages have their names.
    check(&json(&[file.to_str().unwrap()]).ok().json(), PACKAGE);
    check(&json(&[folder.to_str().unwrap(), "*/DA_AllProperties.uasset"]).ok().json(), PACKAGE);
    let zen = corpus.join("packages/ue5.4/BP_Table_Lamp.uzenasset");
    let document = json(&[zen.to_str().unwrap()]);
    assert!(document.out.contains("BP_Table_Lamp"), "{}", document.err);
    let paks = corpus.join("pak/ue5.8/legacy");
    let ran = json(&[paks.to_str().unwrap(), "*DA_AllProperties.uasset"]);
    assert!(ran.out.contains("\"DA_AllProperties\""), "{}", ran.err);
    let none = json(&[folder.to_str().unwrap(), "nothing"]);
    assert_eq!(none.code, 5);
}

/// Mappings beside the containers are used, whatever their name is, and told; damaged ones are not.
#[test]
fn mappings_are_found_below_the_folder_of_a_game() {
    let Some(corpus) = corpus() else { return };
    let [container, global] = fixture(&corpus, "unversioned");
    let game = tempfile::tempdir().unwrap();
    let paks = game.path().join("MyGame/Content/Paks");
    std::fs::create_dir_all(&paks).unwrap();
    for file in std::fs::read_dir(Path::new(&container)).unwrap().map(|entry| entry.unwrap().path()) {
        std::fs::copy(&file, paks.join(file.file_name().unwrap())).unwrap();
    }
    let input = game.path().to_str().unwrap();
    let read = || json(&[input, PACKAGE, "--base", &global]);
    let without = read();
    assert_eq!(without.code, 1);
    let searched = format!("there are none in {input}, beside its containers, or above it");
    assert!(without.err.contains(&searched), "{}", without.err);
    let mappings = paks.join("MyGame-1.0.usmap");
    std::fs::write(&mappings, "no mappings").unwrap();
    assert!(read().err.contains("mappings beside the game are not used: "));
    std::fs::copy(usmap(&corpus, "Uncompressed"), &mappings).unwrap();
    let found = read().ok();
    assert!(found.err.contains("mappings found beside the game: "), "{}", found.err);
    check(&found.json(), FILE);
}
