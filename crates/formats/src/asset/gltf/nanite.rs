//! Nanite meshes at full detail.

use super::super::mesh::{Basis, NaniteMesh, StaticMesh};
use super::attributes::{VertexSource, attributes};
use super::builder::{Builder, Glb, GltfError};
use super::options::MeshOptions;
use super::part::{MeshPart, Section};
use super::weld::{Welded, weld};

/// Writes a static mesh at the full detail of its Nanite form, `found`.
pub fn nanite_mesh(
    name: &str,
    mesh: &StaticMesh<'_>,
    found: &NaniteMesh,
    options: &MeshOptions,
) -> Result<Glb, GltfError> {
    MeshPart::of_nanite(mesh, found)?.into_file(name, options)
}

impl MeshPart {
    /// A static mesh at the full detail of its Nanite form.
    pub fn of_nanite(mesh: &StaticMesh<'_>, found: &NaniteMesh) -> Result<Self, GltfError> {
        let mut builder = Builder::new();
        let used = found.triangles.iter().flatten().copied();
        let vertices =
            Vertices { found, welded: weld(found.vertices.len(), used, |at, key| add_key(found, at, key)) };
        let attributes = attributes(&mut builder, &vertices);
        // By material; within one, as the clusters have them.
        let of_welded = |corner: u32| vertices.welded.of.get(corner as usize).copied().unwrap_or_default();
        let triangles = found.triangles.iter().map(|corners| corners.map(of_welded)).zip(&found.materials);
        // Corners that are one vertex now make no surface.
        let mut triangles: Vec<([u32; 3], u8)> = triangles
            .filter(|([one, two, three], _)| one != two && two != three && three != one)
            .map(|(corners, material)| (corners, *material))
            .collect();
        triangles.sort_by_key(|(_, material)| *material);
        let (mut sections, mut first): (Vec<Section>, u32) = (Vec::new(), 0);
        for part in triangles.chunk_by(|(_, one), (_, other)| one == other) {
            let material = part.first().map_or(0, |(_, material)| u32::from(*material));
            let count = u32::try_from(part.len()).map_err(|_| GltfError::TooLarge)?;
            sections.push((material, first, count));
            first =
                count.checked_mul(3).and_then(|count| first.checked_add(count)).ok_or(GltfError::TooLarge)?;
        }
        let index = |at: usize| triangles.get(at / 3).and_then(|(corners, _)| corners.get(at % 3).copied());
        let slots = mesh.materials.iter().map(|material| material.slot.to_string()).collect();
        Self::new(builder, &attributes, (&sections, index), slots)
    }
}

/// Vertices of which those on the borders of clusters are there once.
struct Vertices<'m> {
    found: &'m NaniteMesh,
    welded: Welded,
}

/// Adds all that a vertex has, as it is stored.
fn add_key(found: &NaniteMesh, at: usize, key: &mut Vec<u32>) {
    let vertex = found.vertices.get(at).copied().unwrap_or_default();
    let [x, y] = vertex.normal.map(u32::from);
    key.extend(vertex.position.map(i32::cast_unsigned));
    key.extend([x << 16 | y, vertex.tangent.into(), u32::from_le_bytes(vertex.color)]);
    for uvs in &found.uvs {
        key.extend(uvs.get(at).copied().unwrap_or_default().map(f32::to_bits));
    }
}

impl Vertices<'_> {
    fn at(&self, vertex: usize) -> usize {
        self.welded.firsts.get(vertex).copied().unwrap_or_default() as usize
    }
}

impl VertexSource for Vertices<'_> {
    fn count(&self) -> usize {
        self.welded.firsts.len()
    }

    fn position(&self, vertex: usize) -> [f32; 3] {
        self.found.position(self.at(vertex)).unwrap_or_default()
    }

    fn has_normals(&self) -> bool {
        true
    }

    fn has_tangents(&self) -> bool {
        self.found.has_tangents
    }

    fn basis(&self, vertex: usize) -> Option<Basis> {
        self.found.basis(self.at(vertex))
    }

    fn channels(&self) -> usize {
        self.found.uvs.len()
    }

    fn uv(&self, vertex: usize, channel: usize) -> [f32; 2] {
        let uvs = self.found.uvs.get(channel);
        uvs.and_then(|uvs| uvs.get(self.at(vertex)).copied()).unwrap_or_default()
    }

    fn color(&self, vertex: usize) -> Option<[u8; 4]> {
        // White is what a mesh without colours has.
        self.found.has_colors().then(|| self.found.vertices.get(self.at(vertex)).map(|found| found.color))?
    }
}
