//! Sounds and meshes: which files they become.

use super::{files, fixture, payloads, uncask};

#[test]
fn sounds_are_files_that_players_open() {
    let Some(payloads) = payloads() else { return };
    for cook in ["tagged", "unversioned"] {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().to_str().unwrap();
        let [content, base, global, _] = fixture(&payloads, cook);
        let ran = uncask(&["export", &content, &base, &global, "*/Audio/*", "-o", out]);
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
        assert_eq!(starts("SW_Streaming.wav", b"RIFF"), 264_646);
        assert!(ran.stderr.contains("RAD Audio has no open decoder"), "{}", ran.stderr);
        assert_eq!(files.len(), 9, "{files:?}");
    }
}

#[test]
fn forms_choose_among_sounds() {
    let Some(payloads) = payloads() else { return };
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let [content, base, global, _] = fixture(&payloads, "tagged");
    let ran = uncask(&["export", &content, &base, &global, "*/SW_Format_*", "-o", out, "--as", "raw,ogg"]);
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
    let ran = uncask(&[&args[..], &["-o", out]].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let files = files(folder.path());
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    let expected =
        ["AS_Fixture.glb", "SKEL_Fixture.glb", "SK_Fixture.glb", "SM_Fixture.glb", "SM_Nanite.glb"];
    assert_eq!(names, expected, "{}", ran.stderr);
    for file in files.values() {
        assert!(std::fs::read(file).unwrap().starts_with(b"glTF\x02\0\0\0"));
    }
    let text = |name: &str| String::from_utf8_lossy(&std::fs::read(&files[name]).unwrap()).into_owned();
    assert!(text("SM_Fixture.glb").contains("\"FixtureSocket\""), "sockets are nodes");
    assert!(
        text("SK_Fixture.glb").contains("\"targetNames\":[\"Morph_Fixture\"]"),
        "morph targets have names"
    );
    assert!(text("AS_Fixture.glb").contains("\"animations\""));
    assert!(
        ran.stderr.contains("AS_Additive (AnimSequence) was not exported: it is additive"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("it is a Nanite mesh of 2,048 triangles"), "{}", ran.stderr);
}
