//! Animations, skeletons, morph targets, sounds, and files of Wwise.

use super::RELEASES;
use super::made::Payload;
use uncask_formats::asset::Asset;
use uncask_formats::asset::gltf;
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

/// A clip of two keys and one track, as the sheet spells it out: a rotation that stays, and a translation whose numbers have 8 bits.
fn acl_clip() -> Vec<u8> {
    let words = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>();
    let floats = |floats: &[f32]| floats.iter().flat_map(|float| float.to_le_bytes()).collect::<Vec<_>>();
    let parts = [
        // Tag, version 10 and kind 12; a track, two keys, 10 a second; both ranges, rotations without w, defaults that are none.
        words(&[0xAC11_AC11, 0x0C00_000A, 1, 2]),
        floats(&[10.0]),
        words(&[0x23E]),
        // A segment with one format; animated and constant parts; no database; offsets.
        words(&[1, 1, 0, 1, 0, 1, 0, 0, u32::MAX, 52, 68, 76, 88]),
        // Of 24 bits, all are of the translation.
        words(&[24, 0, 24, 112, 1 << 30, 2 << 30]),
        floats(&[0.6, 0.0, 0.0]),
        floats(&[1.0, 2.0, 3.0, 10.0, 20.0, 5.0]),
        // The format, padding, and both keys.
        vec![8, 0, 0, 0, 0, 51, 255, 255, 0, 102],
        vec![0; 15],
    ];
    let rest = parts.concat();
    let hash = |hash: u32, byte: &u8| (hash ^ u32::from(*byte)).wrapping_mul(16_777_619);
    let head = [u32::try_from(rest.len() + 8).unwrap(), rest.iter().fold(2_166_136_261, hash)];
    [words(&head), rest].concat()
}

#[test]
fn animations_of_every_release_have_clips_of_acl() {
    let keys = [[1.0_f32, 6.0, 8.0], [11.0, 2.0, 5.0]];
    for release in RELEASES {
        animation(release, &acl_clip(), &[2, 0, 0, 0]).read("AnimSequence", |found| {
            let found = found.unwrap_or_else(|error| panic!("{release:?}: {error}"));
            let Asset::Animation(found) = &found.asset else { panic!() };
            assert_eq!((found.frames, found.obstacle(), found.length()), (2, None, Some(0.1)));
            let (bone, motion) = &found.motions(&Bones::default(), None).unwrap()[0];
            let times: Vec<f64> = motion.translation.iter().map(|(time, _)| *time).collect();
            assert_eq!((bone, &times[..], motion.scale.len()), (&0, &[0.0, 1.0][..], 0));
            let found =
                motion.translation.iter().flat_map(|(_, value)| *value).zip(keys.into_iter().flatten());
            assert!(found.clone().all(|(found, expected)| (found - expected).abs() < 1e-5), "{motion:?}");
            let [(_, [x, y, z, w])] = motion.rotation[..] else { panic!("{motion:?}") };
            assert!(
                (w - 0.8).abs() < 1e-6
                    && (x - 0.6).abs() < 1e-6
                    && [y, z].iter().all(|part| part.abs() < 1e-6),
                "{motion:?}"
            );
        });
    }
}

#[test]
fn clips_of_acl_that_are_damaged_or_elsewhere_are_refused_with_a_reason() {
    let mut damaged = acl_clip();
    damaged[90] ^= 1;
    let hash = "hash of a clip: found ";
    let database = "its tracks are in an ACL database, which is another asset";
    for release in RELEASES {
        for (stream, codec, expected) in [
            (&damaged[..], &[31, 0, 0, 0][..], hash),
            (&[0xAC; 40], &[31, 0, 0, 0], "tag: wrong magic, offset 0x8"),
            (&[], &[31, 0, 0, 0, 7, 7, 7, 7], database),
        ] {
            animation(release, stream, codec).read("AnimSequence", |found| {
                let found = found.unwrap_or_else(|error| panic!("{release:?}: {error}"));
                let Asset::Animation(found) = &found.asset else { panic!() };
                assert_eq!((found.frames, &found.bones[..]), (31, &[0][..]));
                assert_eq!(found.obstacle(), (expected == database).then_some(database));
                let error = gltf::animation("A", found, &Bones::default(), None).unwrap_err();
                assert!(error.to_string().starts_with(expected), "{error}");
            });
        }
    }
}

#[test]
fn animations_may_have_no_tracks_and_no_codec() {
    for release in RELEASES {
        animation(release, &[], &[]).read("AnimSequence", |found| {
            let found = found.unwrap_or_else(|error| panic!("{release:?}: {error}"));
            let Asset::Animation(found) = &found.asset else { panic!() };
            assert!(found.is_empty() && found.curves.len() == 1);
            let error = gltf::animation("A", found, &Bones::default(), None).unwrap_err();
            assert_eq!(error.to_string(), "it has no compressed tracks");
        });
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
