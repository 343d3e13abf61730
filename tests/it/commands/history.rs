//! `uncask history`: values over several builds.

#[cfg(feature = "catalog")]
use super::run::Ran;
use super::run::{corpus, uncask, whole_game};
use std::path::Path;

const PACKAGE: &str = "/Game/Fixtures/Properties/DA_AllProperties";

/// Three builds of the fixture; the later two with another number each, by a mod.
fn builds(folder: &Path) -> Option<String> {
    let corpus = corpus()?;
    for (build, number) in [("1.0", None), ("1.9", Some("7")), ("1.10", Some("9"))] {
        let game = whole_game(&corpus, "tagged", &folder.join(build));
        if let Some(number) = number {
            let target = format!("{game}:{PACKAGE}");
            let out = format!("{game}/~mods/Mod_P.utoc");
            uncask(&["set", &target, "DA_AllProperties.Integer", number, "-o", &out]).ok();
        }
    }
    Some(format!("{}/*/tagged", folder.display()))
}

#[test]
fn values_move_from_build_to_build() {
    let folder = tempfile::tempdir().unwrap();
    let Some(pattern) = builds(folder.path()) else { return };
    // What cannot be read elsewhere is not what is asked for.
    let wanted = ["--property", "Integer", "--package", "*/Fixtures/Properties/*"];
    let first = uncask(&[&["history", &pattern.replace('*', "1.0")][..], &wanted].concat()).ok();
    let packages: u64 =
        first.err.split(" packages in 1 build").next().unwrap().rsplit(' ').next().unwrap().parse().unwrap();
    let ran = uncask(&[&["history", &pattern, "--changed"][..], &wanted].concat()).ok();
    let expected = format!("{PACKAGE}\n    DA_AllProperties.Integer: 305419896 (1.0) → 7 (1.9) → 9 (1.10)\n");
    assert_eq!(ran.out, expected, "{}", ran.err);
    let read = format!("1 value, from {} packages in 3 builds", packages + 2);
    assert!(ran.err.contains(&read), "what is the same is not read: {}", ran.err);

    let one = ["history", &pattern, "--property", "Integer", "--package", "*/DA_AllProperties.uasset"];
    let json = uncask(&[&one[..], &["--json"]].concat()).ok().json();
    assert_eq!(json["schema"], "uncask.history/1");
    assert_eq!(json["builds"], serde_json::json!(["1.0", "1.9", "1.10"]));
    assert_eq!(json["values"][0]["class"], "ParserFixtureData");
    assert_eq!(
        json["values"][0]["steps"],
        serde_json::json!([
            {"build": "1.0", "change": "added", "value": 305_419_896},
            {"build": "1.9", "change": "changed", "value": 7},
            {"build": "1.10", "change": "changed", "value": 9},
        ])
    );
    let csv = uncask(&[&one[..], &["--csv"]].concat()).ok();
    assert_eq!(csv.out.lines().next(), Some("package,object,class,property,build,change,value"));
    assert_eq!(csv.out.lines().count(), 4, "{}", csv.out);
}

#[test]
fn what_a_build_removes_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let Some(pattern) = builds(folder.path()) else { return };
    let [full, empty] = ["1.0", "2"].map(|build| pattern.replace('*', build));
    std::fs::create_dir_all(&empty).unwrap();
    for name in ["global.utoc", "global.ucas"] {
        std::fs::write(Path::new(&empty).join(name), std::fs::read(Path::new(&full).join(name)).unwrap())
            .unwrap();
    }
    let ran =
        uncask(&["history", &full, &empty, "--property", "Integer", "--package", "*/DA_AllProperties*"]).ok();
    let line = "    DA_AllProperties.Integer: 305419896 (1.0) → removed (2)\n";
    assert!(ran.out.contains(line), "{} {}", ran.out, ran.err);
}

#[test]
fn what_cannot_be_opened_is_not_gone() {
    let folder = tempfile::tempdir().unwrap();
    let demo = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/demo"));
    for (build, is_damaged) in [("1", false), ("2", true)] {
        std::fs::create_dir_all(folder.path().join(build)).unwrap();
        for entry in std::fs::read_dir(demo).unwrap().map(|entry| entry.unwrap().path()) {
            let name = entry.file_name().unwrap().to_str().unwrap();
            let content = std::fs::read(&entry).unwrap();
            let cut = is_damaged && name == "pakchunk0-Demo.utoc";
            let content = if cut { &content[..100] } else { &content[..] };
            std::fs::write(folder.path().join(build).join(name), content).unwrap();
        }
    }
    let builds = ["1", "2"].map(|build| folder.path().join(build).display().to_string());
    let ran = uncask(&["history", &builds[0], &builds[1], "--property", "*"]);
    assert_eq!(ran.code, 3, "{}", ran.err);
    assert!(!ran.out.contains("removed"), "{}", ran.out);
}

#[cfg(feature = "catalog")]
#[test]
fn tables_that_are_there_stay() {
    let folder = tempfile::tempdir().unwrap();
    let Some(pattern) = builds(folder.path()) else { return };
    let out = folder.path().join("out");
    let write = |property: &str| -> Ran {
        let wanted = ["--property", property, "--package", "*/Fixtures/Properties/*"];
        uncask(&[&["history", &pattern, "-o", out.to_str().unwrap()][..], &wanted].concat()).ok()
    };
    let first = write("Integer");
    assert!(first.err.contains("wrote 3 tables"), "{}", first.err);
    let names = |at: &Path| {
        let mut names: Vec<_> =
            std::fs::read_dir(at).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    assert_eq!(names(&out), ["1.0.parquet", "1.10.parquet", "1.9.parquet"]);
    let again = write("Integer");
    assert_eq!(again.err.matches("unchanged since the last run").count(), 3, "{}", again.err);
    assert!(again.err.contains("wrote 0 tables"), "{}", again.err);
    std::fs::remove_file(out.join("1.9.parquet")).unwrap();
    assert!(write("Integer").err.contains("wrote 1 table with 1 row"));
    assert!(write("*").err.contains("wrote 3 tables"), "another question");
}

#[test]
fn what_no_build_has_is_told_by_the_exit_code() {
    let demo = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/demo");
    let ran = uncask(&["history", demo, "--property", "OpenAngle"]).ok();
    assert!(ran.out.contains("Default__BP_Door_C.OpenAngle: 90 (demo)"), "{}", ran.out);
    assert_eq!(uncask(&["history", demo, "--property", "Nothing"]).code, 5);
}

#[test]
fn builds_have_to_be_there() {
    let ran = uncask(&["history", "nothing/*/Paks"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("no build matches"), "{}", ran.err);
}
