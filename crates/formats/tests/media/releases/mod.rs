//! What payloads look like from release to release: those of each are made as the sheet has them, and read.

mod imported;
mod made;
mod nanite_pages;
mod others;
mod skeletal_meshes;
mod sources;
mod static_meshes;
mod tags;

use made::Payload;

pub(super) const RELEASES: [(u32, u32); 12] =
    [(4, 26), (4, 27), (5, 0), (5, 1), (5, 2), (5, 3), (5, 4), (5, 5), (5, 6), (5, 7), (5, 8), (6, 0)];

/// Positions of a strip of triangles.
pub(super) fn positions(count: u32) -> Vec<u8> {
    let position =
        |at: u32| [at / 2, at % 2, 0].map(|part| f32::from(u16::try_from(part).unwrap()).to_le_bytes());
    (0..count).flat_map(position).flatten().collect()
}

/// Positions, tangents and texture coordinates of some vertices.
pub(super) fn vertices(p: &mut Payload, count: u32) {
    p.u32s(&[12, count]);
    p.bulk_array(12, &positions(count));
    p.strip(0);
    // One channel, of halves; tangents of bytes: X along X, Z along Z.
    p.u32s(&[1, count, 0, 0]);
    p.bulk_array(8, &[127, 0, 0, 127, 0, 0, 127, 127].repeat(count as usize));
    p.bulk_array(4, &[0, 0x3C, 0, 0].repeat(count as usize));
}

/// Indices of a strip of triangles, in as many bytes.
pub(super) fn indices(vertices: u32, width: usize) -> Vec<u8> {
    let triangles = (0..vertices - 2).flat_map(|at| [at, at + 1, at + 2]);
    triangles.flat_map(|index| index.to_le_bytes()[..width].to_vec()).collect()
}

/// Resources of one page in the export; of none, if it is empty.
pub(super) fn nanite(p: &mut Payload, page: &[u8]) {
    let (count, len) = (u32::from(!page.is_empty()), u32::try_from(page.len()).unwrap());
    p.strip(0);
    p.u32(0);
    p.bulk(&[]);
    p.u32(len);
    p.bytes.extend(page);
    p.u32(count);
    if count > 0 {
        // Offset, length, length in memory, dependencies, flags.
        p.u32s(&[0, len, 0, 0, 0]);
        if !p.since(5, 3) {
            p.u32(0);
        }
    }
    // Nodes, roots, dependencies.
    p.u32s(&[0; 3]);
    if p.since(5, 6) {
        p.u32(0);
        if p.since(5, 7) {
            p.u32s(&[0; 2]);
        }
        if p.since(5, 8) {
            p.u32(0);
        }
        p.u32s(&[0; 7]);
    }
    if !p.since(5, 8) {
        p.u32(0);
    }
    // Root pages, precision of positions, and of normals (5.2).
    p.u32s(&[count, 0]);
    if p.since(5, 2) {
        p.u32(0);
    }
    // Triangles and vertices.
    p.u32s(&[count, 3 * count]);
    if !p.since(5, 6) {
        p.u32(0);
    }
    if p.since(5, 1) {
        p.u32(0);
    }
    if p.since(5, 7) {
        p.u32s(&[0; 2]);
    }
    if p.since(5, 8) {
        p.u32(0);
    }
}

pub(super) fn material(p: &mut Payload, is_skeletal: bool) {
    p.u32(0);
    p.name(6);
    if is_skeletal {
        p.u32(0);
    }
    p.u32s(&[1, 0]);
    p.zeros(16);
    if p.since(5, 6) {
        p.u32(0);
    }
}
