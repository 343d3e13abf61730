//! Levels written by hand: what no level of the corpus has.

use crate::support::cli::uncask;
use crate::support::levels::Level;
use serde_json::Value;
use std::path::Path;
use uncask::GameOptions;
use uncask::asset::{SplineBend, SplineEnd};
use uncask::package::legacy::Name;
use uncask::values::{PackageInputs, ValueOptions};
use uncask::version::Release;
use uncask::wire::Writer;

impl Level {
    /// A tag with a struct as its value: a list of tags, unless its form is a fixed one.
    fn structure(&mut self, name: &str, kind: &str, fill: impl FnOnce(&mut Self)) {
        // The length is known only afterwards.
        let before = std::mem::replace(&mut self.body, Writer::new());
        fill(self);
        let value = std::mem::replace(&mut self.body, before).into_bytes();
        self.tag(name, "StructProperty");
        let Name { index, number } = self.name(kind);
        self.body.u32(u32::try_from(value.len()).unwrap()).u32(0).u32(index).u32(number);
        // No GUID of the struct, and none of the property.
        self.body.u64(0).u64(0).u8(0).bytes(&value);
    }

    /// A tag with a vector of two or three numbers.
    fn vector(&mut self, name: &str, parts: &[f32]) {
        let kind = if parts.len() == 2 { "Vector2D" } else { "Vector" };
        self.structure(name, kind, |level| {
            for part in parts {
                level.body.u32(part.to_bits());
            }
        });
    }

    /// A tag with a number.
    fn float(&mut self, name: &str, number: f32) {
        self.tag(name, "FloatProperty");
        self.body.u32(4).u32(0).u8(0).u32(number.to_bits());
    }

    /// The end of a list of tags.
    fn end(&mut self) {
        let Name { index, number } = self.name("None");
        self.body.u32(index).u32(number);
    }
}

/// A level with an actor that has one component, whose properties a function adds.
fn level(folder: &Path, class: &str, fill: impl FnOnce(&mut Level)) {
    std::fs::create_dir_all(folder).unwrap();
    let mut level = Level::new();
    let engine = level.import("Package", 0, "/Script/Engine");
    let [world, of_level, actor, component] =
        ["World", "Level", "StaticMeshActor", class].map(|class| level.import("Class", engine, class));
    level.export((world, 0, 0), "Map", |_| {}, &[2, 0, 0]);
    level.export((of_level, 1, 0), "PersistentLevel", |_| {}, &[]);
    level.export((actor, 2, 0), "Actor", |_| {}, &[]);
    level.export((component, 3, 0), "Component", fill, &[0]);
    level.write(folder, "Map");
}

#[test]
fn curves_of_meshes_are_those_that_components_store() {
    let folder = tempfile::tempdir().unwrap();
    let content = folder.path().join("Project/Content");
    level(&content, "SplineMeshComponent", |level| {
        level.structure("SplineParams", "SplineMeshParams", |level| {
            level.vector("StartPos", &[1.0, 2.0, 3.0]);
            level.vector("StartScale", &[2.0, 0.5]);
            level.vector("EndPos", &[400.0, 0.0, 50.0]);
            level.vector("EndTangent", &[0.0, 300.0, 0.0]);
            level.float("EndRoll", 0.25);
            level.end();
        });
        level.vector("SplineUpDir", &[0.0, 1.0, 0.0]);
        level.float("SplineBoundaryMax", 80.0);
    });
    let game = GameOptions::default().open_all([""; 0]).unwrap();
    let inputs = PackageInputs::of_files(&content, |_| true);
    let options = ValueOptions { release: Release::from_name("4.27"), ..ValueOptions::default() };
    let world = game.world(inputs, options).unwrap().done.unwrap();
    let bend = world.levels[0].level.components[0].component.values.spline.bend();
    // What is not stored is as the engine has it.
    let start = SplineEnd { position: [1.0, 2.0, 3.0], scale: [2.0, 0.5], ..SplineEnd::default() };
    let end = SplineEnd {
        position: [400.0, 0.0, 50.0],
        tangent: [0.0, 300.0, 0.0],
        roll: 0.25,
        ..SplineEnd::default()
    };
    let expected = SplineBend {
        ends: [start, end],
        up: [0.0, 1.0, 0.0],
        range: Some([0.0, 80.0]),
        ..SplineBend::default()
    };
    assert_eq!(bend, expected);
}

#[test]
fn actors_in_packages_of_their_own_belong_to_their_level() {
    let folder = tempfile::tempdir().unwrap();
    let content = folder.path().join("Project/Content");
    level(&content.join("Maps"), "PointLightComponent", |_| {});
    let below = content.join("__ExternalActors__/Maps/Map/A/BC");
    std::fs::create_dir_all(&below).unwrap();
    for (name, x) in [("ONE", 100.0), ("TWO", 200.0)] {
        let mut actor = Level::new();
        let engine = actor.import("Package", 0, "/Script/Engine");
        let [class, component] =
            ["PointLight", "PointLightComponent"].map(|class| actor.import("Class", engine, class));
        let map = actor.import("Package", 0, "/Game/Maps/Map");
        let world = actor.import("World", map, "Map");
        let level = actor.import("Level", world, "PersistentLevel");
        let fill = |actor: &mut Level| actor.object("RootComponent", 2);
        actor.export((class, level, 0), &format!("Light{name}"), fill, &[]);
        actor.export(
            (component, 1, 0),
            "Lamp",
            |actor| actor.vector("RelativeLocation", &[x, 0.0, 0.0]),
            &[0],
        );
        actor.write_as(&below, name, "uasset");
    }
    let out = folder.path().join("out");
    let map = content.join("Maps/Map.umap");
    let args =
        ["export", map.to_str().unwrap(), "--engine", "4.27", "--as", "scene", "-o", out.to_str().unwrap()];
    let ran = uncask(args);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let path = walkdir::WalkDir::new(&out)
        .into_iter()
        .flatten()
        .find(|entry| entry.file_name() == "Map.glb")
        .unwrap();
    let bytes = std::fs::read(path.path()).unwrap();
    let len = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let json: Value = serde_json::from_slice(&bytes[20..20 + len]).unwrap();
    let mut lights: Vec<(String, f64)> = json["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|node| node["extras"]["ue"]["class"] == "PointLightComponent")
        .map(|node| {
            (
                node["extras"]["ue"]["path"].as_str().unwrap().to_owned(),
                node["translation"][0].as_f64().unwrap_or_default(),
            )
        })
        .collect();
    lights.sort_by(|one, other| one.0.cmp(&other.0));
    let expected = [("Actor.Component", 0.0), ("LightONE.Lamp", 1.0), ("LightTWO.Lamp", 2.0)];
    assert_eq!(lights, expected.map(|(name, x)| (name.to_owned(), x)));
}
