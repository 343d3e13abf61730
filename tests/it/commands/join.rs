//! Several changes in one mod: `set --into`, and containers as inputs of `pack`.

use super::run::uncask;

const DEMO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/demo");

/// A folder, and paths in it.
fn place() -> (tempfile::TempDir, impl Fn(&str) -> String) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().to_owned();
    (folder, move |name: &str| root.join(name).to_str().unwrap().to_owned())
}

fn set(package: &str, address: &str, value: &str, to: &[&str]) {
    let target = format!("{DEMO}:{package}");
    let ran = uncask(&[&["set", &target, address, value], to].concat()).ok();
    assert!(!ran.err.contains("warning"), "{}", ran.err);
}

/// Its values of one property.
fn values(input: &str, property: &str) -> Vec<String> {
    let ran = uncask(&["find", input, "--property", property]).ok();
    ran.out.lines().map(|line| line.split("  ").nth(1).unwrap().to_owned()).collect()
}

fn names(folder: &tempfile::TempDir) -> Vec<String> {
    let entries = std::fs::read_dir(folder.path()).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_second_change_goes_into_the_same_mod() {
    let (folder, path) = place();
    let into = path("All_P.utoc");
    set("/Game/Maps/Start", "Start.Count", "5", &["--into", &into]);
    // Another value of the same package, and another package.
    set("/Game/Maps/Start", "PersistentLevel.Count", "6", &["--into", &into]);
    set("/Game/Blueprints/BP_Door", "Default__BP_Door_C.OpenAngle", "120", &["--into", &into]);
    let expected =
        ["Start.Count = 5", "PersistentLevel.Count = 6", "BP_Door_C_1.Count = 3", "Block.Count = 4"];
    assert_eq!(values(&into, "Count"), expected);
    assert_eq!(values(&into, "OpenAngle")[0], "Default__BP_Door_C.OpenAngle = 120");
    uncask(&["verify", &into]).ok();
    let checked = uncask(&["check", &into, "--game", DEMO]).ok();
    assert!(
        checked.err.contains("checked 2 packages") && checked.err.contains("0 problems"),
        "{}",
        checked.err
    );
    assert_eq!(names(&folder), ["All_P.pak", "All_P.ucas", "All_P.utoc"], "nothing else is left");
    let wrong =
        uncask(&["set", &format!("{DEMO}:/Game/Maps/Start"), "Start.Count", "1", "--into", &path("a.pak")]);
    assert_eq!((wrong.code, wrong.err.contains("--into takes a .utoc")), (2, true), "{}", wrong.err);
}

#[test]
fn mods_are_packed_into_one_unless_they_contradict_each_other() {
    let (folder, path) = place();
    let [a, b, c] = ["A_P.utoc", "B_P.utoc", "C_P.utoc"].map(path);
    set("/Game/Maps/Start", "Start.Count", "5", &["-o", &a]);
    set("/Game/Blueprints/BP_Door", "Default__BP_Door_C.OpenAngle", "120", &["-o", &b]);
    set("/Game/Maps/Start", "Start.Count", "7", &["-o", &c]);
    let before = names(&folder);
    let both = folder.path().join("Both_P.utoc").to_str().unwrap().to_owned();
    let refused = uncask(&["pack", &a, &b, &c, "-o", &both]);
    assert_eq!((refused.code, names(&folder)), (1, before), "{}", refused.err);
    assert!(
        refused.err.contains("1 chunk differs in several inputs, such as Demo/Content/Maps/Start.umap"),
        "{}",
        refused.err
    );
    uncask(&["pack", &a, &b, "-o", &both]).ok();
    assert_eq!(values(&both, "Count")[0], "Start.Count = 5");
    assert_eq!(values(&both, "OpenAngle")[0], "Default__BP_Door_C.OpenAngle = 120");
    uncask(&["verify", &both]).ok();
    uncask(&["check", &both, "--game", DEMO]).ok();
    // What is the same in both is no contradiction.
    uncask(&["pack", &both, &a, "-o", &both, "--overwrite"]).ok();
    assert_eq!(values(&both, "Count")[0], "Start.Count = 5");
    // Paks and folders, too.
    std::fs::create_dir(folder.path().join("more")).unwrap();
    std::fs::write(folder.path().join("more/Game.ini"), "a=1").unwrap();
    let [more, pak, all] = ["more", "P_P.pak", "All_P.pak"].map(|name| folder.path().join(name));
    let [more, pak, all] = [&more, &pak, &all].map(|path| path.to_str().unwrap());
    uncask(&["pack", more, "-o", pak]).ok();
    std::fs::rename(folder.path().join("more/Game.ini"), folder.path().join("more/Other.ini")).unwrap();
    uncask(&["pack", pak, more, "-o", all]).ok();
    assert_eq!(uncask(&["list", all]).ok().out, "Game.ini\nOther.ini\n");
}

/// A mod without a directory index has no paths: its packages are known by their ids, and no old one is taken for the new.
#[test]
fn a_mod_without_paths_is_refused_rather_than_kept_as_it_was() {
    let (folder, path) = place();
    let [with, without] = ["With_9_P.utoc", "Without_9_P.utoc"].map(&path);
    set("/Game/Maps/Start", "Start.Count", "5", &["-o", &with]);
    uncask(&["unpack", &with, "-o", &path("files")]).ok();
    uncask(&["pack", &path("files"), "-o", &without, "--no-directory-index"]).ok();
    let before = std::fs::read(&without).unwrap();
    let target = format!("{DEMO}:/Game/Maps/Start");
    let ran = uncask(&["set", &target, "Start.Count", "6", "--into", &without]);
    // Either the new value is in it, or nothing has changed and the exit code says so.
    let kept = std::fs::read(&without).unwrap() == before;
    let has_new = !kept && values(&without, "Count").contains(&"Start.Count = 6".to_owned());
    assert_eq!((ran.code == 0, has_new), (has_new, !kept), "{}", ran.err);
    assert!(!names(&folder).iter().any(|name| name.starts_with('.')), "nothing else is left");
}
