//! `uncask conflicts`: packages and files that several mods have.

use super::run::{Ran, corpus, corpus_with, fixture, uncask};
use serde_json::Value;
use std::path::{Path, PathBuf};

const DEMO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/demo");
const DOOR: &str = "/Game/Blueprints/BP_Door";
const ANGLE: &str = "Default__BP_Door_C.OpenAngle";

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Two mods of the door of the demo, which set its values.
fn doors(folder: &Path, values: [&[&str]; 2]) -> [PathBuf; 2] {
    let target = format!("{DEMO}:{DOOR}");
    ["A_P.utoc", "B_P.utoc"].map(|name| folder.join(name)).map(|path| {
        let own = values[usize::from(path.ends_with("B_P.utoc"))];
        uncask(&[&["set", &target], own, &["-o", text(&path)]].concat()).ok();
        path
    })
}

fn conflicts(mods: &[PathBuf; 2], more: &[&str]) -> Ran {
    uncask(&[&["conflicts", text(&mods[0]), text(&mods[1])], more].concat())
}

#[test]
fn one_value_in_two_mods_is_a_conflict_unless_it_is_equal() {
    let folder = tempfile::tempdir().unwrap();
    let mods = doors(folder.path(), [&[ANGLE, "45"], &[ANGLE, "60"]]);
    let page = folder.path().join("page.html");
    let ran = conflicts(&mods, &["--game", DEMO, "--html", text(&page)]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert_eq!(
        ran.out,
        "- /Game/Blueprints/BP_Door: conflict; A_P.utoc wins over B_P.utoc\n    \
         - Default__BP_Door_C.OpenAngle: 90 → 45 in A_P.utoc, 60 in B_P.utoc\n"
    );
    assert!(
        ran.err.contains("1 package or file in several mods: 1 conflict, 0 compatible, 0 the same"),
        "{}",
        ran.err
    );
    let page = std::fs::read_to_string(&page).unwrap();
    assert!(page.contains("60 in B_P.utoc") && !page.contains("<script"), "{page}");
    let found = conflicts(&mods, &["--game", DEMO, "--json"]).json();
    let change = &found["items"][0]["changes"][0];
    assert_eq!((&found["mods"][0], &found["items"][0]["winner"]), (&"A_P.utoc".into(), &0.into()));
    assert_eq!((&change["from"], &change["to"][1]["value"]), (&Value::from(90), &Value::from(60)));
    // Without the game, the mods are compared with each other.
    let ran = conflicts(&mods, &[]);
    assert!(ran.out.contains("OpenAngle: 45 in A_P.utoc, 60 in B_P.utoc"), "{}{}", ran.out, ran.err);

    let folder = tempfile::tempdir().unwrap();
    let mods = doors(folder.path(), [&[ANGLE, "45"], &[ANGLE, "45"]]);
    for game in [&["--game", DEMO][..], &[]] {
        let ran = conflicts(&mods, game).ok();
        assert_eq!(ran.out, "");
        assert!(ran.err.contains("0 conflicts, 0 compatible, 1 the same"), "{}", ran.err);
    }
}

/// Mods that are in the game already are compared with the game as it was.
#[test]
fn mods_in_the_game_are_no_part_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let paks = folder.path().join("Demo/Content/Paks");
    let mods = paks.join("~mods");
    std::fs::create_dir_all(&mods).unwrap();
    for entry in std::fs::read_dir(DEMO).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, paks.join(path.file_name().unwrap())).unwrap();
    }
    let installed = doors(&mods, [&[ANGLE, "45"], &[ANGLE, "60"]]);
    let ran = conflicts(&installed, &["--game", text(folder.path())]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.out.contains("90 → 45 in A_P.utoc, 60 in B_P.utoc"), "{}", ran.out);
}

/// Two published mods share 66 files, of which two packages differ in earnest.
#[test]
fn published_mods_differ_in_two_packages_function_by_function() {
    let Some(corpus) = corpus_with("mods/drg") else { return };
    let place = |name: &str| corpus.join("mods/drg").join(name);
    let mods = ["sandboxutilities_P.pak", "custom-difficulty2_P.pak"].map(place);
    let ran = conflicts(&mods, &["--json"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    let found = ran.json();
    assert_eq!((found["conflict"].as_u64(), found["compatible"].as_u64()), (Some(2), Some(0)));
    // A package is two files, and 62 of 66 files are equal.
    assert_eq!(found["same"], 31);
    let items = found["items"].as_array().unwrap();
    let paths: Vec<&str> = items[..2].iter().map(|item| item["path"].as_str().unwrap()).collect();
    assert_eq!(
        paths,
        ["LOG_Lib", "LOG_State"].map(|name| format!("/Game/_AssemblyStorm/Common/Logger/{name}"))
    );
    let functions = |item: &Value| -> Vec<String> {
        let changes = item["changes"].as_array().unwrap().clone();
        let functions = changes.into_iter().filter(|change| change["part"] == "function");
        functions.map(|change| change["object"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(functions(&items[0]), ["LOG_Lib_C.LogString"]);
    // Code that is no longer there, and the code of the mod that has it.
    let change = &items[0]["changes"][0];
    let code = change["to"][0]["value"].as_str().unwrap();
    assert!(
        code.contains("GetActorOfClass")
            && !change["to"][1]["value"].as_str().unwrap().contains("GetActorOfClass")
    );
    assert_eq!(items[0]["changes"].as_array().unwrap().len(), 1, "locals of a function are told as its code");
}

/// Paks record no hash of what their files contain: equal files are not told to differ.
#[test]
fn an_unknown_hash_is_no_difference() {
    let Some(corpus) = corpus_with("mods/drg") else { return };
    let [one, other] =
        ["sandboxutilities_P.pak", "custom-difficulty2_P.pak"].map(|name| corpus.join("mods/drg").join(name));
    let found = uncask(&["list", text(&one), "-i", text(&other), "--conflicts", "--json"]).ok().json();
    let same = |wanted: Value| {
        let rows = found["conflicts"].as_array().unwrap();
        rows.iter().filter(|row| row["same_content"] == wanted).count()
    };
    // Those of another length do differ; of the others nothing is known.
    assert_eq!((same(Value::Bool(false)), same(Value::Null)), (4, 62));
}

/// A value that can be set: the package, the address, and two new values.
struct Settable {
    package: String,
    address: String,
    values: [String; 2],
}

/// Whole numbers in properties of a game, by package.
fn settable(input: &[&str], mappings: &[&str]) -> Vec<Vec<Settable>> {
    let ran = uncask(&[&["json", input[0]], &with_base(input)[..], mappings, &["--csv"]].concat());
    let mut packages: Vec<Vec<Settable>> = Vec::new();
    for row in ran.out.lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        let [package, object, _, property, value] = cells[..] else { continue };
        // Fields of classes are no values of objects.
        let is_plain = property.chars().all(char::is_alphanumeric)
            && object.chars().all(|c| c.is_alphanumeric() || c == '_');
        let Some(number) = value.parse::<u8>().ok().filter(|number| is_plain && *number < 100) else {
            continue;
        };
        let address = format!("{object}.{property}");
        let values = [1, 2].map(|more| (number + more).to_string());
        let new = Settable { package: package.to_owned(), address, values };
        let dry = ["set", &format!("{}:{package}", input[0]), &new.address, &new.values[0], "--dry-run"];
        if uncask(&[&dry[..], mappings, &with_base(input)].concat()).code != 0 {
            continue;
        }
        let is_same = packages.last().is_some_and(|last| last[0].package == new.package);
        if !is_same && packages.iter().filter(|values| values.len() == 2).count() == PACKAGES {
            break;
        }
        match packages.last_mut().filter(|_| is_same) {
            Some(last) if last.len() >= 2 => {}
            Some(last) => last.push(new),
            None => packages.push(vec![new]),
        }
    }
    packages.retain(|values| values.len() == 2);
    packages
}

/// Arguments for inputs after the first one, which only lend names.
fn with_base<'a>(input: &[&'a str]) -> Vec<&'a str> {
    input[1..].iter().flat_map(|base| ["--base", base]).collect()
}

/// Mods that go together become one, in any order, and the recipe of that makes it again.
fn joined(mods: &[PathBuf; 2], expected: &str, content: &str, mappings: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    // A container has its id from its name, so all of them are called alike.
    let place = |name: &str| {
        let folder = folder.path().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        folder.join("Joined_P.utoc")
    };
    let game = ["--game", content];
    let merge = |mods: [&Path; 2], to: &Path| {
        uncask(
            &[&["merge", text(mods[0]), text(mods[1]), "--game", content, "-o", text(to)], mappings].concat(),
        )
    };
    let [first, second, again] = ["first", "second", "again"].map(place);
    let ran = merge([&mods[0], &mods[1]], &first);
    if expected == "conflict" {
        assert!(ran.code == 1 && !first.exists(), "{}", ran.err);
        return;
    }
    ran.ok();
    merge([&mods[1], &mods[0]], &second).ok();
    let bytes = |path: &Path| std::fs::read(path.with_extension("ucas")).unwrap();
    assert!(bytes(&first) == bytes(&second), "{expected}: the order of the mods matters");
    let both =
        conflicts(&[mods[0].clone(), first.clone()], &[&["--game", content, "--json"], mappings].concat());
    assert_eq!(both.code, 0, "{}", both.err);
    let recipe = folder.path().join("recipe");
    uncask(&[&["recipe", text(&first), "-o", text(&recipe)][..], &game, mappings].concat()).ok();
    uncask(&[&["build", text(&recipe), "-o", text(&again)][..], &game, mappings].concat()).ok();
    assert!(bytes(&first) == bytes(&again), "{expected}: the recipe makes another mod");
}

/// Packages of each cook that get pairs of mods.
const PACKAGES: usize = 5;

/// 30 pairs of mods of real packages: those that set one value to different ones, to the same, and two values.
#[test]
fn pairs_of_mods_are_told_apart() {
    let Some(corpus) = corpus() else { return };
    let mappings = corpus.join("payloads/ue5.8/Mappings/CUE4ParseFixtures-Uncompressed.usmap");
    let mut pairs = 0;
    for cook in ["tagged", "unversioned"] {
        let [content, global] = fixture(&corpus, cook);
        let mappings: &[&str] = if cook == "tagged" { &[] } else { &["--mappings", text(&mappings)] };
        let found = settable(&[&content, &global], mappings);
        for values in found.iter().take(PACKAGES) {
            let [one, other] = &values[..] else { panic!() };
            let scenarios = [
                ("conflict", [(one, 0), (one, 1)]),
                ("same", [(one, 0), (one, 0)]),
                ("compatible", [(one, 0), (other, 1)]),
            ];
            for (expected, sides) in scenarios {
                let folder = tempfile::tempdir().unwrap();
                let mods = ["A_P.utoc", "B_P.utoc"].map(|name| folder.path().join(name));
                for (path, (value, new)) in mods.iter().zip(sides) {
                    let target = format!("{content}:{}", value.package);
                    let args = [
                        "set",
                        &target,
                        &value.address,
                        &value.values[new],
                        "-o",
                        text(path),
                        "--base",
                        &global,
                    ];
                    uncask(&[&args[..], mappings].concat()).ok();
                }
                let game = [&["--game", &content, "--json"][..], mappings].concat();
                let ran = conflicts(&mods, &game);
                assert_eq!(
                    ran.code,
                    i32::from(expected == "conflict"),
                    "{cook} {}: {}",
                    one.package,
                    ran.err
                );
                let found = ran.json();
                assert_eq!(found[expected], 1, "{cook} {expected} {}: {found}", one.address);
                assert_eq!(found["items"].as_array().unwrap().len(), 1);
                joined(&mods, expected, &content, mappings);
                pairs += 1;
            }
        }
    }
    assert_eq!(pairs, 30);
}
