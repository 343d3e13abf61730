//! Values as tables and lines: `json --csv`, `json --jsonl`, `find --csv`, `diff --properties --csv`.

use super::run::uncask;

const DEMO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/demo");

#[test]
fn values_are_rows_in_the_order_of_paths() {
    let rows = uncask(&["json", DEMO, "*/Maps/*", "--csv"]).ok().out;
    let expected = "package,object,class,property,value
/Game/Maps/Cave,Cave,World,Count,1
/Game/Maps/Cave,PersistentLevel,Level,Count,2
/Game/Maps/Cave,BP_Door_C_1,BP_Door_C,Count,3
/Game/Maps/Cave,Block,StaticMeshActor,Count,4
/Game/Maps/Start,Start,World,Count,1
/Game/Maps/Start,PersistentLevel,Level,Count,2
/Game/Maps/Start,BP_Door_C_1,BP_Door_C,Count,3
/Game/Maps/Start,Block,StaticMeshActor,Count,4
";
    assert_eq!(rows, expected);
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    uncask(&["json", DEMO, "*/Maps/*", "-o", &path("maps.csv")]).ok();
    assert_eq!(std::fs::read_to_string(path("maps.csv")).unwrap(), expected);
    let ran = uncask(&["json", DEMO, "--csv", "-o", &path("folder")]);
    assert_eq!((ran.code, ran.err.contains("--csv writes a .csv: ")), (2, true), "{}", ran.err);
}

#[test]
fn lines_are_documents_with_their_names() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("all.jsonl").to_str().unwrap().to_owned();
    // In the order of paths: `Demo/Content`, then `Engine/Content`.
    for form in ["fmodel", "tree"] {
        let printed = uncask(&["json", DEMO, "--jsonl", "--form", form]).ok().out;
        uncask(&["json", DEMO, "--form", form, "-o", &file]).ok();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), printed, "{form}");
        let mut names = Vec::new();
        for line in printed.lines() {
            let line: serde_json::Value = serde_json::from_str(line).unwrap();
            let name = line["package"].as_str().unwrap().to_owned();
            let alone = uncask(&["json", DEMO, &name, "--form", form]).ok().json();
            assert_eq!(if form == "tree" { &line } else { &line["objects"] }, &alone, "{name}");
            names.push(name);
        }
        assert!(names.len() == 8 && names[..7].is_sorted() && names[7] == "/Engine/Basic/Cube", "{names:?}");
    }
}

#[test]
fn hits_keep_their_types_and_may_be_ranges() {
    let find = |more: &[&str]| uncask(&[&["find", DEMO, "--property", "Count"], more].concat());
    let hits = find(&["--value", ">=4", "--json"]).ok().json();
    let values: Vec<&serde_json::Value> =
        hits["hits"].as_array().unwrap().iter().map(|hit| &hit["value"]).collect();
    assert_eq!(values, [&serde_json::json!(4), &serde_json::json!(4)]);
    let table = find(&["--value", "2..3", "--csv"]).ok().out;
    let expected = "package,export,property,value
/Game/Maps/Cave,PersistentLevel,Count,2
/Game/Maps/Cave,BP_Door_C_1,Count,3
/Game/Maps/Start,PersistentLevel,Count,2
/Game/Maps/Start,BP_Door_C_1,Count,3
";
    assert_eq!(table, expected);
    assert_eq!(find(&["--value", "<1"]).code, 5);
}

#[test]
fn differences_are_rows_without_noise() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let start = format!("{DEMO}:/Game/Maps/Start");
    uncask(&["set", &start, "Start.Count", "8", "Block.Count", "9", "-o", &path("old_P.utoc")]).ok();
    uncask(&["set", &start, "Start.Count", "9", "-o", &path("new_P.utoc")]).ok();
    let [old, new] = [path("old_P.utoc"), path("new_P.utoc")];
    let diff = |more: &[&str]| uncask(&[&["diff", &old, &new, "--properties"], more].concat());
    let rows = diff(&["--csv"]);
    let expected = "change,package,object,property,from,to
changed,/Game/Maps/Start,Start,Count,8,9
changed,/Game/Maps/Start,Start:PersistentLevel.Block,Count,9,4
";
    assert_eq!((rows.code, rows.out.as_str()), (1, expected));
    let ran = diff(&["--json"]).json();
    assert_eq!(ran["packages"][0]["values"][0]["to"], 9, "{ran}");
    let ran = diff(&["--ignore", "c*t"]);
    assert!(ran.code == 0 && ran.err.contains("2 changes are ignored"), "{}", ran.err);
}
