//! Squares of heights as meshes: parts of landscapes.

use super::super::mesh::Basis;
use super::attributes::{VertexSource, attributes};
use super::builder::{Builder, GltfError};
use super::part::{MeshPart, Section};

/// A square of heights, in the space of its component: a unit is a quad.
#[derive(Debug, Clone, Copy)]
pub struct Surface<'s> {
    /// Vertices along each side.
    pub side: u32,
    /// Heights, row by row.
    pub heights: &'s [f64],
    /// Normals, of length 1.
    pub normals: &'s [[f32; 3]],
    /// Quad of the whole landscape at which the square starts: coordinates of textures count from there.
    pub first: [i32; 2],
    /// First quad of the whole landscape, and its size in quads: the second coordinates span it.
    pub whole: [[i32; 2]; 2],
    /// Vertices of holes; empty if there are none.
    pub holes: &'s [bool],
}

impl MeshPart {
    /// A square of heights, without the quads that have a hole at their first corner.
    pub fn of_surface(surface: &Surface<'_>, material: &str) -> Result<Self, GltfError> {
        let mut builder = Builder::new();
        let attributes = attributes(&mut builder, surface);
        let side = surface.side;
        let quads =
            (0..side.saturating_sub(1)).flat_map(|y| (0..side.saturating_sub(1)).map(move |x| (x, y)));
        let is_there = |(x, y): &(u32, u32)| surface.holes.get(surface.at(*x, *y)) != Some(&true);
        let indices: Vec<u32> = quads
            .filter(is_there)
            .flat_map(|(x, y)| {
                let at = |x: u32, y: u32| y * side + x;
                let [a, b, c, d] = [at(x, y), at(x + 1, y), at(x, y + 1), at(x + 1, y + 1)];
                [a, d, b, a, c, d]
            })
            .collect();
        let triangles = u32::try_from(indices.len() / 3).map_err(|_| GltfError::TooLarge)?;
        let sections: [Section; 1] = [(0, 0, triangles)];
        Self::new(builder, &attributes, (&sections, |at| indices.get(at).copied()), vec![material.to_owned()])
    }
}

impl Surface<'_> {
    const fn at(&self, x: u32, y: u32) -> usize {
        y as usize * self.side as usize + x as usize
    }

    fn place(&self, vertex: usize) -> [u32; 2] {
        let side = (self.side as usize).max(1);
        [vertex % side, vertex / side].map(|part| u32::try_from(part).unwrap_or_default())
    }
}

impl VertexSource for Surface<'_> {
    fn count(&self) -> usize {
        (self.side as usize) * (self.side as usize)
    }

    #[expect(clippy::cast_possible_truncation, reason = "files have floats")]
    fn position(&self, vertex: usize) -> [f32; 3] {
        let [x, y] = self.place(vertex).map(f64::from);
        [x, y, self.heights.get(vertex).copied().unwrap_or_default()].map(|part| part as f32)
    }

    fn has_normals(&self) -> bool {
        self.normals.len() == self.count()
    }

    fn has_tangents(&self) -> bool {
        false
    }

    fn basis(&self, vertex: usize) -> Option<Basis> {
        let normal = self.normals.get(vertex).copied()?;
        Some(Basis { normal, tangent: [1.0, 0.0, 0.0], sign: 1.0 })
    }

    fn channels(&self) -> usize {
        2
    }

    #[expect(clippy::cast_possible_truncation, reason = "files have floats")]
    fn uv(&self, vertex: usize, channel: usize) -> [f32; 2] {
        let [x, y] = self.place(vertex);
        let quad =
            [(x, self.first[0]), (y, self.first[1])].map(|(own, first)| f64::from(own) + f64::from(first));
        let [start, size] = self.whole;
        let [u, v] = quad;
        if channel == 0 {
            return quad.map(|part| part as f32);
        }
        [(u, start[0], size[0]), (v, start[1], size[1])]
            .map(|(part, start, size)| ((part - f64::from(start)) / f64::from(size.max(1))) as f32)
    }

    fn color(&self, _: usize) -> Option<[u8; 4]> {
        None
    }
}
