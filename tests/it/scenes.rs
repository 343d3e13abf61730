//! Levels, compared with what an independent reader found in them.

use crate::support::corpus;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use uncask::asset::Transform;
use uncask::game::JsonForm;
use uncask::level::Link;
use uncask::scene::{Level, LevelComponent, World};
use uncask::values::{PackageInputs, ValueOptions, read_mappings};
use uncask::version::Release;
use uncask::{Game, GameOptions};

/// Values of all levels.
fn expected(corpus: &Path, list: &str) -> BTreeMap<String, Value> {
    let all: Value =
        serde_json::from_slice(&std::fs::read(corpus.join("geometry/expected.json")).unwrap()).unwrap();
    serde_json::from_value(all[list].clone()).unwrap()
}

fn with(mappings: Option<PathBuf>, release: Option<&'static Release>) -> ValueOptions {
    let read = |path: PathBuf| Arc::new(read_mappings(&path, u64::MAX).unwrap().0);
    ValueOptions { mappings: mappings.map(read), release, ..ValueOptions::default() }
}

/// The package of a level by its name in the expected values, with its game.
fn level(corpus: &Path, name: &str) -> (Game, PackageInputs, ValueOptions) {
    let (game, inputs, options): (Game, PackageInputs, ValueOptions);
    if let Some((folder, package)) = name.split_once(':') {
        let mappings = corpus.join("payloads/ue5.8/Mappings/CUE4ParseFixtures-Uncompressed.usmap");
        let mappings = folder.ends_with("unversioned").then_some(mappings);
        let folder = corpus.join(folder);
        let paths = [folder.join("Uncompressed"), folder.join("global.utoc")];
        game = mappings.iter().fold(GameOptions::default(), GameOptions::mappings).open_all(paths).unwrap();
        let entries = [game.chunk(package).unwrap().entry()];
        inputs = game.package_inputs(&entries);
        options = with(mappings, None);
    } else {
        game = GameOptions::default().open_all([""; 0]).unwrap();
        inputs = PackageInputs::of_files(&corpus.join(name), |_| true);
        let release = name.split('/').find_map(|part| part.strip_prefix("ue")).unwrap();
        let mappings = match release {
            "5.1" => "payloads/ue5.1-cooked/Clay.usmap",
            "5.3" => "geometry/landscape/ue5.3/Engine.usmap",
            _ => "properties/games/mappings/5.4.3-34507850+++UE5+Release-5.4-DeepSpace7.usmap",
        };
        options = with(Some(corpus.join(mappings)), Release::from_name(release));
    }
    (game, inputs, options)
}

/// The world of a level.
fn world(corpus: &Path, name: &str) -> World {
    let (game, inputs, options) = level(corpus, name);
    let outcome = game.world(inputs, options).unwrap();
    assert!(outcome.failures.is_empty(), "{name}: {:?}", outcome.failures);
    outcome.done.unwrap_or_else(|| panic!("{name} has no level"))
}

fn near(found: &[f64], expected: &Value, what: &str) {
    for (found, expected) in found.iter().zip(expected.as_array().unwrap()) {
        let expected = expected.as_f64().unwrap();
        let limit = 2e-6_f64.max(expected.abs() * 2e-6);
        assert!((found - expected).abs() <= limit, "{what}: {found}, not {expected}");
    }
}

/// Compares a transform with an expected one. Opposite quaternions are the same rotation.
fn same_place(found: &Transform, expected: &Value, what: &str) {
    near(&found.translation, &expected["t"], &format!("{what}: location"));
    near(&found.scale, &expected["s"], &format!("{what}: scale"));
    let rotation = expected["q"].as_array().unwrap().iter().map(|part| part.as_f64().unwrap());
    let dot: f64 = rotation.zip(found.rotation).map(|(a, b)| a * b).sum();
    let sign = if dot < 0.0 { -1.0 } else { 1.0 };
    near(&found.rotation.map(|part| part * sign), &expected["q"], &format!("{what}: rotation"));
}

fn mesh(of: &LevelComponent) -> Option<String> {
    let Some(Link(mesh)) = &of.component.values.mesh.mesh else { return None };
    mesh.as_ref().map(ToString::to_string)
}

fn check(name: &str, level: &Level, expected: &Value) {
    let found: BTreeMap<String, &LevelComponent> =
        level.components.iter().map(|of| (level.name(&of.component), of)).collect();
    let list = expected["components"].as_array().unwrap();
    assert_eq!(level.entries as u64, expected["level_actor_entries"].as_u64().unwrap(), "{name}");
    assert_eq!(level.actors.len() as u64, expected["actors"].as_u64().unwrap(), "{name}");
    assert_eq!(level.components.len(), list.len(), "{name}");
    for component in list {
        let own = component["name"].as_str().unwrap();
        let what = format!("{name}: {own}");
        let of = found.get(own).unwrap_or_else(|| panic!("{what} is missing"));
        let class = of.component.class.rsplit('.').next();
        assert_eq!(class, component["cls"].as_str(), "{what}");
        let parent = of.component.parent.map(|at| &*level.components[at].component.name);
        assert_eq!(parent, component["parent"].as_str(), "{what}");
        let values = &of.component.values;
        assert_eq!(values.place.socket.as_deref(), component["socket"].as_str(), "{what}");
        same_place(&of.place, &component["world"], &what);
        assert_eq!(mesh(of).as_deref(), component["mesh"].as_str(), "{what}");
        let Some(instances) = component["instances"].as_u64() else {
            assert!(values.instances.is_none(), "{what}");
            continue;
        };
        let own = values.instances.as_ref().unwrap();
        assert_eq!(own.matrices.len() as u64, instances, "{what}");
        for (found, expected) in own.transforms().zip(component["instances_trs"].as_array().unwrap()) {
            same_place(&found, expected, &what);
        }
        let bytes: Vec<u8> = own.matrices.iter().flatten().flat_map(|number| number.to_le_bytes()).collect();
        let hash = hex::encode(Sha256::digest(bytes));
        assert_eq!(Some(&*hash), component["sha256_matrices_f64"].as_str(), "{what}");
        let custom: Vec<f64> = own.custom.iter().map(|number| f64::from(*number)).collect();
        assert_eq!(serde_json::json!(custom), component["custom_floats"], "{what}");
    }
    let streaming = expected["streaming"].as_array().map_or(&[][..], Vec::as_slice);
    assert_eq!(level.streamed.len(), streaming.len(), "{name}");
    for expected in streaming {
        let is_it = |found: &&uncask::level::Streamed| Some(&*found.class) == expected["cls"].as_str();
        let streamed = level.streamed.iter().find(is_it).unwrap_or_else(|| panic!("{name}: {expected}"));
        let world = streamed.world.as_ref().map(ToString::to_string);
        assert_eq!(world.as_deref(), expected["world"].as_str(), "{name}");
        if let Some(place) = expected["transform"].as_object() {
            let parts = |field: &str, names: &[&str]| {
                serde_json::json!(names.iter().map(|name| &place[field][*name]).collect::<Vec<_>>())
            };
            let (xyz, xyzw) = (["X", "Y", "Z"], ["X", "Y", "Z", "W"]);
            let expected = serde_json::json!({
                "t": parts("Translation", &xyz), "q": parts("Rotation", &xyzw), "s": parts("Scale3D", &xyz),
            });
            same_place(&streamed.place.unwrap(), &expected, name);
        }
    }
}

#[test]
fn levels_are_those_of_the_independent_reader() {
    let Some(corpus) = corpus::with("geometry/expected.json") else { return };
    let mut components = 0;
    for (name, expected) in expected(&corpus, "levels") {
        let world = world(&corpus, &name);
        let level = &world.levels[0].level;
        check(&name, level, &expected);
        let missing: Vec<&String> = level.missing_templates.iter().collect();
        assert_eq!(serde_json::json!(missing), expected["missing_template_packages"], "{name}");
        components += level.components.len();
    }
    for (name, expected) in expected(&corpus, "landscape_proposed_corpus") {
        let world = world(&corpus, &format!("geometry/{name}"));
        check(&name, &world.levels[0].level, &expected);
        components += world.levels[0].level.components.len();
    }
    assert!(components > 150, "{components}");
}

#[test]
fn documents_have_the_same_places() {
    let Some(corpus) = corpus::with("geometry/expected.json") else { return };
    let mut components = 0;
    for (name, expected) in expected(&corpus, "levels") {
        let (game, inputs, options) = level(&corpus, &name);
        let mut document = Vec::new();
        game.json_of(inputs, JsonForm::Placed, options, &mut document).unwrap();
        let objects: Vec<Value> = serde_json::from_slice(&document).unwrap();
        for component in expected["components"].as_array().unwrap() {
            let (actor, own) = component["name"].as_str().unwrap().split_once('.').unwrap();
            let is_it = |object: &&Value| {
                let outer = object["Outer"]["ObjectName"].as_str().unwrap_or_default();
                object["Name"] == own && outer.trim_end_matches('\'').ends_with(&format!(".{actor}"))
            };
            let object = objects.iter().find(is_it).unwrap_or_else(|| panic!("{name}: {actor}.{own}"));
            let of = |field: &str, names: &[&str]| -> Vec<f64> {
                names.iter().map(|name| object["WorldTransform"][field][name].as_f64().unwrap()).collect()
            };
            let vector = |field: &str| <[f64; 3]>::try_from(of(field, &["X", "Y", "Z"])).unwrap();
            let place = Transform {
                rotation: of("Rotation", &["X", "Y", "Z", "W"]).try_into().unwrap(),
                translation: vector("Translation"),
                scale: vector("Scale3D"),
            };
            same_place(&place, &component["world"], &format!("{name}: {actor}.{own}"));
            components += 1;
        }
    }
    assert!(components > 120, "{components}");
}
