//! Attributes of vertices.

use super::super::mesh::{Basis, Vertices};
use super::axes;
use super::builder::Builder;
use super::document::{Accessor, U8, VERTICES};
use serde_json::{Map, Value};
use zerocopy::little_endian::F32;

/// Vertices of any kind of mesh, in the engine's axes and units.
pub(super) trait VertexSource {
    /// Number of vertices.
    fn count(&self) -> usize;
    /// Position of a vertex, in centimetres.
    fn position(&self, vertex: usize) -> [f32; 3];
    /// True if vertices have normals, which may be zero.
    fn has_normals(&self) -> bool;
    /// True if some have tangents.
    fn has_tangents(&self) -> bool;
    /// Normal and tangent of a vertex.
    fn basis(&self, vertex: usize) -> Option<Basis>;
    /// Number of channels of texture coordinates.
    fn channels(&self) -> usize;
    /// Texture coordinates of a vertex.
    fn uv(&self, vertex: usize, channel: usize) -> [f32; 2];
    /// Colour of a vertex: red, green, blue, alpha; `None` if the mesh has none.
    fn color(&self, vertex: usize) -> Option<[u8; 4]>;
}

impl VertexSource for Vertices<'_> {
    fn count(&self) -> usize {
        self.len()
    }

    fn position(&self, vertex: usize) -> [f32; 3] {
        self.positions.get(vertex).map(|position| position.map(F32::get)).unwrap_or_default()
    }

    fn has_normals(&self) -> bool {
        self.tangents.len() == self.len()
    }

    fn has_tangents(&self) -> bool {
        true
    }

    fn basis(&self, vertex: usize) -> Option<Basis> {
        self.tangents.get(vertex)
    }

    fn channels(&self) -> usize {
        self.uvs.channels
    }

    fn uv(&self, vertex: usize, channel: usize) -> [f32; 2] {
        self.uvs.get(vertex, channel).unwrap_or_default()
    }

    fn color(&self, vertex: usize) -> Option<[u8; 4]> {
        // The engine stores blue first.
        self.colors.get(vertex).map(|[blue, green, red, alpha]| [*red, *green, *blue, *alpha])
    }
}

/// Adds the attributes of all vertices.
pub(super) fn attributes(builder: &mut Builder, vertices: &impl VertexSource) -> Map<String, Value> {
    let mut attributes = Map::new();
    let all = || 0..vertices.count();
    // glTF forbids NaN and infinity; bounds of positions are mandatory.
    let mut are_finite = true;
    let positions =
        all().map(|vertex| axes::position(all_finite(vertices.position(vertex), &mut are_finite)));
    let positions = builder.floats(positions, Some(VERTICES), true);
    if !are_finite {
        builder.note("some positions are not numbers: they are zero");
    }
    attributes.insert("POSITION".to_owned(), positions.into());
    directions(builder, vertices, &mut attributes);
    for channel in 0..vertices.channels() {
        let mut are_finite = true;
        let uvs = all().map(|vertex| all_finite(vertices.uv(vertex, channel), &mut are_finite));
        let uvs = builder.floats(uvs, Some(VERTICES), false);
        if !are_finite {
            builder.note("some texture coordinates are not numbers: they are zero");
        }
        attributes.insert(format!("TEXCOORD_{channel}"), uvs.into());
    }
    if vertices.color(0).is_some() {
        let colors = all().flat_map(|vertex| vertices.color(vertex).unwrap_or_default());
        let view = builder.view(colors, Some(VERTICES));
        let colors = builder.accessor(Accessor {
            buffer_view: Some(view),
            component_type: U8,
            normalized: true,
            count: vertices.count(),
            kind: "VEC4",
            ..Accessor::default()
        });
        attributes.insert("COLOR_0".to_owned(), colors.into());
    }
    attributes
}

/// Adds normals and tangents, unless some are zero: glTF only allows length 1.
fn directions(builder: &mut Builder, vertices: &impl VertexSource, attributes: &mut Map<String, Value>) {
    if !vertices.has_normals() {
        return;
    }
    // Kept, since to unpack one is more work than to look at it.
    let bases: Vec<Basis> = (0..vertices.count()).filter_map(|vertex| vertices.basis(vertex)).collect();
    let all = || bases.iter();
    let is_zero = |vector: [f32; 3]| vector.iter().all(|part| *part == 0.0);
    // Tangents without normals are invalid, so both go.
    if all().any(|basis| is_zero(basis.normal)) {
        return builder.note("some normals are zero: normals and tangents are left out");
    }
    let normals = builder.floats(all().map(|basis| axes::direction(basis.normal)), Some(VERTICES), false);
    attributes.insert("NORMAL".to_owned(), normals.into());
    // Programs compute their own where there are none.
    if !vertices.has_tangents() {
        return;
    }
    // Fallback meshes of Nanite have only zero tangents.
    if all().any(|basis| is_zero(basis.tangent)) {
        return builder.note("some tangents are zero: tangents are left out");
    }
    let tangents = all().map(|basis| {
        // The sign stays: the swap mirrors the bitangent, and so does the green channel that glTF expects.
        let [x, y, z] = axes::direction(basis.tangent);
        [x, y, z, basis.sign]
    });
    let tangents = builder.floats(tangents, Some(VERTICES), false);
    attributes.insert("TANGENT".to_owned(), tangents.into());
}

/// Replaces NaN and infinity by zero, and records that there were some.
fn all_finite<const N: usize>(parts: [f32; N], are_finite: &mut bool) -> [f32; N] {
    *are_finite &= parts.iter().all(|part| part.is_finite());
    parts.map(finite)
}

/// Returns the number, or zero for NaN and infinity.
pub(super) const fn finite(number: f32) -> f32 {
    if number.is_finite() { number } else { 0.0 }
}

/// Numbers as they are stored, with zero for those that are not finite.
pub(super) fn finite_of<const N: usize>(numbers: &[F32; N]) -> [f32; N] {
    numbers.map(|number| finite(number.get()))
}
