//! Sound cues, files of Wwise in assets, and files beside loose packages.

use super::fonts::{exported, object};
use super::{files, fixture, payloads, payloads_with, uncask};
use serde_json::{Value, json};

fn read(path: &std::path::Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

#[test]
fn sound_cues_are_graphs_of_nodes() {
    let Some(payloads) = payloads() else { return };
    for cook in ["tagged", "unversioned"] {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().to_str().unwrap();
        let [content, base, global, mappings] = fixture(&payloads, cook);
        let args = ["export", &content, &base, &global, "*/SC_Fixture*", "--mappings", &mappings, "-o", out];
        let ran = uncask(args).expect(0);
        assert!(ran.stderr.contains("wrote 1 file: 1 SoundCue"), "{cook}: {}", ran.stderr);
        let cue = read(&files(folder.path())["SC_Fixture.json"]);
        assert_eq!(cue["cue"], "/Game/Fixtures/Audio/SC_Fixture.SC_Fixture");
        assert_eq!(cue["properties"]["PitchMultiplier"], 1.125, "{cue}");
        assert_eq!(cue["first"], "SoundNodeMixer_45");
        let [mixer, inline, streaming] = cue["nodes"].as_array().unwrap().as_slice() else { panic!("{cue}") };
        assert_eq!(mixer["class"], "SoundNodeMixer");
        assert_eq!(mixer["children"], json!(["SoundNodeWavePlayer_90", "SoundNodeWavePlayer_91"]));
        assert_eq!(inline["wave"], "/Game/Fixtures/Audio/SW_Inline.SW_Inline");
        assert_eq!(streaming["wave"], "/Game/Fixtures/Audio/SW_Streaming.SW_Streaming");
        assert_eq!(streaming["properties"], json!({ "bLooping": true }));
        // Nothing else is such a document.
        let none = uncask([&args[..], &["--as", "png"]].concat());
        assert_eq!(none.code, 0, "{}", none.stderr);
        let all = [
            "export",
            &content,
            &base,
            &global,
            "*/Audio/*",
            "--mappings",
            &mappings,
            "--as",
            "json",
            "-o",
            out,
        ];
        assert!(uncask(all).expect(0).stderr.contains("wrote 0 files, 1 already there: 1 SoundCue"));
    }
}

#[test]
fn a_sound_cue_without_properties_says_what_is_missing() {
    let Some(payloads) = payloads() else { return };
    let folder = tempfile::tempdir().unwrap();
    let [content, base, global, _] = fixture(&payloads, "unversioned");
    let out = folder.path().to_str().unwrap();
    let ran =
        uncask(["export", &content, &base, &global, "*/SC_Fixture*", "-o", out, "--engine", "6.0"]).expect(0);
    assert!(files(folder.path()).is_empty());
    assert!(ran.stderr.contains("its properties, which have its sounds, need mappings"), "{}", ran.stderr);
}

/// No asset of Wwise is in the corpus: a texture's package becomes one, with a payload as the sheet has it.
#[test]
fn files_of_wwise_in_assets_stay_as_they_are() {
    let Some(payloads) = payloads_with("properties/ue5.8/tagged") else { return };
    let folder = tempfile::tempdir().unwrap();
    // No chunk: nothing to write.
    let package = object(&payloads, folder.path(), "AkMediaAssetData", &[0; 4]);
    let (files, said) = exported(&package);
    assert!(files.is_empty() && said.contains("it has no data"), "{said}");
    // One chunk, which is the bulk data of the texture: 64 by 64 pixels.
    let package = object(
        &payloads,
        folder.path(),
        "AkMediaAssetData",
        &[&[1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0][..], &[7; 4096]].concat(),
    );
    let (files, said) = exported(&package);
    assert_eq!(
        files.iter().map(|(name, bytes)| (&**name, bytes.len())).collect::<Vec<_>>(),
        [("T_G8.wem", 4096)],
        "{said}"
    );
}

#[test]
fn files_beside_loose_packages_are_copied() {
    let Some(payloads) = payloads_with("properties/ue5.8/tagged") else { return };
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("Game/Content");
    let from = payloads.parent().unwrap().join("properties/ue5.8/tagged/Fixtures/Textures/T_G8");
    std::fs::create_dir_all(game.join("Movies")).unwrap();
    for extension in ["uasset", "uexp"] {
        std::fs::copy(from.with_extension(extension), game.join("T_G8").with_extension(extension)).unwrap();
    }
    let film = vec![7; 3 << 20];
    std::fs::write(game.join("Movies/Intro.MP4"), &film).unwrap();
    std::fs::write(game.join("Movies/1.wem"), b"wwise").unwrap();
    std::fs::write(game.join("Movies/notes.txt"), b"no").unwrap();
    // The output is in the input: what is there is not taken for input the next time.
    let out = game.join("out");
    let (input, to) = (folder.path().join("Game"), out.to_str().unwrap().to_owned());
    let run = |more: &[&str]| {
        let args = ["export", input.to_str().unwrap(), "--engine", "5.8", "-o", &to];
        uncask([&args[..], more].concat()).expect(0).stderr
    };
    let said = run(&[]);
    assert!(said.contains("wrote 3 files: 2 File, 1 Texture2D"), "{said}");
    assert_eq!(files(&out).into_keys().collect::<Vec<_>>(), ["1.wem", "Intro.MP4", "T_G8.png"]);
    assert_eq!(std::fs::read(out.join("Content/Movies/Intro.MP4")).unwrap(), film);
    let before = std::fs::metadata(out.join("Content/Movies/Intro.MP4")).unwrap().modified().unwrap();
    run(&[]);
    assert_eq!(std::fs::metadata(out.join("Content/Movies/Intro.MP4")).unwrap().modified().unwrap(), before);
    assert_eq!(files(&out).len(), 3);
    // Other forms, and other paths, do not bring them.
    std::fs::remove_dir_all(&out).unwrap();
    run(&["--as", "png"]);
    assert_eq!(files(&out).into_keys().collect::<Vec<_>>(), ["T_G8.png"]);
    std::fs::remove_dir_all(&out).unwrap();
    run(&["*.wem"]);
    assert_eq!(files(&out).into_keys().collect::<Vec<_>>(), ["1.wem"]);
}
