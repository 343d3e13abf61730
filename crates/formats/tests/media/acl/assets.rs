//! Animations whose tracks are clips.

use super::files;
use super::samples::{Moment, NEAR, Samples, Tally};
use crate::files::{File, corpus};
use uncask_formats::asset::animation::acl::{AclClip, DefaultPose};
use uncask_formats::asset::animation::{Animation, Motion};
use uncask_formats::asset::skeleton::Bones;
use uncask_formats::asset::{Asset, FoundAsset};

fn bones_of<'f>(found: &'f FoundAsset<'_>) -> &'f Bones {
    let Asset::Skeleton(skeleton) = &found.asset else { panic!("{}", found.class) };
    &skeleton.bones
}

fn animation_of<'f, 'a>(found: &'f FoundAsset<'a>) -> &'f Animation<'a> {
    let Asset::Animation(animation) = &found.asset else { panic!("{}", found.class) };
    animation
}

#[expect(clippy::cast_possible_truncation, reason = "keys have poses as floats")]
fn single(part: f64) -> f32 {
    part as f32
}

/// What a bone is at a key of all, in a clip without keys of its own.
fn key<const N: usize>(keys: &[(f64, [f32; N])], at: usize, still: [f32; N]) -> [f32; N] {
    keys.get(at).or(keys.first()).map_or(still, |(_, value)| *value)
}

/// A cooked animation of 5.8 whose tracks are ACL: plain, with a curve and defaults that the skeleton has, and a loop.
#[test]
fn animations_of_packages_are_those_of_their_clips() {
    let Some(corpus) = corpus() else { return };
    let folder = corpus.join("acl/package");
    let skeleton = File::open(&folder.join("SKEL_Fixture.uasset"), "5.8", None);
    let skeleton_scope = skeleton.scope();
    let skeleton = skeleton.read(&skeleton_scope, "SKEL_Fixture");
    let bones = bones_of(&skeleton);
    for name in ["plain", "bind-curves", "wrap"] {
        let folder = folder.join(name);
        let file = File::open(&folder.join("AS_Fixture.uasset"), "5.8", None);
        let scope = file.scope();
        let found = file.read(&scope, "AS_Fixture");
        let animation = animation_of(&found);
        assert_eq!(
            (animation.frames, animation.obstacle(), animation.length()),
            (31, None, Some(1.0)),
            "{name}"
        );
        let samples = Samples::read(&folder.join("bones.exp"));
        let blob = std::fs::read(folder.join("bones.acl")).unwrap();
        let clip = AclClip::parse(&blob).unwrap();
        let has_pose = clip.default_pose() == DefaultPose::Skeleton;
        assert_eq!(has_pose, name == "bind-curves");
        let (motions, stored) = (animation.motions(bones, None).unwrap(), clip.decode());
        assert_eq!(motions.len(), samples.tracks);
        let (mut tally, mut keys) = (Tally::default(), 0);
        // Rows at the times of keys.
        for row in samples.rows.iter().filter(|row| row.rounding == 3) {
            let moment = Moment::new(row, samples.keys, 31, 30.0);
            let at = moment.keys[usize::from(moment.share > 0.5)] as usize;
            keys += 1;
            for (((bone, motion), stored), expected) in motions.iter().zip(&stored).zip(row.values.chunks(10))
            {
                let pose = &bones.0[*bone as usize].pose;
                let name = || format!("{name}, bone {bone}, key {at}");
                let or = |is_default: bool, pose: &[f64], expected: &[f32]| -> Vec<f32> {
                    if is_default && has_pose {
                        pose.iter().copied().map(single).collect()
                    } else {
                        expected.to_vec()
                    }
                };
                let expected = [
                    or(stored.rotation.values.is_empty(), &pose.rotation, &expected[..4]),
                    or(stored.translation.values.is_empty(), &pose.translation, &expected[4..7]),
                    or(stored.scale.values.is_empty(), &[1.0; 3], &expected[7..]),
                ];
                tally.add(&key(&motion.rotation, at, [0.0, 0.0, 0.0, 1.0]), &expected[0], NEAR, &name);
                tally.add(&key(&motion.translation, at, [0.0; 3]), &expected[1], NEAR, &name);
                tally.add(&key(&motion.scale, at, [1.0; 3]), &expected[2], NEAR, &name);
            }
        }
        assert_eq!((keys, tally.values), (samples.keys, u64::from(samples.keys) * 30), "{name}");
        // A loop ends as it starts.
        let ends = |(_, motion): &(u32, Motion)| {
            let ends = [0, 30]
                .map(|at| (key(&motion.rotation, at, [0.0; 4]), key(&motion.translation, at, [0.0; 3])));
            ends[0] == ends[1]
        };
        assert_eq!(motions.iter().all(ends), name == "wrap", "{name}");
        let keys: Vec<usize> = animation.curves.iter().map(|curve| curve.keys.len()).collect();
        assert_eq!(keys, [if name == "bind-curves" { 31 } else { 3 }], "{name}");
    }
}

/// Positions of bones in the space of the mesh.
fn positions(bones: &Bones, motions: &[(u32, Motion)]) -> Vec<[f32; 3]> {
    let turn = |[x, y, z, w]: [f32; 4], v: [f32; 3]| {
        let cross = |a: [f32; 3], b: [f32; 3]| {
            [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
        };
        let twice = cross([x, y, z], v).map(|part| 2.0 * part);
        let again = cross([x, y, z], twice);
        std::array::from_fn(|axis| v[axis] + w * twice[axis] + again[axis])
    };
    let product = |[ax, ay, az, aw]: [f32; 4], [bx, by, bz, bw]: [f32; 4]| {
        [
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
            aw * bw - ax * bx - ay * by - az * bz,
        ]
    };
    let mut placed: Vec<([f32; 4], [f32; 3])> = Vec::new();
    for (at, bone) in (0_u32..).zip(&bones.0) {
        let motion = motions.iter().find(|(bone, _)| *bone == at).map(|(_, motion)| motion);
        let pose = (bone.pose.rotation.map(single), bone.pose.translation.map(single));
        let (rotation, translation) = motion.map_or(pose, |motion| {
            (key(&motion.rotation, 0, [0.0; 4]), key(&motion.translation, 0, [0.0; 3]))
        });
        placed.push(match bone.parent {
            None => (rotation, translation),
            Some(parent) => {
                let (turned, from) = placed[parent];
                let on: [f32; 3] = turn(turned, translation);
                (product(turned, rotation), std::array::from_fn(|axis| from[axis] + on[axis]))
            }
        });
    }
    placed.into_iter().map(|(_, place)| place).collect()
}

/// Animations of a game of 5.4, with the skeleton that has what they do not store.
#[test]
fn mannequins_are_as_high_as_their_skeleton() {
    let Some(corpus) = corpus() else { return };
    let folder = corpus.join("acl/ue5.4");
    let skeleton = File::open(&folder.join("UE4_Mannequin_Skeleton.uasset"), "5.4", None);
    let skeleton_scope = skeleton.scope();
    let skeleton = skeleton.read(&skeleton_scope, "UE4_Mannequin_Skeleton");
    let bones = bones_of(&skeleton);
    let mut seen = 0;
    for path in files(&corpus, "ue5.4", "uasset") {
        let name = path.file_stem().unwrap().to_str().unwrap();
        if name.ends_with("Skeleton") {
            continue;
        }
        let file = File::open(&path, "5.4", None);
        let scope = file.scope();
        let found = file.read(&scope, name);
        let animation = animation_of(&found);
        assert_eq!(animation.obstacle(), None, "{name}");
        let motions = animation.motions(bones, None).unwrap_or_else(|error| panic!("{name}: {error}"));
        let keys =
            motions.iter().map(|(_, motion)| motion.rotation.len().max(motion.translation.len())).max();
        let heights = positions(bones, &motions).into_iter().map(|[_, _, z]| z);
        let (low, high) = heights.fold((f32::MAX, f32::MIN), |(low, high), z| (low.min(z), high.max(z)));
        let all = u32::try_from(keys.unwrap()).unwrap();
        // One that does not move has one key for both of its frames.
        assert!(all == animation.frames || (all, animation.frames) == (1, 2), "{name}: {all} keys");
        assert_eq!(motions.len(), animation.bones.len());
        if name == "Mania" {
            // It stands upright: without the pose of its skeleton it would be 98 cm high.
            assert!(low.abs() < 0.1 && (high - 166.0).abs() < 0.5, "{low} to {high}");
        }
        if name == "MOB1_CrouchWalk_F_IPC" {
            let speed = animation.curves.iter().find(|curve| &*curve.name == "Speed").unwrap();
            assert!(speed.keys.len() == 1 && (speed.keys[0].value - 98.83).abs() < 0.01, "{speed:?}");
        }
        seen += 1;
    }
    assert_eq!(seen, 10);
}
