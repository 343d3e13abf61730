//! Classes: `list --show-class`, and `--class` in all commands.

use super::run::{corpus, fixture, uncask};
use serde_json::Value;
use std::fmt::Write as _;

/// Path and class of every package, sorted.
fn classes(args: &[&str]) -> Vec<(String, Value)> {
    let fixed = ["list", "--type", "package", "--show-class", "--jsonl", "--sort", "path"];
    let ran = uncask(&[&fixed, args].concat()).ok();
    let row = |line: &str| {
        let row: Value = serde_json::from_str(line).unwrap();
        assert!(
            line.trim_end_matches('}').ends_with(&format!("\"class\":{}", row["class"])),
            "the last field"
        );
        (row["path"].as_str().unwrap().to_owned(), row["class"].clone())
    };
    ran.out.lines().map(row).collect()
}

#[test]
fn the_class_of_every_package_is_known() {
    let Some(corpus) = corpus() else { return };
    let [container, global] = fixture(&corpus, "tagged");
    let found = classes(&[&container, "--base", &global]);
    assert_eq!(found.len(), 97);
    let mut table = String::new();
    for (path, class) in &found {
        writeln!(table, "{path}  {}", class.as_str().unwrap()).unwrap();
    }
    insta::assert_snapshot!("classes", table);
    let folder = corpus.join("iostore/ue5.8/tagged");
    for variant in ["Zlib", "Oodle", "OodleEncrypted", "OodlePartitioned"] {
        let input = folder.join(variant);
        let key = hex::encode(b"CUE4ParseFixtureAESKey0123456789");
        let same = classes(&[input.to_str().unwrap(), "--base", &global, "--aes-key", &key]);
        assert_eq!(same, found, "{variant}");
    }
}

#[test]
fn programs_get_classes_only_when_they_ask_and_people_for_a_few_packages() {
    let Some(corpus) = corpus() else { return };
    let [container, global] = fixture(&corpus, "tagged");
    let run = |args: &[&str]| {
        let fixed = ["list", &container, "--base", &global, "*/Fixtures/Textures/T_BC1*"];
        uncask(&[&fixed, args].concat()).ok().shown(&corpus)
    };
    assert!(run(&["--long"]).contains("/Script/Engine.Texture2D"));
    assert!(!run(&[]).to_lowercase().contains("class"));
    for form in ["--json", "--jsonl", "--csv"] {
        assert!(!run(&[form]).to_lowercase().contains("class"), "{form}");
        assert!(run(&[form, "--show-class"]).contains("/Script/Engine.Texture2D"), "{form}");
    }
    insta::assert_snapshot!("list_class", run(&["--show-class"]));
    insta::assert_snapshot!("list_class_csv", run(&["--show-class", "--csv"]));
}

/// One meaning in all commands: the packages whose main object is of the class, and what belongs to them; in containers, paks and folders.
#[test]
fn packages_are_chosen_by_class_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let demo = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/demo");
    uncask(&["to-legacy", demo, "-o", &path("cooked")]).ok();
    uncask(&["pack", &path("cooked"), "-o", &path("Demo_P.pak")]).ok();
    let lines = |args: &[&str]| uncask(args).ok().out.lines().map(str::to_owned).collect::<Vec<_>>();
    let texture = ["Demo/Content/Textures/T_Rock.uasset", "Demo/Content/Textures/T_Rock.ubulk"];
    assert_eq!(lines(&["list", demo, "--class", "texture2d"]), texture);
    let [header, bulk] = texture;
    let cooked = [header, bulk, "Demo/Content/Textures/T_Rock.uexp"];
    assert_eq!(lines(&["list", &path("Demo_P.pak"), "--class", "Texture2D"]), cooked);
    assert_eq!(lines(&["list", demo, "--class", "/Script/Engine.Texture*"]), texture);
    let shown = lines(&["list", demo, "--class", "Texture2D", "--show-class", "--csv"]);
    assert!(shown[1..].iter().all(|line| line.ends_with("/Script/Engine.Texture2D")), "{shown:?}");
    for input in [demo, &path("cooked"), &path("Demo_P.pak")] {
        let names = lines(&["json", input, "--class", "World", "--jsonl"]);
        let names: Vec<&str> = names.iter().map(|line| &line[..32]).collect();
        let expected = [r#"{"package":"/Game/Maps/Cave","ob"#, r#"{"package":"/Game/Maps/Start","o"#];
        assert_eq!(names, expected, "{input}");
        assert_eq!(lines(&["find", input, "--class", "W*d", "--property", "Count"]).len(), 8, "{input}");
        let ran = uncask(&["export", input, "--class", "SoundWave", "-o", &path("out"), "--dry-run"]).ok();
        assert!(ran.out.contains("Theme") && ran.out.lines().count() == 1, "{input}: {}", ran.out);
        assert_eq!(uncask(&["json", input, "--class", "Nothing", "--jsonl"]).code, 5, "{input}");
    }
    assert_eq!(uncask(&["diff", demo, &path("Demo_P.pak"), "--class", "Nothing"]).ok().out, "");
}
