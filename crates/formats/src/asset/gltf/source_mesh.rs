//! Imported meshes of uncooked packages.

use super::super::mesh::Basis;
use super::super::source_mesh::{BoneWeight, Mesh, SourceMesh, SourceModel, Triangle};
use super::attributes::{VertexSource, attributes};
use super::builder::{Builder, Glb, GltfError};
use super::options::MeshOptions;
use super::part::{MeshPart, Section};
use super::skin::{Influences, add_weights};
use super::weld::{Welded, weld};

/// Writes the imported mesh of a level of detail as a file; `model` is its source in `source`.
pub fn source_mesh(
    name: &str,
    source: &SourceMesh<'_>,
    (model, mesh): (&SourceModel<'_>, &Mesh),
    options: &MeshOptions,
) -> Result<Glb, GltfError> {
    MeshPart::of_source(source, model, mesh)?.into_file(name, options)
}

impl MeshPart {
    /// The imported mesh of a level of detail; `model` is its source in `source`.
    pub fn of_source(
        source: &SourceMesh<'_>,
        model: &SourceModel<'_>,
        mesh: &Mesh,
    ) -> Result<Self, GltfError> {
        let mut builder = Builder::new();
        let vertices = Vertices::new(mesh, model.scale);
        let mut attributes = attributes(&mut builder, &vertices);
        if !source.bones.0.is_empty() {
            add_weights(&mut builder, vertices.influences(source.bones.0.len()), &mut attributes);
        }
        // Triangles of one group form a section, in the order of groups.
        let mut triangles: Vec<Triangle> = mesh.triangles.clone();
        triangles.sort_by_key(|triangle| triangle.group);
        let mut sections: Vec<Section> = Vec::new();
        let mut first = 0;
        for group in triangles.chunk_by(|one, other| one.group == other.group) {
            let count = u32::try_from(group.len()).map_err(|_| GltfError::TooLarge)?;
            let number = group.first().map_or(0, |triangle| triangle.group);
            sections.push((source.slot(model, mesh, number), first, count));
            first = first
                .checked_add(count.checked_mul(3).ok_or(GltfError::TooLarge)?)
                .ok_or(GltfError::TooLarge)?;
        }
        let corner = |at: usize| triangles.get(at / 3)?.corners.get(at % 3);
        let index = |at: usize| vertices.welded.of.get(*corner(at)? as usize).copied();
        let slots = source.slots.iter().map(|slot| slot.material.slot.to_string()).collect();
        let part = Self::new(builder, &attributes, (&sections, index), slots)?;
        Ok(part.moved_by(&source.bones))
    }
}

/// Vertices with all that distinguishes corners: those that are alike are one.
struct Vertices<'m> {
    mesh: &'m Mesh,
    scale: [f32; 3],
    welded: Welded,
}

impl<'m> Vertices<'m> {
    fn new(mesh: &'m Mesh, scale: [f64; 3]) -> Self {
        let used = mesh.triangles.iter().flat_map(|triangle| triangle.corners);
        let welded = weld(mesh.corners.len(), used, |at, key| add_key(mesh, at, key));
        #[expect(clippy::cast_possible_truncation, reason = "positions are single precision, too")]
        let scale = scale.map(|part| part as f32);
        Self { mesh, scale, welded }
    }

    /// Bones that move each vertex, of this many.
    fn influences(&self, bones: usize) -> Vec<Influences> {
        let of = |vertex: usize| {
            let corner = self.mesh.corners.get(self.corner(vertex))?;
            self.mesh.weights.get(corner.vertex as usize)
        };
        let known = |found: &&BoneWeight| usize::from(found.bone) < bones;
        let influence = |found: &BoneWeight| (found.bone, f32::from(found.weight));
        let all = |vertex| of(vertex).into_iter().flatten().filter(known).map(influence).collect();
        (0..self.welded.firsts.len()).map(all).collect()
    }

    fn corner(&self, vertex: usize) -> usize {
        self.welded.firsts.get(vertex).copied().unwrap_or_default() as usize
    }
}

/// Adds the bits of all that a corner has.
fn add_key(mesh: &Mesh, at: usize, key: &mut Vec<u32>) {
    let corner = mesh.corners.get(at).copied().unwrap_or_default();
    let color = mesh.colors.get(at).copied().unwrap_or_default();
    key.push(corner.vertex);
    key.extend(corner.normal.map(f32::to_bits));
    key.extend(corner.tangent.map(f32::to_bits));
    key.push(corner.sign.to_bits());
    key.extend(color.map(f32::to_bits));
    for channel in &mesh.uvs {
        key.extend(channel.get(at).copied().unwrap_or_default().map(f32::to_bits));
    }
}

impl VertexSource for Vertices<'_> {
    fn count(&self) -> usize {
        self.welded.firsts.len()
    }

    fn position(&self, vertex: usize) -> [f32; 3] {
        let corner = self.mesh.corners.get(self.corner(vertex));
        let position = corner.and_then(|corner| self.mesh.positions.get(corner.vertex as usize));
        let [x, y, z] = position.copied().unwrap_or_default();
        let [scale_x, scale_y, scale_z] = self.scale;
        [x * scale_x, y * scale_y, z * scale_z]
    }

    fn has_normals(&self) -> bool {
        true
    }

    fn has_tangents(&self) -> bool {
        self.mesh.corners.iter().any(|corner| corner.tangent.iter().any(|part| *part != 0.0))
    }

    fn basis(&self, vertex: usize) -> Option<Basis> {
        let corner = self.mesh.corners.get(self.corner(vertex))?;
        let ([nx, ny, nz], [tx, ty, tz], [x, y, z]) = (corner.normal, corner.tangent, self.scale);
        Some(Basis {
            tangent: unit([tx * x, ty * y, tz * z]),
            // Normals stay at right angles to the surface under the inverse scale; a scale of 0 has none.
            normal: unit([nx * y * z, ny * z * x, nz * x * y]),
            sign: if corner.sign < 0.0 { -1.0 } else { 1.0 },
        })
    }

    fn channels(&self) -> usize {
        self.mesh.uvs.len()
    }

    fn uv(&self, vertex: usize, channel: usize) -> [f32; 2] {
        let found = self.mesh.uvs.get(channel).and_then(|uvs| uvs.get(self.corner(vertex)));
        found.copied().unwrap_or_default()
    }

    fn color(&self, vertex: usize) -> Option<[u8; 4]> {
        let [red, green, blue, alpha] = *self.mesh.colors.get(self.corner(vertex))?;
        Some([stored(red), stored(green), stored(blue), eight_bits(alpha)])
    }
}

/// Component of a colour as cooked meshes store it: with the curve of sRGB.
fn stored(linear: f32) -> u8 {
    let part =
        if linear <= 0.003_130_8 { linear * 12.92 } else { linear.powf(1.0 / 2.4).mul_add(1.055, -0.055) };
    eight_bits(part)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range is clamped before")]
fn eight_bits(part: f32) -> u8 {
    // NaN becomes 0.
    part.clamp(0.0, 1.0).mul_add(255.0, 0.5) as u8
}

/// Normalises a vector; zero, or what is not a number, becomes zero.
fn unit(vector: [f32; 3]) -> [f32; 3] {
    let length = vector.iter().map(|part| part * part).sum::<f32>().sqrt();
    if length.is_normal() { vector.map(|part| part / length) } else { [0.0; 3] }
}
