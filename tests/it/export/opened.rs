//! Exported files opened by independent programs: the Khronos glTF validator, Pillow, OpenEXR, libsndfile.

#[path = "../../../crates/formats/tests/media/validator.rs"]
mod validator;

use super::textures::floats;
use super::{files, fixture, hash, payloads};
use crate::support::{cli, say};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::process::Command;
pub(super) use validator::validate;

/// Exports what some arguments say into a folder.
fn export(args: &[&str], folder: &Path) {
    cli::run(cli::command().arg("export").args(args).arg("-o").arg(folder)).expect(0);
}

#[test]
fn the_khronos_validator_finds_nothing_to_complain_about() {
    let Some(payloads) = payloads() else { return };
    let folder = tempfile::tempdir().unwrap();
    for cook in ["tagged", "unversioned"] {
        let [content, base, global, mappings] = fixture(&payloads, cook);
        let args = [&*content, &base, &global, "--mappings", &mappings, "--as", "gltf,png", "--all-lods"];
        export(&args, &folder.path().join(cook));
    }
    let cooked = payloads.join("ue5.1-cooked");
    let args = [cooked.to_str().unwrap(), "--engine", "5.1", "--as", "gltf,png"];
    export(&args, &folder.path().join("cooked"));
    let found: Vec<PathBuf> = walkdir::WalkDir::new(folder.path())
        .into_iter()
        .map(|entry| entry.unwrap().into_path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "glb"))
        .collect();
    // Both cooks: 4 LODs of static meshes and 2 of skeletal ones, a skeleton, 2 animations.
    assert!(found.len() >= 2 * 8, "{found:?}");
    validate(&found);
}

/// Files as read by independent programs, by file name; `None` without Python. Missing readers are named.
fn read_by_others(folder: &Path) -> Option<BTreeMap<String, Value>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let own = root.join("target/validators/python/bin/python3");
    let python = if own.is_file() { own } else { "python3".into() };
    let run = Command::new(python).arg(root.join("tests/it/export/readers.py")).arg(folder).output();
    let Ok(run) = run else {
        say("skipped, no Python: files opened by other programs");
        return None;
    };
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let mut found = BTreeMap::new();
    for line in String::from_utf8(run.stdout).unwrap().lines() {
        let facts: Value = serde_json::from_str(line).unwrap();
        match facts["missing"].as_str() {
            Some(module) => {
                say(&format!("skipped, no Python module {module}: files opened by other programs"));
            }
            None => drop(found.insert(facts["file"].as_str().unwrap().to_owned(), facts)),
        }
    }
    Some(found)
}

/// The bytes of a PNG file as Pillow has them: words of 16 bits with the low byte first.
fn pixels(path: &Path) -> (u32, u32, Vec<u8>) {
    let mut reader = png::Decoder::new(Cursor::new(std::fs::read(path).unwrap())).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    if info.bit_depth == png::BitDepth::Sixteen {
        pixels.as_chunks_mut::<2>().0.iter_mut().for_each(|word| word.reverse());
    }
    (info.width, info.height, pixels)
}

#[test]
fn pictures_are_read_by_other_programs() {
    let Some(payloads) = payloads() else { return };
    let folder = tempfile::tempdir().unwrap();
    let [content, base, global, mappings] = fixture(&payloads, "tagged");
    let args = [&*content, &base, &global, "--mappings", &mappings, "*/Textures/*"];
    export(&args, folder.path());
    // Those whose DXGI formats Pillow knows.
    let blocks = ["*/T_BC5.uasset", "*/T_BC7.uasset", "--as", "dds"];
    export(&[&args[..5], &blocks].concat(), folder.path());
    let Some(found) = read_by_others(folder.path()) else { return };
    let written = files(folder.path());
    for (name, facts) in &found {
        let path = &written[name];
        match path.extension().unwrap().to_str().unwrap() {
            "png" => {
                let (width, height, bytes) = pixels(path);
                assert_eq!(
                    (&facts["size"], &facts["sha256"]),
                    (&json!([width, height]), &hash(&bytes).into()),
                    "{name}"
                );
            }
            "exr" => assert_eq!(facts["sha256"], hash(&floats(path)), "{name}"),
            // Decoders round thirds as they like.
            _ => assert!(facts["difference"].as_u64().unwrap() <= 1, "{facts}"),
        }
    }
    let count = |extension: &str| found.keys().filter(|name| name.ends_with(extension)).count();
    if count(".png") > 0 {
        assert!(count(".png") > 30 && count(".dds") == 2, "{:?}", found.keys());
    }
}

#[test]
fn sounds_are_read_by_other_programs() {
    let Some(payloads) = payloads() else { return };
    let folder = tempfile::tempdir().unwrap();
    let [content, base, global, mappings] = fixture(&payloads, "tagged");
    export(&[&content, &base, &global, "--mappings", &mappings, "*/Audio/*"], folder.path());
    let Some(found) = read_by_others(folder.path()) else { return };
    if found.is_empty() {
        return;
    }
    let expected: Value =
        serde_json::from_slice(&std::fs::read(payloads.join("expected.json")).unwrap()).unwrap();
    assert_eq!(found.len(), 8, "all but RAD Audio: {:?}", found.keys());
    for (name, facts) in &found {
        let stem = name.split('.').next().unwrap();
        let expected = &expected["tagged"][&format!("{stem}.SoundWave")];
        let same = ["channels"].map(|field| (&facts[field], &expected[field]));
        assert!(same.iter().all(|(found, expected)| found == expected), "{facts}");
        let samples = expected["total_samples"].as_f64().unwrap();
        assert_eq!(
            (facts["frames"].as_f64(), facts["rate"].as_u64()),
            (Some(samples), expected["sample_rate"].as_u64()),
            "{facts}"
        );
        // The sources are as loud as that.
        assert!(facts["peak"].as_u64() > Some(1000), "{facts}");
        if let Some(pcm) = expected["wav"]["sha256_pcm"].as_str() {
            assert_eq!(facts["sha256"], pcm, "{facts}");
        }
    }
}
