//! `uncask list --class`.

use super::run::{corpus, fixture, uncask};
use serde_json::Value;
use std::fmt::Write as _;

/// Path and class of every package, sorted.
fn classes(args: &[&str]) -> Vec<(String, Value)> {
    let fixed = ["list", "--type", "package", "--class", "--jsonl", "--sort", "path"];
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
        assert!(run(&[form, "--class"]).contains("/Script/Engine.Texture2D"), "{form}");
    }
    insta::assert_snapshot!("list_class", run(&["--class"]));
    insta::assert_snapshot!("list_class_csv", run(&["--class", "--csv"]));
}
