//! Animations, skeletons and skeletal meshes of the editor, spelled out as the sheet has them.

use super::made::Payload;
use super::tags::Tags;
use uncask_formats::asset::animation::Animation;
use uncask_formats::asset::gltf::{self, MeshOptions};
use uncask_formats::asset::skeleton::{Bone, Bones};
use uncask_formats::asset::source_data::SourcePlace;
use uncask_formats::asset::source_mesh::{BoneWeight, Mesh, MeshForm};
use uncask_formats::asset::{Asset, Summary, Transform};

const NAMES: [&str; 34] = [
    "ArrayProperty",
    "FloatProperty",
    "IntProperty",
    "NameProperty",
    "StructProperty",
    "AnimationTrackNames",
    "NumFrames",
    "SequenceLength",
    "root",
    "hand",
    "BoneAnimationTracks",
    "BoneAnimationTrack",
    "InternalTrackData",
    "RawAnimSequenceTrack",
    "PosKeys",
    "RotKeys",
    "ScaleKeys",
    "Vector3f",
    "Quat4f",
    "Name",
    "NumberOfKeys",
    "PlayLength",
    "TransformParameterNamesAndCurves",
    "TransformParameterNameAndCurves",
    "ParameterName",
    "hand_CONTROL",
    "Translation",
    "Rotation",
    "Scale",
    "MovieSceneFloatChannel",
    "AdditiveAnimType",
    "ByteProperty",
    "EAdditiveAnimationType",
    "AAT_LocalSpaceBase",
];

fn floats(of: &[f32]) -> Vec<u8> {
    of.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// A root and a hand.
fn bones() -> Bones {
    let bone =
        |(name, parent): (&str, Option<usize>)| Bone { name: name.into(), parent, pose: Transform::IDENTITY };
    Bones([("root", None), ("hand", Some(0))].map(bone).to_vec())
}

/// GUID of the skeleton, nothing stripped.
fn sequence(release: (u32, u32), properties: Vec<u8>) -> Payload {
    let mut p = Payload::uncooked(release, &NAMES, properties);
    p.zeros(18);
    p
}

/// Reads an animation, whose hand moves as `expected`, and exports it.
fn check(p: &Payload, frames: u32, seconds: f32, expected: [&[(f64, [f32; 3])]; 2]) {
    p.read_with("AnimSequence", |scope, _, object, found| {
        let found = found.unwrap();
        let Asset::Animation(animation) = &found.asset else { panic!("{found:?}") };
        let animation: &Animation<'_> = animation;
        assert_eq!(
            (animation.frames, animation.seconds, animation.obstacle()),
            (frames, Some(seconds), None)
        );
        let motions = animation.motions(&bones(), None).unwrap();
        let (_, hand) = motions.iter().find(|(bone, _)| *bone == 1).unwrap();
        assert_eq!([&hand.translation[..], &hand.scale], expected);
        let said = Summary::new(&found.asset, scope, object).to_string();
        assert!(said.ends_with("not compressed"), "{said}");
        let glb = gltf::animation("Wave", animation, &bones(), None).unwrap();
        assert!(glb.notes.is_empty(), "{:?}", glb.notes);
        // No such bone.
        let other = Bones(bones().0[..1].to_vec());
        let notes = gltf::animation("Wave", animation, &other, None).map(|glb| glb.notes);
        assert!(
            notes.as_ref().is_ok_and(|notes| notes[0].contains("skeleton does not have"))
                || notes.is_err_and(|error| error.to_string() == "it moves no bone")
        );
    });
}

const STILL: [f32; 4] = [0.0, 0.0, 0.0, 1.0];

#[test]
fn animations_of_ue4_have_their_tracks_in_the_payload() {
    let list = |names: &[&str]| {
        let mut tags = Tags::new(&NAMES);
        tags.names("AnimationTrackNames", names).int("NumFrames", 3).float("SequenceLength", 0.5);
        // What is imported are poses, also of an animation that is made additive.
        tags.byte_enum("AdditiveAnimType", "EAdditiveAnimationType", "AAT_LocalSpaceBase").list()
    };
    let mut p = sequence((4, 27), list(&["hand", "root"]));
    p.u32(2);
    p.bulk_array(12, &floats(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]));
    p.bulk_array(16, &floats(&STILL.repeat(3)));
    p.bulk_array(12, &floats(&[1.0, 1.0, 2.0]));
    p.bulk_array(12, &floats(&[0.0; 3]));
    p.bulk_array(16, &floats(&STILL));
    p.bulk_array(12, &[]);
    let whole = p.clone();
    // Something of the editor follows.
    p.zeros(21);
    let moved = [(0.0, [1.0, 2.0, 3.0]), (0.5, [4.0, 5.0, 6.0]), (1.0, [7.0, 8.0, 9.0])];
    check(&p, 3, 0.5, [&moved, &[(0.0, [1.0, 1.0, 2.0])]]);
    // Every track has a name, and one key or one for each frame.
    for (names, frames) in [(&["hand"][..], 3), (&["hand", "root"], 2)] {
        let mut tags = Tags::new(&NAMES);
        tags.names("AnimationTrackNames", names).int("NumFrames", frames);
        let mut other = sequence((4, 27), tags.list());
        other.bytes.clone_from(&whole.bytes);
        other.read("AnimSequence", |found| assert!(found.is_err(), "{names:?}"));
    }
}

#[test]
fn animations_of_ue5_have_their_tracks_in_a_model() {
    let mut p = sequence((5, 1), Tags::new(&NAMES).list());
    p.u32s(&[0, 0]);
    let keys = Tags::new(&NAMES)
        .structs("PosKeys", "Vector3f", &[floats(&[1.0, 2.0, 3.0]), floats(&[4.0, 5.0, 6.0])])
        .structs("RotKeys", "Quat4f", &[floats(&STILL)])
        .structs("ScaleKeys", "Vector3f", &[floats(&[1.0, 1.0, 2.0])])
        .list();
    let track = Tags::new(&NAMES)
        .structure(("InternalTrackData", 0), "RawAnimSequenceTrack", &keys)
        .named("Name", "hand")
        .list();
    let model = Tags::new(&NAMES)
        .structs("BoneAnimationTracks", "BoneAnimationTrack", &[track])
        .int("NumberOfKeys", 2)
        .float("PlayLength", 0.25)
        .list();
    p.put_inside("AnimDataModel", &model, &[]);
    let moved = [(0.0, [1.0, 2.0, 3.0]), (1.0, [4.0, 5.0, 6.0])];
    check(&p, 2, 0.25, [&moved, &[(0.0, [1.0, 1.0, 2.0])]]);
}

/// A channel with these keys, by time.
fn channel(keys: &[(u32, f32)]) -> Vec<u8> {
    let number = |number: usize| u32::try_from(number).unwrap().to_le_bytes().to_vec();
    let value = |(_, value): &(u32, f32)| [&value.to_le_bytes()[..], &[0; 24]].concat();
    let times: Vec<u8> = keys.iter().flat_map(|(time, _)| time.to_le_bytes()).collect();
    [
        vec![0, 0],
        [number(4), number(keys.len()), times].concat(),
        [number(28), number(keys.len())].concat(),
        keys.iter().flat_map(value).collect(),
        // No default; 30 ticks a second; a curve to show, which is of the editor.
        [floats(&[0.0]), number(0), number(30), number(1), number(0)].concat(),
    ]
    .concat()
}

#[test]
fn animations_since_5_2_are_curves_of_a_control_rig() {
    let mut p = sequence((5, 3), Tags::new(&NAMES).float("SequenceLength", 2.0).list());
    p.u32s(&[0, 0]);
    let mut control = Tags::new(&NAMES);
    control.named("ParameterName", "hand_CONTROL");
    let none: &[(u32, f32)] = &[];
    for (name, channels) in [
        ("Translation", [&[(0, 0.0), (60, 6.0)][..], &[(30, 5.0)], none]),
        ("Rotation", [none, none, &[(0, 0.0), (60, 90.0)]]),
        ("Scale", [none, none, &[(0, 2.0)]]),
    ] {
        for (axis, keys) in (0..).zip(channels) {
            control.structure((name, axis), "MovieSceneFloatChannel", &channel(keys));
        }
    }
    let section = Tags::new(&NAMES)
        .structs("TransformParameterNamesAndCurves", "TransformParameterNameAndCurves", &[control.list()])
        .list();
    p.put_inside("MovieSceneControlRigParameterSection", &section, &[]);
    let moved = [(0.0, [0.0, 5.0, 0.0]), (0.5, [3.0, 5.0, 0.0]), (1.0, [6.0, 5.0, 0.0])];
    check(&p, 2, 2.0, [&moved, &[(0.0, [1.0, 1.0, 2.0])]]);
    p.read("AnimSequence", |found| {
        let Asset::Animation(animation) = found.unwrap().asset else { panic!() };
        let (_, hand) = &animation.motions(&bones(), None).unwrap()[0];
        let [(_, first), (_, last)] = hand.rotation[..] else { panic!("{hand:?}") };
        // A quarter to the right, about Z.
        let near = |found: [f32; 4], expected: [f32; 4]| {
            found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-6)
        };
        let half = std::f32::consts::FRAC_1_SQRT_2;
        assert!(near(first, STILL) && near(last, [0.0, 0.0, half, half]), "{first:?} {last:?}");
    });
}

/// A reference skeleton of two bones, each with its name in the imported file.
fn reference_skeleton(p: &mut Payload) {
    p.u32(2);
    for (name, parent) in [(8, u32::MAX), (9, 0)] {
        p.name(8 + name);
        p.u32s(&[parent, 4]);
        p.bytes.extend(b"abc\0");
    }
    p.u32(2);
    for x in [0.0, 10.0] {
        p.reals(&[0.0, 0.0, 0.0, 1.0, x, 0.0, 0.0, 1.0, 1.0, 1.0]);
    }
    p.u32s(&[2, 16, 0, 0, 17, 0, 1]);
}

#[test]
fn bones_of_the_editor_have_names_of_the_imported_file() {
    for release in [(4, 27), (5, 3)] {
        let mut p = Payload::uncooked(release, &NAMES, vec![0; 8]);
        reference_skeleton(&mut p);
        p.zeros(50);
        p.read("Skeleton", |found| {
            let Asset::Skeleton(skeleton) = found.unwrap().asset else { panic!() };
            let names: Vec<&str> = skeleton.bones.0.iter().map(|bone| &*bone.name).collect();
            assert_eq!((names, skeleton.bones.0[1].parent), (vec!["root", "hand"], Some(0)));
        });
    }
}

#[test]
fn skeletal_meshes_of_the_editor_are_described_since_5_4() {
    let mut p = Payload::uncooked((5, 4), &NAMES, vec![0; 8]);
    p.bytes.extend([0, 0]);
    p.reals(&[0.0; 7]);
    // One slot: no material, a name, its name in the imported file, no density.
    p.u32s(&[1, 0]);
    p.name(6);
    p.u32(1);
    p.name(6);
    p.zeros(24);
    reference_skeleton(&mut p);
    p.zeros(9);
    // Nothing is described: such a mesh is in a form of before.
    p.read("SkeletalMesh", |found| {
        let Asset::SourceMesh(source) = found.unwrap().asset else { panic!() };
        assert!(source.models.is_empty());
    });
    let description =
        [&[0, 2, 0, 0][..], &[1; 16], &[9; 20], &5_u64.to_le_bytes(), &[3; 16], &[0; 4]].concat();
    p.put_inside("SkeletalMeshDescriptionBulkData", &[0; 8], &description);
    p.read_with("SkeletalMesh", |scope, _, object, found| {
        let found = found.unwrap();
        let Asset::SourceMesh(source) = &found.asset else { panic!("{found:?}") };
        let Some(SourcePlace::Editor(bulk)) = source.models[0].place else { panic!("{source:?}") };
        assert_eq!((source.models.len(), bulk.raw_len, &*source.slots[0].imported_name), (1, 5, "Slot"));
        let said = Summary::new(&found.asset, scope, object).to_string();
        assert!(said.contains("2 bones"), "{said}");
        let weight = |bone, weight| BoneWeight { bone, weight };
        for has_len in [true, false] {
            let mesh = Mesh::read(&skinned(has_len), MeshForm::Raw).unwrap();
            let one = vec![weight(0, 0x4000), weight(1, 0x8000)];
            assert_eq!(mesh.weights, [one, vec![weight(1, 0xFFFF)], Vec::new()]);
            let glb =
                gltf::source_mesh("M", source, (&source.models[0], &mesh), &MeshOptions::default()).unwrap();
            let json = String::from_utf8_lossy(&glb.bytes);
            assert!(json.contains("\"JOINTS_0\"") && json.contains("\"skins\""), "{json}");
        }
    });
}

/// A mesh description of a triangle, whose first corner is moved by two bones, and the second by one. Open readers differ on whether
/// the values of such an attribute have a length.
fn skinned(has_len: bool) -> Vec<u8> {
    let numbers = |of: &[u32]| of.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<_>>();
    let text = |of: &str| {
        let len = u32::try_from(of.len() + 1).unwrap();
        [&len.to_le_bytes(), of.as_bytes(), b"\0"].concat()
    };
    // Extent, elements, one channel; extent again, size, count; then values, a default and flags.
    let attribute = |name: &str, kind: u32, (extent, size): (u32, u32), values: &[u8]| {
        let count = u32::try_from(values.len()).unwrap() / size;
        let default = if kind == 7 { 80 } else { size };
        let head = if kind == 7 {
            vec![kind, extent, count, 1, extent, count]
        } else {
            vec![kind, extent, count, 1, extent, size, count]
        };
        [text(name), numbers(&head), values.to_vec(), vec![0; default as usize], numbers(&[0])].concat()
    };
    let kind = |name: &str, count: u32, attributes: &[Vec<u8>]| {
        let head = numbers(&[1, count, (1 << count) - 1, 0, count, u32::try_from(attributes.len()).unwrap()]);
        [text(name), head, attributes.concat()].concat()
    };
    let len: &[u32] = if has_len { &[4] } else { &[] };
    // Three vertices, one channel, one chunk: values; starts, lengths and capacities of three lists; elements, default.
    let lists = [3, 0, 2, 3, 2, 1, 0, 2, 1, 0, 3, 0];
    let weights = [&[4, 0, 3, 1, 1][..], len, &[3, 0x4000, 0x1_8000, 0x1_FFFF], &lists, &[0, 0]].concat();
    let weights = [text("SkinWeights"), numbers(&weights)].concat();
    let positions = floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 2.0, 0.0]);
    let normals = floats(&[0.0, 0.0, 1.0].repeat(3));
    let corners = numbers(&[0, 1, 2]);
    [
        numbers(&[5]),
        kind("Vertices", 3, &[weights, attribute("Position ", 1, (1, 12), &positions)]),
        kind(
            "VertexInstances",
            3,
            &[attribute("VertexIndex", 4, (1, 4), &corners), attribute("Normal", 1, (1, 12), &normals)],
        ),
        kind(
            "Triangles",
            1,
            &[
                attribute("VertexInstanceIndex", 4, (3, 4), &corners),
                attribute("PolygonGroupIndex", 4, (1, 4), &numbers(&[0])),
            ],
        ),
        kind("PolygonGroups", 1, &[]),
        // Transforms have no length before them.
        kind("Bones", 2, &[attribute("Pose", 7, (1, 80), &[0; 160])]),
    ]
    .concat()
}
