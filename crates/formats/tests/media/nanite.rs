//! Nanite meshes at full detail, compared with what an independent decoder found in them.

use crate::files::{File, chunk, corpus, sha256};
use serde_json::Value;
use std::path::Path;
use uncask_formats::asset::gltf::{MeshOptions, MeshPart};
use uncask_formats::asset::mesh::{NaniteError, NaniteMesh, StaticMesh};
use uncask_formats::asset::{Asset, SplineBend, SplineEnd};

/// Calls a function with each mesh of the corpus: its name, the mesh, its bulk data, and what is expected.
fn each(corpus: &Path, mut check: impl FnMut(&str, &StaticMesh<'_>, Option<&[u8]>, &Value)) {
    let all: Value =
        serde_json::from_slice(&std::fs::read(corpus.join("geometry/expected.json")).unwrap()).unwrap();
    for (path, expected) in all["nanite_proposed_corpus"].as_object().unwrap() {
        let file = corpus.join("geometry").join(path);
        let name = file.file_stem().unwrap().to_str().unwrap().to_owned();
        let bulk = std::fs::read(file.with_extension("ubulk")).ok();
        mesh(&File::open(&file, "5.4", None), &name, |mesh| check(&name, mesh, bulk.as_deref(), expected));
    }
    let cube = File::open(&corpus.join("packages/ue5.5/SM_Cube.uasset"), "5.5", None);
    mesh(&cube, "SM_Cube", |mesh| {
        check("SM_Cube", mesh, None, &all["nanite"]["packages/ue5.5/SM_Cube.uasset"]["SM_Cube"]);
    });
    for cook in ["tagged", "unversioned"] {
        let path = corpus.join("properties/ue5.8").join(cook).join("Fixtures/Meshes/SM_Nanite.uasset");
        let expected =
            &all["nanite"][format!("iostore/ue5.8/{cook}:/Game/Fixtures/Meshes/SM_Nanite")]["SM_Nanite"];
        let bulk = chunk(corpus, cook, "Fixtures/Meshes/SM_Nanite.ubulk");
        mesh(&File::open(&path, "5.8", None), "SM_Nanite", |mesh| {
            check(cook, mesh, Some(&bulk), expected);
        });
    }
}

fn mesh(file: &File, name: &str, check: impl FnOnce(&StaticMesh<'_>)) {
    let scope = file.scope();
    let found = file.read(&scope, name);
    let Asset::StaticMesh(mesh) = &found.asset else { panic!("{name}") };
    check(mesh);
}

/// The part of bulk data that has the pages.
fn pages<'b>(mesh: &StaticMesh<'_>, bulk: Option<&'b [u8]>) -> Option<&'b [u8]> {
    let record = mesh.nanite.as_ref().unwrap().streamed.record;
    let (start, len) = (usize::try_from(record.offset).ok()?, usize::try_from(record.len).ok()?);
    bulk?.get(start..start + len)
}

fn le<const N: usize>(numbers: impl Iterator<Item = [u8; N]>) -> Vec<u8> {
    numbers.flatten().collect()
}

#[test]
fn meshes_are_those_of_the_independent_decoder() {
    let Some(corpus) = corpus() else { return };
    let (mut meshes, mut triangles) = (0, 0);
    each(&corpus, |name, mesh, bulk, expected| {
        let nanite = mesh.nanite.as_ref().unwrap();
        let found = nanite.mesh(pages(mesh, bulk)).unwrap_or_else(|error| panic!("{name}: {error}"));
        let number = |field: &str| usize::try_from(expected[field].as_u64().unwrap()).unwrap();
        assert_eq!(nanite.pages.len(), number("pages"), "{name}");
        assert_eq!(found.triangles.len(), number("leaf_triangles"), "{name}");
        assert_eq!(found.vertices.len(), number("leaf_vertices"), "{name}");
        assert_eq!(found.uvs.len(), number("uv_channels"), "{name}");
        let same = |field: &str, bytes: &[u8]| {
            assert_eq!(Some(&*sha256(bytes)), expected[field].as_str(), "{name}: {field}");
        };
        let vertices = || found.vertices.iter();
        let raw = vertices().flat_map(|vertex| vertex.position).map(i32::to_le_bytes);
        same("sha256_raw_positions_i32", &le(raw));
        let positions = (0..found.vertices.len()).flat_map(|at| found.position(at).unwrap());
        same("sha256_positions_f32", &le(positions.map(f32::to_le_bytes)));
        same("sha256_indices_u32", &le(found.triangles.iter().flatten().map(|index| index.to_le_bytes())));
        same("sha256_material_per_triangle_u8", &found.materials);
        same(
            "sha256_normal_codes_u16x2",
            &le(vertices().flat_map(|vertex| vertex.normal).map(u16::to_le_bytes)),
        );
        same("sha256_tangent_codes_u16", &le(vertices().map(|vertex| vertex.tangent.to_le_bytes())));
        same("sha256_color_rgba8", &le(vertices().map(|vertex| vertex.color)));
        let uvs = (0..found.vertices.len()).flat_map(|at| found.uvs.iter().flat_map(move |uvs| uvs[at]));
        same("sha256_uv_f32", &le(uvs.map(f32::to_le_bytes)));
        (meshes, triangles) = (meshes + 1, triangles + found.triangles.len());
    });
    assert_eq!(meshes, 25);
    assert!(triangles > 100_000, "{triangles}");
}

/// Share of the triangles whose corners agree with the direction that a function makes of them.
fn agreeing(found: &NaniteMesh, agree: impl Fn([usize; 3]) -> bool) -> f64 {
    let count = found.triangles.iter().filter(|corners| agree(corners.map(|corner| corner as usize))).count();
    #[expect(clippy::cast_precision_loss, reason = "a share")]
    let share = count as f64 / found.triangles.len() as f64;
    share
}

fn cross([ax, ay, az]: [f32; 3], [bx, by, bz]: [f32; 3]) -> [f32; 3] {
    [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx]
}

fn dot(one: [f32; 3], other: [f32; 3]) -> f32 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

#[test]
fn directions_are_those_of_the_surface() {
    let Some(corpus) = corpus() else { return };
    let mut with_tangents = 0;
    each(&corpus, |name, mesh, bulk, _| {
        let found = mesh.nanite.as_ref().unwrap().mesh(pages(mesh, bulk)).unwrap();
        let sub = |a: usize, b: usize| {
            let (a, b) = (found.position(a).unwrap(), found.position(b).unwrap());
            [b[0] - a[0], b[1] - a[1], b[2] - a[2]]
        };
        // The order of corners is that of ordinary meshes, against the normal.
        let outside = agreeing(&found, |[a, b, c]| {
            let face = cross(sub(a, b), sub(a, c));
            dot(face, found.basis(a).unwrap().normal) <= 0.0
        });
        assert!(outside > 0.98, "{name}: {outside}");
        if !found.has_tangents {
            return;
        }
        with_tangents += 1;
        // Tangents point where U grows.
        let along = agreeing(&found, |[a, b, c]| {
            let uv = |at: usize| found.uvs[0][at];
            let [u1, v1] = [uv(b)[0] - uv(a)[0], uv(b)[1] - uv(a)[1]];
            let [u2, v2] = [uv(c)[0] - uv(a)[0], uv(c)[1] - uv(a)[1]];
            let area = u1 * v2 - u2 * v1;
            let (one, other) = (sub(a, b), sub(a, c));
            let mut gradient = [0.0; 3];
            for (axis, part) in gradient.iter_mut().enumerate() {
                *part = (one[axis] * v2 - other[axis] * v1) * area.signum();
            }
            area == 0.0 || dot(gradient, found.basis(a).unwrap().tangent) > 0.0
        });
        assert!(along > 0.95, "{name}: {along}");
    });
    assert!(with_tangents > 0);
}

#[test]
fn what_is_missing_or_damaged_is_told() {
    let Some(corpus) = corpus() else { return };
    each(&corpus, |name, mesh, bulk, _| {
        let nanite = mesh.nanite.as_ref().unwrap();
        let root = nanite.root_page_count as usize;
        if nanite.pages.len() > root {
            let missing =
                NaniteError::Missing { missing: nanite.pages.len() - root, pages: nanite.pages.len() };
            assert_eq!(nanite.mesh(None), Err(missing), "{name}");
            let short = pages(mesh, bulk).map(|bytes| &bytes[..bytes.len() / 2]);
            assert!(matches!(nanite.mesh(short), Err(NaniteError::Fault(_))), "{name}");
        }
        // Any byte may be anything; nothing may panic.
        let mut seed = 1_u64;
        for _ in 0..20 {
            let Some(bytes) =
                pages(mesh, bulk).map(<[u8]>::to_vec).filter(|bytes| (1..200_000).contains(&bytes.len()))
            else {
                break;
            };
            let mut bytes = bytes;
            for _ in 0..4 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let at = usize::try_from(seed >> 33).unwrap() % bytes.len();
                bytes[at] = seed.to_le_bytes()[7];
            }
            let _ = (nanite.mesh(Some(&bytes)), nanite.mesh_within(Some(&bytes), 1.0));
        }
    });
}

/// Number of edges that only one triangle has, where vertices are those places that triangles meet in.
fn open_edges(found: &NaniteMesh) -> usize {
    let mut edges = std::collections::HashMap::new();
    for corners in &found.triangles {
        let place = |corner: u32| found.vertices[usize::try_from(corner).unwrap()].position;
        let [a, b, c] = corners.map(place);
        for (one, other) in [(a, b), (b, c), (c, a)] {
            *edges.entry((one.min(other), one.max(other))).or_insert(0) += 1_u32;
        }
    }
    edges.values().filter(|count| **count == 1).count()
}

#[test]
fn coarser_meshes_have_no_gaps() {
    let Some(corpus) = corpus() else { return };
    let mut closed = 0;
    each(&corpus, |name, mesh, bulk, _| {
        let nanite = mesh.nanite.as_ref().unwrap();
        let full = nanite.mesh(pages(mesh, bulk)).unwrap();
        let (mut triangles, mut open) = (full.triangles.len(), open_edges(&full));
        closed += usize::from(open == 0);
        for error in [0.0, 0.01, 0.1, 0.5, 2.0, 10.0, 100.0, f32::MAX] {
            let found = nanite.mesh_within(pages(mesh, bulk), error).unwrap();
            assert!(found.triangles.len() <= triangles, "{name}: {error}");
            // Edges of the mesh become fewer and longer; a gap between clusters would make more of them.
            assert!(open_edges(&found) <= open, "{name}: {error}");
            (triangles, open) = (found.triangles.len(), open_edges(&found));
        }
        // The coarsest mesh is one cluster or two.
        assert!(triangles <= 256, "{name}: {triangles}");
    });
    assert_eq!(closed, 8);
}

#[test]
fn a_mesh_is_bent_along_a_curve() {
    let Some(corpus) = corpus() else { return };
    let file = File::open(&corpus.join("packages/ue5.5/SM_Cube.uasset"), "5.5", None);
    mesh(&file, "SM_Cube", |mesh| {
        let found = mesh.nanite.as_ref().unwrap().mesh(None).unwrap();
        let mut part = MeshPart::of_nanite(mesh, &found).unwrap();
        // From the origin along Y, twice as long as the cube of two metres.
        let tangent = [0.0, 400.0, 0.0];
        let start = SplineEnd { tangent, ..SplineEnd::default() };
        let end =
            SplineEnd { position: [0.0, 400.0, 0.0], tangent, scale: [1.0, 0.5], ..SplineEnd::default() };
        part.bend(&SplineBend { ends: [start, end], ..SplineBend::default() });
        let made = part.into_file("Cube", &MeshOptions::default()).unwrap();
        let len = u32::from_le_bytes(made.bytes[12..16].try_into().unwrap()) as usize;
        let json: Value = serde_json::from_slice(&made.bytes[20..20 + len]).unwrap();
        let attributes = &json["meshes"][0]["primitives"][0]["attributes"];
        let accessor = |name: &str| {
            let at = attributes[name].as_u64().unwrap();
            &json["accessors"][usize::try_from(at).unwrap()]
        };
        // In metres, with Y up: its far end is half as high.
        let bounds = |name: &str| -> Vec<f64> {
            accessor("POSITION")[name].as_array().unwrap().iter().map(|of| of.as_f64().unwrap()).collect()
        };
        assert_eq!((bounds("min"), bounds("max")), (vec![-1.0, -1.0, 0.0], vec![1.0, 1.0, 4.0]));
        let numbers = |name: &str| -> Vec<f32> {
            let of = accessor(name);
            let view = &json["bufferViews"][usize::try_from(of["bufferView"].as_u64().unwrap()).unwrap()];
            let at = |field: &str| usize::try_from(view[field].as_u64().unwrap()).unwrap();
            let bytes = &made.bytes[20 + len + 8 + at("byteOffset")..][..at("byteLength")];
            bytes.as_chunks::<4>().0.iter().map(|of| f32::from_le_bytes(*of)).collect()
        };
        let (positions, normals) = (numbers("POSITION"), numbers("NORMAL"));
        for (position, normal) in positions.as_chunks::<3>().0.iter().zip(normals.as_chunks::<3>().0) {
            let half = if position[2] > 2.0 { 0.5 } else { 1.0 };
            assert!((position[1].abs() - half).abs() < 1e-6, "{position:?}");
            // Each normal points away from the middle.
            let along = [position[0], position[1], position[2] - 2.0];
            assert!(dot(*normal, along) > 0.4 && (dot(*normal, *normal) - 1.0).abs() < 1e-5, "{normal:?}");
        }
    });
}
