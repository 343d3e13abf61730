//! Damaged payloads: whatever they are, reading and writing ends, and nothing panics.

use crate::files::{cases, corpus};
use uncask_formats::asset::gltf::{self, MeshOptions};
use uncask_formats::asset::sound::{AudioFile, Facts};
use uncask_formats::asset::{self, Asset};
use uncask_formats::property::{Object, Scope};

/// Damaged forms of each payload.
const ROUNDS: u64 = 12;
/// Bytes of the largest export: the test is about forms, not about size.
const LARGEST: usize = 20_000;

fn numbers(mut seed: u64) -> impl FnMut() -> usize {
    move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).unwrap()
    }
}

/// Does with an asset what can be done with it.
fn use_up(asset: &Asset<'_>) {
    let options = MeshOptions::default();
    match asset {
        Asset::Animation(found) => {
            let _ = gltf::animation("A", found, &asset::skeleton::Bones::default());
            let _ = found.obstacle();
        }
        Asset::SkeletalMesh(mesh) => drop(gltf::skeletal_mesh("A", mesh, &options)),
        Asset::StaticMesh(mesh) => drop(gltf::static_mesh("A", mesh, &options)),
        Asset::Skeleton(skeleton) => drop(gltf::skeleton("A", &skeleton.bones)),
        Asset::Sound(sound) => {
            for chunk in sound.encodings.iter().flat_map(|encoding| &encoding.chunks) {
                let _ = AudioFile::playable(chunk.bulk.inline.unwrap_or_default());
            }
        }
        _ => {}
    }
}

#[test]
fn damaged_payloads_end_in_faults() {
    let Some(corpus) = corpus() else { return };
    let (mut read, mut failed) = (0, 0);
    for class in ["AnimSequence", "MorphTarget", "SkeletalMesh", "Skeleton", "SoundWave", "StaticMesh"] {
        for case in cases(&corpus, class).iter().filter(|case| case.file.data.len() < LARGEST) {
            let scope = case.file.scope();
            let name = case.expected["export"].as_str().unwrap();
            let start = case.file.read(&scope, name).payload_at;
            let mut exports = case.file.package.exports.iter();
            let export =
                exports.find(|export| case.file.package.text(export.name).to_string() == name).unwrap();
            let at =
                usize::try_from(export.serial_offset).unwrap() - usize::try_from(case.file.data_at).unwrap();
            let payload = at + start..at + usize::try_from(export.serial_len).unwrap();
            for round in 0..ROUNDS {
                let mut next = numbers(round ^ payload.len() as u64);
                let mut data = case.file.data.clone();
                for _ in 0..=next() % 4 {
                    let place = payload.start + next() % payload.len();
                    data[place] = [0, 0xFF, 0x7F, data[place] ^ 1 << (next() % 8)][next() % 4];
                }
                let scope = Scope::new(&case.file.package, &data, case.file.data_at, Some(case.file.release))
                    .with_mappings(case.file.mappings.as_deref());
                let object = Object::read(&scope, export);
                match asset::read(&scope, export, &object).unwrap() {
                    Ok(found) => {
                        use_up(&found.asset);
                        read += 1;
                    }
                    Err(_) => failed += 1,
                }
            }
        }
    }
    assert!(read > 100 && failed > 100, "{read} read, {failed} failed");
}

#[test]
fn damaged_audio_ends_in_faults() {
    let Some(corpus) = corpus() else { return };
    for name in ["Opus", "BinkAudio", "PCM", "PlatformSpecific"] {
        let all = cases(&corpus, "SoundWave");
        let case = all.iter().find(|case| case.expected["export"] == format!("SW_Format_{name}")).unwrap();
        let scope = case.file.scope();
        let found = case.read(&scope);
        let Asset::Sound(sound) = &found.asset else { panic!() };
        let head = sound.encodings[0].chunks[0].bulk.inline.unwrap();
        let package = case.expected["package"].as_str().unwrap().replace(".uasset", ".ubulk");
        let audio = [head, &crate::files::chunk(&corpus, "tagged", &package)].concat();
        // A few blocks are enough.
        let audio = &audio[..audio.len().min(4000)];
        for round in 0..200 {
            let mut next = numbers(round);
            let mut damaged = audio[..audio.len() - next() % 2 * (next() % audio.len())].to_vec();
            for _ in 0..=next() % 6 {
                if let Some(len) = std::num::NonZero::new(damaged.len()) {
                    let place = next() % len;
                    damaged[place] = u8::try_from(next() % 256).unwrap();
                }
            }
            let _ = Facts::parse(&damaged);
            if let Ok(file) = AudioFile::playable(&damaged) {
                assert!(file.bytes.len() <= 4096 + 200 * damaged.len(), "{name}: {}", file.bytes.len());
            }
        }
    }
}
