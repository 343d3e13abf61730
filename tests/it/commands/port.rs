//! `uncask port`: a mod for a new build of its game.

use super::run::{corpus, uncask, whole_game};
use crate::support::types::{Property, Struct, Type, Types};
use serde_json::Value;
use std::path::{Path, PathBuf};
use uncask::package::legacy::Package;
use uncask::package::rebuild::{Changes, LegacyFiles, rebuild_legacy};
use uncask::version::Release;

const DEMO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/demo");
const DOOR: &str = "/Game/Blueprints/BP_Door";
const START: &str = "/Game/Maps/Start";
const ROCK: &str = "/Game/Textures/T_Rock";
const TABLE: &str = "/Game/Fixtures/DataTables/DT_AllProperties";
const DATA: &str = "/Game/Fixtures/Properties/DA_AllProperties";

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn set(game: &str, package: &str, values: &[&str], more: &[&str]) {
    let target = format!("{game}:{package}");
    uncask(&[&["set", &target], values, more].concat()).ok();
}

/// A new build of the demo: a patch by the engine's own packager changes some packages.
fn new_build(folder: &Path) -> PathBuf {
    let paks = folder.join("New/Demo/Content/Paks");
    std::fs::create_dir_all(&paks).unwrap();
    for entry in std::fs::read_dir(DEMO).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, paks.join(path.file_name().unwrap())).unwrap();
    }
    folder.join("New")
}

fn update(build: &Path, values: &[(&str, &[&str])]) {
    for (at, (package, values)) in values.iter().enumerate() {
        let patch = build.join(format!("Demo/Content/Paks/pakchunk0-Demo_{}_P.utoc", at + 1));
        set(DEMO, package, values, &["-o", text(&patch), "--force"]);
    }
}

fn value(input: &Path, package: &str, object: &str, property: &str) -> Value {
    let objects = uncask(&["json", text(input), package, "--base", DEMO]).ok().json();
    let found = objects.as_array().unwrap().iter().find(|found| found["Name"] == object);
    found.unwrap_or_else(|| panic!("{objects}"))["Properties"][property].clone()
}

#[test]
fn a_mod_survives_an_update() {
    let folder = tempfile::tempdir().unwrap();
    let build = new_build(folder.path());
    update(&build, &[(START, &["Start.Count", "5"]), (DOOR, &["Default__BP_Door_C.OpenAngle", "100"])]);
    let own = folder.path().join("Mod_9_P.utoc");
    set(DEMO, START, &["Block.Count", "44"], &["-o", text(&own)]);
    set(DEMO, DOOR, &["Default__BP_Door_C.OpenAngle", "45"], &["--into", text(&own)]);
    set(DEMO, ROCK, &["T_Rock.LODBias", "1"], &["--into", text(&own)]);
    let to = folder.path().join("ported/Mod_9_P.utoc");
    std::fs::create_dir_all(to.parent().unwrap()).unwrap();
    let args = ["port", text(&own), "--from", DEMO, "--to", text(&build), "-o", text(&to)];
    let dry = uncask(&[&args[..], &["--dry-run"]].concat()).ok();
    assert!(!to.exists() && dry.err.contains("1 package or file of the mod kept; 0 changes"), "{}", dry.err);
    let ran = uncask(&args).ok();
    assert!(
        ran.err.contains("the new build changed it, too, to 100; 45 of the mod is kept: Default__BP_Door_C.OpenAngle: /Game/Blueprints/BP_Door"),
        "{}",
        ran.err
    );
    // The value of the mod, beside the one of the update.
    assert_eq!(value(&to, START, "Block", "Count"), 44);
    assert_eq!(value(&to, START, "Start", "Count"), 5);
    assert_eq!(value(&to, DOOR, "Default__BP_Door_C", "OpenAngle"), 45);
    assert_eq!(value(&to, ROCK, "T_Rock", "LODBias"), 1);
    uncask(&["check", text(&to), "--game", text(&build)]).ok();
    let found = uncask(&[&args[..], &["--json", "--overwrite"]].concat()).ok().json();
    assert_eq!(
        (&found["doubts"][0]["reason"], &found["whole"][0]),
        (&"changed_by_both".into(), &ROCK.into())
    );
}

/// Pixels cannot be put into a package that the update changed, nor can its bulk data stay without them.
#[test]
fn a_picture_is_not_half_ported() {
    let folder = tempfile::tempdir().unwrap();
    let build = new_build(folder.path());
    let picture = folder.path().join("rock.png");
    let mut encoder = png::Encoder::new(std::fs::File::create(&picture).unwrap(), 256, 256);
    encoder.set_color(png::ColorType::Rgba);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&[10, 200, 30, 255].repeat(256 * 256)).unwrap();
    writer.finish().unwrap();
    let own = folder.path().join("Mod_9_P.utoc");
    let target = format!("{DEMO}:{ROCK}");
    uncask(&["replace", &target, text(&picture), "-o", text(&own)]).ok();
    let to = folder.path().join("ported_9_P.utoc");
    let args = ["port", text(&own), "--from", DEMO, "--to", text(&build), "-o", text(&to), "--json"];
    // The update left it alone: it is the mod's, bulk data included.
    let found = uncask(&args).ok().json();
    assert_eq!((found["whole"].as_array().unwrap().len(), &found["doubts"]), (2, &serde_json::json!([])));
    std::fs::remove_file(&to).unwrap();
    update(&build, &[(ROCK, &["T_Rock.LODBias", "3"])]);
    let ran = uncask(&args);
    assert!(ran.code == 1 && !to.exists(), "{}", ran.err);
    let doubts = ran.json()["doubts"].as_array().unwrap().clone();
    let paths: Vec<&str> = doubts.iter().map(|doubt| doubt["path"].as_str().unwrap()).collect();
    assert!(doubts.iter().all(|doubt| doubt["reason"] == "not_a_value"), "{doubts:?}");
    assert!(paths.contains(&ROCK) && paths.iter().any(|path| path.ends_with("T_Rock.ubulk")), "{paths:?}");
}

/// Two cooks of one project are two builds: properties with tags, and without.
#[test]
fn a_mod_of_another_form_of_the_packages_is_ported() {
    let Some(corpus) = corpus() else { return };
    let mappings = corpus.join("payloads/ue5.8/Mappings/CUE4ParseFixtures-Uncompressed.usmap");
    let folder = tempfile::tempdir().unwrap();
    let [tagged, untagged] = ["tagged", "unversioned"].map(|cook| whole_game(&corpus, cook, folder.path()));
    let [own, to] = ["A_P.utoc", "B_P.utoc"].map(|name| folder.path().join(name));
    let values = ["DA_AllProperties.Byte", "7", "DA_AllProperties.IntegerArray", "[5, 6, 7, 8, 9]"];
    set(&tagged, DATA, &values, &["-o", text(&own)]);
    let args = ["port", text(&own), "--from", &tagged, "--to", &untagged, "-o", text(&to)];
    let ran = uncask(&[&args[..], &["--mappings", text(&mappings)]].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let args = ["json", text(&to), DATA, "--mappings", text(&mappings), "--base", &untagged];
    let objects = uncask(&args).ok().json();
    let found = objects.as_array().unwrap().iter().find(|found| found["Name"] == "DA_AllProperties").unwrap();
    assert_eq!(found["Properties"]["Byte"], 7);
    assert_eq!(found["Properties"]["IntegerArray"], serde_json::json!([5, 6, 7, 8, 9]));
}

/// Without tags, a property is known by its place in the class alone: the mappings of each build tell its name.
#[test]
fn a_renamed_property_is_told_and_put_there_on_request() {
    let Some(corpus) = corpus() else { return };
    let folder = tempfile::tempdir().unwrap();
    let game = whole_game(&corpus, "unversioned", folder.path());
    let old = corpus.join("payloads/ue5.8/Mappings/CUE4ParseFixtures-Uncompressed.usmap");
    let mut names = std::fs::read(&old).unwrap();
    let at = names.windows(13).position(|bytes| bytes == b"\x0b\0LargeNumber").unwrap();
    names[at + 2..at + 13].copy_from_slice(b"MightyCount");
    let new = folder.path().join("new.usmap");
    std::fs::write(&new, names).unwrap();

    let build = folder.path().join("New");
    std::fs::create_dir_all(&build).unwrap();
    for file in std::fs::read_dir(&game).unwrap().map(|entry| entry.unwrap().path()) {
        std::fs::copy(&file, build.join(file.file_name().unwrap())).unwrap();
    }
    let patch = build.join("pakchunk0-Fixtures_1_P.utoc");
    let values = ["DT_AllProperties.Beta.Number", "5", "DT_AllProperties.Beta.MightyCount", "6"];
    set(&game, TABLE, &values, &["--mappings", text(&new), "-o", text(&patch), "--force"]);

    let [own, to] = ["A_9_P.utoc", "B_9_P.utoc"].map(|name| folder.path().join(name));
    let values = [
        "DT_AllProperties.Alpha.LargeNumber",
        "77",
        "DT_AllProperties.Alpha.Message",
        "of the mod",
        "DT_AllProperties.Beta.LargeNumber",
        "78",
    ];
    set(&game, TABLE, &values, &["--mappings", text(&old), "-o", text(&own)]);
    let args =
        ["port", text(&own), "--from", &game, "--to", text(&build), "-o", text(&to), "--json", "--overwrite"];
    let args = [&args[..], &["--mappings", text(&old), "--new-mappings", text(&new)]].concat();
    let ran = uncask(&args);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(
        ran.err.contains(
            "the new build may call it MightyCount; --rename LargeNumber=MightyCount puts it there"
        ),
        "{}",
        ran.err
    );
    let doubts = ran.json()["doubts"].as_array().unwrap().clone();
    let shown: Vec<(&Value, &Value)> =
        doubts.iter().map(|doubt| (&doubt["place"], &doubt["maybe_renamed"])).collect();
    let [alpha, beta] =
        ["Alpha", "Beta"].map(|row| Value::from(format!("DT_AllProperties.Rows[{row}].LargeNumber")));
    let likely = Value::from("Rows[Alpha].MightyCount");
    // The update changed the other one, so that its value tells nothing.
    assert_eq!(shown, [(&alpha, &likely), (&beta, &Value::Null)], "{doubts:?}");

    let ran = uncask(&[&args[..], &["--rename", "LargeNumber=MightyCount"]].concat()).ok();
    assert_eq!(ran.json()["doubts"][0]["reason"], "changed_by_both", "{}", ran.out);
    let args = ["json", text(&to), TABLE, "--mappings", text(&new), "--base", text(&build)];
    let rows = uncask(&args).ok().json()[0]["Rows"].clone();
    assert_eq!((&rows["Alpha"]["MightyCount"], &rows["Beta"]["MightyCount"]), (&77.into(), &78.into()));
    assert_eq!((&rows["Alpha"]["Message"], &rows["Beta"]["Number"]), (&"of the mod".into(), &5.into()));
}

const MATERIAL: &str = "/Engine/EngineMaterials/DefaultPhysicalMaterial";

/// Mappings of a class with these properties: names, and numbers of their types.
fn class(properties: &[(&str, u8)]) -> Vec<u8> {
    let property = |(index, (name, kind)): (u16, &(&str, u8))| Property {
        index,
        array_len: 1,
        name: (*name).to_owned(),
        kind: Type::Plain(*kind),
        flags: 0,
    };
    let properties = (0..).zip(properties).map(property).collect();
    let class = Struct { name: "PhysicalMaterial".to_owned(), base: None, properties };
    Types { enums: Vec::new(), structs: vec![class], ..Types::demo(3) }.file()
}

/// A build with one package: a real one of UE 5.1, whose object has these values of five properties, all of which are there.
fn build_of(corpus: &Path, values: &[&[u8]], folder: &Path) -> PathBuf {
    let file = "Engine/Content/EngineMaterials/DefaultPhysicalMaterial.uasset";
    let real = corpus.join("to-zen/ue5.1").join(file);
    let [header, exports] =
        [real.clone(), real.with_extension("uexp")].map(|path| std::fs::read(path).unwrap());
    let package = Package::parse_as(&header, Release::from_name("5.1").unwrap()).unwrap();
    let files = LegacyFiles { header: header.into(), exports: Some(exports.into()) };
    // No property is left out: one run of five, the last one. Then the values, and no GUID.
    let count = u16::try_from(values.len()).unwrap();
    let data = [&(count << 9 | 0x100).to_le_bytes()[..], &values.concat(), &[0; 4]].concat();
    let changes = Changes { exports: [(0, data)].into(), ..Changes::default() };
    let files = rebuild_legacy(&package, &files, &changes).unwrap();
    let place = folder.join("loose").join(file);
    std::fs::create_dir_all(place.parent().unwrap()).unwrap();
    std::fs::write(&place, &files.header).unwrap();
    std::fs::write(place.with_extension("uexp"), files.exports.unwrap()).unwrap();
    let pak = folder.join("Paks/pakchunk0-Demo.pak");
    uncask(&["pack", text(&folder.join("loose")), "-o", text(&pak)]).ok();
    folder.join("Paks")
}

/// Two builds of one class without tags: properties of the new one are added, removed, renamed, and in another order.
#[test]
fn properties_are_found_by_name_in_the_new_order() {
    let Some(corpus) = corpus() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (int, float) = (2, 3);
    let int_of = |value: i32| value.to_le_bytes();
    let float_of = |value: f32| value.to_le_bytes();
    let maps = [
        ("old.usmap", vec![("Damage", int), ("Speed", float), ("Cost", int), ("Range", int), ("Rank", int)]),
        ("new.usmap", vec![("Added", int), ("Speed", float), ("Rank", int), ("Price", int), ("Damage", int)]),
    ]
    .map(|(name, properties)| {
        let path = folder.path().join(name);
        std::fs::write(&path, class(&properties)).unwrap();
        path.to_str().unwrap().to_owned()
    });
    // The range is gone, the cost is called price, and the update changed the rank.
    let was = [&int_of(10)[..], &float_of(1.5), &int_of(30), &int_of(40), &int_of(50)];
    let is = [&int_of(1)[..], &float_of(1.5), &int_of(51), &int_of(30), &int_of(10)];
    let [old, new] = ["old", "new"].map(|name| folder.path().join(name));
    let (old, new) = (build_of(&corpus, &was, &old), build_of(&corpus, &is, &new));
    let own = folder.path().join("Mod_P.pak");
    let object = |name: &str| format!("DefaultPhysicalMaterial.{name}");
    let values = [("Damage", "12"), ("Speed", "2.5"), ("Cost", "3"), ("Range", "4"), ("Rank", "5")]
        .map(|(name, value)| [object(name), value.to_owned()]);
    let values: Vec<&str> = values.iter().flatten().map(String::as_str).collect();
    let engine = ["--engine", "5.1", "--mappings"];
    set(text(&old), MATERIAL, &values, &[&engine[..], &[&maps[0], "-o", text(&own)]].concat());

    let to = folder.path().join("Ported_P.pak");
    let args = [
        "port",
        text(&own),
        "--from",
        text(&old),
        "--to",
        text(&new),
        "-o",
        text(&to),
        "--json",
        "--overwrite",
    ];
    let args = [&args[..], &engine, &[&maps[0], "--new-mappings", &maps[1]]].concat();
    let ran = uncask(&args);
    assert_eq!(ran.code, 1, "{}", ran.err);
    let doubts = ran.json()["doubts"].as_array().unwrap().clone();
    let shown: Vec<[&str; 2]> = doubts
        .iter()
        .map(|doubt| ["reason", "place"].map(|key| doubt[key].as_str().unwrap()))
        .map(|[reason, place]| [reason, place.rsplit('.').next().unwrap()])
        .collect();
    assert_eq!(shown, [["changed_by_both", "Rank"], ["gone", "Cost"], ["gone", "Range"]], "{doubts:?}");
    assert_eq!(doubts[1]["maybe_renamed"], "Price", "{doubts:?}");

    let ran = uncask(&[&args[..], &["--rename", "Cost=Price"]].concat());
    assert_eq!(
        (ran.code, ran.json()["doubts"].as_array().unwrap().len()),
        (1, 2),
        "the range is gone: {}",
        ran.err
    );
    let args = ["json", text(&to), "--base", text(&new)];
    let found = uncask(&[&args[..], &engine, &[&maps[1]]].concat()).ok().json()[0]["Properties"].clone();
    let wanted = serde_json::json!({ "Added": 1, "Speed": 2.5, "Rank": 5, "Price": 3, "Damage": 12 });
    assert_eq!(found, wanted);
}
