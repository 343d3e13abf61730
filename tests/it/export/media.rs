//! Sounds and meshes: which files they become.

use super::opened::validate;
use super::textures::rgba;
use super::{files, fixture, json_of, payloads, payloads_with, uncask};
use serde_json::json;
use std::path::{Path, PathBuf};
use uncask::package::legacy::{NameEntry, Package};

#[test]
fn sounds_are_files_that_players_open() {
    let Some(payloads) = payloads() else { return };
    for cook in ["tagged", "unversioned"] {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().to_str().unwrap();
        let [content, base, global, _] = fixture(&payloads, cook);
        let ran = uncask(["export", &content, &base, &global, "*/Audio/*", "-o", out]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let files = files(folder.path());
        let starts = |name: &str, start: &[u8]| {
            let bytes = std::fs::read(&files[name]).unwrap();
            assert!(bytes.starts_with(start), "{name}");
            bytes.len()
        };
        starts("SW_Format_Opus.opus", b"OggS");
        starts("SW_Format_PlatformSpecific.ogg", b"OggS");
        starts("SW_Format_RADAudio.rada", b"ADAR");
        // 96,000 samples of 16 bits, after 44 bytes.
        assert_eq!(starts("SW_Format_BinkAudio.wav", b"RIFF"), 192_044);
        // One that loops says so after its samples.
        assert_eq!(starts("SW_Streaming.wav", b"RIFF"), 264_646 + 68);
        assert!(ran.stderr.contains("RAD Audio has no open decoder"), "{}", ran.stderr);
        // The cue that plays some of them is one file more.
        assert_eq!(files.len(), 10, "{files:?}");
    }
}

#[test]
fn forms_choose_among_sounds() {
    let Some(payloads) = payloads() else { return };
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let [content, base, global, _] = fixture(&payloads, "tagged");
    let ran = uncask(["export", &content, &base, &global, "*/SW_Format_*", "-o", out, "--as", "raw,ogg"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let files = files(folder.path());
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    let of = |stem: &str| names.iter().filter(|name| name.starts_with(stem)).copied().collect::<Vec<_>>();
    assert_eq!(of("SW_Format_Opus"), ["SW_Format_Opus.opus", "SW_Format_Opus.ueopus"]);
    assert_eq!(of("SW_Format_BinkAudio"), ["SW_Format_BinkAudio.binka"]);
}

#[test]
fn meshes_skeletons_and_animations_are_gltf() {
    let Some(payloads) = payloads() else { return };
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let [content, base, global, mappings] = fixture(&payloads, "unversioned");
    let args = ["export", &content, &base, &global, "--mappings", &mappings, "*/Meshes/*", "*/Animations/*"];
    let ran = uncask([&args[..], &["-o", out]].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let files = files(folder.path());
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    let expected = [
        "AC_Fixture.json",
        "AM_Fixture.json",
        "AS_Additive.glb",
        "AS_Fixture.glb",
        "BS_Fixture.json",
        "PA_Fixture.json",
        "SKEL_Fixture.glb",
        "SK_Fixture.glb",
        "SM_Fixture.glb",
        "SM_Nanite.glb",
    ];
    assert_eq!(names, expected, "{}", ran.stderr);
    for file in files.values().filter(|file| file.extension().is_some_and(|found| found == "glb")) {
        assert!(std::fs::read(file).unwrap().starts_with(b"glTF\x02\0\0\0"));
    }
    let text = |name: &str| String::from_utf8_lossy(&std::fs::read(&files[name]).unwrap()).into_owned();
    assert!(text("SM_Fixture.glb").contains("\"FixtureSocket\""), "sockets are nodes");
    assert!(
        text("SK_Fixture.glb").contains("\"targetNames\":[\"Morph_Fixture\"]"),
        "morph targets have names"
    );
    assert!(text("AS_Fixture.glb").contains("\"animations\""));
    assert!(!ran.stderr.contains("Nanite"), "{}", ran.stderr);
}

/// The mesh of the fixture with the textured material instance of the fixture, whose texture has a parameter of this name.
fn textured(payloads: &Path, folder: &Path, parameter: &str) -> PathBuf {
    let from = payloads.parent().unwrap().join("properties/ue5.8/tagged/Fixtures");
    let content = folder.join("Game/Content/Fixtures");
    let names = [
        ("/Engine/EngineMaterials/WorldGridMaterial", "/Game/Fixtures/Materials/MI_Fixture"),
        ("WorldGridMaterial", "MI_Fixture"),
        ("FixtureTexture", parameter),
    ];
    for name in ["Meshes/SM_Fixture", "Materials/MI_Fixture", "Materials/M_Fixture", "Textures/T_BC3"] {
        let file = content.join(name).with_extension("uasset");
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        let header = std::fs::read(from.join(name).with_extension("uasset")).unwrap();
        let mut package = Package::parse(&header).unwrap();
        for entry in &mut package.names {
            if let Some((_, new)) = names.iter().find(|(old, _)| entry.text.as_str() == *old) {
                *entry = NameEntry::new(new);
            }
        }
        std::fs::write(&file, package.write_header().unwrap()).unwrap();
        std::fs::copy(from.join(name).with_extension("uexp"), file.with_extension("uexp")).unwrap();
    }
    folder.join("Game")
}

#[test]
fn materials_refer_to_pictures_beside() {
    let Some(payloads) = payloads_with("properties/ue5.8/tagged") else { return };
    let folder = tempfile::tempdir().unwrap();
    let export = |parameter: &str, more: &[&str]| {
        let folder = tempfile::tempdir_in(&folder).unwrap();
        let input = textured(&payloads, folder.path(), parameter);
        let out = folder.path().join("out");
        let args = ["export", input.to_str().unwrap(), "--engine", "5.8", "-o", out.to_str().unwrap()];
        let ran = uncask([&args[..], more].concat()).expect(0);
        let files = files(&out);
        validate(&[files["SM_Fixture.glb"].clone()]);
        let json = json_of(&files["SM_Fixture.glb"]);
        (folder, files, json, ran.stderr)
    };
    // As it is: the only texture is the colour, and its own package writes it.
    let (_kept, files, json, said) = export("FixtureTexture", &[]);
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    assert_eq!(names, ["MI_Fixture.json", "M_Fixture.json", "SM_Fixture.glb", "T_BC3.png"], "{said}");
    assert_eq!(json["images"], json!([{ "uri": "../Textures/T_BC3.png" }]));
    let material = &json["materials"][0];
    assert_eq!(material["pbrMetallicRoughness"]["baseColorTexture"], json!({ "index": 0 }));
    // The scalar of the instance, not that of its parent; and a vector that only the parent has.
    assert_eq!(material["pbrMetallicRoughness"]["roughnessFactor"], 0.8125, "{json}");
    assert_eq!(material["extras"]["textures"]["FixtureTexture"], "/Game/Fixtures/Textures/T_BC3.T_BC3");
    assert!(material["extras"]["vectors"]["AlternateColor"].is_array(), "{material}");
    let color = rgba(&files["T_BC3.png"]).2;
    // Where pictures are not asked for, those of materials come nevertheless.
    let (_kept, files, ..) = export("FixtureTexture", &["--as", "gltf"]);
    assert_eq!(rgba(&files["T_BC3.png"]).2, color);
    // Normals of glTF point the other way in green.
    let (_kept, files, json, _) = export("NormalMap", &["--as", "gltf"]);
    assert_eq!(json["materials"][0]["normalTexture"], json!({ "index": 0 }), "{json}");
    let normal = rgba(&files["T_BC3_OpenGL.png"]).2;
    assert!(normal.iter().zip(&color).all(|(a, b)| (a[0], a[1], a[2]) == (b[0], 255 - b[1], b[2])));
    // Metallic, roughness, occlusion become occlusion, roughness, metallic.
    let (_kept, files, json, _) = export("MRA", &["--as", "gltf"]);
    assert_eq!(json["images"], json!([{ "uri": "../Textures/T_BC3_ORM.png" }]));
    assert_eq!(json["materials"][0]["occlusionTexture"], json!({ "index": 0 }), "{json}");
    let surface = rgba(&files["T_BC3_ORM.png"]).2;
    assert!(surface.iter().zip(&color).all(|(a, b)| (a[0], a[1], a[2]) == (b[2], b[1], b[0])));
}
