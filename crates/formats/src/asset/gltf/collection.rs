//! Geometry collections: a node for each piece, with a mesh of its triangles.

use super::super::geometry_collection::GeometryCollection;
use super::attributes::finite_of;
use super::axes;
use super::builder::{Builder, Glb, GltfError, push};
use super::document::{Accessor, INDICES, Mesh, Primitive, U32, VERTICES};
use super::material::Material;
use super::nodes::add_bones;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use zerocopy::little_endian::I32;

/// Writes the pieces at rest. Inner triangles, which show when the object breaks, are included.
pub fn geometry_collection(
    name: &str,
    collection: &GeometryCollection<'_>,
    materials: &[Material],
) -> Result<Glb, GltfError> {
    let mut parts: BTreeMap<(usize, usize), Vec<u32>> = BTreeMap::new();
    for (at, corners) in collection.triangles.iter().enumerate() {
        let Some((piece, indices)) = triangle(collection, corners) else { return Err(DAMAGED) };
        let material =
            collection.material_of_triangle.get(at).and_then(|slot| usize::try_from(slot.get()).ok());
        // A slot that does not exist leaves the default material.
        parts.entry((piece, material.unwrap_or(usize::MAX))).or_default().extend(indices);
    }
    if parts.is_empty() {
        return Err(GltfError::Empty);
    }
    let mut builder = Builder::new();
    let attributes = attributes(&mut builder, collection);
    for material in materials {
        builder.material(material);
    }
    let nodes = add_bones(&mut builder, name, &collection.pieces, &[])?;
    let mut meshes: BTreeMap<usize, Vec<Primitive>> = BTreeMap::new();
    for ((piece, material), indices) in parts {
        let count = indices.len();
        let view = builder.view(indices.into_iter().flat_map(u32::to_le_bytes), Some(INDICES));
        let indices = builder.accessor(Accessor {
            buffer_view: Some(view),
            component_type: U32,
            count,
            kind: "SCALAR",
            ..Accessor::default()
        });
        let material = Some(material).filter(|material| *material < materials.len());
        let primitive = Primitive { attributes: attributes.clone(), indices, material, targets: Vec::new() };
        meshes.entry(piece).or_default().push(primitive);
    }
    for (piece, primitives) in meshes {
        let name = collection.pieces.0.get(piece).map_or_else(String::new, |bone| bone.name.to_string());
        let mesh = Mesh { name, primitives, weights: Vec::new(), extras: None };
        let mesh = push(&mut builder.document.meshes, mesh);
        let node = nodes.get(piece).and_then(|node| builder.document.nodes.get_mut(*node));
        if let Some(node) = node {
            node.mesh = Some(mesh);
        }
    }
    builder.finish()
}

const DAMAGED: GltfError = GltfError::Obstacle("its triangles have vertices or pieces that do not exist");

/// Returns the piece of a triangle, and its vertices; `None` if one of them does not exist.
fn triangle(collection: &GeometryCollection<'_>, corners: &[I32; 3]) -> Option<(usize, [u32; 3])> {
    let [first, second, third] = corners.map(|corner| {
        let corner = u32::try_from(corner.get()).ok()?;
        ((corner as usize) < collection.positions.len()).then_some(corner)
    });
    let indices = [first?, second?, third?];
    // All vertices of a triangle belong to one piece.
    let piece = usize::try_from(collection.piece_of_vertex.get(indices[0] as usize)?.get()).ok()?;
    (piece < collection.pieces.0.len()).then_some((piece, indices))
}

/// Adds the attributes of all vertices. Numbers that are not finite are zero, as glTF demands.
fn attributes(builder: &mut Builder, collection: &GeometryCollection<'_>) -> Map<String, Value> {
    let count = collection.positions.len();
    let mut attributes = Map::new();
    let positions = collection.positions.iter().map(|position| axes::position(finite_of(position)));
    let positions = builder.floats(positions, Some(VERTICES), true);
    attributes.insert("POSITION".to_owned(), positions.into());
    let normals: Vec<[f32; 3]> =
        collection.normals.iter().filter_map(|normal| unit(finite_of(normal))).collect();
    if normals.len() == count {
        let normals = builder.floats(normals.into_iter().map(axes::direction), Some(VERTICES), false);
        attributes.insert("NORMAL".to_owned(), normals.into());
    } else if !collection.normals.is_empty() {
        builder.note("some normals are zero: normals are left out");
    }
    for (channel, coordinates) in
        collection.coordinates.iter().filter(|channel| channel.len() == count).enumerate()
    {
        let coordinates = builder.floats(coordinates.iter().map(finite_of), Some(VERTICES), false);
        attributes.insert(format!("TEXCOORD_{channel}"), coordinates.into());
    }
    if collection.colors.len() == count {
        let colors = collection.colors.iter().map(|color| finite_of(color).map(|part| part.clamp(0.0, 1.0)));
        let colors = builder.floats(colors, Some(VERTICES), false);
        attributes.insert("COLOR_0".to_owned(), colors.into());
    }
    attributes
}

/// Returns a vector of length 1; `None` for one of length 0.
fn unit(vector: [f32; 3]) -> Option<[f32; 3]> {
    let length = vector.iter().map(|part| part * part).sum::<f32>().sqrt();
    length.is_normal().then(|| vector.map(|part| part / length))
}
