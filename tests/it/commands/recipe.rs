//! `uncask recipe` and `uncask build`: mods as text, and back.

use super::run::{Ran, corpus, corpus_with, uncask, whole_game};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

const DEMO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/demo");
const TABLE: &str = "/Game/Fixtures/DataTables/DT_AllProperties";

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn mappings(corpus: &Path) -> String {
    text(&corpus.join("payloads/ue5.8/Mappings/CUE4ParseFixtures-Uncompressed.usmap")).to_owned()
}

/// A recipe in a folder of its own.
fn write(folder: &Path, name: &str, toml: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, toml).unwrap();
    path
}

fn build(recipe: &Path, game: &str, to: &Path, more: &[&str]) -> Ran {
    let args = ["build", text(recipe), "--game", game, "-o", text(to)];
    uncask(&[&args[..], more].concat())
}

/// The recipe of a mod, as the report of the command tells it.
fn recipe(of: &Path, game: &str, to: &Path, more: &[&str]) -> Value {
    let args = ["recipe", text(of), "--game", game, "-o", text(to), "--json"];
    let ran = uncask(&[&args[..], more].concat());
    assert!(to.join("mod.toml").exists(), "{}", ran.err);
    ran.json()
}

/// The object of a package that is called like it, in FModel's form.
fn object(input: &Path, game: &str, package: &str, more: &[&str]) -> Value {
    let args = ["json", text(input), package, "--base", game];
    let objects = uncask(&[&args[..], more].concat()).ok().json();
    let name = package.rsplit('/').next().unwrap();
    objects.as_array().unwrap().iter().find(|object| object["Name"] == name).unwrap().clone()
}

const KINDS: &str = r#"
name = "All kinds"
[[change]]
packages = "*/DT_AllProperties"
property = "DT_AllProperties.*.Number"
add = 1
[[change]]
packages = "*/DT_AllProperties"
property = "DT_AllProperties.Gamma"
set = { Number = 7, Values = [1, 2] }
[[change]]
packages = "*/DT_AllProperties"
property = "DT_AllProperties.Beta"
remove = true
[[change]]
packages = "*/DT_AllProperties"
property = "DT_AllProperties.Alpha.Values"
append = [99, 100]
[[change]]
packages = "*/DT_AllProperties"
property = "DT_AllProperties.Alpha.Values"
remove = [22]
[[change]]
packages = ["*/DA_AllProperties", "/Game/Nothing*"]
property = "DA_AllProperties.IntegerMap"
append = { New = 5, Answer = 43 }
[[change]]
packages = "*"
property = "*.**.Marker"
where = { Label = "Map*", "." = ">300" }
multiply = 2
[[change]]
packages = "*/DA_AllProperties"
property = "DA_AllProperties.StructMap[Left].Marker"
from = 628
add = 0.4
[[picture]]
package = "/Game/Fixtures/Textures/T_BC7"
file = "pictures/rock.png"
"#;

/// Rules of all kinds on the packages of UE 5.8, with tags and without; and the recipe of the mod makes the same packages again.
#[test]
fn rules_change_what_fits_and_their_mod_becomes_a_recipe_again() {
    let Some(corpus) = corpus() else { return };
    let mappings = mappings(&corpus);
    for cook in ["tagged", "unversioned"] {
        let folder = tempfile::tempdir().unwrap();
        let game = whole_game(&corpus, cook, folder.path());
        let source = write(folder.path(), "Kinds/mod.toml", KINDS);
        let pictures = folder.path().join("pictures");
        uncask(&["export", DEMO, "T_Rock", "-o", text(&pictures)]).ok();
        std::fs::create_dir(source.with_file_name("pictures")).unwrap();
        let rock = pictures.join("Demo/Content/Textures/T_Rock.png");
        std::fs::copy(rock, source.with_file_name("pictures").join("rock.png")).unwrap();
        let made = folder.path().join("Kinds_P.utoc");
        let more = ["--mappings", &mappings];
        let ran = build(source.parent().unwrap(), &game, &made, &more).ok();
        assert!(!ran.err.contains("expected"), "{}", ran.err);
        uncask(&["check", text(&made), "--game", &game]).ok();

        let rows = object(&made, &game, TABLE, &more)["Rows"].clone();
        assert_eq!(rows["Alpha"]["Number"], 305_419_897, "{rows}");
        assert_eq!(rows["Alpha"]["Values"], json!([11, 33, 44, 99, 100]));
        assert_eq!((&rows["Gamma"]["Values"], &rows["Beta"]), (&json!([1, 2]), &Value::Null));
        let object = object(&made, &game, "/Game/Fixtures/Properties/DA_AllProperties", &more);
        let map = |name: &str, key: &str| {
            let entries = object["Properties"][name].as_array().unwrap();
            entries.iter().find(|entry| entry["Key"] == key).unwrap()["Value"].clone()
        };
        assert_eq!((map("IntegerMap", "New"), map("IntegerMap", "Answer")), (json!(5), json!(43)));
        assert_eq!(
            (&map("StructMap", "Left")["Marker"], &map("StructMap", "Right")["Marker"]),
            (&json!(628), &json!(271))
        );

        // The same packages, byte for byte.
        let again = folder.path().join("again");
        let report = recipe(&made, &game, &again, &more);
        assert_eq!(report["exact"].as_array().unwrap().len(), 3, "{report}");
        assert_eq!((&report["whole"], &report["alike"]), (&json!([]), &json!([])), "{report}");
        let twice = folder.path().join("twice/Kinds_P.utoc");
        std::fs::create_dir(twice.parent().unwrap()).unwrap();
        build(&again, &game, &twice, &more).ok();
        assert!(
            std::fs::read(made.with_extension("ucas")).unwrap()
                == std::fs::read(twice.with_extension("ucas")).unwrap()
        );
    }
}

/// Mods made by `set`, `replace` and `from-json` are byte for byte those that their recipes make.
#[test]
fn mods_of_other_commands_come_back_byte_for_byte() {
    let Some(corpus) = corpus() else { return };
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    let game = whole_game(&corpus, "tagged", folder.path());
    let [set, picture, json] = ["Set_P.utoc", "Picture_P.utoc", "Json_P.utoc"].map(place);
    let target = format!("{game}:/Game/Fixtures/Properties/DA_AllProperties");
    let values = ["DA_AllProperties.Integer", "7", "DA_AllProperties.String", "Ω \"x\""];
    let array = ["DA_AllProperties.IntegerArray", "[1, 2]", "-o", text(&set)];
    uncask(&[&["set", &target][..], &values, &array].concat()).ok();
    uncask(&["export", DEMO, "T_Rock", "-o", text(&place("pictures"))]).ok();
    let rock = place("pictures/Demo/Content/Textures/T_Rock.png");
    let target = format!("{game}:/Game/Fixtures/Textures/T_BC1");
    uncask(&["replace", &target, text(&rock), "-o", text(&picture)]).ok();
    let document = place("table.json");
    uncask(&["json", &game, TABLE, "--form", "tree", "-o", text(&document)]).ok();
    let tree = std::fs::read_to_string(&document).unwrap();
    std::fs::write(&document, tree.replace("Alpha_CUE4Parse", "Omega_CUE4Parse")).unwrap();
    uncask(&["from-json", text(&document), "--onto", &game, "-o", text(&json)]).ok();
    for made in [set, picture, json] {
        let again = made.with_extension("recipe");
        let report = recipe(&made, &game, &again, &[]);
        assert_eq!(report["exact"].as_array().unwrap().len(), 1, "{}: {report}", made.display());
        assert_eq!(report["whole"], json!([]), "{}", made.display());
        let twice = again.join(made.file_name().unwrap());
        build(&again, &game, &twice, &[]).ok();
        let [a, b] = [&made, &twice].map(|path| std::fs::read(path.with_extension("ucas")).unwrap());
        assert!(a == b, "{}", made.display());
    }
}

/// A blueprint of UE 5.1 in a pak, with a changed constant and with a new statement.
#[test]
fn functions_are_listings_in_a_recipe() {
    let Some(corpus) = corpus_with("to-zen/ue5.1/Demo") else { return };
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("Paks");
    std::fs::create_dir(&game).unwrap();
    uncask(&["pack", text(&corpus.join("to-zen/ue5.1")), "-o", text(&game.join("pakchunk0-Demo.pak"))]).ok();
    let more = ["--engine", "5.1"];
    let package = "/Game/MyDemo/Abilities_Finish/GA_Attack";
    let listing =
        uncask(&[&["code", text(&game), package, "--form", "listing"], &more[..]].concat()).ok().out;
    let delay = listing.lines().skip_while(|line| !line.contains("KismetSystemLibrary.Delay"));
    let at = delay.into_iter().find(|line| line.contains("FloatConst")).unwrap().split_once(' ').unwrap().0;
    let constant = format!(
        "[[code]]\npackage = \"{package}\"\nat = \"ExecuteUbergraph_GA_Attack@0x{at}\"\nfrom = 2.0\nset = 3.5\n"
    );
    let (first, rest) = listing.split_once("0000 PushExecutionFlow").unwrap();
    write(folder.path(), "new.txt", &format!("{first}F000 Nothing\n0000 PushExecutionFlow{rest}"));
    for (name, toml) in [("Constant_P", &*constant), ("Listing_P", "[[code]]\nlisting = \"new.txt\"\n")] {
        let source = write(folder.path(), "mod.toml", toml);
        let made = folder.path().join(format!("{name}.pak"));
        build(&source, text(&game), &made, &more).ok();
        let report = recipe(&made, text(&game), &folder.path().join(name), &more);
        assert_eq!(
            (report["code"].as_u64(), &report["exact"]),
            (Some(1), &json!([package])),
            "{name}: {report}"
        );
        let twice = folder.path().join(name).join(format!("{name}.pak"));
        build(&folder.path().join(name), text(&game), &twice, &more).ok();
        assert!(std::fs::read(&made).unwrap() == std::fs::read(&twice).unwrap(), "{name}");
    }
    // What is expected there decides.
    let source = write(folder.path(), "mod.toml", &constant.replace("2.0", "9.0"));
    let ran = build(&source, text(&game), &folder.path().join("No_P.pak"), &more);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("mod.toml:3:6: ") && ran.err.contains("found 2.0, expected 9.0"), "{}", ran.err);
    assert!(!folder.path().join("No_P.pak").exists());
}

/// Texts go into the `.pak` beside a container, where a game looks for them.
#[test]
fn texts_and_values_are_one_mod() {
    let Some(corpus) = corpus_with("found/locres") else { return };
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    let texts = place("texts/Demo/Content/Localization/Game/en");
    std::fs::create_dir_all(&texts).unwrap();
    let real = corpus.join("found/locres/v3-readyplayerme-Content_Localization_Game_en_Game.locres");
    std::fs::copy(real, texts.join("Game.locres")).unwrap();
    let game = place("game");
    std::fs::create_dir(&game).unwrap();
    for file in std::fs::read_dir(DEMO).unwrap().map(|entry| entry.unwrap().path()) {
        std::fs::copy(&file, game.join(file.file_name().unwrap())).unwrap();
    }
    uncask(&["pack", text(&place("texts")), "-o", text(&game.join("pakchunk9-Texts.pak"))]).ok();
    let file = "Demo/Content/Localization/Game/{culture}/Game.locres";
    let one = |culture: &str, key: &str, more: &str| {
        format!("[[text]]\nfile = \"{file}\"\nculture = \"{culture}\"\nkey = \"{key}\"\n{more}\n")
    };
    let toml = [
        one("en", "A05DB43247D7F3E6BBD46CA5AF18623C", "from = \"00:01\"\nset = \"11:11\""),
        one("de", "FFEED97D46650ADD5F31868DB48D4CDE", "set = \" von {MaxPlayers}\""),
        one("de", "no such key", "set = \"x\"\noptional = true"),
        "[[change]]\npackages = \"/Game/Blueprints/BP_Door\"\nproperty = \"Default__BP_Door_C.OpenAngle\"\nset = 120\n".to_owned(),
    ];
    let source = write(folder.path(), "mod.toml", &toml.concat());
    let made = place("Both_P.utoc");
    let ran = build(&source, text(&game), &made, &[]).ok();
    assert!(
        ran.err.contains("mod.toml:2:8: A05DB43247D7F3E6BBD46CA5AF18623C was \"00:00\", expected \"00:01\""),
        "{}",
        ran.err
    );
    uncask(&["check", text(&made), "--game", text(&game)]).ok();
    let listed = uncask(&["list", text(&made.with_extension("pak"))]).ok().out;
    assert_eq!(listed.lines().count(), 2, "{listed}");
    let table = place("table.csv");
    uncask(&["texts", "export", text(&made.with_extension("pak")), "-o", text(&table)]).ok();
    let table = std::fs::read_to_string(&table).unwrap();
    assert!(table.contains("11:11") && table.contains(" von {MaxPlayers}"), "{}", &table[..400]);
    // A folder is not written over, unless that is asked for.
    let files = place("files");
    build(&source, text(&game), &files, &[]).ok();
    assert_eq!(std::fs::read_dir(files.join("Demo/Content/Localization/Game")).unwrap().count(), 2);
    std::fs::remove_dir_all(files.join("Demo/Content/Blueprints")).unwrap();
    let ran = build(&source, text(&game), &files, &[]);
    assert!(ran.code == 1 && ran.err.contains("Game.locres"), "{}", ran.err);
    build(&source, text(&game), &files, &["--overwrite"]).ok();
    // The German file is new, and so a whole one; the English one differs in one text.
    let report = recipe(&made, text(&game), &place("again"), &[]);
    assert_eq!((report["texts"].as_u64(), report["changes"].as_u64()), (Some(1), Some(1)), "{report}");
    assert_eq!(report["whole"], json!(["Demo/Content/Localization/Game/de/Game.locres"]));
    let twice = place("again/Both_P.utoc");
    build(&place("again"), text(&game), &twice, &[]).ok();
    for extension in ["ucas", "pak"] {
        let [a, b] = [&made, &twice].map(|path| std::fs::read(path.with_extension(extension)).unwrap());
        assert!(a == b, "{extension}");
    }
}

/// A patch of a loader for tables and blueprints.
#[test]
fn patches_of_loaders_are_recipes() {
    let Some(corpus) = corpus() else { return };
    let folder = tempfile::tempdir().unwrap();
    let game = whole_game(&corpus, "tagged", folder.path());
    let patch = r#"{
        "DT_AllProperties": {
            "Alpha": { "Number": 5, "Nested": { "Marker": 6 }, "Values": { "Items": [7] } },
            "New": { "Number": 8 },
            "Beta": null,
            "*": { "$Filters": [{ "FieldName": "Number", "Operation": "LessThan", "Value": 1 }], "LargeNumber": 9 }
        },
        "BP_Fixture_C": { "Integer": -10 },
        "BP_Components_C": { "FixtureMesh": { "RelativeLocation": { "X": 5 }, "RelativeScale3D": { "Z": 2 } } }
    }"#;
    let source = write(folder.path(), "patch.json", patch);
    let written = folder.path().join("Patch");
    uncask(&["recipe", text(&source), "-o", text(&written)]).ok();
    assert_eq!(uncask(&["recipe", text(&source), "-o", text(&written)]).code, 1, "it is there already");
    let mut made = Vec::new();
    for (name, recipe) in [("Json_P.utoc", &source), ("Toml_P.utoc", &written)] {
        let to = folder.path().join(name);
        build(recipe, &game, &to, &[]).ok();
        let rows = object(&to, &game, TABLE, &[])["Rows"].clone();
        assert_eq!(rows["Alpha"]["Number"], 5, "{rows}");
        assert_eq!(
            (&rows["Alpha"]["Nested"]["Marker"], &rows["Alpha"]["Nested"]["Label"]),
            (&json!(6), &json!("NestedAlpha"))
        );
        assert_eq!(
            (&rows["Alpha"]["Values"][4], &rows["New"]["Number"], &rows["Beta"]),
            (&json!(7), &json!(8), &Value::Null)
        );
        assert_eq!(
            (&rows["Defaults"]["LargeNumber"], &rows["Alpha"]["LargeNumber"]),
            (&json!(9), &json!(1_234_605_616_436_508_552_i64))
        );
        // A component that the blueprint adds: its values are those of a template.
        let parts = uncask(&["json", text(&to), "/Game/Fixtures/Blueprints/BP_Components", "--base", &game]);
        let parts: Value = serde_json::from_str(&parts.out).unwrap();
        let mesh = parts.as_array().unwrap().iter().find(|part| part["Name"] == "FixtureMesh_GEN_VARIABLE");
        let values = &mesh.unwrap()["Properties"];
        assert_eq!(values["RelativeLocation"], json!({ "X": 5.0, "Y": 200.0, "Z": 300.0 }));
        assert_eq!(values["RelativeScale3D"]["Z"], 2.0);
        made.push(rows);
    }
    assert_eq!(made[0], made[1]);
}

/// Errors have their place; nothing is written unless it is to go on.
#[test]
fn errors_of_recipes_have_line_and_column() {
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("Out_P.utoc");
    let mut shown = Vec::new();
    write(folder.path(), "circle.toml", "include = [\"circle.toml\"]\n");
    for (name, toml) in [
        ("key", "[[change]]\npackages = \"/Game/A\"\nproprty = \"A.B\"\n"),
        ("none", "[[change]]\npackages = \"/Game/A\"\nproperty = \"A.B\"\n"),
        ("two", "[[change]]\npackages = \"/Game/A\"\nproperty = \"A.B\"\nset = 1\nmultiply = 2\n"),
        ("date", "[[change]]\npackages = \"/Game/A\"\nproperty = \"A.B\"\nset = 2020-01-01\n"),
        ("address", "[[change]]\npackages = \"/Game/A\"\nproperty = \"A..B\"\nset = 1\n"),
        (
            "where",
            "[[change]]\npackages = \"/Game/A\"\nproperty = \"A.B\"\nset = 1\nwhere = { \"a..b\" = 2 }\n",
        ),
        ("syntax", "[[change]\n"),
        ("out", "files = [\"../secret\"]\n"),
        ("circle", "include = [\"circle.toml\"]\n"),
        ("code", "[[code]]\npackage = \"/Game/A\"\n"),
        (
            "game",
            "[[change]]\npackages = \"/Game/Nothing\"\nproperty = \"A.B\"\nset = 1\n\
             [[change]]\npackages = \"/Game/Blueprints/BP_Door\"\nproperty = \"Default__BP_Door_C.Angle\"\nmultiply = 2\n\
             [[change]]\npackages = \"/Game/Blueprints/*\"\nproperty = \"*.Nothing\"\nset = 2\n\
             [[change]]\npackages = \"/Game/Blueprints/*\"\nproperty = \"*.OpenAngle\"\nset = \"wide\"\n\
             [[change]]\npackages = \"/Game/Blueprints/*\"\nproperty = \"*.OpenAngle\"\nfrom = 91\nset = 120\n",
        ),
    ] {
        let source = write(folder.path(), &format!("{name}.toml"), toml);
        let ran = build(&source, DEMO, &to, &[]);
        assert_eq!(ran.code, 1, "{name}: {}", ran.err);
        assert!(!to.exists());
        shown.push(ran.shown(folder.path()));
    }
    insta::assert_snapshot!(shown.join("\n\n"));
    let game = folder.path().join("game.toml");
    // A refused value would keep the only package out.
    let toml = std::fs::read_to_string(&game).unwrap().replace("\"wide\"", "110");
    std::fs::write(&game, toml).unwrap();
    let ran = build(&game, DEMO, &to, &["--keep-going"]);
    assert_eq!(ran.code, 1);
    assert!(to.exists(), "{}", ran.err);
}

/// A refused change keeps its package as it is, also where it is optional; objects that cannot be read are told.
#[test]
fn half_a_change_is_never_written() {
    let Some(corpus) = corpus() else { return };
    let folder = tempfile::tempdir().unwrap();
    let game = whole_game(&corpus, "tagged", folder.path());
    let toml = "[[change]]\npackages = \"*/DT_AllProperties\"\nproperty = \"DT_AllProperties.*\"\nset = { Number = 5, Kind = \"Nobody\", Values = \"x\" }\n\
                optional = true\n[[change]]\npackages = \"*/DA_AllProperties\"\nproperty = \"DA_AllProperties.Integer\"\nset = 3\n";
    let source = write(folder.path(), "mod.toml", toml);
    let to = folder.path().join("Half_P.utoc");
    let ran = build(&source, &game, &to, &[]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(!to.exists() && ran.err.contains("mod.toml:3:12: "), "{}", ran.err);
    let ran = build(&source, &game, &to, &["--keep-going"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    let listed = uncask(&["list", text(&to)]).ok().out;
    assert!(listed.contains("DA_AllProperties") && !listed.contains("DT_AllProperties"), "{listed}");
    // Without mappings, classes of the game are not read.
    let game = whole_game(&corpus, "unversioned", folder.path());
    let source = write(
        folder.path(),
        "mod.toml",
        "[[change]]\npackages = \"*\"\nproperty = \"*.**.Marker\"\nset = 1\noptional = true\n",
    );
    let ran = build(&source, &game, &folder.path().join("None_P.utoc"), &[]);
    assert!(ran.err.contains("cannot be read, so that nothing is changed in them"), "{}", ran.err);
}

/// A dry run shows what changes and writes nothing; a recipe without changes is no success.
#[test]
fn dry_runs_show_the_changes() {
    let folder = tempfile::tempdir().unwrap();
    write(
        folder.path(),
        "shared/wide.toml",
        "[[change]]\npackages = \"*\"\nproperty = \"*.OpenAngle\"\nmultiply = 2\n",
    );
    let source = write(
        folder.path(),
        "mod.toml",
        "include = [\"shared/wide.toml\"]\n[[change]]\npackages = \"*/BP_Door\"\nproperty = \"*.OpenAngle\"\nadd = 1\n",
    );
    let ran = uncask(&["build", text(&source), "--game", DEMO, "--dry-run"]).ok();
    assert!(ran.out.contains("Default__BP_Door_C.OpenAngle: 180 -> 181"), "{}", ran.out);
    let report = uncask(&["build", text(&source), "--game", DEMO, "--dry-run", "--json"]).ok().json();
    assert_eq!(
        (&report["schema"], &report["packages"][0]["changes"][0]["to"]),
        (&json!("uncask.build/1"), &json!("180"))
    );
    let same = write(
        folder.path(),
        "same.toml",
        "[[change]]\npackages = \"*\"\nproperty = \"*.OpenAngle\"\nset = 90\n",
    );
    assert_eq!(build(&same, DEMO, &folder.path().join("Same_P.utoc"), &[]).code, 5);
    let schema = uncask(&["recipe", "--schema"]).ok().json();
    assert_eq!(schema["definitions"]["change"]["required"], json!(["packages", "property"]));
}

/// Elements that are removed by their values are looked up anew, once other elements have gone or changed.
#[test]
fn elements_are_found_where_they_are_by_then() {
    let Some(corpus) = corpus() else { return };
    let folder = tempfile::tempdir().unwrap();
    let mappings = mappings(&corpus);
    let rule = |rest: &str| {
        format!("[[change]]\npackages = \"{TABLE}\"\nproperty = \"DT_AllProperties.Alpha.Values{rest}\n")
    };
    for cook in ["tagged", "unversioned"] {
        let game = whole_game(&corpus, cook, folder.path());
        let toml =
            [rule("[0]\"\nremove = true"), rule("[2]\"\nset = 22"), rule("\"\nremove = [22]")].concat();
        let source = write(folder.path(), "mod.toml", &toml);
        let made = folder.path().join(format!("{cook}_P.utoc"));
        build(&source, &game, &made, &["--mappings", &mappings]).ok();
        let table = object(&made, &game, TABLE, &["--mappings", &mappings]);
        // Of 11, 22, 33, 44.
        assert_eq!(table["Rows"]["Alpha"]["Values"], json!([33]), "{cook}");
    }
}
