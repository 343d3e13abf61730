use super::super::Animation;
use super::super::mesh::MorphDelta;
use super::super::morph_target::MorphTarget;
use super::super::skeleton::Skeleton;
use super::super::transform::Transform;
use super::parts::{GuidText, Vector};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct BoneJson<'b> {
    name: &'b str,
    parent_index: i64,
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct QuatJson {
    x: f64,
    y: f64,
    z: f64,
    w: f64,
    is_normalized: bool,
    size: f64,
    size_squared: f64,
}

#[derive(Serialize)]
struct PoseJson {
    #[serde(rename = "Rotation")]
    rotation: QuatJson,
    #[serde(rename = "Translation")]
    translation: Vector<f64>,
    #[serde(rename = "Scale3D")]
    scale: Vector<f64>,
}

impl From<&Transform> for PoseJson {
    fn from(pose: &Transform) -> Self {
        let [x, y, z, w] = pose.rotation;
        let size_squared = x * x + y * y + z * z + w * w;
        // The engine's tolerance.
        let is_normalized = (1.0 - size_squared).abs() < 0.01;
        let rotation = QuatJson { x, y, z, w, is_normalized, size: size_squared.sqrt(), size_squared };
        Self { rotation, translation: pose.translation.into(), scale: pose.scale.into() }
    }
}

/// Names of bones with their indices.
struct Indices<'b>(&'b Skeleton);

impl Serialize for Indices<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.bones.0.iter().enumerate().map(|(at, bone)| (&*bone.name, at)))
    }
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct ReferenceSkeletonJson<'b> {
    final_ref_bone_info: Vec<BoneJson<'b>>,
    final_ref_bone_pose: Vec<PoseJson>,
    final_name_to_index_map: Indices<'b>,
}

impl Skeleton {
    pub(super) fn write_json<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        let parent = |parent: Option<usize>| parent.and_then(|at| i64::try_from(at).ok()).unwrap_or(-1);
        let bones = self.bones.0.iter();
        let bones = bones.map(|bone| BoneJson { name: &bone.name, parent_index: parent(bone.parent) });
        let skeleton = ReferenceSkeletonJson {
            final_ref_bone_info: bones.collect(),
            final_ref_bone_pose: self.bones.0.iter().map(|bone| (&bone.pose).into()).collect(),
            final_name_to_index_map: Indices(self),
        };
        map.serialize_entry("ReferenceSkeleton", &skeleton)?;
        map.serialize_entry("Guid", &GuidText(self.guid))
    }
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct DeltaJson {
    position_delta: Vector<f32>,
    tangent_z_delta: Vector<f32>,
    source_idx: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct MorphLodJson<'m> {
    #[serde(skip_serializing_if = "Option::is_none")]
    vertices: Option<Vec<DeltaJson>>,
    num_vertices: u32,
    num_base_mesh_verts: u32,
    section_indices: &'m [u32],
}

impl MorphTarget {
    pub(super) fn write_json<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        let delta = |delta: &MorphDelta| DeltaJson {
            position_delta: delta.position.into(),
            tangent_z_delta: delta.normal.into(),
            source_idx: delta.vertex,
        };
        let lods = self.lods.iter().map(|lod| MorphLodJson {
            vertices: lod.deltas.as_ref().map(|deltas| deltas.iter().map(delta).collect()),
            num_vertices: lod.count,
            num_base_mesh_verts: lod.base_vertices,
            section_indices: &lod.sections,
        });
        map.serialize_entry("MorphLODModels", &lods.collect::<Vec<_>>())
    }
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct TrackJson {
    bone_tree_index: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct CompressedJson {
    compressed_number_of_frames: u32,
}

impl Animation<'_> {
    pub(super) fn write_json<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        let tracks: Vec<TrackJson> =
            self.bones.iter().map(|bone| TrackJson { bone_tree_index: *bone }).collect();
        map.serialize_entry("CompressedTrackToSkeletonMapTable", &tracks)?;
        let data = CompressedJson { compressed_number_of_frames: self.frames };
        map.serialize_entry("CompressedDataStructure", &data)?;
        map.serialize_entry("CompressedRawDataSize", &self.raw_size)
    }
}
