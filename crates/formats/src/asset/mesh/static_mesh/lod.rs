//! Levels of detail of static meshes.
//!
//! ```text
//! level    strip flags │ sections │ bounds (5.6) │ f32 deviation │ bool32 left out │ bool32 inlined
//!          │ (5.5) bool32 ray tracing
//!          │ buffers, or bulk data with them and a summary │ 3 × u32
//! buffers  strip flags │ positions │ tangents, UVs │ colours │ indices, reversed, depth only, reversed depth only │ …
//! ```

use super::super::super::{Payload, StripFlags};
use super::super::buffers::{self, Indices, Vertices};
use super::super::common::{Bounds, Geometry, list, skip_list};
use super::section::StaticSection;
use crate::wire::Fault;

/// `FStaticMeshLODResources`: a level of detail.
#[doc(alias = "FStaticMeshLODResources")]
#[derive(Debug, Clone, PartialEq)]
pub struct StaticLod<'a> {
    /// Ranges of triangles with one material each.
    pub sections: Vec<StaticSection>,
    /// Largest distance from the best level, in centimetres.
    pub max_deviation: f32,
    /// Vertices and triangles.
    pub geometry: Geometry<'a, StaticBuffers<'a>>,
}

/// Buffers of a level of detail.
#[derive(Debug, Clone, PartialEq)]
pub struct StaticBuffers<'a> {
    /// Vertices.
    pub vertices: Vertices<'a>,
    /// Indices of vertices, three per triangle.
    pub indices: Indices<'a>,
}

/// Bytes of the shortest level: strip flags, no sections, the deviation.
pub(super) const MIN_LEN: usize = 10;
/// Class bits of strip flags.
const NO_ADJACENCY: u8 = 1;
const MIN_LOD_STRIPPED: u8 = 2;
const NO_REVERSED: u8 = 4;
const NO_RAY_TRACING: u8 = 8;

impl<'a> StaticLod<'a> {
    pub(super) fn read(payload: &mut Payload<'_, 'a>) -> Result<Self, Fault> {
        let versions = payload.versions;
        let strip = payload.strip_flags()?;
        let sections = list(payload, "sections", StaticSection::MIN_LEN, StaticSection::read)?;
        if versions.has_source_bounds() {
            Bounds::read(payload)?;
        }
        let max_deviation = payload.r.f32("deviation")?;
        let lod = |geometry| Self { sections: sections.clone(), max_deviation, geometry };
        // Before 4.23 buffers follow directly, under the strip flags of the level.
        if !versions.has_inlined_lods() {
            let absent =
                strip.is_audio_visual_data_stripped() || strip.is_class_data_stripped(MIN_LOD_STRIPPED);
            if absent {
                return Ok(lod(Geometry::Absent));
            }
            let buffers = StaticBuffers::with(payload, strip, sections.len())?;
            return lod(Geometry::Inline(buffers.into())).checked(payload);
        }
        let is_left_out = payload.r.bool32("level of detail was left out")?;
        let is_inlined = payload.r.bool32("level of detail is inlined")?;
        // The cooker left the level out for this platform: nothing follows.
        if strip.is_audio_visual_data_stripped() || is_left_out {
            return Ok(lod(Geometry::Absent));
        }
        if versions.has_ray_tracing_proxies() {
            payload.r.bool32("ray tracing geometry")?;
        }
        let geometry = if is_inlined {
            Geometry::Inline(StaticBuffers::read(payload, sections.len())?.into())
        } else {
            streamed(payload)?
        };
        payload.r.array::<12>("sizes of buffers")?;
        lod(geometry).checked(payload)
    }

    /// Reads the buffers of a streamed level from its bulk data, `payload`.
    pub(super) fn load(&mut self, payload: &mut Payload<'_, 'a>) -> Result<(), Fault> {
        let buffers = StaticBuffers::read(payload, self.sections.len())?;
        payload.r.finish("buffers")?;
        let geometry = Geometry::Inline(buffers.into());
        *self = Self { sections: std::mem::take(&mut self.sections), geometry, ..*self }.checked(payload)?;
        Ok(())
    }

    /// Rejects sections and indices that point outside.
    fn checked(self, payload: &Payload<'_, '_>) -> Result<Self, Fault> {
        if let Geometry::Inline(buffers) = &self.geometry {
            let ranges = self.sections.iter().map(|section| (section.first_index, section.triangles));
            buffers.indices.check(payload, buffers.vertices.len(), ranges)?;
        }
        Ok(self)
    }
}

/// Reads the reference to streamed buffers, and skips their summary.
fn streamed<'a>(payload: &mut Payload<'_, 'a>) -> Result<Geometry<'a, StaticBuffers<'a>>, Fault> {
    let bulk = payload.bulk()?;
    payload.r.bytes("summary of buffers", payload.versions.len_of_lod_summary())?;
    // No bytes: the cooker left the buffers out.
    Ok(if bulk.record.len == 0 { Geometry::Absent } else { Geometry::Streamed(bulk) })
}

impl<'a> StaticBuffers<'a> {
    /// Reads the buffers of a level with `sections` sections.
    pub(in super::super) fn read(payload: &mut Payload<'_, 'a>, sections: usize) -> Result<Self, Fault> {
        let strip = payload.strip_flags()?;
        Self::with(payload, strip, sections)
    }

    /// Reads the buffers after their strip flags, which before 4.23 are those of the level.
    fn with(payload: &mut Payload<'_, 'a>, strip: StripFlags, sections: usize) -> Result<Self, Fault> {
        let versions = payload.versions;
        let has_reversed = !strip.is_class_data_stripped(NO_REVERSED);
        let mut vertices = Vertices::read(payload)?;
        vertices.colors = buffers::colors(payload, vertices.len())?;
        let indices = Indices::read(payload)?;
        // Reversed, depth only, reversed depth only: variants of the same triangles, for the renderer.
        for is_there in [has_reversed, true, has_reversed] {
            skip_indices(payload, is_there)?;
        }
        // The wireframe is for the editor, adjacency for the tessellation of UE4.
        skip_indices(payload, !strip.is_editor_data_stripped())?;
        skip_indices(payload, versions.has_adjacency() && !strip.is_class_data_stripped(NO_ADJACENCY))?;
        if versions.has_index_expansion() && !strip.is_class_data_stripped(NO_RAY_TRACING) {
            ray_tracing(payload)?;
        }
        samplers(payload, sections)?;
        Ok(Self { vertices, indices })
    }
}

fn skip_indices(payload: &mut Payload<'_, '_>, is_there: bool) -> Result<(), Fault> {
    if is_there { Indices::read(payload).map(drop) } else { Ok(()) }
}

fn ray_tracing(payload: &mut Payload<'_, '_>) -> Result<(), Fault> {
    if payload.versions.has_ray_tracing_header() {
        payload.r.array::<24>("header of ray tracing data")?;
    }
    payload.bulk_array("ray tracing data", 1).map(drop)
}

/// Skips the samplers that pick random points on each section, and on all of them.
fn samplers(payload: &mut Payload<'_, '_>, sections: usize) -> Result<(), Fault> {
    for _ in 0..=sections {
        skip_list(payload, "probabilities", 4)?;
        skip_list(payload, "aliases", 4)?;
        payload.r.f32("total weight")?;
    }
    Ok(())
}
