use crate::files::{Case, cases, corpus, other_cases, sha256};
use serde_json::{Value, json};
use uncask_formats::asset::mesh::{Geometry, Indices, Nanite, Tangents, TextureCoordinates, Vertices};
use uncask_formats::asset::skeleton::Bones;
use uncask_formats::asset::{Asset, FoundAsset};
use zerocopy::IntoBytes;

/// Numbers that are as near as text keeps them.
fn assert_near(found: impl IntoIterator<Item = f64>, expected: &Value, name: &str) {
    let found: Vec<f64> = found.into_iter().collect();
    let expected = expected.as_array().unwrap_or_else(|| panic!("{name}: {expected}"));
    assert_eq!(found.len(), expected.len(), "{name}");
    for (found, expected) in found.iter().zip(expected) {
        let expected = expected.as_f64().unwrap();
        assert!((found - expected).abs() <= 1e-5 * (1.0 + expected.abs()), "{name}: {found}, {expected}");
    }
}

fn check_vertices(vertices: &Vertices<'_>, indices: &Indices<'_>, expected: &Value, name: &str) {
    assert_eq!(Some(vertices.len() as u64), expected["vertices"].as_u64(), "{name}");
    assert_eq!(Some(indices.len() as u64), expected["indices"].as_u64(), "{name}");
    assert_eq!(Some(vertices.colors.len() as u64), expected["colors"].as_u64(), "{name}");
    assert_eq!(Some(vertices.uvs.channels as u64), expected["uv_channels"].as_u64(), "{name}");
    assert_eq!(Some(vertices.uvs.is_full_precision()), expected["full_precision_uv"].as_bool(), "{name}");
    let is_high = matches!(vertices.tangents, Tangents::High(_));
    assert_eq!(Some(is_high), expected["high_precision_tangents"].as_bool(), "{name}");
    let first = vertices.positions[0].map(|part| part.get().into());
    assert_near(first, &expected["first_position"], name);
    let same = |bytes: &[u8], field: &str| {
        assert_eq!(Some(&*sha256(bytes)), expected[field].as_str(), "{name}: {field}");
    };
    same(vertices.positions.as_bytes(), "sha256_positions_f32");
    same(&indices.iter().flat_map(u32::to_le_bytes).collect::<Vec<_>>(), "sha256_indices_u32");
    same(&uv_bytes(&vertices.uvs, vertices.len()), "sha256_uv_f32");
    match vertices.tangents {
        Tangents::Low(tangents) => same(tangents.as_bytes(), "sha256_tangent_bytes"),
        Tangents::High(tangents) => same(tangents.as_bytes(), "sha256_tangent_bytes"),
    }
    if !vertices.colors.is_empty() {
        let rgba = vertices.colors.iter().flat_map(|[b, g, r, a]| [*r, *g, *b, *a]);
        same(&rgba.collect::<Vec<u8>>(), "sha256_colors_rgba8");
    }
}

fn uv_bytes(uvs: &TextureCoordinates<'_>, vertices: usize) -> Vec<u8> {
    let all = (0..vertices).flat_map(|vertex| (0..uvs.channels).map(move |channel| uvs.get(vertex, channel)));
    all.flat_map(Option::unwrap).flat_map(f32::to_le_bytes).collect()
}

fn check_static(case: &Case, found: &FoundAsset<'_>) {
    let name = &case.name;
    let Asset::StaticMesh(mesh) = &found.asset else { panic!("{name}") };
    let expected = &case.expected;
    assert_near(mesh.bounds.origin, &expected["bounds"]["origin"], name);
    assert_near(mesh.bounds.extent, &expected["bounds"]["extent"], name);
    assert_near([mesh.bounds.radius], &json!([expected["bounds"]["radius"]]), name);
    let slots: Vec<&str> = mesh.materials.iter().map(|material| &*material.slot).collect();
    assert_eq!(json!(slots), expected["materials"], "{name}");
    assert_eq!(Some(mesh.sockets.len()), expected["socket_exports"].as_array().map(Vec::len), "{name}");
    assert_near(mesh.screen_sizes.iter().map(|size| f64::from(*size)), &expected["screen_sizes"], name);
    let lods = expected["lods"].as_array().unwrap();
    assert_eq!(mesh.lods.len(), lods.len(), "{name}");
    for (lod, expected) in mesh.lods.iter().zip(lods) {
        let Geometry::Inline(buffers) = &lod.geometry else { panic!("{name}: {:?}", lod.geometry) };
        let sections = lod.sections.iter().map(|section| {
            json!({ "material": section.material, "first_index": section.first_index, "triangles": section.triangles })
        });
        assert_eq!(Value::Array(sections.collect()), expected["sections"], "{name}");
        check_vertices(&buffers.vertices, &buffers.indices, expected, name);
    }
    check_nanite(mesh.nanite.as_ref(), &expected["nanite"], name);
}

fn check_nanite(nanite: Option<&Nanite<'_>>, expected: &Value, name: &str) {
    assert_eq!(Some(nanite.is_some()), expected["present"].as_bool(), "{name}");
    let Some(nanite) = nanite else { return };
    let found = json!({
        "present": true,
        "input_triangles": nanite.triangles,
        "input_vertices": nanite.vertices,
        "pages": nanite.pages.len(),
        "root_pages": nanite.root_page_count,
        "clusters": nanite.clusters,
        "streamed_bytes": nanite.streamed.record.len,
    });
    assert_eq!(found, *expected, "{name}");
}

#[test]
fn static_meshes_are_those_of_the_independent_reader() {
    let Some(corpus) = corpus() else { return };
    let others = other_cases(&corpus, "StaticMesh");
    assert_eq!(others.len(), 7, "six of 5.1 and one of 5.5");
    for case in cases(&corpus, "StaticMesh").iter().chain(&others) {
        let scope = case.file.scope();
        check_static(case, &case.read(&scope));
    }
}

#[test]
fn the_vectors_of_a_vertex_are_those_of_the_sheet() {
    let Some(corpus) = corpus() else { return };
    let cases = cases(&corpus, "StaticMesh");
    let case = cases.iter().find(|case| case.expected["export"] == "SM_Fixture").unwrap();
    let scope = case.file.scope();
    let found = case.read(&scope);
    let Asset::StaticMesh(mesh) = &found.asset else { panic!() };
    let Geometry::Inline(buffers) = &mesh.lods[0].geometry else { panic!() };
    let basis = buffers.vertices.tangents.get(0).unwrap();
    let expected = [1.0, 0.0, 0.0, 0.0, 0.197, -0.984, -1.0];
    let found = basis.tangent.into_iter().chain(basis.normal).chain([basis.sign]);
    assert!(
        found.zip(expected).all(|(found, expected): (f32, f32)| (found - expected).abs() < 0.006),
        "{basis:?}"
    );
    // Red: blue comes first.
    assert_eq!(buffers.vertices.colors[0], [0, 0, 0xFF, 0xFF]);
    assert_eq!(buffers.vertices.uvs.get(1, 0), Some([1.0, 0.0]));
    assert_eq!(buffers.vertices.uvs.get(1, 2), None);
}

pub(crate) fn check_bones(bones: &Bones, expected: &Value, name: &str) {
    let found = bones.0.iter().map(|bone| {
        let parent = bone.parent.map_or(-1, |parent| i64::try_from(parent).unwrap());
        json!([&*bone.name, parent])
    });
    assert_eq!(Value::Array(found.collect()), *expected, "{name}");
}

#[test]
fn skeletal_meshes_are_those_of_the_independent_reader() {
    let Some(corpus) = corpus() else { return };
    for case in cases(&corpus, "SkeletalMesh") {
        let scope = case.file.scope();
        let found = case.read(&scope);
        let name = &case.name;
        let Asset::SkeletalMesh(mesh) = &found.asset else { panic!("{name}") };
        check_bones(&mesh.bones, &case.expected["bones"], name);
        let slots: Vec<&str> = mesh.materials.iter().map(|material| &*material.slot).collect();
        assert_eq!(json!(slots), case.expected["materials"], "{name}");
        let lods = case.expected["lods"].as_array().unwrap();
        assert_eq!(mesh.lods.len(), lods.len(), "{name}");
        for (lod, expected) in mesh.lods.iter().zip(lods) {
            let Geometry::Inline(buffers) = &lod.geometry else { panic!("{name}") };
            check_vertices(&buffers.vertices, &buffers.indices, expected, name);
            let sections = lod.sections.iter().map(|section| {
                let bones: Vec<u16> = section.bone_map.iter().map(|bone| bone.get()).collect();
                json!({
                    "material": section.material, "first_index": section.first_index, "triangles": section.triangles,
                    "base_vertex": section.first_vertex, "vertices": section.vertices, "bone_map": bones,
                    "max_influences": section.max_influences,
                })
            });
            assert_eq!(Value::Array(sections.collect()), expected["sections"], "{name}");
            let weights = &buffers.weights;
            assert_eq!(
                Some(weights.max_influences as u64),
                expected["influences_per_vertex"].as_u64(),
                "{name}"
            );
            let first = weights.of(0);
            let (bones, shares): (Vec<u16>, Vec<u16>) = first.map(|found| (found.bone, found.weight)).unzip();
            assert_eq!(json!([bones, shares]), expected["first_influence"], "{name}");
            for vertex in 0..buffers.vertices.len() {
                let sum: u16 = weights.of(vertex).map(|influence| influence.weight).sum();
                assert_eq!(sum, weights.whole(), "{name}");
            }
            let morphs = expected["morphs"].as_array().unwrap();
            let found = buffers.morphs.as_ref();
            for (target, expected) in morphs.iter().enumerate() {
                let deltas: Vec<_> = found.into_iter().flat_map(|morphs| morphs.target(target)).collect();
                let expected = expected.as_array().unwrap();
                assert_eq!(deltas.len(), expected.len(), "{name}");
                for (delta, expected) in deltas.iter().zip(expected) {
                    assert_eq!(Some(u64::from(delta.vertex)), expected["vertex"].as_u64(), "{name}");
                    let near = |found: [f32; 3], expected: &Value| {
                        let expected = expected.as_array().unwrap().iter().map(|part| part.as_f64().unwrap());
                        found
                            .iter()
                            .zip(expected)
                            .all(|(found, expected)| (f64::from(*found) - expected).abs() < 1e-4)
                    };
                    assert!(near(delta.position, &expected["delta"]), "{name}: {delta:?}");
                    assert!(near(delta.normal, &expected["normal_delta"]), "{name}: {delta:?}");
                }
            }
        }
    }
}

#[test]
fn skeletons_are_those_of_the_independent_reader() {
    let Some(corpus) = corpus() else { return };
    for case in cases(&corpus, "Skeleton") {
        let scope = case.file.scope();
        let found = case.read(&scope);
        let Asset::Skeleton(skeleton) = &found.asset else { panic!("{}", case.name) };
        check_bones(&skeleton.bones, &case.expected["bones"], &case.name);
        for (bone, expected) in skeleton.bones.0.iter().zip(case.expected["ref_pose"].as_array().unwrap()) {
            assert_near(bone.pose.rotation, &expected["q"], &case.name);
            assert_near(bone.pose.translation, &expected["t"], &case.name);
            assert_near(bone.pose.scale, &expected["s"], &case.name);
        }
        assert_eq!(Some(&*hex::encode(skeleton.guid.0)), case.expected["guid"].as_str(), "{}", case.name);
    }
}

#[test]
fn morph_targets_are_those_of_the_independent_reader() {
    let Some(corpus) = corpus() else { return };
    for case in cases(&corpus, "MorphTarget") {
        let scope = case.file.scope();
        let found = case.read(&scope);
        let Asset::MorphTarget(target) = &found.asset else { panic!("{}", case.name) };
        let lods = target.lods.iter().map(|lod| {
            json!({
                "stripped": lod.deltas.is_none(), "count": lod.count, "base_vertices": lod.base_vertices,
                "sections": lod.sections,
            })
        });
        assert_eq!(Value::Array(lods.collect()), case.expected["lods"], "{}", case.name);
    }
}
