//! Levels of detail of skeletal meshes.
//!
//! ```text
//! level    strip flags │ bool32 left out │ bool32 inlined │ bones │ sections │ bones │ u32 size │ buffers
//! buffers  before 5.8 in the export or in bulk data, since 5.8 always in bulk data, which may be inline;
//!          a summary follows bulk data
//! ```

use super::super::super::Payload;
use super::super::buffers::{self, Indices, Vertices};
use super::super::common::{Geometry, list, skip_list};
use super::morphs::MorphData;
use super::section::{SkeletalSection, words};
use super::weights::SkinWeights;
use crate::wire::{Fault, FaultKind, Reader};

/// `FSkeletalMeshLODRenderData`: a level of detail.
#[doc(alias = "FSkeletalMeshLODRenderData")]
#[derive(Debug, Clone, PartialEq)]
pub struct SkeletalLod<'a> {
    /// Ranges of triangles with one material each.
    pub sections: Vec<SkeletalSection<'a>>,
    /// Vertices and triangles.
    pub geometry: Geometry<'a, SkeletalBuffers<'a>>,
}

/// Buffers of a level of detail.
#[derive(Debug, Clone, PartialEq)]
pub struct SkeletalBuffers<'a> {
    /// Vertices.
    pub vertices: Vertices<'a>,
    /// Indices of vertices, three per triangle.
    pub indices: Indices<'a>,
    /// The bones that move each vertex.
    pub weights: SkinWeights<'a>,
    /// Deltas of morph targets; `None` if there are none.
    pub morphs: Option<MorphData<'a>>,
}

/// Bytes of the shortest level: strip flags, two flags, no bones.
pub(super) const MIN_LEN: usize = 14;
/// Limit of sections per vertex, on average. Every engine writes each vertex once.
const MAX_SHARING: u64 = 4;
const NO_ADJACENCY: u8 = 1;
const NO_HALF_EDGES: u8 = 1;
/// Bytes that summarise an index buffer: width and number.
const INDEX_SUMMARY: usize = 5;

impl<'a> SkeletalLod<'a> {
    pub(super) fn read(payload: &mut Payload<'_, 'a>, has_colors: bool, bones: usize) -> Result<Self, Fault> {
        let versions = payload.versions;
        let strip = payload.strip_flags()?;
        let is_left_out = payload.r.bool32("level of detail was left out")?;
        let is_inlined = payload.r.bool32("level of detail is inlined")?;
        words(payload, "bones of a level of detail")?;
        // A level that was left out for this platform ends here, without sections.
        if strip.is_audio_visual_data_stripped() || is_left_out {
            return Ok(Self { sections: Vec::new(), geometry: Geometry::Absent });
        }
        let read = |payload: &mut Payload<'_, 'a>| SkeletalSection::read(payload, bones);
        let sections = list(payload, "sections", SkeletalSection::MIN_LEN, read)?;
        words(payload, "bones that are moved")?;
        payload.r.u32("size of buffers")?;
        // Since 5.8 even inlined buffers are wrapped in bulk data.
        let geometry = if is_inlined && !versions.has_skeletal_lods_in_bulk_data() {
            Geometry::Inline(SkeletalBuffers::read(payload, &sections, has_colors)?.into())
        } else {
            let has_adjacency = versions.has_adjacency() && !strip.is_class_data_stripped(NO_ADJACENCY);
            in_bulk_data(payload, &sections, has_colors, has_adjacency)?
        };
        let lod = Self { sections, geometry };
        lod.check(payload)?;
        Ok(lod)
    }

    /// Reads the buffers of a streamed level from its bulk data, `payload`.
    pub(super) fn load(&mut self, payload: &mut Payload<'_, 'a>) -> Result<(), Fault> {
        let start = payload.r.clone();
        let buffers = match payload.property("bHasVertexColors") {
            Some(has_colors) => SkeletalBuffers::whole(payload, &self.sections, has_colors)?,
            // Without properties, both are tried: the buffers must end exactly with the data.
            None => SkeletalBuffers::whole(payload, &self.sections, false).or_else(|_| {
                payload.r = start;
                SkeletalBuffers::whole(payload, &self.sections, true)
            })?,
        };
        self.geometry = Geometry::Inline(buffers.into());
        self.check(payload)
    }

    /// Rejects sections and indices that point outside.
    fn check(&self, payload: &Payload<'_, '_>) -> Result<(), Fault> {
        let Geometry::Inline(buffers) = &self.geometry else { return Ok(()) };
        let vertices = buffers.vertices.len();
        // The same limit as for indices: sections may overlap only so far that work stays linear.
        let mut left = MAX_SHARING * vertices as u64;
        for section in &self.sections {
            let count = u64::from(section.vertices);
            let kind = FaultKind::TooLarge { found: count, limit: left };
            left =
                left.checked_sub(count).ok_or_else(|| payload.r.fault("vertices of all sections", kind))?;
            let end = u64::from(section.first_vertex) + u64::from(section.vertices);
            if end > vertices as u64 {
                return Err(payload.r.fault("vertices of a section", FaultKind::out_of_range(end, vertices)));
            }
        }
        let ranges = self.sections.iter().map(|section| (section.first_index, section.triangles));
        buffers.indices.check(payload, vertices, ranges)
    }
}

fn in_bulk_data<'a>(
    payload: &mut Payload<'_, 'a>,
    sections: &[SkeletalSection<'a>],
    has_colors: bool,
    has_adjacency: bool,
) -> Result<Geometry<'a, SkeletalBuffers<'a>>, Fault> {
    let bulk = payload.bulk()?;
    // The cooker left the buffers out, and with them their summary.
    if bulk.record.len == 0 {
        return Ok(Geometry::Absent);
    }
    let geometry = match bulk.inline {
        Some(bytes) => {
            // Faults inside still count from the start of the export.
            let base = payload.r.offset() - bytes.len() as u64;
            let outer = std::mem::replace(&mut payload.r, Reader::with_base(bytes, base));
            let buffers = SkeletalBuffers::whole(payload, sections, has_colors)?;
            payload.r = outer;
            Geometry::Inline(buffers.into())
        }
        None => Geometry::Streamed(bulk),
    };
    // The summary follows even if the buffers are inline.
    summary(payload, sections, has_adjacency)?;
    Ok(geometry)
}

/// Skips the summary of buffers, which the engine reads before it loads them.
fn summary(
    payload: &mut Payload<'_, '_>,
    sections: &[SkeletalSection<'_>],
    has_adjacency: bool,
) -> Result<(), Fault> {
    let versions = payload.versions;
    let indices = if has_adjacency { 2 * INDEX_SUMMARY } else { INDEX_SUMMARY };
    payload.r.bytes("summary of buffers", indices + versions.len_of_skeletal_summary())?;
    if sections.iter().any(|section| section.is_cloth) {
        let count = payload.r.count("cloth in the summary", 8)?;
        let each = if versions.has_cloth_lod_bias() { 12 } else { 8 };
        payload.r.bytes("cloth in the summary", each * count + 8)?;
    }
    skip_list(payload, "profiles of weights", 8)?;
    payload
        .r
        .when(versions.has_ray_tracing_header(), |r| r.array::<24>("header of ray tracing data"))
        .map(drop)
}

impl<'a> SkeletalBuffers<'a> {
    /// Reads buffers that must fill their bulk data.
    fn whole(
        payload: &mut Payload<'_, 'a>,
        sections: &[SkeletalSection<'a>],
        has_colors: bool,
    ) -> Result<Self, Fault> {
        let buffers = Self::read(payload, sections, has_colors)?;
        payload.r.finish("buffers")?;
        Ok(buffers)
    }

    fn read(
        payload: &mut Payload<'_, 'a>,
        sections: &[SkeletalSection<'a>],
        has_colors: bool,
    ) -> Result<Self, Fault> {
        let versions = payload.versions;
        let strip = payload.strip_flags()?;
        let indices = indices(payload)?;
        let mut vertices = Vertices::read(payload)?;
        let weights = SkinWeights::read(payload, vertices.len())?;
        // The order is that of the engine's buffers: any of them missing shifts all later ones.
        if has_colors {
            vertices.colors = buffers::colors(payload, vertices.len())?;
        }
        // Adjacency for tessellation ended with 5.0; it has the form of an index buffer.
        if versions.has_adjacency() && !strip.is_class_data_stripped(NO_ADJACENCY) {
            self::indices(payload)?;
        }
        if sections.iter().any(|section| section.is_cloth) {
            cloth(payload)?;
        }
        profiles(payload)?;
        // Every further block depends on the release; all but morph targets are skipped.
        if versions.has_skeletal_ray_tracing() {
            ray_tracing(payload)?;
        }
        let has_morphs = versions.has_morph_render_data() && payload.r.bool32("morph targets")?;
        let morphs = if has_morphs { Some(MorphData::read(payload, vertices.len())?) } else { None };
        if versions.has_vertex_attributes() {
            skip_list(payload, "attributes of vertices", 24)?;
        }
        if versions.has_half_edges() && !payload.strip_flags()?.is_class_data_stripped(NO_HALF_EDGES) {
            skip_list(payload, "edges of vertices", 4)?;
            skip_list(payload, "twins of edges", 4)?;
        }
        Ok(Self { vertices, indices, weights, morphs })
    }
}

fn indices<'a>(payload: &mut Payload<'_, 'a>) -> Result<Indices<'a>, Fault> {
    let at = payload.r.clone();
    let width = payload.r.u8("width of indices")?;
    // Unlike static meshes, the width is a byte here.
    if ![2, 4].contains(&width) {
        return Err(at.fault("width of indices", FaultKind::Unsupported { found: width.into() }));
    }
    let bytes = payload.bulk_array("indices", width.into())?;
    Indices::of(bytes, width.into()).ok_or_else(|| at.fault("indices", FaultKind::Unknown))
}

fn cloth(payload: &mut Payload<'_, '_>) -> Result<(), Fault> {
    payload.strip_flags()?;
    let unit = payload.r.size("size of a vertex of cloth")?;
    let count = payload.r.count("vertices of cloth", unit as usize)?;
    payload.r.bytes("vertices of cloth", count.saturating_mul(unit as usize))?;
    let count = skip_list(payload, "places of cloth", 8)?;
    if payload.versions.has_cloth_lod_bias() {
        payload.r.bytes("levels of detail of cloth", count.saturating_mul(4))?;
    }
    Ok(())
}

/// Skips profiles: alternative weights of some vertices.
fn profiles(payload: &mut Payload<'_, '_>) -> Result<(), Fault> {
    list(payload, "profiles of weights", 21, |payload| {
        payload.name("profile of weights")?;
        if payload.versions.has_byte_profiles() {
            payload.byte_array("bones of a profile")?;
            payload.byte_array("weights of a profile")?;
            payload.r.u8("weights of a vertex")?;
        } else {
            skip_list(payload, "weights of a profile", 8)?;
            skip_list(payload, "bones of a profile", 2)?;
        }
        skip_list(payload, "vertices of a profile", 8)
    })
    .map(drop)
}

fn ray_tracing(payload: &mut Payload<'_, '_>) -> Result<(), Fault> {
    if payload.versions.has_ray_tracing_header() {
        payload.r.array::<24>("header of ray tracing data")?;
        return payload.bulk_array("ray tracing data", 1).map(drop);
    }
    payload.byte_array("ray tracing data").map(drop)
}
