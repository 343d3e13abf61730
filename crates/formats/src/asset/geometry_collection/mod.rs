//! `UGeometryCollection`: pieces of an object that breaks, at rest.
//!
//! ```text
//! u32 is cooked │ arrays of the groups Transform, Vertices, Faces, … │ data for rendering and physics, not read
//! ```
//!
//! Vertices are relative to the transform of their piece. Verified on 5.8, with tags and without; source: that file.

mod managed_arrays;

use super::Payload;
use super::skeleton::{Bone, Bones};
use super::transform::Transform;
use crate::package::legacy::PackageIndex;
use crate::property::{FromValue, Object, Scope, Value};
use crate::wire::{Fault, FaultKind, counted};
use managed_arrays::ManagedArrays;
use std::fmt;
use std::sync::Arc;
use zerocopy::little_endian::{F32, F64, I32};

/// `UGeometryCollection`: pieces of an object that breaks, at rest.
#[doc(alias = "UGeometryCollection")]
#[derive(Debug, Clone, PartialEq)]
pub struct GeometryCollection<'a> {
    /// Transforms of pieces and of clusters of pieces. Parents may follow their children, but there are no circles.
    pub pieces: Bones,
    /// Positions of vertices, relative to their piece.
    pub positions: &'a [[F32; 3]],
    /// Normals of vertices; empty if there are none.
    pub normals: &'a [[F32; 3]],
    /// Colours of vertices: linear red, green, blue, alpha; empty if there are none.
    pub colors: &'a [[F32; 4]],
    /// Channels of texture coordinates.
    pub coordinates: Vec<&'a [[F32; 2]]>,
    /// Piece of each vertex.
    pub piece_of_vertex: &'a [I32],
    /// Three vertices for each triangle.
    pub triangles: &'a [[I32; 3]],
    /// Slot of the material of each triangle.
    pub material_of_triangle: &'a [I32],
    /// Visibility of each triangle: inner ones show when the object breaks.
    pub is_visible: &'a [u8],
    /// Materials by slot.
    pub materials: Vec<PackageIndex>,
}

/// Limit of channels of texture coordinates.
const MAX_CHANNELS: usize = 8;

impl<'a> GeometryCollection<'a> {
    pub(super) fn read(payload: &mut Payload<'_, 'a>) -> Result<Self, Fault> {
        payload.r.bool32("collection is cooked")?;
        let at = payload.r.clone();
        let arrays = ManagedArrays::read(payload)?;
        let pieces = pieces(&arrays).map_err(|kind| at.fault("pieces of a collection", kind))?;
        payload.r.bytes("data for rendering and physics", payload.r.remaining())?;
        let channels = (0..MAX_CHANNELS).map(|at| arrays.get(&format!("UVLayer{at}"), "Vertices"));
        let materials: Option<&Value> =
            payload.object.find(payload.scope, "Materials").and_then(|found| found.value);
        let materials = materials.and_then(Value::items).unwrap_or_default();
        Ok(Self {
            pieces,
            positions: arrays.get("Vertex", "Vertices"),
            normals: arrays.get("Normal", "Vertices"),
            colors: arrays.get("Color", "Vertices"),
            coordinates: channels.take_while(|channel: &&[[F32; 2]]| !channel.is_empty()).collect(),
            piece_of_vertex: arrays.get("BoneMap", "Vertices"),
            triangles: arrays.get("Indices", "Faces"),
            material_of_triangle: arrays.get("MaterialID", "Faces"),
            is_visible: arrays.get("Visible", "Faces"),
            materials: materials
                .iter()
                .map(|value| PackageIndex::from_value(value).unwrap_or_default())
                .collect(),
        })
    }
}

/// Returns the hierarchy of transforms.
fn pieces(arrays: &ManagedArrays<'_>) -> Result<Bones, FaultKind> {
    const GROUP: &str = "Transform";
    let count = arrays.len(GROUP) as u64;
    let parents: &[I32] = arrays.get("Parent", GROUP);
    if parents.len() as u64 != count {
        return Err(FaultKind::Unexpected { found: parents.len() as u64, expected: count });
    }
    let names = arrays.texts("BoneName", GROUP);
    let mut bones = Vec::with_capacity(parents.len());
    for (at, parent) in parents.iter().enumerate() {
        let parent = usize::try_from(parent.get()).ok();
        if let Some(index) = parent.map(|parent| parent as u64).filter(|parent| *parent >= count) {
            return Err(FaultKind::OutOfRange { index, count });
        }
        let name = names.get(at).filter(|name| !name.is_empty()).cloned();
        let name = name.unwrap_or_else(|| format!("piece {at}"));
        let pose = pose(arrays, GROUP, at).ok_or(FaultKind::OutOfRange { index: at as u64, count: 0 })?;
        bones.push(Bone { name: Arc::from(name), parent, pose });
    }
    circle(&bones).map_or(Ok(Bones(bones)), |index| Err(FaultKind::Cycle { index: index as u64 }))
}

/// Returns the transform of a piece: of doubles until 5.3, of floats since.
fn pose(arrays: &ManagedArrays<'_>, group: &str, at: usize) -> Option<Transform> {
    let long: &[[F64; 10]] = arrays.get("Transform", group);
    let short: &[[F32; 10]] = arrays.get("Transform", group);
    let numbers = long.get(at).map(|numbers| numbers.map(F64::get));
    let numbers = numbers.or_else(|| short.get(at).map(|numbers| numbers.map(|number| number.get().into())));
    numbers.map(|[x, y, z, w, tx, ty, tz, sx, sy, sz]| Transform {
        rotation: [x, y, z, w],
        translation: [tx, ty, tz],
        scale: [sx, sy, sz],
    })
}

/// Returns a bone that is above itself; `None` if there is none. Each bone is visited once.
fn circle(bones: &[Bone]) -> Option<usize> {
    // The walk that met a bone first; another one that comes to it goes no further.
    let mut met: Vec<Option<usize>> = vec![None; bones.len()];
    for start in 0..bones.len() {
        let mut next = Some(start);
        while let Some(at) = next {
            match met.get_mut(at) {
                Some(Some(walk)) if *walk == start => return Some(at),
                Some(first @ None) => *first = Some(start),
                _ => break,
            }
            next = bones.get(at).and_then(|bone| bone.parent);
        }
    }
    None
}

/// Summary of a geometry collection.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct GeometryCollectionSummary {
    /// Number of transforms.
    pub pieces: usize,
    /// Number of vertices.
    pub vertices: usize,
    /// Number of triangles.
    pub triangles: usize,
    /// Number of materials.
    pub materials: usize,
}

impl GeometryCollection<'_> {
    pub(crate) fn summary(&self, _: &Scope<'_>, _: &Object) -> GeometryCollectionSummary {
        GeometryCollectionSummary {
            pieces: self.pieces.0.len(),
            vertices: self.positions.len(),
            triangles: self.triangles.len(),
            materials: self.materials.len(),
        }
    }
}

impl fmt::Display for GeometryCollectionSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pieces = counted(self.pieces as u64, "piece", "pieces");
        let vertices = counted(self.vertices as u64, "vertex", "vertices");
        let triangles = counted(self.triangles as u64, "triangle", "triangles");
        write!(f, "geometry collection: {pieces}, {vertices}, {triangles}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bones(parents: &[Option<usize>]) -> Vec<Bone> {
        let bone =
            |parent: &Option<usize>| Bone { name: "".into(), parent: *parent, pose: Transform::IDENTITY };
        parents.iter().map(bone).collect()
    }

    #[test]
    fn parents_may_follow_but_not_go_round() {
        assert!(circle(&bones(&[Some(2), Some(2), None, Some(0)])).is_none());
        assert!(circle(&bones(&[Some(1), Some(0)])).is_some());
        assert!(circle(&bones(&[None, Some(1)])).is_some());
        assert!(circle(&bones(&[Some(1), Some(2), Some(1)])).is_some());
    }
}
