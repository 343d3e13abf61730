//! The structure of glTF files, read back by other code than wrote them: a reader of the JSON, which follows every number.

use crate::files::{Case, cases, corpus, other_cases};
use crate::validator::validate;
use serde_json::Value;
use uncask_formats::asset::Transform;
use uncask_formats::asset::gltf::{self, Glb, MeshOptions};
use uncask_formats::asset::{Asset, FoundAsset, Socket};
use uncask_formats::package::legacy::PackageIndex;

/// A number of the JSON.
fn size(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap()).unwrap()
}

/// Whether numbers are the expected ones.
fn same(found: &[f64], expected: &[f64]) -> bool {
    found.len() == expected.len() && found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9)
}

/// An index that was read as a float.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "indices are small whole numbers"
)]
const fn index(number: f64) -> usize {
    number as usize
}

/// A file, taken apart.
struct File {
    json: Value,
    bytes: Vec<u8>,
}

impl File {
    /// Checks the chunks, and that every accessor and view lies inside.
    fn new(glb: &Glb) -> Self {
        let bytes = &glb.bytes;
        let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        assert_eq!(&bytes[..8], b"glTF\x02\0\0\0");
        assert_eq!(number(8), bytes.len());
        let json_len = number(12);
        assert_eq!(&bytes[16..20], b"JSON");
        let json: Value = serde_json::from_slice(&bytes[20..20 + json_len]).unwrap();
        let rest = &bytes[20 + json_len..];
        assert_eq!(&rest[4..8], b"BIN\0");
        let file = Self { json, bytes: rest[8..].to_vec() };
        for view in file.json["bufferViews"].as_array().unwrap() {
            let end = size(&view["byteOffset"]) + size(&view["byteLength"]);
            assert!(end <= size(&file.json["buffers"][0]["byteLength"]));
        }
        for at in 0..file.json["accessors"].as_array().unwrap().len() {
            assert!(file.floats(at).iter().all(|number| number.is_finite()));
        }
        file
    }

    /// All numbers of an accessor.
    fn floats(&self, accessor: usize) -> Vec<f64> {
        let accessor = &self.json["accessors"][accessor];
        let parts = match accessor["type"].as_str().unwrap() {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 16,
        };
        let count = size(&accessor["count"]) * parts;
        let kind = accessor["componentType"].as_u64().unwrap();
        if accessor["bufferView"].is_null() {
            return vec![0.0; count];
        }
        let view = &self.json["bufferViews"][size(&accessor["bufferView"])];
        let start = size(&view["byteOffset"]);
        let bytes = &self.bytes[start..start + size(&view["byteLength"])];
        let numbers: Vec<f64> = match kind {
            5121 => bytes.iter().map(|number| f64::from(*number)).collect(),
            5123 => bytes.as_chunks().0.iter().map(|number| f64::from(u16::from_le_bytes(*number))).collect(),
            5125 => bytes.as_chunks().0.iter().map(|number| f64::from(u32::from_le_bytes(*number))).collect(),
            _ => bytes.as_chunks().0.iter().map(|number| f64::from(f32::from_le_bytes(*number))).collect(),
        };
        assert_eq!(numbers.len(), count);
        numbers
    }

    fn attribute(&self, primitive: usize, name: &str) -> Option<Vec<f64>> {
        let primitive = &self.json["meshes"][0]["primitives"][primitive];
        let accessor = &primitive["attributes"][name];
        (!accessor.is_null()).then(|| self.floats(size(accessor)))
    }
}

fn glb(found: &FoundAsset<'_>, options: &MeshOptions) -> Glb {
    match &found.asset {
        Asset::StaticMesh(mesh) => gltf::static_mesh("Mesh", mesh, options),
        Asset::SkeletalMesh(mesh) => gltf::skeletal_mesh("Mesh", mesh, options),
        Asset::Skeleton(skeleton) => gltf::skeleton("Skeleton", &skeleton.bones),
        _ => panic!("{}", found.class),
    }
    .unwrap()
}

fn of_name<'c>(cases: &'c [Case], name: &str) -> &'c Case {
    cases.iter().find(|case| case.expected["export"] == name).unwrap()
}

/// Lets the validator look at a file.
fn check(name: &str, glb: &Glb) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name).with_extension("glb");
    std::fs::write(&path, &glb.bytes).unwrap();
    validate(&[path]);
}

#[test]
fn static_meshes_have_the_axes_and_units_of_gltf() {
    let Some(corpus) = corpus() else { return };
    let cases = cases(&corpus, "StaticMesh");
    let case = of_name(&cases, "SM_Fixture");
    let scope = case.file.scope();
    let place = Transform { translation: [1.0, 2.0, 3.0], ..Transform::IDENTITY };
    let socket = Socket { name: "Socket_Fixture".to_owned(), bone: None, place };
    let options = MeshOptions { sockets: vec![socket], ..MeshOptions::default() };
    let glb = glb(&case.read(&scope), &options);
    check("SM_Fixture", &glb);
    let file = File::new(&glb);
    assert!(glb.notes.is_empty(), "{:?}", glb.notes);
    let json = &file.json;
    assert_eq!(json["materials"], serde_json::json!([{ "name": "Primary" }, { "name": "Secondary" }]));
    let primitives = json["meshes"][0]["primitives"].as_array().unwrap();
    assert_eq!(primitives.len(), 2);
    assert_eq!((&primitives[0]["material"], &primitives[1]["material"]), (&Value::from(0), &Value::from(1)));
    assert!(same(&file.floats(size(&primitives[1]["indices"])), &[3.0, 4.0, 5.0]));
    // Vertex 2 is at (50, 50, 20) centimetres.
    let positions = file.attribute(0, "POSITION").unwrap();
    assert!(
        positions[6..9].iter().zip([0.5, 0.2, 0.5]).all(|(found, expected)| (found - expected).abs() < 1e-6)
    );
    assert!(same(&file.attribute(0, "COLOR_0").unwrap()[..4], &[255.0, 0.0, 0.0, 255.0]));
    assert!(same(&file.attribute(0, "TEXCOORD_0").unwrap()[2..4], &[1.0, 0.0]));
    // Normal (0, .197, −.984), sign −1.
    let normals = file.attribute(0, "NORMAL").unwrap();
    assert!(normals[1] < -0.97 && normals[2] > 0.18, "{normals:?}");
    assert!((file.attribute(0, "TANGENT").unwrap()[3] + 1.0).abs() < 1e-6);
    let socket = &json["nodes"][1];
    assert_eq!(
        (&socket["name"], &json["nodes"][0]["children"]),
        (&"Socket_Fixture".into(), &serde_json::json!([1]))
    );
    assert_eq!(socket["translation"], serde_json::json!([0.01, 0.03, 0.02]));
}

#[test]
fn sockets_are_objects_in_their_mesh() {
    let Some(corpus) = corpus() else { return };
    for case in cases(&corpus, "StaticMesh").iter().filter(|case| !case.name.ends_with("without mappings")) {
        let scope = case.file.scope();
        let mut exports = case.file.package.exports.iter();
        let name = case.expected["export"].as_str().unwrap();
        let at = exports.position(|export| case.file.package.text(export.name).to_string() == name).unwrap();
        let mesh = PackageIndex::export(u32::try_from(at).unwrap()).unwrap();
        let sockets = Socket::of_mesh(&scope, mesh);
        assert_eq!(sockets.len(), case.expected["socket_exports"].as_array().unwrap().len(), "{}", case.name);
        assert!(sockets.iter().all(|socket| socket.bone.is_none() && !socket.name.is_empty()), "{sockets:?}");
    }
    // A turn to the right by 90 degrees is one about Z.
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let found = Transform::rotation_of(0.0, 90.0, 0.0);
    assert!(
        found.iter().zip([0.0, 0.0, half, half]).all(|(found, expected)| (found - expected).abs() < 1e-12)
    );
}

#[test]
fn every_triangle_faces_where_its_normals_point() {
    let Some(corpus) = corpus() else { return };
    for case in cases(&corpus, "StaticMesh").iter().chain(&other_cases(&corpus, "StaticMesh")) {
        let scope = case.file.scope();
        let glb = glb(&case.read(&scope), &MeshOptions::default());
        check(case.expected["export"].as_str().unwrap(), &glb);
        let file = File::new(&glb);
        let (positions, normals) =
            (file.attribute(0, "POSITION").unwrap(), file.attribute(0, "NORMAL").unwrap());
        let vector = |of: &[f64], number: f64| -> [f64; 3] {
            let at = index(number) * 3;
            of[at..at + 3].try_into().unwrap()
        };
        let mut agree = 0;
        let indices = file.floats(size(&file.json["meshes"][0]["primitives"][0]["indices"]));
        for triangle in indices.as_chunks::<3>().0 {
            let [a, b, c] = triangle.map(|index| vector(&positions, index));
            let minus = |p: [f64; 3], q: [f64; 3]| [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
            let (u, v) = (minus(b, a), minus(c, a));
            let face = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
            let normal = vector(&normals, triangle[0]);
            agree += usize::from(face.iter().zip(normal).map(|(a, b)| a * b).sum::<f64>() >= -1e-9);
        }
        assert_eq!(agree, indices.len() / 3, "{}", case.name);
    }
}

#[test]
fn tangents_of_length_zero_are_left_out_with_a_note() {
    let Some(corpus) = corpus() else { return };
    let cases = cases(&corpus, "StaticMesh");
    let case = of_name(&cases, "SM_Nanite");
    let scope = case.file.scope();
    let glb = glb(&case.read(&scope), &MeshOptions::default());
    let file = File::new(&glb);
    assert!(file.attribute(0, "NORMAL").is_some() && file.attribute(0, "TANGENT").is_none());
    assert_eq!(glb.notes, ["some tangents are zero: tangents are left out"]);
    let lod = MeshOptions { lod: 1, ..MeshOptions::default() };
    let Asset::StaticMesh(mesh) = case.read(&scope).asset else { panic!() };
    let error = gltf::static_mesh("Mesh", &mesh, &lod).unwrap_err();
    assert_eq!(error.to_string(), "level of detail 1 does not exist (it has 1)");
}

#[test]
fn skeletal_meshes_have_bones_weights_and_morph_targets() {
    let Some(corpus) = corpus() else { return };
    let cases = cases(&corpus, "SkeletalMesh");
    let case = &cases[0];
    let scope = case.file.scope();
    let options = MeshOptions { morph_names: vec!["Morph_Fixture".to_owned()], ..MeshOptions::default() };
    let glb = glb(&case.read(&scope), &options);
    check("SK_Fixture", &glb);
    let file = File::new(&glb);
    let json = &file.json;
    assert_eq!(json["skins"][0]["joints"], serde_json::json!([0, 1, 2]));
    assert_eq!(json["nodes"][1]["children"], serde_json::json!([2]));
    assert_eq!(json["meshes"][0]["extras"]["targetNames"], serde_json::json!(["Morph_Fixture"]));
    assert!(same(&file.attribute(0, "WEIGHTS_0").unwrap()[..4], &[1.0, 0.0, 0.0, 0.0]));
    assert!(file.attribute(0, "WEIGHTS_1").is_none());
    // The third bone is 2 × 6.667 cm above the root.
    let inverse = file.floats(size(&json["skins"][0]["inverseBindMatrices"]));
    assert!(
        (inverse[32 + 13] + 0.133_333).abs() < 1e-5 && (inverse[32 + 15] - 1.0).abs() < 1e-9,
        "{inverse:?}"
    );
    let target = &json["meshes"][0]["primitives"][1]["targets"][0]["POSITION"];
    let target = &json["accessors"][size(target)];
    assert_eq!((&target["count"], &target["sparse"]["count"]), (&6.into(), &2.into()));
    assert_eq!(target["min"].as_array().unwrap().len(), 3);
}

#[test]
fn animations_move_the_bones_of_their_skeleton() {
    let Some(corpus) = corpus() else { return };
    let skeletons = cases(&corpus, "Skeleton");
    let skeleton_scope = skeletons[0].file.scope();
    let skeleton = skeletons[0].read(&skeleton_scope);
    check("SKEL_Fixture", &glb(&skeleton, &MeshOptions::default()));
    let Asset::Skeleton(skeleton) = &skeleton.asset else { panic!() };
    let all = cases(&corpus, "AnimSequence");
    let case = of_name(&all, "AS_Fixture");
    let scope = case.file.scope();
    let found = case.read(&scope);
    let Asset::Animation(animation) = &found.asset else { panic!() };
    let glb = gltf::animation("AS_Fixture", animation, &skeleton.bones, None).unwrap();
    check("AS_Fixture", &glb);
    let file = File::new(&glb);
    let channels = file.json["animations"][0]["channels"].as_array().unwrap();
    assert_eq!(channels.len(), 9, "three tracks of three parts");
    let of = |path: &str, node: usize| {
        let mut channels = channels.iter();
        let moves = |target: &Value| target["path"] == path && size(&target["node"]) == node;
        let channel = channels.find(|channel| moves(&channel["target"])).unwrap();
        let sampler = &file.json["animations"][0]["samplers"][size(&channel["sampler"])];
        (file.floats(size(&sampler["input"])), file.floats(size(&sampler["output"])))
    };
    // Track 0: X from 0 to 10 cm in one second.
    let (times, values) = of("translation", 0);
    assert!(same(&times, &[0.0, 1.0]), "{times:?}");
    assert!((values[3] - 0.1).abs() < 1e-6 && same(&values[..3], &[0.0; 3]), "{values:?}");
    // Track 1: keys at frames 0, 24 and 30 of 31; Y −.17362 becomes Z .17362.
    let (times, values) = of("rotation", 1);
    assert!((times[1] - 0.8).abs() < 1e-6 && times.len() == 3, "{times:?}");
    assert!((values[10] - 0.173_62).abs() < 2e-5 && (values[11] - 0.984_81).abs() < 2e-5, "{values:?}");
    let additive = of_name(&all, "AS_Additive");
    let scope = additive.file.scope();
    let found = additive.read(&scope);
    let Asset::Animation(animation) = &found.asset else { panic!() };
    let error = gltf::animation("AS_Additive", animation, &skeleton.bones, None).unwrap_err();
    assert!(error.to_string().starts_with("it is additive"), "{error}");
}

/// AS_Additive holds the differences of AS_Fixture to its own first frame: added to that, they are AS_Fixture again.
#[test]
fn an_additive_animation_is_added_to_its_base() {
    let Some(corpus) = corpus() else { return };
    let skeletons = cases(&corpus, "Skeleton");
    let scope = skeletons[0].file.scope();
    let skeleton = skeletons[0].read(&scope);
    let Asset::Skeleton(skeleton) = &skeleton.asset else { panic!() };
    let all = cases(&corpus, "AnimSequence");
    let [base_scope, additive_scope] =
        ["AS_Fixture", "AS_Additive"].map(|name| of_name(&all, name).file.scope());
    let base = of_name(&all, "AS_Fixture").read(&base_scope);
    let additive = of_name(&all, "AS_Additive").read(&additive_scope);
    let (Asset::Animation(base), Asset::Animation(additive)) = (&base.asset, &additive.asset) else {
        panic!()
    };
    check("AS_Additive", &gltf::animation("AS_Additive", additive, &skeleton.bones, Some(base)).unwrap());
    let expected = base.motions(&skeleton.bones, None).unwrap();
    let found = additive.motions(&skeleton.bones, Some(base)).unwrap();
    assert_eq!(found.len(), 3);
    let near = |a: &[f32], b: &[f32]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-3);
    for ((bone, found), (same, expected)) in found.iter().zip(&expected) {
        assert_eq!(bone, same);
        let last = |keys: &[(f64, [f32; 3])], still| keys.last().map_or([still; 3], |(_, value)| *value);
        assert!(near(&last(&found.translation, 0.0), &last(&expected.translation, 0.0)), "{found:?}");
        assert!(near(&last(&found.scale, 1.0), &last(&expected.scale, 1.0)), "{found:?}, {expected:?}");
        let [found, expected] = [found, expected].map(|motion| motion.rotation.last().unwrap().1);
        assert!(near(&found, &expected), "{found:?}, {expected:?}");
    }
}
