//! Animations that are compressed with ACL: what is in the glTF files, held against samples that the library made.

use super::opened::validate;
use super::{files, payloads, payloads_with, uncask};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A glTF file, taken apart.
struct Glb {
    json: Value,
    bytes: Vec<u8>,
}

/// Times and values of a channel.
type Keys = (Vec<f32>, Vec<Vec<f32>>);

fn size(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap()).unwrap()
}

#[expect(clippy::cast_possible_truncation, reason = "a float that was written as text")]
fn float(value: &Value) -> f32 {
    value.as_f64().unwrap() as f32
}

impl Glb {
    fn read(path: &Path) -> Self {
        let bytes = std::fs::read(path).unwrap();
        let len = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
        Self {
            json: serde_json::from_slice(&bytes[20..20 + len]).unwrap(),
            bytes: bytes[28 + len..].to_vec(),
        }
    }

    fn floats(&self, accessor: &Value) -> Vec<Vec<f32>> {
        let accessor = &self.json["accessors"][size(accessor)];
        let parts = match accessor["type"].as_str().unwrap() {
            "SCALAR" => 1,
            "VEC3" => 3,
            _ => 4,
        };
        let view = &self.json["bufferViews"][size(&accessor["bufferView"])];
        let (start, len) = (size(&view["byteOffset"]), size(&view["byteLength"]));
        let floats =
            self.bytes[start..start + len].as_chunks().0.iter().map(|float| f32::from_le_bytes(*float));
        let floats: Vec<f32> = floats.collect();
        assert_eq!(floats.len(), parts * size(&accessor["count"]));
        floats.chunks(parts).map(<[f32]>::to_vec).collect()
    }

    /// The node of a bone.
    fn node(&self, name: &str) -> usize {
        let nodes = self.json["nodes"].as_array().unwrap();
        nodes.iter().position(|node| node["name"] == name).unwrap_or_else(|| panic!("{name}: {nodes:?}"))
    }

    /// Animation of a part of a node.
    fn keys(&self, node: usize, path: &str) -> Option<Keys> {
        let animation = &self.json["animations"][0];
        let mut channels = animation["channels"].as_array().unwrap().iter();
        let moves = |target: &Value| target["path"] == path && size(&target["node"]) == node;
        let channel = channels.find(|channel| moves(&channel["target"]))?;
        let sampler = &animation["samplers"][size(&channel["sampler"])];
        let times = self.floats(&sampler["input"]).into_iter().flatten().collect();
        Some((times, self.floats(&sampler["output"])))
    }
}

/// Puts packages of the corpus where their names say that they are.
fn lay(folder: &Path, from: &Path, to: &str) {
    let to = folder.join("Game/Content").join(to);
    std::fs::create_dir_all(to.parent().unwrap()).unwrap();
    for extension in ["uasset", "uexp"] {
        std::fs::copy(from.with_extension(extension), to.with_extension(extension)).unwrap();
    }
}

/// True if values are about the expected ones, but for the signs of a rotation.
fn near(found: &[f32], expected: &[f32], off: f32) -> bool {
    let near =
        |sign: f32| found.iter().zip(expected).all(|(a, b)| (a - sign * b).abs() <= off * b.abs().max(1.0));
    found.len() == expected.len() && (near(1.0) || (found.len() == 4 && near(-1.0)))
}

/// Y and Z change places, and centimetres become metres.
fn place([x, y, z]: [f32; 3]) -> [f32; 3] {
    [x, z, y].map(|part| part / 100.0)
}

#[test]
fn animations_of_acl_have_the_samples_of_the_library() {
    let Some(payloads) = payloads_with("acl/package") else { return };
    let acl = payloads.parent().unwrap().join("acl/package");
    let mut made: Vec<PathBuf> = Vec::new();
    let out = tempfile::tempdir().unwrap();
    for name in ["plain", "wrap"] {
        let folder = tempfile::tempdir().unwrap();
        lay(folder.path(), &acl.join(name).join("AS_Fixture"), "Fixtures/Animations/AS_Fixture");
        lay(folder.path(), &acl.join("SKEL_Fixture"), "Fixtures/Animations/SKEL_Fixture");
        let (game, out) = (folder.path().join("Game"), out.path().join(name));
        let args = ["export", game.to_str().unwrap(), "--engine", "5.8"];
        let ran = uncask([&args[..], &["-o", out.to_str().unwrap()]].concat()).expect(0);
        assert!(!ran.stderr.contains("warning"), "{}", ran.stderr);
        let path = files(&out)["AS_Fixture.glb"].clone();
        let glb = Glb::read(&path);
        made.push(path);
        // Rows, tracks, floats of each and keys; then of each row the time, how it is rounded, and floats.
        let samples = std::fs::read(acl.join(name).join("bones.exp")).unwrap();
        let words = samples.as_chunks().0;
        let number = |at: usize| u32::from_le_bytes(words[at]);
        assert_eq!((number(1), number(2)), (3, 10));
        let mut compared = 0;
        for row in words[4..].chunks(32).filter(|row| u32::from_le_bytes(row[1]) == 3) {
            let row: Vec<f32> = row.iter().map(|word| f32::from_le_bytes(*word)).collect();
            for (track, bone) in row[2..].chunks(10).zip(["Root", "Joint_1", "Joint_2"]) {
                let node = glb.node(bone);
                let [x, y, z, w] = track[..4].try_into().unwrap();
                let scale: [f32; 3] = track[7..].try_into().unwrap();
                let expected = [
                    ("rotation", vec![-x, -z, -y, w]),
                    ("translation", place(track[4..7].try_into().unwrap()).to_vec()),
                    ("scale", vec![scale[0], scale[2], scale[1]]),
                ];
                for (part, expected) in expected {
                    let (times, values) = glb.keys(node, part).unwrap();
                    let at = times.iter().position(|time| (time - row[0]).abs() < 1e-5);
                    let value = if values.len() == 1 { &values[0] } else { &values[at.unwrap()] };
                    assert!(near(value, &expected, 2e-6), "{name}, {bone}, {part}: {value:?}, {expected:?}");
                    assert!(
                        values.len() == 1 || (values.len() == 31 && times[30].to_bits() == 1_f32.to_bits())
                    );
                    compared += 1;
                }
            }
        }
        assert_eq!(compared, 9 * number(3), "{name}");
        // A loop ends as it starts.
        let ends = ["Root", "Joint_1", "Joint_2"].iter().flat_map(|bone| {
            let (_, values) = glb.keys(glb.node(bone), "rotation").unwrap();
            [near(&values[0], values.last().unwrap(), 1e-6)]
        });
        assert_eq!(ends.into_iter().all(|same| same), name == "wrap");
    }
    validate(&made);
}

/// Animations of a game of 5.4, for the mannequin whose skeleton is there.
#[test]
fn animations_of_a_game_stand_as_high_as_their_skeleton() {
    let Some(payloads) = payloads() else { return };
    let corpus = payloads.parent().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let animations = [
        ("Blueprint/Level1/Character", "Mania", 125),
        ("Blueprint/Level1/Character", "CharacterDeadLay", 1),
        ("MCO_Mocap_Basics/Animation/Mobility_Pro/In_Place", "MOB1_CrouchWalk_F_IPC", 36),
        ("MCO_Mocap_Basics/Animation/Mobility_Pro/In_Place", "MOB1_Run_F_IPC", 17),
        ("MCO_Mocap_Basics/Animation/Mobility_Pro/In_Place", "MOB1_Walk_F_IPC", 36),
    ];
    let skeleton = ("MCO_Mocap_Basics/Character/Mesh", "UE4_Mannequin_Skeleton", 0);
    for (place, name, _) in animations.iter().chain([&skeleton]) {
        lay(folder.path(), &corpus.join("acl/ue5.4").join(name), &format!("{place}/{name}"));
    }
    let (game, out) = (folder.path().join("Game"), folder.path().join("out"));
    let mappings = corpus.join("properties/games/mappings/Bellwright-5.4.usmap");
    let args =
        ["export", game.to_str().unwrap(), "--engine", "5.4", "--mappings", mappings.to_str().unwrap()];
    let ran = uncask([&args[..], &["-o", out.to_str().unwrap()]].concat()).expect(0);
    assert!(!ran.stderr.contains("not exported"), "{}", ran.stderr);
    let made = files(&out);
    assert_eq!(made.len(), 6, "{made:?}");
    for (_, name, keys) in animations {
        let glb = Glb::read(&made[&format!("{name}.glb")]);
        let nodes = glb.json["nodes"].as_array().unwrap();
        let moved = (0..nodes.len()).filter_map(|node| glb.keys(node, "rotation"));
        let moved: Vec<Keys> = moved.collect();
        assert_eq!(moved.iter().map(|(times, _)| times.len()).max(), Some(keys), "{name}");
        // The way from each rotation to the next is the short one.
        let dot = |pair: &[Vec<f32>]| pair[0].iter().zip(&pair[1]).map(|(a, b)| a * b).sum::<f32>();
        assert!(moved.iter().all(|(_, values)| values.windows(2).all(|pair| dot(pair) >= 0.0)), "{name}");
    }
    // Without the pose of the skeleton, where most bones are, it would be 98 cm high.
    let mania = Glb::read(&made["Mania.glb"]);
    let highest = heights(&mania).into_iter().fold(f32::MIN, f32::max);
    assert!((highest - 1.66).abs() < 0.005, "{highest} m");
    validate(&made.into_values().collect::<Vec<_>>());
}

/// Height of bones at the first key, in metres.
fn heights(glb: &Glb) -> Vec<f32> {
    let nodes = glb.json["nodes"].as_array().unwrap();
    let children =
        |node: usize| nodes[node]["children"].as_array().into_iter().flatten().map(size).collect::<Vec<_>>();
    let turn = |[x, y, z, w]: [f32; 4], v: [f32; 3]| -> [f32; 3] {
        let cross = |b: [f32; 3]| [y * b[2] - z * b[1], z * b[0] - x * b[2], x * b[1] - y * b[0]];
        let twice = cross(v).map(|part| 2.0 * part);
        let again = cross(twice);
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
    let is_child = |node: usize| (0..nodes.len()).any(|other| children(other).contains(&node));
    let roots = (0..nodes.len()).filter(|node| !is_child(*node));
    let mut left: Vec<_> = roots.map(|node| (node, [0.0, 0.0, 0.0, 1.0], [0.0; 3])).collect();
    let mut heights = Vec::new();
    while let Some((node, turned, from)) = left.pop() {
        let own = |path: &str| {
            let still = || nodes[node][path].as_array().map(|parts| parts.iter().map(float).collect());
            glb.keys(node, path).map(|(_, values)| values[0].clone()).or_else(still)
        };
        let on = own("translation").map_or([0.0; 3], |place| turn(turned, place.try_into().unwrap()));
        let place: [f32; 3] = std::array::from_fn(|axis| from[axis] + on[axis]);
        let turned = own("rotation").map_or(turned, |rotation| product(turned, rotation.try_into().unwrap()));
        heights.push(place[1]);
        left.extend(children(node).into_iter().map(|child| (child, turned, place)));
    }
    heights
}
