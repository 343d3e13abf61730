use super::super::super::Payload;
use super::super::common::{list, skip_list};
use crate::wire::{Fault, FaultKind};
use zerocopy::FromBytes;
use zerocopy::little_endian::U16;

/// `FSkelMeshRenderSection`: a range of triangles with one material, and the vertices and bones that they
/// use.
#[doc(alias = "FSkelMeshRenderSection")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkeletalSection<'a> {
    /// Index of the slot of its material. The level of detail may replace it.
    pub material: u16,
    /// First index.
    pub first_index: u32,
    /// Number of triangles.
    pub triangles: u32,
    /// First vertex.
    pub first_vertex: u32,
    /// Number of vertices.
    pub vertices: u32,
    /// Bones of the mesh that move its vertices. Weights refer to indices of this list.
    pub bone_map: &'a [U16],
    /// Largest number of bones that move one vertex.
    pub max_influences: u32,
    /// True if it is simulated as cloth.
    pub is_cloth: bool,
    /// True if it is not drawn.
    pub is_disabled: bool,
}

const NO_DUPLICATES: u8 = 1;
/// Flag of vertices that are moved by bones of the whole mesh, since 5.8.
const UNIFIED: u32 = 1 << 31;
/// Bytes of a `FMeshToMeshVertData`.
const CLOTH: usize = 64;

impl<'a> SkeletalSection<'a> {
    /// Bytes of the shortest section: strip flags, twelve numbers and flags of four bytes or less, a GUID.
    pub(super) const MIN_LEN: usize = 64;

    /// Reads a section of a mesh with `bones` bones.
    pub(super) fn read(payload: &mut Payload<'_, 'a>, bones: usize) -> Result<Self, Fault> {
        let versions = payload.versions;
        let strip = payload.strip_flags()?;
        let at = payload.r.clone();
        let material = payload.r.u16("material of a section")?;
        // Signed in the file: a negative number names no slot.
        if i16::try_from(material).is_err() {
            return Err(at.fault("material of a section", FaultKind::Unsupported { found: material.into() }));
        }
        let first_index = payload.r.size("first index of a section")?;
        let triangles = payload.r.size("triangles of a section")?;
        payload.r.bool32("tangents are computed again")?;
        payload.r.when(versions.has_tangent_mask(), |r| r.u8("mask of tangents"))?;
        payload.r.bool32("a section casts shadows")?;
        payload.r.when(versions.has_ray_tracing_flag(), |r| r.bool32("a section is visible to rays"))?;
        let first_vertex = payload.r.u32("first vertex of a section")?;
        let is_cloth = cloth(payload)?;
        let bone_map = bone_map(payload, bones)?;
        let vertices = payload.r.size("vertices of a section")?;
        let max_influences = payload.r.u32("influences of a section")? & !UNIFIED;
        // Reference to the cloth: an index, a GUID and a level of detail.
        payload.r.array::<22>("cloth of a section")?;
        // Only since 4.23 may the cooker strip the lists of duplicates.
        if !(versions.has_inlined_lods() && strip.is_class_data_stripped(NO_DUPLICATES)) {
            skip_list(payload, "duplicates of vertices", 4)?;
            skip_list(payload, "places of duplicates", 8)?;
        }
        let is_disabled = payload.r.bool32("a section is disabled")?;
        Ok(Self {
            material,
            first_index,
            triangles,
            first_vertex,
            vertices,
            bone_map,
            max_influences,
            is_cloth,
            is_disabled,
        })
    }
}

fn bone_map<'a>(payload: &mut Payload<'_, 'a>, bones: usize) -> Result<&'a [U16], Fault> {
    let at = payload.r.clone();
    let map = words(payload, "bones of a section")?;
    // Checked once, so that exports need not check the bone of every weight.
    match map.iter().find(|bone| usize::from(bone.get()) >= bones) {
        Some(bone) => Err(at.fault("bones of a section", FaultKind::out_of_range(bone.get(), bones))),
        None => Ok(map),
    }
}

/// Reads a count, and that many 16-bit numbers.
pub(super) fn words<'a>(payload: &mut Payload<'_, 'a>, field: &'static str) -> Result<&'a [U16], Fault> {
    let count = payload.r.count(field, 2)?;
    let at = payload.r.clone();
    <[U16]>::ref_from_bytes(payload.r.bytes(field, 2 * count)?)
        .map_err(|_| at.fault(field, FaultKind::Unknown))
}

/// Skips the influence of cloth on vertices: one list per level of detail, or a single one. Returns true if
/// there is any.
fn cloth(payload: &mut Payload<'_, '_>) -> Result<bool, Fault> {
    let skip = |payload: &mut Payload<'_, '_>| skip_list(payload, "vertices of cloth", CLOTH);
    if payload.versions.has_cloth_lod_bias() {
        let counts = list(payload, "levels of detail of cloth", 4, skip)?;
        return Ok(counts.iter().any(|count| *count > 0));
    }
    skip(payload).map(|count| count > 0)
}
