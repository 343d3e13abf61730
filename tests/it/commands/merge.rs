//! `uncask merge`: one mod of several.

use super::run::{Ran, corpus, corpus_with, fixture, uncask, whole_game};
use serde_json::Value;
use std::path::{Path, PathBuf};

const DEMO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/demo");

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A mod of a package of a game with new values.
fn set(game: &[&str], package: &str, values: &[&str], to: &Path) {
    let target = format!("{}:{package}", game[0]);
    let more = game[1..].iter().flat_map(|base| ["--base", base]);
    let args: Vec<&str> = ["set", &target]
        .into_iter()
        .chain(values.iter().copied())
        .chain(["-o", text(to)])
        .chain(more)
        .collect();
    uncask(&args).ok();
}

fn merge(mods: &[PathBuf], game: &str, to: &Path, more: &[&str]) -> Ran {
    let mods = mods.iter().map(|path| text(path));
    let args: Vec<&str> =
        std::iter::once("merge").chain(mods).chain(["--game", game, "-o", text(to)]).collect();
    uncask(&[&args[..], more].concat())
}

/// A value of a package, as `json` shows it.
fn value(input: &Path, base: &[&str], package: &str, object: &str, property: &str) -> Value {
    let more = base.iter().flat_map(|base| ["--base", base]);
    let args: Vec<&str> = ["json", text(input), package].into_iter().chain(more).collect();
    let objects = uncask(&args).ok().json();
    let found = objects.as_array().unwrap().iter().find(|found| found["Name"] == object);
    found.unwrap_or_else(|| panic!("{objects}"))["Properties"][property].clone()
}

const OBJECT: &str = "DA_AllProperties";
const DOOR: &str = "/Game/Blueprints/BP_Door";
const ROCK: &str = "/Game/Textures/T_Rock";
const TABLE: &str = "/Game/Fixtures/DataTables/DT_AllProperties";
const FIXTURE: &str = "/Game/Fixtures/Properties/DA_AllProperties";

/// Values, lists, maps and texts of one object by three mods, in any order.
#[test]
fn changes_of_several_mods_come_together() {
    let Some(corpus) = corpus() else { return };
    let [content, global] = fixture(&corpus, "tagged");
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    let game = [&*content, &*global];
    let address = |property: &str| format!("{OBJECT}.{property}");
    let of: [(&str, &[[&str; 2]]); 3] = [
        ("A_P.utoc", &[["Byte", "7"], ["StructArray[0].Marker", "100"], ["String", "\"quoted\" Ω"]]),
        ("B_P.utoc", &[["Integer", "-77"], ["StructArray[1].Label", "two"], ["Enum", "Gamma"]]),
        ("C_P.utoc", &[["IntegerArray", "[5, 6, 7, 8, 9]"], ["StructMap[Left].Marker", "31"]]),
    ];
    for (name, values) in of {
        let values: Vec<[String; 2]> =
            values.iter().map(|[property, value]| [address(property), (*value).to_owned()]).collect();
        let values: Vec<&str> = values.iter().flatten().map(String::as_str).collect();
        set(&game, FIXTURE, &values, &place(name));
    }
    let mods = ["A_P.utoc", "B_P.utoc", "C_P.utoc"].map(place);
    let mut made = Vec::new();
    for (name, order) in [("one/M_P.utoc", [0, 1, 2]), ("two/M_P.utoc", [2, 1, 0])] {
        let to = place(name);
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        let ran = merge(&order.map(|at: usize| mods[at].clone()), &content, &to, &[]).ok();
        assert!(ran.err.contains("1 package put together"), "{}", ran.err);
        let shown = |property: &str| value(&to, &game, FIXTURE, OBJECT, property);
        assert_eq!((shown("Byte"), shown("Integer")), (7.into(), (-77).into()));
        assert_eq!((shown("String"), shown("Enum")), ("\"quoted\" Ω".into(), "EFixtureEnum::Gamma".into()));
        assert_eq!(shown("IntegerArray"), serde_json::json!([5, 6, 7, 8, 9]));
        let structs = shown("StructArray");
        assert_eq!((&structs[0]["Marker"], &structs[1]["Label"]), (&100.into(), &"two".into()), "{structs}");
        assert_eq!(shown("StructMap")[0]["Value"]["Marker"], 31);
        uncask(&["check", text(&to), "--game", &content]).ok();
        made.push(std::fs::read(to.with_extension("ucas")).unwrap());
    }
    assert_eq!(made[0], made[1], "the order of the mods does not matter");
}

/// Keys that several mods add to one map, and elements of one array that some change and one adds; in both orders the same.
#[test]
fn keys_and_elements_of_one_property_come_together() {
    let Some(corpus) = corpus() else { return };
    let [content, global] = fixture(&corpus, "tagged");
    let game = [&*content, &*global];
    let mappings = corpus.join("payloads/ue5.8/Mappings/CUE4ParseFixtures-Uncompressed.usmap");
    let mappings = ["--mappings", text(&mappings)];
    let folder = tempfile::tempdir().unwrap();
    let of: [(&str, &[&str]); 3] = [
        (
            "A_P.utoc",
            &["StructMap[+Top]", r#"{"Marker": 4}"#, "StructArray[0].Marker", "100", "IntegerMap[+A]", "1"],
        ),
        (
            "B_P.utoc",
            &["StructMap[Left].Marker", "5", "StructArray[+]", r#"{"Label": "new"}"#, "IntegerMap[+B]", "2"],
        ),
        (
            "C_P.utoc",
            &[
                "StructMap[+Low]",
                r#"{"Label": "low"}"#,
                "StructArray[2].Label",
                "last",
                "IntegerMap[Answer]",
                "3",
            ],
        ),
    ];
    let mods = of.map(|(name, values)| {
        let to = folder.path().join(name);
        let values: Vec<String> =
            values.chunks(2).flat_map(|pair| [format!("{OBJECT}.{}", pair[0]), pair[1].to_owned()]).collect();
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        set(&game, FIXTURE, &[&values[..], &mappings].concat(), &to);
        to
    });
    let mut made = Vec::new();
    for (name, order) in [("one/M_P.utoc", [0, 1, 2]), ("two/M_P.utoc", [2, 1, 0])] {
        let to = folder.path().join(name);
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        merge(&order.map(|at: usize| mods[at].clone()), &content, &to, &mappings).ok();
        let shown = |property: &str| value(&to, &game, FIXTURE, OBJECT, property);
        let numbers = shown("IntegerMap");
        let of = |key: &str| {
            numbers.as_array().unwrap().iter().find(|entry| entry["Key"] == key).unwrap()["Value"].clone()
        };
        assert_eq!([of("A"), of("B"), of("Answer"), of("Marker")], [1, 2, 3, 305_419_896].map(Value::from));
        let structs = shown("StructMap");
        let keys: Vec<&str> =
            structs.as_array().unwrap().iter().map(|entry| entry["Key"].as_str().unwrap()).collect();
        assert!(keys.starts_with(&["Left", "Right"]) && keys.len() == 4, "{keys:?}");
        assert_eq!(
            (&structs[0]["Value"]["Marker"], &structs[0]["Value"]["Label"]),
            (&5.into(), &"MapLeft".into())
        );
        let list = shown("StructArray");
        assert_eq!(
            (&list[0]["Marker"], &list[2]["Label"], &list[3]["Label"]),
            (&100.into(), &"last".into(), &"new".into())
        );
        uncask(&["check", text(&to), "--game", &content]).ok();
        made.push(std::fs::read(to.with_extension("ucas")).unwrap());
    }
    assert_eq!(made[0], made[1], "the order of the mods does not matter");

    // Where one removes elements, the places of the others mean something else.
    let shorter = folder.path().join("D_P.utoc");
    set(&game, FIXTURE, &[&format!("{OBJECT}.StructArray"), "[]"], &shorter);
    let to = folder.path().join("None_P.utoc");
    let ran = merge(&[mods[1].clone(), shorter], &content, &to, &[]);
    assert!(ran.code == 1 && !to.exists(), "{}", ran.err);
    assert!(ran.err.contains("StructArray: /Game/Fixtures/Properties/DA_AllProperties"), "{}", ran.err);
}

#[test]
fn conflicts_are_refused_unless_a_mod_is_preferred() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    for (name, angle) in [("A_P.utoc", "45"), ("B_P.utoc", "60")] {
        set(&[DEMO], DOOR, &["Default__BP_Door_C.OpenAngle", angle], &place(name));
    }
    set(&[DEMO], "/Game/Maps/Start", &["Start.Count", "9"], &place("C_P.utoc"));
    let mods = ["A_P.utoc", "B_P.utoc", "C_P.utoc"].map(place);
    let to = place("M_P.utoc");
    let ran = merge(&mods, DEMO, &to, &[]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(
        ran.err.contains("in conflict: Default__BP_Door_C.OpenAngle: /Game/Blueprints/BP_Door"),
        "{}",
        ran.err
    );
    assert!(!to.exists());
    let found = merge(&mods, DEMO, &to, &["--json"]).json();
    assert_eq!(found["unmerged"][0]["reason"], "conflict");
    for (prefer, angle) in [("A_P.utoc", 45), ("B_P.utoc", 60)] {
        let ran = merge(&mods, DEMO, &to, &["--prefer", prefer, "--overwrite"]).ok();
        // What only one of them has is there, too.
        assert_eq!(value(&to, &[DEMO], "/Game/Maps/Start", "Start", "Count"), 9, "{}", ran.err);
        assert_eq!(value(&to, &[DEMO], DOOR, "Default__BP_Door_C", "OpenAngle"), angle, "{}", ran.err);
    }
    let ran = merge(&mods, DEMO, &to, &["--prefer", "D_P.utoc"]);
    assert_eq!(ran.code, 2, "{}", ran.err);
    let ran = merge(&mods[1..], DEMO, &to, &[]);
    assert!(ran.code == 1 && ran.err.contains("--overwrite"), "{}", ran.err);
}

/// Two mods that each add a row to one table, and change one: with tags and without.
#[test]
fn rows_of_tables_come_together() {
    let Some(corpus) = corpus() else { return };
    let mappings = corpus.join("payloads/ue5.8/Mappings/CUE4ParseFixtures-Uncompressed.usmap");
    for cook in ["tagged", "unversioned"] {
        let games = tempfile::tempdir().unwrap();
        let game = whole_game(&corpus, cook, games.path());
        let with: &[&str] = if cook == "tagged" { &[] } else { &["--mappings", text(&mappings)] };
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        let of: [(&str, [&str; 4]); 2] = [
            (
                "A_P.utoc",
                [
                    "DT_AllProperties.Added",
                    r#"{"Number": 5, "Message": "new"}"#,
                    "DT_AllProperties.Alpha.Number",
                    "6",
                ],
            ),
            (
                "B_P.utoc",
                ["DT_AllProperties.Other", r#"{"Number": 7}"#, "DT_AllProperties.Beta.Values[+]", "99"],
            ),
        ];
        let target = format!("{game}:{TABLE}");
        for (name, values) in of {
            let to = place(name);
            let args = [&["set", &target], &values[..], &["-o", text(&to)], with].concat();
            uncask(&args).ok();
        }
        let to = place("M_P.utoc");
        let mods = [place("A_P.utoc"), place("B_P.utoc")];
        let ran = merge(&mods, &game, &to, with).ok();
        assert!(ran.err.contains("1 package put together"), "{cook}: {}", ran.err);
        let shown = [&["json", text(&to), TABLE, "--base", &game], with].concat();
        let table = uncask(&shown).ok().json()[0]["Rows"].clone();
        assert_eq!(
            (&table["Added"]["Number"], &table["Added"]["Message"]),
            (&5.into(), &"new".into()),
            "{table}"
        );
        assert_eq!((&table["Other"]["Number"], &table["Alpha"]["Number"]), (&7.into(), &6.into()), "{table}");
        let values = table["Beta"]["Values"].as_array().unwrap();
        assert_eq!(values.last(), Some(&99.into()), "{table}");
        // Only what is given: the rest of a new row is that of its struct.
        assert_ne!(table["Other"]["Message"], table["Beta"]["Message"]);
        // A misspelt name of a row is none of a new one, unless all of the row is given.
        let ran =
            uncask(&[&["set", &target, "DT_AllProperties.Alhpa.Number", "1", "--dry-run"], with].concat());
        assert_eq!(ran.code, 1, "{}", ran.err);
    }
}

/// Pixels cannot be set, so the package is that of the mod which changes them, wherever it stands in the mount order.
#[test]
fn a_picture_and_a_value_come_together() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    let picture = place("rock.png");
    let mut encoder = png::Encoder::new(std::fs::File::create(&picture).unwrap(), 256, 256);
    encoder.set_color(png::ColorType::Rgba);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&[10, 200, 30, 255].repeat(256 * 256)).unwrap();
    writer.finish().unwrap();
    for (picture_mod, value_mod) in [("A_P.utoc", "B_P.utoc"), ("D_P.utoc", "C_P.utoc")] {
        let target = format!("{DEMO}:{ROCK}");
        uncask(&["replace", &target, text(&picture), "-o", text(&place(picture_mod))]).ok();
        set(&[DEMO], ROCK, &["T_Rock.LODBias", "1"], &place(value_mod));
        let to = place(&format!("M{picture_mod}"));
        let mods = [place(picture_mod), place(value_mod)];
        let ran = merge(&mods, DEMO, &to, &[]).ok();
        assert!(ran.err.contains("1 package put together"), "{}", ran.err);
        assert_eq!(value(&to, &[DEMO], ROCK, "T_Rock", "LODBias"), 1);
        let out = place(&format!("out{picture_mod}"));
        uncask(&["export", text(&to), "-o", text(&out)]).ok();
        let mut found = walkdir::WalkDir::new(&out).into_iter().map(|entry| entry.unwrap().into_path());
        let file = found.find(|path| path.extension().is_some_and(|end| end == "png")).unwrap();
        let mut reader =
            png::Decoder::new(std::io::Cursor::new(std::fs::read(file).unwrap())).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        assert_eq!(pixels[..3], [10, 200, 30]);
    }
}

/// Blocks of a texture as a DDS file, in which the first or last bytes are others.
fn other_blocks(dds: &[u8], is_first: bool, with: u8) -> Vec<u8> {
    // The magic, the header, and that of DXGI formats.
    const HEADER: usize = 4 + 124 + 20;
    let mut dds = dds.to_vec();
    let at = if is_first { HEADER } else { dds.len() - 1 };
    dds[at] ^= with;
    dds
}

/// Two mods that each change another mip of one texture, whose mips are in the package and in the file beside it.
#[test]
fn mips_of_one_texture_come_together() {
    const TEXTURE: &str = "/Game/Fixtures/Textures/T_Streaming";
    let Some(corpus) = corpus() else { return };
    let folder = tempfile::tempdir().unwrap();
    let game = whole_game(&corpus, "tagged", &folder.path().join("game"));
    let place = |name: &str| folder.path().join(name);
    let exported = |from: &[&str], name: &str| {
        let to = place(name);
        let args = [&["export"], from, &[TEXTURE, "--as", "dds", "-o", text(&to)]].concat();
        uncask(&args).ok();
        let mut files = walkdir::WalkDir::new(&to).into_iter().map(|entry| entry.unwrap().into_path());
        std::fs::read(files.find(|path| path.extension().is_some_and(|end| end == "dds")).unwrap()).unwrap()
    };
    let dds = exported(&[&game], "of game");
    for (name, is_first, with) in [("A", true, 1), ("B", false, 1), ("C", true, 2)] {
        let file = place(&format!("{name}.dds"));
        std::fs::write(&file, other_blocks(&dds, is_first, with)).unwrap();
        let target = format!("{game}:{TEXTURE}");
        uncask(&["replace", &target, text(&file), "-o", text(&place(&format!("{name}_P.utoc")))]).ok();
    }
    let [a, b, c] = ["A_P.utoc", "B_P.utoc", "C_P.utoc"].map(place);
    let found = uncask(&["conflicts", text(&a), text(&b), "--game", &game, "--json"]).ok().json();
    let [item] = &found["items"].as_array().unwrap()[..] else { panic!("{found}") };
    assert_eq!(item["verdict"], "compatible", "{found}");
    let changes = item["changes"].as_array().unwrap();
    assert_eq!(changes.len(), 2, "{found}");
    assert!(changes.iter().all(|change| change["part"] == "data" && change["object"] == "T_Streaming"));
    assert_eq!(changes[0]["property"], "Mips[0]");
    for (at, mods) in [[a.clone(), b.clone()], [b.clone(), a.clone()]].iter().enumerate() {
        let to = place(&format!("M{at}_P.utoc"));
        let ran = merge(mods, &game, &to, &[]).ok();
        assert!(ran.err.contains("1 package put together"), "{}", ran.err);
        let both = other_blocks(&other_blocks(&dds, true, 1), false, 1);
        assert!(exported(&[text(&to), "--base", &game], &format!("merged {at}")) == both);
    }
    let mods = [a, b, c];
    let ran = merge(&mods, &game, &place("N_P.utoc"), &[]);
    assert!(ran.code == 1 && ran.err.contains("in conflict: T_Streaming.Mips[0]"), "{}", ran.err);
    for (prefer, with) in [("A_P.utoc", 1), ("C_P.utoc", 2)] {
        let to = place("N_P.utoc");
        merge(&mods, &game, &to, &["--prefer", prefer, "--overwrite"]).ok();
        let all = other_blocks(&other_blocks(&dds, true, with), false, 1);
        assert!(exported(&[text(&to), "--base", &game], &format!("of {prefer}")) == all);
    }
}

/// Functions of a blueprint of UE 5.1: those of one mod are put into the package of the other.
#[test]
fn functions_of_several_mods_come_together() {
    let Some(corpus) = corpus_with("to-zen/ue5.1/Demo") else { return };
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    let text = |path: &Path| path.to_str().unwrap().to_owned();
    std::fs::create_dir(place("Paks")).unwrap();
    let game = text(&place("Paks"));
    let cooked = corpus.join("to-zen/ue5.1");
    uncask(&["pack", &text(&cooked), "-o", &text(&place("Paks/pakchunk0-Demo.pak"))]).ok();
    let package = "/Game/MyDemo/Abilities_Finish/GA_Attack";
    let code = |of: &str| {
        let base = ["--base", &game, "--engine", "5.1"];
        uncask(&[&["code", of, package, "--form", "listing"], &base[..]].concat()).ok().out
    };
    let listing = code(&game);
    let event = "; function GA_Attack_C.OnHit,";
    let (head, of_event) = listing.split_once(event).unwrap();
    let statement = format!("{head}{event}{}", of_event.replacen("\n0000 ", "\nF000 Nothing\n0000 ", 1));
    let delay = listing.lines().skip_while(|line| !line.contains("KismetSystemLibrary.Delay"));
    let at = delay.into_iter().find(|line| line.contains("FloatConst")).unwrap().split_once(' ').unwrap().0;
    let constant = format!(
        "[[code]]\npackage = \"{package}\"\nat = \"ExecuteUbergraph_GA_Attack@0x{at}\"\nfrom = 2.0\nset = 3.5\n"
    );
    // A statement at the start of the graph moves all that follows, and the events with it.
    let graph = "; function GA_Attack_C.ExecuteUbergraph_GA_Attack";
    let (head, of_graph) = listing.split_once(graph).unwrap();
    let moved = format!("{head}{graph}{}", of_graph.replacen("\n0000 ", "\nF000 Nothing\n0000 ", 1));
    std::fs::write(place("event.txt"), statement).unwrap();
    std::fs::write(place("moved.txt"), moved).unwrap();
    let made = |name: &str, toml: &str| {
        std::fs::write(place("mod.toml"), toml).unwrap();
        let made = text(&place(&format!("{name}_P.pak")));
        uncask(&["build", &text(&place("mod.toml")), "--game", &game, "-o", &made, "--engine", "5.1"]).ok();
        made
    };
    let one = made("One", &constant);
    let two = made("Two", "[[code]]\nlisting = \"event.txt\"\n");
    let three = made("Three", "[[code]]\nlisting = \"moved.txt\"\n");
    for (order, mods) in [[&one, &two], [&two, &one]].into_iter().enumerate() {
        let to = text(&place(&format!("Both{order}_P.pak")));
        let args = ["merge", mods[0], mods[1], "--game", &game, "-o", &to, "--engine", "5.1"];
        // Without mappings, not all values can be compared, which is told.
        let ran = uncask(&args);
        assert!(ran.err.contains("1 package put together") && ran.err.contains("--mappings"), "{}", ran.err);
        let [merged, one, two] = [&to, &one, &two].map(|of| code(of));
        let section = |code: &str, start: &str| {
            let from = code.split_once(start).unwrap().1;
            from.split_once("\n; function").map_or(from, |(section, _)| section).to_owned()
        };
        assert_eq!(section(&merged, graph), section(&one, graph));
        assert_eq!(section(&merged, event), section(&two, event));
        assert_ne!(section(&one, graph), section(&two, graph));
        assert_ne!(section(&one, event), section(&two, event));
    }
    let to = text(&place("Not_P.pak"));
    let ran = uncask(&["merge", &one, &three, "--game", &game, "-o", &to, "--engine", "5.1"]);
    assert!(ran.code == 1 && ran.err.contains("changed by several"), "{} {}", ran.code, ran.err);
    assert!(!Path::new(&to).exists());
}
