//! Geometry caches: a node for each track, with the mesh of its first frame.

use super::super::geometry_cache::CacheMesh;
use super::attributes::finite_of;
use super::axes;
use super::builder::{Builder, Glb, GltfError, push};
use super::document::{Accessor, INDICES, Mesh, Node, Primitive, U32, VERTICES};
use super::material::Material;
use serde_json::{Map, Value};

/// A track of a geometry cache.
#[derive(Debug, Clone, PartialEq)]
pub struct CacheTrack<'a> {
    /// Its name.
    pub name: String,
    /// A frame of it.
    pub mesh: CacheMesh<'a>,
    /// Place of the first of its materials among those of the cache.
    pub first_material: usize,
}

/// Writes one frame of each track.
pub fn geometry_cache(tracks: &[CacheTrack<'_>], materials: &[Material]) -> Result<Glb, GltfError> {
    let mut builder = Builder::new();
    for material in materials {
        builder.material(material);
    }
    for track in tracks {
        let primitives = primitives(&mut builder, track, materials.len())?;
        if primitives.is_empty() {
            continue;
        }
        let mesh = Mesh { name: track.name.clone(), primitives, weights: Vec::new(), extras: None };
        let mesh = Some(push(&mut builder.document.meshes, mesh));
        let node =
            push(&mut builder.document.nodes, Node { name: track.name.clone(), mesh, ..Node::default() });
        builder.show(node);
    }
    if builder.document.meshes.is_empty() { Err(GltfError::Empty) } else { builder.finish() }
}

const DAMAGED: GltfError = GltfError::Obstacle("its batches have triangles that do not exist");

/// A primitive for each batch with triangles.
fn primitives(
    builder: &mut Builder,
    track: &CacheTrack<'_>,
    materials: usize,
) -> Result<Vec<Primitive>, GltfError> {
    let CacheTrack { mesh, first_material, .. } = track;
    // Real batches never overlap. Crafted ones may all have all triangles.
    let corners: u64 = mesh.batches.iter().map(|batch| 3 * u64::from(batch.triangles)).sum();
    if corners > mesh.indices.len() as u64 {
        return Err(DAMAGED);
    }
    let (mut primitives, mut attributes) = (Vec::new(), None);
    for batch in mesh.batches.iter().filter(|batch| batch.triangles > 0) {
        let start = usize::try_from(batch.first).ok();
        let len = usize::try_from(batch.triangles).ok().and_then(|count| count.checked_mul(3));
        let end = start.zip(len).and_then(|(start, len)| start.checked_add(len));
        let own = start.zip(end).and_then(|(start, end)| mesh.indices.get(start..end)).ok_or(DAMAGED)?;
        let attributes = attributes.get_or_insert_with(|| self::attributes(builder, mesh)).clone();
        let view = builder.view(own.iter().flat_map(|index| index.get().to_le_bytes()), Some(INDICES));
        let indices = builder.accessor(Accessor {
            buffer_view: Some(view),
            component_type: U32,
            count: own.len(),
            kind: "SCALAR",
            ..Accessor::default()
        });
        // A slot that does not exist leaves the default material.
        let material =
            usize::try_from(batch.material).ok().and_then(|slot| slot.checked_add(*first_material));
        let material = material.filter(|material| *material < materials);
        primitives.push(Primitive { attributes, indices, material, targets: Vec::new() });
    }
    Ok(primitives)
}

/// Adds the attributes of all vertices. Numbers that are not finite are zero, as glTF demands.
fn attributes(builder: &mut Builder, mesh: &CacheMesh<'_>) -> Map<String, Value> {
    let mut attributes = Map::new();
    let positions = mesh.positions.iter().map(|position| axes::position(finite_of(position)));
    let positions = builder.floats(positions, Some(VERTICES), true);
    attributes.insert("POSITION".to_owned(), positions.into());
    if !mesh.coordinates.is_empty() {
        let coordinates = builder.floats(mesh.coordinates.iter().map(finite_of), Some(VERTICES), false);
        attributes.insert("TEXCOORD_0".to_owned(), coordinates.into());
    }
    attributes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asset::geometry_cache::CacheBatch;
    use zerocopy::little_endian::{F32, U32};

    /// A track of one triangle, with batches of so many triangles, from the first one on.
    fn made(batches: &[u32]) -> Result<Glb, GltfError> {
        let positions = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(|at| at.map(F32::new));
        let indices = [0, 1, 2].map(U32::new);
        let batch = |triangles: &u32| CacheBatch { first: 0, triangles: *triangles, material: 0 };
        let batches = batches.iter().map(batch).collect();
        let mesh = CacheMesh { batches, positions: &positions, coordinates: &[], indices: &indices };
        geometry_cache(&[CacheTrack { name: "Track".to_owned(), mesh, first_material: 0 }], &[])
    }

    #[test]
    fn batches_have_no_more_triangles_than_the_frame() {
        assert!(made(&[1]).is_ok());
        assert!(made(&[0, 1]).is_ok());
        for damaged in [&[1, 1][..], &[2], &[u32::MAX, u32::MAX]] {
            assert!(matches!(made(damaged), Err(GltfError::Obstacle(_))), "{damaged:?}");
        }
        assert!(matches!(made(&[0]), Err(GltfError::Empty)));
    }
}
