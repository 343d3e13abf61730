//! Nanite meshes at full detail, compared with what an independent decoder found in them.

use crate::files::{File, chunk, corpus, sha256};
use serde_json::Value;
use std::path::Path;
use uncask_formats::asset::Asset;
use uncask_formats::asset::mesh::{NaniteError, NaniteMesh, StaticMesh};

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
            let _ = nanite.mesh(Some(&bytes));
        }
    });
}
