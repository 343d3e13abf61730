//! `uncask scripts`.

use super::run::{corpus, fixture, uncask};

#[test]
fn every_script_object_has_a_path() {
    let Some(corpus) = corpus() else { return };
    for (global, count) in [
        (fixture(&corpus, "tagged")[1].clone(), 36_979),
        (corpus.join("iostore/games/vrsalon").display().to_string(), 34_830),
    ] {
        let text = uncask(&["scripts", &global]).ok().out;
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), count, "{global}");
        assert!(lines.iter().all(|line| line.starts_with("/Script/") || line.starts_with('/')));
        assert!(lines.contains(&"/Script/Engine.Actor:K2_DestroyActor"));
        let json = uncask(&["scripts", &global, "--json"]).ok().json();
        assert_eq!(json["schema"], "uncask.scripts/1");
        let objects = json["objects"].as_array().unwrap();
        assert_eq!(objects.len(), count);
        let actor = objects.iter().find(|object| object["path"] == "/Script/Engine.Default__Actor").unwrap();
        insta::assert_snapshot!("scripts_default_object", format!("{actor:#}"));
    }
}

#[test]
fn a_container_without_script_objects_has_none_to_show() {
    // Beside the global container it would have some.
    let folder = tempfile::tempdir().unwrap();
    for name in ["pakchunk1-Demo.utoc", "pakchunk1-Demo.ucas"] {
        std::fs::copy(format!("testdata/demo/{name}"), folder.path().join(name)).unwrap();
    }
    let ran = uncask(&["scripts", folder.path().to_str().unwrap()]);
    assert_eq!(ran.code, 5);
    insta::assert_snapshot!("scripts_none", ran.err);
}

#[test]
fn the_demo_has_the_classes_of_its_packages() {
    let found = uncask(&["scripts", "testdata/demo"]).ok().out;
    assert_eq!(found.lines().count(), 2 + 2 * 14, "packages, classes, and their default objects");
    assert!(found.lines().any(|line| line == "/Script/Engine.Default__Texture2D"));
}
