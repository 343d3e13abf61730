//! Pages of Nanite meshes of 5.0 to 5.3, of which no real file was found: a triangle, as the sheet has it.

use super::static_meshes::static_mesh_with;
use uncask_formats::asset::Asset;
use uncask_formats::asset::mesh::NaniteVertex;

/// Numbers of some bits each, one after the other, from the low end.
#[derive(Default)]
struct Bits(Vec<bool>);

impl Bits {
    fn add(&mut self, value: u32, width: u32) {
        self.0.extend((0..width).map(|bit| value >> bit & 1 != 0));
    }

    /// Whole bytes.
    fn end(&mut self) {
        self.0.resize(self.0.len().next_multiple_of(8), false);
    }

    fn bytes(mut self) -> Vec<u8> {
        self.end();
        let byte = |bits: &[bool]| bits.iter().rev().fold(0, |byte, bit| byte << 1 | u8::from(*bit));
        self.0.chunks(8).map(byte).collect()
    }
}

fn words(of: &[u32]) -> Vec<u8> {
    of.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn floats(of: [f32; 4]) -> Vec<u8> {
    words(&of.map(f32::to_bits))
}

/// A page of one cluster of one triangle.
fn page(minor: u32) -> Vec<u8> {
    let (normal_bits, has_tangents, rows) =
        (if minor < 2 { 9 } else { 4 }, minor > 2, 6 + u32::from(minor > 0));
    let mut positions = Bits::default();
    for [x, y] in [[0, 0], [16, 0], [0, 32]] {
        positions.add(x, 5);
        positions.add(y, 6);
        positions.end();
    }
    let mut attributes = Bits::default();
    for (normal, tangent, color, uv) in
        [([1, 2], 1, [1, 1], [2, 8]), ([3, 4], 17, [2, 0], [5, 0]), ([5, 6], 3, [3, 1], [0, 15])]
    {
        for code in normal {
            attributes.add(code, normal_bits);
        }
        if has_tangents {
            attributes.add(tangent, 5);
        }
        let [red, alpha] = color;
        attributes.add(red, 2);
        attributes.add(alpha, 1);
        for code in uv {
            attributes.add(code, 4);
        }
        attributes.end();
    }
    let attribute_bits = 2 * normal_bits + if has_tangents { 5 } else { 0 } + 3 + 8;
    let kinds = match minor {
        // One channel of texture coordinates, each vertex its own colour; since 5.3 tangents are in front.
        0..=2 => 1 | 2 << 3,
        _ => 1 | 1 << 1 | 2 << 4,
    };
    // From here on, places count from the page header: 32 bytes, 32 for the cluster, then the clusters.
    let ranges = 16 + 16 * rows;
    let strips = 64 + ranges + 32;
    let masks = strips + 48;
    let indices = masks + 32;
    let positions_at = indices + 4;
    let attributes_at = positions_at + 6;
    let shape = 12 << 4
        | 5 << 9
        | 6 << 14
        | if minor < 2 { 0 } else { 4 << 24 }
        | if has_tangents { 4 << 28 } else { 0 };
    let minus_sixteen = (-16_i32).cast_unsigned();
    let row = [
        words(&[3, 1, u32::from_le_bytes([10, 20, 30, 40]), 2 | 1 << 12]),
        words(&[minus_sixteen, 0, 5, shape]),
        words(&[0; 4]),
        // A box; the edge length is -1.
        floats([-0.5, 1.0, 0.3125, f32::from_bits(0xBC00_0000)]),
        floats([0.5, 1.0, 0.0, 0.0]),
        words(&[attribute_bits << 22, ranges | kinds << 22, 0x44, 3]),
    ];
    let front = if minor < 3 { vec![1, 0, 0, 0, 0, 0, 0, 0] } else { b"NF\x01\0\0\0\0\0".to_vec() };
    [
        front,
        words(&[0, 1, 0, 1, 0, 0, strips, masks]),
        words(&[indices, 0, 0, positions_at, attributes_at, 0, 0, 0]),
        words(&[1, 0, 0, 0]),
        row.concat(),
        vec![0; 16 * (rows as usize - 6)],
        // Lowest numbers, starts and lengths of gaps, precision.
        words(&[0, (-8_i32).cast_unsigned(), 3, 15, 2, 0, 3, 0]),
        words(&[1, 0, 0]),
        vec![0; 36 + 32 + 4],
        positions.bytes(),
        attributes.bytes(),
    ]
    .concat()
}

#[test]
fn a_triangle_of_each_release_is_what_its_page_says() {
    for minor in 0..4 {
        let page = page(minor);
        static_mesh_with((5, minor), (4, true), &page).read("StaticMesh", |found| {
            let Asset::StaticMesh(mesh) = found.unwrap().asset else { panic!("5.{minor}") };
            let found = mesh.nanite.unwrap().mesh(None).unwrap_or_else(|error| panic!("5.{minor}: {error}"));
            assert_eq!((&found.triangles[..], &found.materials[..]), (&[[0, 1, 2]][..], &[3][..]));
            let vertex = |position, normal, tangent, [red, alpha]: [u8; 2]| NaniteVertex {
                position,
                normal,
                tangent: if minor > 2 { tangent } else { 0 },
                color: [10 + red, 20, 30, 40 + alpha],
            };
            let expected = [
                vertex([-16, 0, 5], [1, 2], 1, [1, 1]),
                vertex([0, 0, 5], [3, 4], 17, [2, 0]),
                vertex([-16, 32, 5], [5, 6], 3, [3, 1]),
            ];
            assert_eq!(found.vertices, expected, "5.{minor}");
            assert_eq!(found.position(0), Some([-1.0, 0.0, 0.3125]));
            assert_eq!(found.uvs, [[[0.25, 0.0], [0.875, -1.0], [0.0, 0.875]]], "5.{minor}");
            assert_eq!(found.has_tangents, minor > 2);
        });
    }
}
