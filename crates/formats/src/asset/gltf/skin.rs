//! Skins: influence of bones on vertices.

use super::super::mesh::{SkeletalBuffers, SkeletalSection};
use super::super::skeleton::Bones;
use super::axes;
use super::builder::{Builder, push};
use super::document::{Accessor, Skin, U16, VERTICES};
use super::matrix::Matrix;
use serde_json::{Map, Value};

/// Kept influences per vertex: two sets of four.
const MAX_INFLUENCES: usize = 8;
/// Influences per attribute.
const SET: usize = 4;

/// Adds a skin with all bones, and returns its index.
pub(super) fn add_skin(builder: &mut Builder, name: &str, bones: &Bones, joints: &[usize]) -> usize {
    let inverse_bind_matrices = add_bind_matrices(builder, bones);
    let skin = Skin { name: name.to_owned(), inverse_bind_matrices, joints: joints.to_vec() };
    push(&mut builder.document.skins, skin)
}

/// Adds the matrices that lead from the mesh to its bones, and returns the index of their accessor.
pub(super) fn add_bind_matrices(builder: &mut Builder, bones: &Bones) -> usize {
    // Parents precede their children, so the global transform of a parent is known. Conversion comes first:
    // the inverse must be that of the node as written.
    let mut global: Vec<Matrix> = Vec::with_capacity(bones.0.len());
    for bone in &bones.0 {
        let own = Matrix::new(&axes::transform(&bone.pose));
        let parent = bone.parent.and_then(|parent| global.get(parent));
        global.push(parent.map_or(own, |parent| parent.then(&own)));
    }
    let inverses = global.iter().map(|matrix| matrix.inverse().filter(Matrix::is_finite));
    let inverses: Vec<Option<Matrix>> = inverses.collect();
    // The identity keeps the file valid where no inverse exists.
    if inverses.contains(&None) {
        builder.note("a bone has a scale of zero: vertices that it moves are not where they were");
    }
    let columns = inverses.into_iter().map(|inverse| inverse.unwrap_or(Matrix::IDENTITY).columns());
    builder.floats(columns, None, false)
}

/// Bones that move a vertex, with their weights; any sum.
pub(super) type Influences = Vec<(u16, f32)>;

/// Bones that move the vertices of sections.
pub(super) fn of_sections(
    sections: &[SkeletalSection<'_>],
    buffers: &SkeletalBuffers<'_>,
) -> Vec<Influences> {
    // Bones are numbered per section, so a vertex needs the section it belongs to.
    let mut vertices = vec![Vec::new(); buffers.vertices.len()];
    for section in sections {
        let first = section.first_vertex as usize;
        let own = vertices.iter_mut().enumerate().skip(first).take(section.vertices as usize);
        for (vertex, influences) in own {
            let weights = buffers.weights.of(vertex);
            *influences = weights
                .filter_map(|influence| {
                    let bone = section.bone_map.get(usize::from(influence.bone))?;
                    Some((bone.get(), f32::from(influence.weight)))
                })
                .collect();
        }
    }
    vertices
}

/// Adds the bones of all vertices, and their weights.
pub(super) fn add_weights(
    builder: &mut Builder,
    mut vertices: Vec<Influences>,
    attributes: &mut Map<String, Value>,
) {
    vertices.iter_mut().for_each(merge);
    if vertices.iter().any(|influences| influences.len() > MAX_INFLUENCES) {
        builder.note("more than 8 bones move a vertex: those with the least weight are left out");
    }
    // At least one set: a skinned primitive without joints is invalid.
    let most = vertices.iter().map(Vec::len).max().unwrap_or_default().clamp(1, MAX_INFLUENCES);
    vertices.iter_mut().for_each(whole);
    for set in 0..most.div_ceil(SET) {
        let part = |influences: &Influences| -> [(u16, f32); SET] {
            let mut kept = influences.iter().skip(set * SET).copied();
            std::array::from_fn(|_| kept.next().unwrap_or_default())
        };
        let joints =
            vertices.iter().flat_map(|vertex| part(vertex).map(|(bone, _)| bone)).flat_map(u16::to_le_bytes);
        let view = builder.view(joints, Some(VERTICES));
        let joints = builder.accessor(Accessor {
            buffer_view: Some(view),
            component_type: U16,
            count: vertices.len(),
            kind: "VEC4",
            ..Accessor::default()
        });
        let weights = vertices.iter().map(|vertex| part(vertex).map(|(_, weight)| weight));
        let weights = builder.floats(weights, Some(VERTICES), false);
        attributes.insert(format!("JOINTS_{set}"), joints.into());
        attributes.insert(format!("WEIGHTS_{set}"), weights.into());
    }
}

/// Leaves each bone once, in descending order of weight.
fn merge(influences: &mut Influences) {
    let mut found: Influences = Vec::new();
    // Influences without weight are padding.
    for (bone, weight) in influences.drain(..).filter(|(_, weight)| *weight > 0.0) {
        // Two entries may map to one bone: glTF wants each joint at most once per vertex.
        match found.iter_mut().find(|(known, _)| *known == bone) {
            Some((_, sum)) => *sum += weight,
            None => found.push((bone, weight)),
        }
    }
    found.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    *influences = found;
}

/// Keeps the strongest influences, normalised to a sum of 1. A vertex that no bone moves is bound to the
/// first one.
fn whole(influences: &mut Influences) {
    influences.truncate(MAX_INFLUENCES);
    let sum: f32 = influences.iter().map(|(_, weight)| weight).sum();
    if sum <= 0.0 {
        *influences = vec![(0, 1.0)];
        return;
    }
    for (_, weight) in influences {
        *weight /= sum;
    }
}
