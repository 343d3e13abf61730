//! Skeletal meshes.

use super::made::Payload;
use super::{RELEASES, indices, material, nanite, vertices};
use uncask_formats::asset::Asset;
use uncask_formats::asset::gltf::{self, MeshOptions};
use uncask_formats::asset::mesh::Influence;

/// How the weights of a mesh are written.
#[derive(Clone, Copy, Debug)]
struct Weights {
    influences: u8,
    is_variable: bool,
    has_wide_bones: bool,
    has_wide_weights: bool,
}

const USUAL: Weights =
    Weights { influences: 4, is_variable: false, has_wide_bones: false, has_wide_weights: false };

/// Every vertex has as many influences, each by a bone of its own, and the first one has all that is left.
fn skin_weights(p: &mut Payload, count: u32, weights: Weights) {
    let Weights { influences, is_variable, has_wide_bones, has_wide_weights } = weights;
    let number = |value: u16, is_wide: bool| value.to_le_bytes()[..if is_wide { 2 } else { 1 }].to_vec();
    let share = |at: u8| match at {
        0 if has_wide_weights => 0xFFFF - (u16::from(influences) - 1),
        0 => 0xFF - (u16::from(influences) - 1),
        _ => 1,
    };
    let bones = (0..influences).flat_map(|bone| number(bone.into(), has_wide_bones));
    let shares = (0..influences).flat_map(|at| number(share(at), has_wide_weights));
    let vertex: Vec<u8> = bones.chain(shares).collect();
    p.strip(0);
    p.u32s(&[
        is_variable.into(),
        influences.into(),
        u32::from(influences) * count,
        count,
        has_wide_bones.into(),
    ]);
    if p.since(5, 2) {
        p.u32(has_wide_weights.into());
    }
    p.bulk_array(1, &vertex.repeat(count as usize));
    p.strip(0);
    p.u32(if is_variable { count } else { 0 });
    let len = u32::try_from(vertex.len()).unwrap();
    let places = (0..count)
        .filter(|_| is_variable)
        .flat_map(|at| ((at * len) << 8 | u32::from(influences)).to_le_bytes());
    p.bulk_array(4, &places.collect::<Vec<_>>());
}

/// Table of the sheet, 7.3: a section with cloth, and many bones.
fn skeletal_section(p: &mut Payload, count: u32, bones: u16) {
    p.strip(0);
    p.u16(0);
    p.u32s(&[0, count - 2, 0]);
    p.u8(0);
    p.u32(1);
    if p.since(5, 0) {
        p.u32(1);
    }
    p.u32(0);
    // One vertex of cloth; since 5.0 in a list of lists.
    if p.since(5, 0) {
        p.u32(1);
    }
    p.u32(1);
    p.zeros(64);
    p.u32(bones.into());
    (0..bones).for_each(|bone| p.u16(bone));
    p.u32(count);
    // All levels of detail share one list of bones since 5.8.
    p.u32(if p.since(5, 8) { 0x8000_0004 } else { 4 });
    p.zeros(2 + 16 + 4);
    p.u32(1);
    p.u32(7);
    p.u32(1);
    p.zeros(8);
    p.u32(0);
}

/// Table of the sheet, 7.4.
fn skeletal_buffers(p: &mut Payload, count: u32, weights: Weights) {
    p.strip(1);
    let width = if count > 0xFFFF { 4 } else { 2 };
    p.u8(u8::try_from(width).unwrap());
    p.bulk_array(width, &indices(count, width));
    vertices(p, count);
    skin_weights(p, count, weights);
    // Cloth: two vertices of 16 bytes, one place, and its bias since 5.0.
    p.strip(0);
    p.bulk_array(16, &[0; 32]);
    p.u32(1);
    p.zeros(8);
    if p.since(5, 0) {
        p.zeros(4);
    }
    // A profile of weights.
    p.u32(1);
    p.name(6);
    p.u32(2);
    p.u16(0);
    p.u32(2);
    p.u16(0);
    p.u8(4);
    p.u32(1);
    p.zeros(8);
    if p.since(5, 6) {
        p.zeros(24);
        p.bulk_array(1, &[1, 2, 3]);
    } else if p.since(4, 27) {
        p.u32(3);
        p.zeros(3);
    }
    if p.since(5, 0) {
        p.u32(0);
    }
    if p.since(5, 3) {
        p.u32(1);
        p.name(6);
        p.zeros(16);
    }
    if p.since(5, 4) {
        // For mesh deformers: edges of vertices, twins of edges.
        p.strip(0);
        p.u32s(&[2, 5, 6, 3, 7, 8, 9]);
    }
}

fn skeletal_mesh(release: (u32, u32), (count, bones): (u32, u16), weights: Weights) -> Payload {
    let mut p = Payload::new(release);
    p.strip(0);
    p.reals(&[0.0; 7]);
    p.u32(1);
    material(&mut p, true);
    // The reference skeleton: a chain.
    p.u32(bones.into());
    for bone in 0..u32::from(bones) {
        p.u32s(&[7, bone, bone.wrapping_sub(1)]);
    }
    p.u32(bones.into());
    (0..bones).for_each(|_| p.reals(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0]));
    p.u32(0);
    p.u32s(&[1, 1]);
    p.strip(1);
    p.u32s(&[0, 1, 0, 1]);
    skeletal_section(&mut p, count, bones);
    p.u32(0);
    let mut buffers = Payload::new(release);
    skeletal_buffers(&mut buffers, count, weights);
    p.u32(u32::try_from(buffers.bytes.len()).unwrap());
    if p.since(5, 8) {
        p.bulk(&buffers.bytes);
        // Summary: indices, vertices, positions, colours, weights; cloth of one place; no profiles; rays.
        p.zeros(5 + 32 + 28);
        p.u32(1);
        p.zeros(8 + 8 + 4);
        p.u32(0);
        p.zeros(24);
    } else {
        p.bytes.extend(buffers.bytes);
    }
    if p.since(5, 5) {
        nanite(&mut p, &[]);
    }
    p.u8(1);
    p.u8(1);
    p.u32(0);
    p
}

fn check_skeletal(release: (u32, u32), (count, bones): (u32, u16), weights: Weights) {
    let made = skeletal_mesh(release, (count, bones), weights);
    made.read("SkeletalMesh", |found| {
        let found = found.unwrap_or_else(|error| panic!("{release:?}, {weights:?}: {error}"));
        assert_eq!(found.versions.release.name, format!("{}.{}", release.0, release.1));
        let Asset::SkeletalMesh(mesh) = &found.asset else { panic!() };
        let buffers = mesh.lods[0].geometry.inline().unwrap();
        assert_eq!((buffers.vertices.len(), mesh.bones.0.len()), (count as usize, bones.into()));
        assert_eq!(buffers.indices.iter().max(), Some(count - 1));
        assert!(mesh.lods[0].sections[0].is_cloth && mesh.lods[0].sections[0].max_influences == 4);
        let last: Vec<Influence> = buffers.weights.of(count as usize - 1).collect();
        assert_eq!(last.len(), usize::from(weights.influences));
        assert_eq!(
            last.iter().map(|found| u32::from(found.weight)).sum::<u32>(),
            u32::from(buffers.weights.whole())
        );
        let order: Vec<u16> = last.iter().map(|found| found.bone).collect();
        assert_eq!(order, (0..u16::from(weights.influences)).collect::<Vec<_>>());
        let glb = gltf::skeletal_mesh("M", mesh, &MeshOptions::default()).unwrap();
        let text = String::from_utf8_lossy(&glb.bytes).into_owned();
        assert_eq!(text.contains("JOINTS_1"), weights.influences > 4, "{release:?}, {weights:?}");
        let is_cut = glb.notes.iter().any(|note| note.starts_with("more than 8 bones move a vertex"));
        assert_eq!(is_cut, weights.influences > 8, "{:?}", glb.notes);
    });
    let mut short = made;
    short.bytes.pop();
    short.read("SkeletalMesh", |found| assert!(found.is_err(), "{release:?}"));
}

#[test]
fn skeletal_meshes_of_every_release_are_read_to_the_last_byte() {
    for release in RELEASES {
        check_skeletal(release, (6, 8), USUAL);
        check_skeletal(release, (66_000, 8), Weights { influences: 8, ..USUAL });
    }
}

#[test]
fn weights_may_be_wide_many_and_of_any_number() {
    for release in [(4, 27), (5, 1), (5, 6), (5, 8), (6, 0)] {
        check_skeletal(release, (6, 300), Weights { influences: 12, has_wide_bones: true, ..USUAL });
        check_skeletal(release, (6, 40), Weights { influences: 6, is_variable: true, ..USUAL });
        check_skeletal(
            release,
            (6, 300),
            Weights { influences: 40, is_variable: true, has_wide_bones: true, ..USUAL },
        );
        if release >= (5, 2) {
            let wide =
                Weights { influences: 8, has_wide_bones: true, has_wide_weights: true, is_variable: true };
            check_skeletal(release, (70_000, 300), wide);
        }
    }
}
