//! `UMorphTarget`: motion of vertices from one shape to another.
//!
//! ```text
//! strip flags │ (5.7) bool32 cooked │ LODs │ if cooked: bool32 compressed, compressed LODs
//! LOD    (5.0) bool32 stripped │ stripped: i32 n; else n × { 3 × f32 position, 3 × f32 normal, u32 vertex }
//!        │ i32 vertices of the mesh │ i32 n │ n × i32 section │ bool32 generated │ (5.5) FString file
//! ```
//!
//! Cooks for desktops strip the deltas, which are then in the mesh, packed for the graphics card.
//!
//! Verified on 5.8; deltas that are not stripped follow CUE4Parse. Source: the payload sheet.

use super::Payload;
use super::mesh::MorphDelta;
use crate::property::{Object, Scope};
use crate::wire::{Fault, FaultKind, WireString, counted};
use std::fmt;

/// `UMorphTarget`: motion of vertices from one shape to another.
#[doc(alias = "UMorphTarget")]
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MorphTarget {
    /// Morph of each level of detail of the mesh.
    pub lods: Vec<MorphTargetLod>,
}

/// `FMorphTargetLODModel`: a morph target in one level of detail.
#[doc(alias = "FMorphTargetLODModel")]
#[derive(Debug, Clone, PartialEq)]
pub struct MorphTargetLod {
    /// Number of moved vertices.
    pub count: u32,
    /// Change of each vertex; `None` if the mesh holds the deltas.
    pub deltas: Option<Vec<MorphDelta>>,
    /// Number of vertices of the mesh when the target was made.
    pub base_vertices: u32,
    /// Indices of the sections of the mesh that it moves.
    pub sections: Vec<u32>,
}

/// Bytes of a delta: two vectors of three floats, and the vertex.
const DELTA: usize = 28;
/// Bytes of the shortest level: a count, two numbers, a flag.
const MIN_LOD: usize = 16;
/// Bytes that describe a batch of compressed deltas.
const COMPRESSED_BATCH: usize = 47;

impl MorphTarget {
    pub(super) fn read(payload: &mut Payload<'_, '_>) -> Result<Self, Fault> {
        if payload.strip_flags()?.is_audio_visual_data_stripped() {
            return Ok(Self::default());
        }
        let versions = payload.versions;
        let is_cooked = versions.has_cooked_morphs() && payload.r.bool32("cooked")?;
        let at = payload.r.clone();
        let count = payload.r.count("levels of detail", MIN_LOD)?;
        if count == 0 && payload.object.properties.is_none() {
            // The search for a payload finds ten zeros anywhere: an empty target without properties is no
            // evidence.
            return Err(at.fault("levels of detail", FaultKind::TooSmall { found: 0, limit: 1 }));
        }
        let lods = (0..count).map(|_| MorphTargetLod::read(payload)).collect::<Result<_, _>>()?;
        if is_cooked && payload.r.bool32("compressed")? {
            // A second copy of the deltas, packed: only its end is needed.
            for _ in 0..payload.r.count("compressed levels of detail", 16)? {
                let batches = payload.r.count("compressed batches", COMPRESSED_BATCH)?;
                payload.r.bytes("compressed batches", COMPRESSED_BATCH * batches)?;
                let words = payload.r.count("compressed deltas", 4)?;
                payload.r.bytes("compressed deltas", 4 * words)?;
                payload.floats::<2>("steps of compressed deltas")?;
            }
        }
        Ok(Self { lods })
    }
}

impl MorphTargetLod {
    fn read(payload: &mut Payload<'_, '_>) -> Result<Self, Fault> {
        let versions = payload.versions;
        let is_stripped = versions.has_stripped_morph_sources() && payload.r.bool32("deltas are stripped")?;
        let (count, deltas) = if is_stripped {
            (payload.r.size("deltas")?, None)
        } else {
            let deltas = deltas(payload)?;
            (u32::try_from(deltas.len()).unwrap_or(u32::MAX), Some(deltas))
        };
        let base_vertices = payload.r.size("vertices of the mesh")?;
        let sections =
            payload.r.list("sections of a morph target", 4, |r| r.size("section of a morph target"))?;
        payload.r.bool32("morph target was generated")?;
        payload.r.when(versions.has_morph_file_names(), |r| WireString::read(r, "file of a morph target"))?;
        Ok(Self { count, deltas, base_vertices, sections })
    }
}

fn deltas(payload: &mut Payload<'_, '_>) -> Result<Vec<MorphDelta>, Fault> {
    let count = payload.r.count("deltas", DELTA)?;
    let delta = |_| {
        Ok(MorphDelta {
            position: payload.floats("delta of a position")?,
            normal: payload.floats("delta of a normal")?,
            vertex: payload.r.u32("vertex of a delta")?,
        })
    };
    (0..count).map(delta).collect()
}

/// Summary of a morph target.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct MorphSummary {
    /// Number of moved vertices, by level of detail.
    pub vertices: Vec<u32>,
}

impl MorphTarget {
    pub(crate) fn summary(&self, _: &Scope<'_>, _: &Object) -> MorphSummary {
        MorphSummary { vertices: self.lods.iter().map(|lod| lod.count).collect() }
    }
}

impl fmt::Display for MorphSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first = self.vertices.first().copied().unwrap_or_default();
        write!(f, "morph target: moves {}", counted(first.into(), "vertex", "vertices"))
    }
}
