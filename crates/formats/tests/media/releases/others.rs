//! Animations, skeletons, morph targets, sounds, and files of Wwise.

use super::RELEASES;
use super::made::Payload;
use uncask_formats::asset::Asset;
use uncask_formats::asset::gltf::{self, GltfError};
use uncask_formats::asset::skeleton::Bones;

/// The payload of an animation with one track, whose codec leaves these bytes.
fn animation(release: (u32, u32), stream: &[u8], codec: &[u8]) -> Payload {
    let mut p = Payload::new(release);
    p.zeros(16);
    p.strip(0);
    // Compressed, raw size, one track for bone 0, one curve.
    p.u32s(&[1, 99, 1, 0, 1]);
    p.name(6);
    p.u32(u32::try_from(stream.len()).unwrap());
    p.u32(0);
    p.bytes.extend(stream);
    for name in ["Bones\0", "Curves\0"] {
        p.u32(u32::try_from(name.len()).unwrap());
        p.bytes.extend(name.as_bytes());
    }
    // One curve that is 0.5 all the time.
    p.u32(12);
    p.bytes.extend([1, 0, 0, 0]);
    p.f32(0.5);
    p.u32(0);
    p.bytes.extend(codec);
    if !p.since(5, 6) {
        p.u32(0);
    }
    p
}

#[test]
fn animations_of_acl_are_refused_by_name() {
    for release in RELEASES {
        for (codec, name) in [
            (&[31, 0, 0, 0][..], "its tracks are compressed with ACL, which is not decoded"),
            (
                &[31, 0, 0, 0, 7, 7, 7, 7],
                "its tracks are compressed with ACL and a database, which is not decoded",
            ),
        ] {
            animation(release, &[0xAC; 40], codec).read("AnimSequence", |found| {
                let found = found.unwrap_or_else(|error| panic!("{release:?}: {error}"));
                let Asset::Animation(found) = &found.asset else { panic!() };
                assert_eq!((found.frames, found.obstacle(), &found.bones[..]), (31, Some(name), &[0][..]));
                let error = gltf::animation("A", found, &Bones::default(), None).unwrap_err();
                assert!(matches!(error, GltfError::Obstacle(why) if why == name), "{error}");
            });
        }
    }
}

#[test]
fn animations_of_every_release_have_tracks_of_the_engine() {
    for release in RELEASES {
        // Both keys of a translation as three floats, after the places of translation and rotation.
        let keys = [1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0].map(f32::to_le_bytes);
        let data = [&0x1700_0002_u32.to_le_bytes()[..], keys.as_flattened()].concat();
        let stream = [&0_i32.to_le_bytes()[..], &(-1_i32).to_le_bytes(), &data].concat();
        let len = u32::try_from(data.len()).unwrap();
        // Two frames; keys by track; no forms; bytes of keys, two places, no scales.
        let codec = [2, 2, len, 2, 0, 0].map(u32::to_le_bytes);
        let codec = [&codec[0][..], &[2, 0, 0, 0], codec[2..].as_flattened()].concat();
        animation(release, &stream, &codec).read("AnimSequence", |found| {
            let found = found.unwrap_or_else(|error| panic!("{release:?}: {error}"));
            let Asset::Animation(found) = &found.asset else { panic!() };
            let motions = found.motions(&Bones::default(), None).unwrap();
            assert_eq!(motions[0].1.translation, [(0.0, [1.0, 2.0, 3.0]), (1.0, [4.0, 5.0, 6.0])]);
            assert_eq!((motions.len(), found.curves.len()), (1, 1));
        });
    }
}

#[test]
fn skeletons_have_smart_names_before_they_lost_them() {
    for release in RELEASES {
        let mut p = Payload::new(release);
        p.u32(1);
        p.u32s(&[7, 0, u32::MAX]);
        p.u32(1);
        p.reals(&[0.0, 0.0, 0.0, 1.0, 5.0, 6.0, 7.0, 1.0, 1.0, 1.0]);
        p.u32(1);
        p.u32s(&[7, 0, 0]);
        // A pose for retargeting, and the GUID.
        p.u32(1);
        p.name(6);
        p.name(6);
        p.u32(1);
        p.reals(&[0.0; 10]);
        p.zeros(16);
        if !p.since(5, 7) {
            p.u32(1);
            p.name(6);
            p.u32(1);
            p.name(6);
            p.u32s(&[0, 1, 1]);
            p.name(7);
            p.u8(255);
        }
        p.strip(0);
        p.read("Skeleton", |found| {
            let found = found.unwrap_or_else(|error| panic!("{release:?}: {error}"));
            let Asset::Skeleton(skeleton) = &found.asset else { panic!() };
            assert_eq!(
                skeleton.bones.0[0].pose.translation.map(f64::to_bits),
                [5.0, 6.0, 7.0].map(f64::to_bits)
            );
        });
    }
}

#[test]
fn morph_targets_may_have_their_deltas() {
    for release in RELEASES {
        let mut p = Payload::new(release);
        p.strip(0);
        if p.since(5, 7) {
            p.u32(1);
        }
        p.u32(1);
        if p.since(5, 0) {
            p.u32(0);
        }
        p.u32(1);
        for part in [0.0, 0.0, 12.5, 0.0, 1.0, 0.0] {
            p.f32(part);
        }
        p.u32(3);
        p.u32s(&[6, 1, 0, 0]);
        if p.since(5, 5) {
            p.u32(0);
        }
        if p.since(5, 7) {
            // Compressed: one level of one batch, two words, two steps.
            p.u32s(&[1, 1, 1]);
            p.zeros(47);
            p.u32s(&[2, 1, 2, 0, 0]);
        }
        p.read("MorphTarget", |found| {
            let found = found.unwrap_or_else(|error| panic!("{release:?}: {error}"));
            let Asset::MorphTarget(morph) = &found.asset else { panic!() };
            let delta = morph.lods[0].deltas.as_ref().unwrap()[0];
            assert_eq!(
                (delta.vertex, delta.position[2].to_bits(), morph.lods[0].base_vertices),
                (3, 12.5_f32.to_bits(), 6)
            );
        });
    }
}

#[test]
fn sounds_may_stay_in_memory() {
    for release in RELEASES {
        let mut p = Payload::new(release);
        p.u32(1);
        if p.since(5, 4) {
            p.u32(0);
        }
        // Two formats, each with all of its audio.
        p.u32(2);
        for audio in [&b"RIFF one"[..], b"OggS"] {
            p.name(6);
            p.bulk(audio);
        }
        p.zeros(16);
        p.read("SoundWave", |found| {
            let found = found.unwrap_or_else(|error| panic!("{release:?}: {error}"));
            let Asset::Sound(sound) = &found.asset else { panic!() };
            let audio = sound.encodings.iter().map(|encoding| encoding.chunks[0].bulk.inline.unwrap());
            assert_eq!(audio.collect::<Vec<_>>(), [&b"RIFF one"[..], b"OggS"]);
            assert!(!sound.is_streamed);
        });
    }
}

#[test]
fn wwise_files_are_what_is_not_read_ahead() {
    for release in [(4, 27), (5, 1), (5, 3)] {
        let mut p = Payload::new(release);
        p.u32s(&[2, 1]);
        p.bulk(b"RI");
        p.u32(0);
        p.bulk(b"RIFF all of it");
        p.read("AkMediaAssetData", |found| {
            let found = found.unwrap_or_else(|error| panic!("{release:?}: {error}"));
            let Asset::Wwise(file) = &found.asset else { panic!() };
            let parts: Vec<&[u8]> = file.parts.iter().map(|part| part.inline.unwrap()).collect();
            assert_eq!((parts, file.extension(b"RIFF all of it")), (vec![&b"RIFF all of it"[..]], "wem"));
        });
        let mut p = Payload::new(release);
        p.bulk(b"BKHD");
        p.read("AkAudioEventData", |found| {
            let Ok(Asset::Wwise(file)) = found.map(|found| found.asset) else { panic!("{release:?}") };
            assert_eq!((file.parts.len(), file.extension(b"")), (1, "bnk"));
        });
    }
}
