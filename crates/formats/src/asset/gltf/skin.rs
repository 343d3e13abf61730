//! Which bones move which vertices.

use super::super::mesh::{SkeletalBuffers, SkeletalSection};
use super::super::skeleton::Bones;
use super::axes;
use super::builder::{Builder, push};
use super::document::{Accessor, Skin, U16, VERTICES};
use super::matrix::Matrix;
use serde_json::{Map, Value};

/// Bones of a vertex that are kept: two sets of four.
const MAX_INFLUENCES: usize = 8;
/// Bones in one attribute.
const SET: usize = 4;

/// Adds a skin with all bones, and returns its number.
pub(super) fn add_skin(builder: &mut Builder, name: &str, bones: &Bones, joints: &[usize]) -> usize {
    let mut global: Vec<Matrix> = Vec::with_capacity(bones.0.len());
    for bone in &bones.0 {
        let own = Matrix::new(&axes::transform(&bone.pose));
        let parent = bone.parent.and_then(|parent| global.get(parent));
        global.push(parent.map_or(own, |parent| parent.then(&own)));
    }
    let inverses = global.iter().map(|matrix| matrix.inverse().filter(Matrix::is_finite));
    let inverses: Vec<Option<Matrix>> = inverses.collect();
    if inverses.contains(&None) {
        builder.note("a bone has a scale of zero: vertices that it moves are not where they were");
    }
    let columns = inverses.into_iter().map(|inverse| inverse.unwrap_or(Matrix::IDENTITY).columns());
    let inverse_bind_matrices = builder.floats(columns, None, false);
    let skin = Skin { name: name.to_owned(), inverse_bind_matrices, joints: joints.to_vec() };
    push(&mut builder.document.skins, skin)
}

/// Adds the bones of all vertices and their weights.
pub(super) fn add_weights(
    builder: &mut Builder,
    sections: &[SkeletalSection<'_>],
    buffers: &SkeletalBuffers<'_>,
    attributes: &mut Map<String, Value>,
) {
    let mut vertices = vec![Vec::new(); buffers.vertices.len()];
    for section in sections {
        let first = section.first_vertex as usize;
        let own = vertices.iter_mut().enumerate().skip(first).take(section.vertices as usize);
        for (vertex, influences) in own {
            *influences = of_vertex(section, buffers, vertex);
        }
    }
    if vertices.iter().any(|influences| influences.len() > MAX_INFLUENCES) {
        builder.note("more than 8 bones move a vertex: those with the least weight are left out");
    }
    let most = vertices.iter().map(Vec::len).max().unwrap_or_default().clamp(1, MAX_INFLUENCES);
    vertices.iter_mut().for_each(whole);
    for set in 0..most.div_ceil(SET) {
        let part = |influences: &Vec<(u16, f32)>| -> [(u16, f32); SET] {
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

/// The bones of the mesh that move a vertex, each once, the one with the most weight first.
fn of_vertex(section: &SkeletalSection<'_>, buffers: &SkeletalBuffers<'_>, vertex: usize) -> Vec<(u16, f32)> {
    let mut found: Vec<(u16, f32)> = Vec::new();
    for influence in buffers.weights.of(vertex).filter(|influence| influence.weight > 0) {
        let Some(bone) = section.bone_map.get(usize::from(influence.bone)) else { continue };
        let weight = f32::from(influence.weight);
        match found.iter_mut().find(|(known, _)| *known == bone.get()) {
            Some((_, sum)) => *sum += weight,
            None => found.push((bone.get(), weight)),
        }
    }
    found.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    found
}

/// Keeps as many bones as there is room for, with a sum of 1. What no bone moves belongs to the first one.
fn whole(influences: &mut Vec<(u16, f32)>) {
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
