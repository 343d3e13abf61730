//! Static meshes.

use super::made::Payload;
use super::{RELEASES, indices, material, nanite, vertices};
use uncask_formats::asset::gltf::{self, MeshOptions};
use uncask_formats::asset::{Asset, StaticMesh};

fn static_indices(p: &mut Payload, count: u32) {
    let is_long = count > 0xFFFF;
    p.u32(is_long.into());
    p.bulk_array(1, &indices(count, if is_long { 4 } else { 2 }));
    p.u32(0);
}

fn no_static_indices(p: &mut Payload) {
    p.u32(0);
    p.bulk_array(1, &[]);
    p.u32(0);
}

fn static_section(p: &mut Payload, vertices: u32) {
    p.u32s(&[0, 0, vertices - 2, 0, vertices - 1]);
    // Collision, shadow, opaque (4.25), rays (4.26), distance fields (5.1).
    p.u32s(&[1, 1, 0, 1]);
    if p.since(5, 1) {
        p.u32(1);
    }
}

/// Table of the sheet, 6.3: one level of detail, in the export or in bulk data.
fn static_lod(p: &mut Payload, count: u32, is_inlined: bool) {
    p.strip((!p.since(5, 0)).into());
    p.u32(1);
    static_section(p, count);
    if p.since(5, 6) {
        p.reals(&[0.0; 7]);
    }
    p.f32(0.5);
    // Left out, inlined.
    p.u32s(&[0, is_inlined.into()]);
    if p.since(5, 5) {
        p.u32(1);
    }
    if is_inlined {
        static_buffers(p, count);
    } else {
        let mut buffers = Payload::new(p.release);
        static_buffers(&mut buffers, count);
        p.streamed(buffers.bytes.len());
        p.zeros(80 + if p.since(5, 0) { 0 } else { 8 } + if p.since(5, 6) { 24 } else { 0 });
    }
    p.zeros(12);
}

/// Table of the sheet, 6.5, with reversed indices and data for rays.
fn static_buffers(p: &mut Payload, count: u32) {
    p.strip((!p.since(5, 0)).into());
    vertices(p, count);
    p.strip(0);
    p.u32s(&[4, count]);
    p.bulk_array(4, &[3, 2, 1, 255].repeat(count as usize));
    static_indices(p, count);
    (0..3).for_each(|_| no_static_indices(p));
    if p.since(5, 6) {
        p.zeros(24);
    }
    p.bulk_array(1, &[9; 5]);
    // Samplers of the section and of all.
    for _ in 0..2 {
        p.u32s(&[1, 0, 1, 0, 0]);
    }
}

fn static_mesh(release: (u32, u32), count: u32, is_inlined: bool) -> Payload {
    static_mesh_with(release, (count, is_inlined), &[])
}

/// A mesh with a page of its Nanite form in the export.
pub(super) fn static_mesh_with(
    release: (u32, u32),
    (count, is_inlined): (u32, bool),
    page: &[u8],
) -> Payload {
    let mut p = Payload::new(release);
    p.strip(0);
    p.u32s(&[1, 0, 0]);
    p.zeros(16);
    p.u32s(&[0, 1]);
    static_lod(&mut p, count, is_inlined);
    p.u8(1);
    if p.since(5, 0) {
        nanite(&mut p, page);
    }
    if p.since(5, 5) {
        ray_tracing_proxy(&mut p, count);
    }
    if p.since(5, 0) {
        cards(&mut p);
    }
    distance_field(&mut p);
    p.reals(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
    if p.since(5, 6) {
        p.u8(1);
    } else {
        p.u32(1);
    }
    for size in [1.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0] {
        p.u32(1);
        p.f32(size);
    }
    if p.since(5, 4) {
        p.strip(0);
    }
    if !p.since(5, 0) {
        // An occluder of one vertex and one index.
        p.u32s(&[1, 1]);
        p.zeros(12);
        p.u32(1);
        p.u16(0);
    }
    p.u32s(&[0, 1]);
    material(&mut p, false);
    p
}

fn ray_tracing_proxy(p: &mut Payload, count: u32) {
    p.u32(1);
    p.strip(0);
    // Levels of its own: one, with buffers and data for rays.
    p.u32s(&[0, 1, 1, 1]);
    static_section(p, count);
    p.u32(1);
    if p.since(5, 6) {
        p.u32(0);
    }
    p.bulk(&[1, 2, 3]);
    if p.since(5, 6) {
        p.zeros(44 + 32);
    }
}

fn cards(p: &mut Payload) {
    p.strip(0);
    p.u32(1);
    p.zeros(49);
    if !p.since(5, 1) {
        p.u32(0);
    }
    if p.since(5, 2) {
        p.u32(0);
    }
    p.u32(1);
    p.zeros(if p.since(5, 1) { 61 } else { 62 });
}

fn distance_field(p: &mut Payload) {
    p.strip(0);
    p.u32(1);
    if !p.since(5, 0) {
        p.u32(2);
        p.zeros(2 + 12 + 25 + 8 + 12);
        return;
    }
    let (bounds, mip) = if p.since(5, 4) { (25, 56) } else { (49, 88) };
    p.zeros(bounds);
    p.u32(0);
    p.zeros(3 * mip);
    p.u32(2);
    p.zeros(2);
    p.bulk(&[]);
}

#[test]
fn static_meshes_of_every_release_are_read_to_the_last_byte() {
    for release in RELEASES {
        // More vertices than 16 bits count, and a few.
        for count in [6, 66_000] {
            let made = static_mesh(release, count, true);
            made.read("StaticMesh", |found| {
                let found = found.unwrap_or_else(|error| panic!("{release:?}: {error}"));
                assert_eq!(found.versions.release.name, format!("{}.{}", release.0, release.1));
                let Asset::StaticMesh(mesh) = &found.asset else { panic!() };
                let buffers = mesh.lods[0].geometry.inline().unwrap();
                assert_eq!(
                    (buffers.vertices.len(), buffers.indices.len()),
                    (count as usize, 3 * (count as usize - 2))
                );
                assert_eq!(buffers.indices.iter().max(), Some(count - 1));
                assert_eq!(buffers.vertices.colors[0], [3, 2, 1, 255]);
                assert_eq!(
                    (mesh.bounds.origin[2].to_bits(), mesh.screen_sizes.len()),
                    (3.0_f64.to_bits(), 1)
                );
                assert_eq!(&*mesh.materials[0].slot, "Slot");
                let glb = gltf::static_mesh("M", mesh, &MeshOptions::default()).unwrap();
                assert!(glb.notes.is_empty(), "{:?}", glb.notes);
            });
            let mut short = made.clone();
            short.bytes.pop();
            short.read("StaticMesh", |found| assert!(found.is_err(), "{release:?}"));
        }
    }
}

#[test]
fn streamed_levels_of_static_meshes_are_those_that_would_be_inline() {
    for release in RELEASES {
        let mut buffers = Payload::new(release);
        static_buffers(&mut buffers, 6);
        let glb = |mesh: &StaticMesh<'_>| gltf::static_mesh("M", mesh, &MeshOptions::default());
        let expected = static_mesh(release, 6, true).read("StaticMesh", |found| {
            let Ok(Asset::StaticMesh(mesh)) = found.map(|found| found.asset) else { panic!("{release:?}") };
            glb(&mesh).unwrap()
        });
        static_mesh(release, 6, false).read_with("StaticMesh", |scope, export, object, found| {
            let found = found.unwrap_or_else(|error| panic!("{release:?}: {error}"));
            let Asset::StaticMesh(mesh) = &found.asset else { panic!() };
            assert_eq!(mesh.streamed(0).unwrap().record.len, buffers.bytes.len() as u64);
            assert!(glb(mesh).is_err(), "its vertices are elsewhere");
            let mut mesh: StaticMesh<'_> = (**mesh).clone();
            mesh.load(0, &mut found.bulk_payload(scope, export, object, &buffers.bytes)).unwrap();
            assert!(glb(&mesh).unwrap() == expected, "{release:?}");
            let short = &buffers.bytes[..buffers.bytes.len() - 1];
            assert!(mesh.load(0, &mut found.bulk_payload(scope, export, object, short)).is_err());
        });
    }
}
