//! Values without mappings, by the built-in schemas of the engine's classes, against those with the game's own.

use super::run::{corpus_with, uncask};
use ::uncask::codec::Scratch;
use ::uncask::mappings::Mappings;
use ::uncask::property::{Schemas, engine_schemas, release_of_classes};
use ::uncask::version::Release;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// Maps by release.
const MAPS: [(&str, &str); 13] = [
    ("4.27", "properties/games/mappings/LiesOfP.usmap"),
    ("5.1", "properties/games/mappings/Clay.usmap"),
    ("5.1", "properties/games/mappings/F1Manager2023.usmap"),
    ("5.3", "geometry/landscape/ue5.3/Engine.usmap"),
    ("5.4", "properties/games/mappings/5.4.3-34507850+++UE5+Release-5.4-DeepSpace7.usmap"),
    ("5.4", "properties/games/mappings/Bellwright-5.4.usmap"),
    ("5.4", "properties/games/mappings/BlankGame_Dumper-7.usmap"),
    ("5.5", "properties/games/mappings/BlankUE5_5.usmap"),
    ("5.5", "properties/games/mappings/MotorTown.usmap"),
    ("5.6", "properties/games/mappings/Bellwright.usmap"),
    ("5.6", "properties/games/mappings/ExplicitEnumValuesExample.usmap"),
    ("5.7", "properties/games/mappings/NanosWorld.usmap"),
    ("5.8", "properties/ue5.8/mappings/Zstandard.usmap"),
];

/// Games with packages of the corpus: folder, mappings, objects, and those that are read without mappings.
const GAMES: [(&str, usize, usize, usize); 9] = [
    ("Clay", 1, 1091, 1047),
    ("Billiards", 4, 9, 8),
    ("Bellwright54", 5, 50, 25),
    ("BlankGame54", 6, 14, 14),
    ("BlankGame55", 7, 19, 19),
    ("TestJson", 8, 323, 272),
    ("Bellwright56", 9, 4, 2),
    ("BpThirdPerson56", 10, 30, 23),
    ("NanosWorld57", 11, 320, 292),
];

#[test]
fn built_in_schemas_are_those_of_every_map_that_has_the_class() {
    let Some(corpus) = corpus_with("properties/games/Clay") else { return };
    for (release, path) in MAPS {
        let mappings =
            Mappings::parse_partial(&std::fs::read(corpus.join(path)).unwrap(), &mut Scratch::default())
                .unwrap()
                .value;
        let (own, built_in) =
            (Schemas::new(&mappings), engine_schemas(Release::from_name(release).unwrap()).unwrap());
        let (mut same, mut others) = (0, 0);
        for found in mappings.structs() {
            match built_in.schema(&found.name()) {
                // Of several structs of one name, a map's last one counts, as in the built-in schemas.
                Some(known) if known == own.schema(&found.name()).unwrap() => same += 1,
                Some(known) => panic!("{path}: {} is built in as {known:?}", found.name()),
                None => others += 1,
            }
        }
        assert!(same > 3000 && others > 0, "{path}: {same} are built in, {others} are not");
    }
}

#[test]
fn mappings_tell_the_release_of_their_game() {
    let Some(corpus) = corpus_with("properties/games/Clay") else { return };
    let name = |schemas: &Schemas| release_of_classes(schemas).map(|release| release.name);
    for (release, path) in MAPS {
        let bytes = std::fs::read(corpus.join(path)).unwrap();
        let mappings = Mappings::parse_partial(&bytes, &mut Scratch::default()).unwrap().value;
        assert_eq!(name(&Schemas::new(&mappings)), Some(release), "{path}");
    }
    // Nothing is built in from these; the last one is of a changed 4.26.
    for (path, release) in [
        ("v0-oodle-Mappings.usmap", Some("5.0")),
        ("v0-none-modl.usmap", Some("5.1")),
        ("v0-brotli-br.usmap", None),
    ] {
        let bytes = std::fs::read(corpus.join("found/usmap").join(path)).unwrap();
        let mappings = Mappings::parse_partial(&bytes, &mut Scratch::default()).unwrap().value;
        assert_eq!(name(&Schemas::new(&mappings)), release, "{path}");
    }
}

/// Values of all objects below a folder, by file and place.
fn values(folder: &Path, mappings: Option<&Path>) -> BTreeMap<(String, usize), Value> {
    let out = tempfile::tempdir().unwrap();
    let [input, output] = [folder, out.path()].map(|path| path.to_str().unwrap());
    let with = mappings.map(|path| ["--mappings", path.to_str().unwrap()]);
    let args = ["json", input, "-o", output].into_iter().chain(with.into_iter().flatten());
    let ran = uncask(&args.collect::<Vec<_>>());
    assert!(ran.err.contains("read by the classes of UE") == mappings.is_none(), "{}", ran.err);
    let files = walkdir::WalkDir::new(out.path()).into_iter().map(Result::unwrap);
    files
        .filter(|entry| entry.file_type().is_file())
        .flat_map(|entry| {
            let file = entry.path().strip_prefix(out.path()).unwrap().display().to_string();
            let objects: Vec<Value> = serde_json::from_slice(&std::fs::read(entry.path()).unwrap()).unwrap();
            objects
                .into_iter()
                .enumerate()
                .map(move |(at, object)| ((file.clone(), at), object))
                .collect::<Vec<_>>()
        })
        .collect()
}

#[test]
fn what_is_read_without_mappings_is_what_they_say() {
    let Some(corpus) = corpus_with("properties/games/Clay") else { return };
    for (game, map, objects, expected) in GAMES {
        let folder = corpus.join("properties/games").join(game);
        let with = values(&folder, Some(&corpus.join(MAPS[map].1)));
        let without = values(&folder, None);
        assert_eq!((with.len(), without.len()), (objects, objects), "{game}");
        let is_read = |(_, object): &(&(String, usize), &Value)| object.get("Problem").is_none();
        let read: Vec<_> = without.iter().filter(is_read).collect();
        for (place, object) in &read {
            for (name, value) in object.as_object().unwrap() {
                assert_eq!(Some(value), with[*place].get(name), "{game}: {place:?}: {name}");
            }
        }
        assert_eq!(read.len(), expected, "{game}: objects that need no mappings");
    }
}
