//! Imported meshes and animations that are made to hurt.

use uncask::asset::Transform;
use uncask::asset::animation::{Animation, Compression, ImportedTrack, Motion};
use uncask::asset::skeleton::{Bone, Bones};
use uncask::asset::source_mesh::{Mesh, MeshForm};
use uncask::id::Guid;
use uncask::wire::Writer;

/// The number of the form, and a raw mesh of `n` triangles over one position, whose corners are all alike or all different.
pub(super) fn raw_mesh(n: usize, alike: bool) -> Vec<u8> {
    let (mut w, wedges) = (Writer::new(), 3 * n);
    let count = |w: &mut Writer, count: usize| {
        w.u32(u32::try_from(count).unwrap());
    };
    for word in [0, 0, 0] {
        w.u32(word);
    }
    for _ in 0..2 {
        count(&mut w, n);
        w.bytes(&vec![0; 4 * n]);
    }
    count(&mut w, 1);
    w.bytes(&[0; 12]);
    count(&mut w, wedges);
    w.bytes(&vec![0; 4 * wedges]);
    // No tangents and no bitangents, but normals.
    count(&mut w, 0);
    count(&mut w, 0);
    count(&mut w, wedges);
    for at in 0..u32::try_from(wedges).unwrap() {
        // Every number from here on is another one.
        let number = f32::from_bits(0x3F80_0000 + if alike { 0 } else { at });
        for part in [number, 1.0, 0.0] {
            w.bytes(&part.to_le_bytes());
        }
    }
    // Texture coordinates and colours.
    for _ in 0..9 {
        count(&mut w, 0);
    }
    w.as_bytes().to_vec()
}

/// The number of the form, and a mesh description of `n` vertices, all of which share one list of 16 bones.
pub(super) fn skinned(n: usize) -> Vec<u8> {
    const BONES: u32 = 16;
    let count = u32::try_from(n).unwrap();
    let mut w = Writer::new();
    let text = |w: &mut Writer, text: &str| {
        w.u32(u32::try_from(text.len() + 1).unwrap()).bytes(text.as_bytes()).u8(0);
    };
    // A name, one channel, a bit for each element, no holes, elements, attributes.
    let kind = |w: &mut Writer, name: &str, count: u32, attributes: u32| {
        text(w, name);
        w.u32(1).u32(count).bytes(&vec![0xFF; 4 * (count as usize).div_ceil(32)]).u32(0);
        w.u32(count).u32(attributes);
    };
    // A name, type, extent, elements, one channel; extent, size and number of values.
    let attribute = |w: &mut Writer, name: &str, [of, extent, size]: [u32; 3], values: &[u8]| {
        text(w, name);
        let count = u32::try_from(values.len()).unwrap() / size;
        for word in [of, extent, count, 1, extent, size, count] {
            w.u32(word);
        }
        w.bytes(values).bytes(&vec![0; size as usize]).u32(0);
    };
    let numbers = |of: std::ops::Range<u32>| of.flat_map(u32::to_le_bytes).collect::<Vec<u8>>();
    w.u32(0).u32(4);
    kind(&mut w, "Vertices", count, 2);
    attribute(&mut w, "Position", [1, 1, 12], &vec![0; 12 * n]);
    text(&mut w, "SkinWeights");
    for word in [4, 0, count, 1, 1, 4, BONES] {
        w.u32(word);
    }
    w.bytes(&numbers(1..BONES + 1)).u32(count);
    // All lists start at 0, are as long as can be, and have room for no more.
    for word in [0, BONES, BONES] {
        w.bytes(&word.to_le_bytes().repeat(n));
    }
    w.u32(count).u32(0).u32(0).u32(0);
    kind(&mut w, "VertexInstances", count, 1);
    attribute(&mut w, "VertexIndex", [4, 1, 4], &numbers(0..count));
    kind(&mut w, "Triangles", count - 2, 2);
    let corners: Vec<u8> = (0..count - 2).flat_map(|at| numbers(at..at + 3)).collect();
    attribute(&mut w, "VertexInstanceIndex", [4, 3, 4], &corners);
    attribute(&mut w, "PolygonGroupIndex", [4, 1, 4], &vec![0; 4 * (n - 2)]);
    kind(&mut w, "PolygonGroups", 1, 0);
    w.as_bytes().to_vec()
}

#[test]
fn the_skin_is_understood() {
    let mesh = Mesh::read(&skinned(40)[4..], MeshForm::Raw).unwrap();
    assert_eq!((mesh.positions.len(), mesh.triangles.len(), mesh.weights.len()), (40, 38, 40));
    assert!(mesh.weights.iter().all(|bones| bones.len() == 16 && bones[1].weight == 2));
}

/// Tracks of bones that a skeleton with as many bones lacks, 512 bytes for each. So few that they fit the caches, which would be
/// measured otherwise; so often that it takes a while.
pub(super) fn tracks(bytes: &[u8]) {
    const TIMES: usize = 16;
    let n = bytes.len() / 512;
    let track = |at: usize| ImportedTrack { bone: format!("track {at}").into(), motion: Motion::default() };
    let bone =
        |at: usize| Bone { name: format!("bone {at}").into(), parent: None, pose: Transform::IDENTITY };
    let bones = Bones((0..n).map(bone).collect());
    let animation = Animation {
        skeleton_guid: Guid::ZERO,
        bones: Vec::new(),
        frames: 1,
        seconds: None,
        rate_scale: None,
        is_stepped: false,
        additive: None,
        raw_size: 0,
        codec: String::new(),
        compression: Compression::Imported((0..n).map(track).collect()),
        curves: Vec::new(),
    };
    for _ in 0..TIMES {
        assert_eq!(animation.motions(&bones, None).unwrap().len(), n);
    }
}
