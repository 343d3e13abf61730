//! Materials and other assets that consist of values, and the table of classes.

use super::{files, fixture, payloads, uncask};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;

fn read(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// Exports with the fixture's mappings, or with the built-in classes alone.
fn export(payloads: &Path, cook: &str, with: &[&str], out: &Path) -> String {
    let [content, base, global, _] = fixture(payloads, cook);
    let out = out.to_str().unwrap();
    uncask([&["export", &content, &base, &global, "-o", out][..], with].concat()).expect(0).stderr
}

#[test]
fn materials_have_what_their_parents_set_and_pictures_of_their_textures() {
    let Some(payloads) = payloads() else { return };
    for cook in ["tagged", "unversioned"] {
        let folder = tempfile::tempdir().unwrap();
        export(&payloads, cook, &["*/MI_Fixture*"], folder.path());
        let found = files(folder.path());
        let document = read(&found["MI_Fixture.json"]);
        assert_eq!(
            document,
            json!({
                "schema": "uncask.material/1",
                "material": "/Game/Fixtures/Materials/MI_Fixture.MI_Fixture",
                "class": "MaterialInstanceConstant",
                "parents": ["/Game/Fixtures/Materials/M_Fixture.M_Fixture"],
                "domain": "MD_Surface",
                "blend_mode": "BLEND_Opaque",
                "shading_model": "MSM_DefaultLit",
                "two_sided": false,
                "opacity_mask_clip_value": 0.3333,
                "textures": { "FixtureTexture": {
                    "texture": "/Game/Fixtures/Textures/T_BC3.T_BC3", "file": "../Textures/T_BC3.png",
                } },
                "scalars": { "FixtureRoughness": 0.8125 },
                "vectors": { "PrimaryColor": [0.25, 0.75, 0.5, 0.875], "AlternateColor": [0.9, 0.15, 0.05, 1.0] },
                "switches": { "UseAlternateColor": true },
                "component_masks": {},
                "other_textures": [],
                "own": ["FixtureTexture", "FixtureRoughness", "PrimaryColor", "UseAlternateColor"],
            }),
            "{cook}"
        );
        // The picture lies where the document says, although its package was not asked for.
        assert_eq!(found.keys().map(String::as_str).collect::<Vec<_>>(), ["MI_Fixture.json", "T_BC3.png"]);
        let picture = found["MI_Fixture.json"].parent().unwrap().join("../Textures/T_BC3.png");
        assert!(picture.canonicalize().unwrap() == found["T_BC3.png"].canonicalize().unwrap());
    }
}

#[test]
fn documents_alone_come_without_pictures() {
    let Some(payloads) = payloads() else { return };
    let folder = tempfile::tempdir().unwrap();
    export(&payloads, "unversioned", &["*/MI_Fixture*", "--as", "json"], folder.path());
    let found = files(folder.path());
    assert_eq!(found.len(), 1, "{found:?}");
    let texture = &read(&found["MI_Fixture.json"])["textures"]["FixtureTexture"];
    assert_eq!(*texture, json!({ "texture": "/Game/Fixtures/Textures/T_BC3.T_BC3" }));
}

/// A patch that has an instance, but not its parent.
#[test]
fn a_parent_that_is_not_there_is_named() {
    let Some(payloads) = payloads() else { return };
    let folder = tempfile::tempdir().unwrap();
    let loose = folder.path().join("loose");
    let [content, base, global, _] = fixture(&payloads, "tagged");
    let text = loose.to_str().unwrap();
    uncask(["to-legacy", &content, &base, &global, "*/MI_Fixture*", "-o", text]).expect(0);
    let out = folder.path().join("out");
    let said = uncask(["export", text, "-o", out.to_str().unwrap()]).expect(0).stderr;
    assert!(said.contains("its parent /Game/Fixtures/Materials/M_Fixture.M_Fixture was not found"), "{said}");
    let document = read(&files(&out)["MI_Fixture.json"]);
    assert_eq!(document["missing_parent"], "/Game/Fixtures/Materials/M_Fixture.M_Fixture");
    assert_eq!((&document["parents"], &document["blend_mode"]), (&json!([]), &Value::Null));
    assert_eq!(document["scalars"], json!({ "FixtureRoughness": 0.8125 }));
}

#[test]
fn assets_of_values_become_documents_with_what_they_refer_to() {
    let Some(payloads) = payloads() else { return };
    let mut of_cooks = Vec::new();
    for cook in ["tagged", "unversioned"] {
        let folder = tempfile::tempdir().unwrap();
        export(&payloads, cook, &["--as", "json"], folder.path());
        let found = files(folder.path());
        let document = |name: &str| read(&found[name]);
        let montage = document("AM_Fixture.json");
        assert_eq!(
            (&montage["schema"], &montage["class"]),
            (&json!("uncask.document/1"), &json!("AnimMontage"))
        );
        let animations = "/Game/Fixtures/Animations";
        assert_eq!(
            montage["refers_to"],
            json!([
                format!("{animations}/AS_Fixture.AS_Fixture"),
                format!("{animations}/SKEL_Fixture.SKEL_Fixture")
            ])
        );
        assert_eq!(montage["objects"][0]["Properties"]["CompositeSections"][0]["SectionName"], "Intro");
        // Everything inside a sequence comes with it, the sequence itself first.
        let sequence = document("LS_Nested.json");
        let inner = sequence["objects"].as_array().unwrap();
        assert_eq!((&inner[0]["Name"], &inner[1]["Type"]), (&json!("LS_Nested"), &json!("MovieScene")));
        assert!(inner.iter().any(|object| object["Type"] == "MovieSceneCompiledData"), "{sequence}");
        let names: BTreeSet<String> = found.keys().cloned().collect();
        for name in ["AC", "BS", "PA", "MPC", "NS", "Font", "PHYS"] {
            assert!(names.contains(&format!("{name}_Fixture.json")), "{cook}: {name} in {names:?}");
        }
        of_cooks.push((names, montage["refers_to"].clone()));
    }
    assert_eq!(of_cooks[0], of_cooks[1], "tags make no difference");
}

#[test]
fn a_summary_has_a_line_for_each_class_and_writes_nothing() {
    let Some(payloads) = payloads() else { return };
    let folder = tempfile::tempdir().unwrap();
    let [content, base, global, _] = fixture(&payloads, "unversioned");
    let args = ["export", &content, &base, &global, "--summary"];
    let mut command = crate::support::cli::command();
    command.args(args);
    // On Windows, another drive may be the current one there, and paths of this one have no drive.
    if cfg!(unix) {
        command.current_dir(folder.path());
    }
    let ran = crate::support::cli::run(&mut command).expect(0);
    assert!(files(folder.path()).is_empty());
    let line = |class: &str| {
        let line = ran.stdout.lines().find(|line| line.starts_with(class)).unwrap_or_default();
        line.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(line("Texture2D "), "Texture2D 16 1 19 it has no mips");
    assert_eq!(line("SoundWave "), "SoundWave 9 0 9");
    assert_eq!(
        line("BlueprintGeneratedClass"),
        "BlueprintGeneratedClass 0 3 0 it is a blueprint, which code and json write"
    );
    assert_eq!(
        line("DataTable"),
        "DataTable 0 2 0 its values need the schema of FixtureTableRow, which the game's mappings have"
    );
    let found: Value =
        serde_json::from_str(&uncask([&args[..], &["--json"]].concat()).expect(0).stdout).unwrap();
    assert_eq!(found["schema"], "uncask.export.summary/1");
    let classes = found["classes"].as_array().unwrap();
    let sum = |field: &str| classes.iter().map(|row| row[field].as_u64().unwrap()).sum::<u64>();
    let said =
        format!("{} exported, {} not, of {} classes", sum("exported"), sum("not_exported"), classes.len());
    assert!(ran.stderr.contains(&said), "{said}: {}", ran.stderr);
}

/// The sprite of the fixture is the upper left quarter of a quarter of its texture.
#[test]
fn sprites_are_cut_out_of_their_textures() {
    let Some(payloads) = payloads() else { return };
    for cook in ["tagged", "unversioned"] {
        let folder = tempfile::tempdir().unwrap();
        let said = export(&payloads, cook, &["*/Sprite_Fixture*"], folder.path());
        assert!(said.contains("wrote 1 file: 1 PaperSprite"), "{said}");
        let whole = tempfile::tempdir().unwrap();
        export(&payloads, cook, &["*/T_BGRA8.*"], whole.path());
        let (width, height, pixels) = super::textures::rgba(&files(folder.path())["Sprite_Fixture.png"]);
        assert_eq!((width, height), (16, 16), "{cook}");
        let (all, _, texture) = super::textures::rgba(&files(whole.path())["T_BGRA8.png"]);
        let rows = texture.chunks_exact(all as usize).take(16).flat_map(|row| &row[..16]);
        assert!(rows.eq(&pixels), "{cook}");
    }
    // With its texture, both are there.
    let folder = tempfile::tempdir().unwrap();
    let said = export(&payloads, "tagged", &["*/Sprite_Fixture*", "*/T_BGRA8.*"], folder.path());
    assert!(said.contains("wrote 2 files: 1 PaperSprite, 1 Texture2D"), "{said}");
}

/// The glTF document of a binary file.
fn gltf(path: &Path) -> Value {
    let bytes = std::fs::read(path).unwrap();
    let len = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    serde_json::from_slice(&bytes[20..20 + len]).unwrap()
}

/// The box of a mesh is 100 by 100 by 20 cm; glTF has metres, and Y upwards.
#[test]
fn simple_collision_is_gltf() {
    let Some(payloads) = payloads() else { return };
    let folder = tempfile::tempdir().unwrap();
    let select = ["*/SM_Fixture*", "*/PHYS_Fixture*", "--as", "gltf", "--collision"];
    let said = export(&payloads, "unversioned", &select, folder.path());
    let found = files(folder.path());
    let names: Vec<&str> = found.keys().map(String::as_str).collect();
    assert_eq!(names, ["PHYS_Fixture.glb", "SM_Fixture.glb", "SM_Fixture_collision.glb"], "{said}");
    super::opened::validate(&[found["PHYS_Fixture.glb"].clone(), found["SM_Fixture_collision.glb"].clone()]);
    let mesh = gltf(&found["SM_Fixture_collision.glb"]);
    let shape = &mesh["nodes"][1];
    assert_eq!(
        (&shape["translation"], &shape["scale"]),
        (&json!([0.0, 0.1, 0.0]), &json!([100.0, 20.0, 100.0]))
    );
    let accessor = &mesh["accessors"][0];
    // The box is a cube of one centimetre, made larger by its node.
    let bounds: Vec<f64> = ["min", "max"].iter().map(|end| accessor[end][0].as_f64().unwrap()).collect();
    assert!((bounds[0] + 0.005).abs() < 1e-9 && (bounds[1] - 0.005).abs() < 1e-9, "{accessor}");
    let physics = gltf(&found["PHYS_Fixture.glb"]);
    let bodies: Vec<&str> = ["Joint_1", "Root"].to_vec();
    let scene = physics["scenes"][0]["nodes"].as_array().unwrap();
    let mut shown: Vec<&str> = scene
        .iter()
        .map(|node| {
            physics["nodes"][usize::try_from(node.as_u64().unwrap()).unwrap()]["name"].as_str().unwrap()
        })
        .collect();
    shown.sort_unstable();
    assert_eq!(shown, bodies);
    let sphere =
        physics["nodes"].as_array().unwrap().iter().find(|node| node["name"] == "Joint_1 0").unwrap();
    assert_eq!(
        (&sphere["translation"], &sphere["scale"]),
        (&json!([-0.04, 0.06, 0.05]), &json!([12.5, 12.5, 12.5]))
    );
    // Nothing of it without being asked for.
    let folder = tempfile::tempdir().unwrap();
    export(&payloads, "unversioned", &["*/SM_Fixture*", "--as", "gltf"], folder.path());
    assert!(!files(folder.path()).contains_key("SM_Fixture_collision.glb"));
}

/// One piece, placed at (10, -20, 30) cm and turned; two triangles, each of a material of its own.
#[test]
fn pieces_of_a_geometry_collection_are_nodes() {
    let Some(payloads) = payloads() else { return };
    let with_mappings = ["*/GC_Fixture*"];
    for cook in ["tagged", "unversioned"] {
        let [content, base, global, mappings] = fixture(&payloads, cook);
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().to_str().unwrap();
        let args = ["export", &content, &base, &global, &mappings, "-o", out];
        let said = uncask([&args[..], &with_mappings].concat()).expect(0).stderr;
        assert!(said.contains("wrote 1 file: 1 GeometryCollection"), "{said}");
        let file = files(folder.path())["GC_Fixture.glb"].clone();
        super::opened::validate(std::slice::from_ref(&file));
        let document = gltf(&file);
        let node = &document["nodes"][0];
        assert_eq!(
            (&node["name"], &node["translation"]),
            (&json!("SM_Fixture"), &json!([0.1, 0.3, -0.2])),
            "{cook}"
        );
        // A turn of 15° to the right, about the axis that points up.
        let half = node["rotation"][1].as_f64().unwrap();
        assert!((half + (7.5_f64).to_radians().sin()).abs() < 1e-6, "{node}");
        let primitives = document["meshes"][0]["primitives"].as_array().unwrap();
        let materials: Vec<&Value> = primitives.iter().map(|primitive| &primitive["material"]).collect();
        assert_eq!(materials, [&json!(0), &json!(1)]);
        for primitive in primitives {
            let accessor = |index: &Value| {
                document["accessors"][usize::try_from(index.as_u64().unwrap()).unwrap()].clone()
            };
            assert_eq!(accessor(&primitive["indices"])["count"], 3);
            let positions = accessor(&primitive["attributes"]["POSITION"]);
            assert_eq!(positions["count"], 6);
            assert_eq!(primitive["attributes"].as_object().unwrap().len(), 5, "{primitive}");
        }
    }
}

/// The registry has the lighting of one component; the instances of a component are placed by matrices.
#[test]
fn built_lighting_and_instances_are_values() {
    let Some(payloads) = payloads() else { return };
    for cook in ["tagged", "unversioned"] {
        let folder = tempfile::tempdir().unwrap();
        let [content, base, global, mappings] = fixture(&payloads, cook);
        let out = folder.path().to_str().unwrap();
        uncask(["export", &content, &base, &global, &mappings, "*/BuildData_Fixture*", "-o", out]).expect(0);
        let document = read(&files(folder.path())["BuildData_Fixture.json"]);
        let lighting = &document["objects"][0]["MeshBuildData"][0];
        assert_eq!(lighting["Key"], "11000001-22000002-33000003-44000004", "{document}");
        let place = &lighting["Value"]["PerInstanceLightmapData"][0]["LightmapUVBias"];
        assert_eq!(place, &json!({ "X": 0.125, "Y": 0.25 }));
        let map = uncask(["json", &content, &base, &global, &mappings, "*/Maps/Instancing.umap"]).expect(0);
        let objects: Vec<Value> = serde_json::from_str(&map.stdout).unwrap();
        let of = |name: &str| objects.iter().find(|object| object["Name"] == name).unwrap().clone();
        let instances = of("ISM_Fixture")["PerInstanceSMData"].as_array().unwrap().clone();
        assert_eq!(instances.len(), 4, "{cook}");
        assert_eq!(instances[1]["WPlane"], json!({ "X": 125.0, "Y": 0.0, "Z": 15.0, "W": 1.0 }));
    }
}
