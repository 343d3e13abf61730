//! `UGeometryCacheTrackStreamable`: a mesh of a geometry cache, whose frames are bulk data.
//!
//! ```text
//! n × transform of 16 f64 │ n × f32 second │ u32 materials
//! n × chunk   bulk data │ u32 its length │ f32 first frame │ f32 last frame
//! n × sample  f32 second │ box: 2 × 3 × f64, u8 valid │ u32 vertices │ u32 indices
//! n × visibility   range: 2 × { u8 kind, f32 second } │ bool32 visible
//! ```
//!
//! Verified on 5.8, whose file has no transforms. Source: that file.

use super::super::Payload;
use super::super::bulk::Bulk;
use crate::package::legacy::PackageIndex;
use crate::property::{Object, Scope};
use crate::wire::{Fault, counted};
use std::fmt;

/// `UGeometryCacheTrackStreamable`: a mesh of a geometry cache.
#[doc(alias = "UGeometryCacheTrackStreamable")]
#[derive(Debug, Clone, PartialEq)]
pub struct GeometryTrack<'a> {
    /// Object whose class compressed its frames, such as `GeometryCacheCodecRaw`.
    pub codec: PackageIndex,
    /// Number of materials.
    pub materials: u32,
    /// Frames, in order.
    pub chunks: Vec<TrackChunk<'a>>,
    /// Facts about each frame.
    pub samples: Vec<TrackSample>,
}

/// `FStreamedGeometryCacheChunk`: frames of a track.
#[doc(alias = "FStreamedGeometryCacheChunk")]
#[derive(Debug, Clone, PartialEq)]
pub struct TrackChunk<'a> {
    /// Their data.
    pub data: Bulk<'a>,
    /// Length of the data in bytes.
    pub len: u32,
    /// First and last frame.
    pub frames: [f32; 2],
}

/// `FGeometryCacheTrackStreamableSampleInfo`: a frame of a track.
#[doc(alias = "FGeometryCacheTrackStreamableSampleInfo")]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrackSample {
    /// Its time in seconds.
    pub second: f32,
    /// Number of vertices.
    pub vertices: u32,
    /// Number of indices, three for each triangle.
    pub indices: u32,
}

/// Bytes of a transform, of the shortest chunk, of a sample and of a visibility.
const TRANSFORM: usize = 128;
const MIN_CHUNK: usize = 16;
const SAMPLE: usize = 61;
const VISIBILITY: usize = 14;

impl<'a> GeometryTrack<'a> {
    pub(crate) fn read(payload: &mut Payload<'_, 'a>) -> Result<Self, Fault> {
        let transforms = payload.r.count("transforms of a track", TRANSFORM)?;
        payload.r.bytes("transforms of a track", TRANSFORM * transforms)?;
        let seconds = payload.r.count("seconds of transforms", 4)?;
        payload.r.bytes("seconds of transforms", 4 * seconds)?;
        let materials = payload.r.size("materials of a track")?;
        let count = payload.r.count("chunks of a track", MIN_CHUNK)?;
        let chunks = (0..count).map(|_| TrackChunk::read(payload)).collect::<Result<_, _>>()?;
        let count = payload.r.count("samples of a track", SAMPLE)?;
        let samples = (0..count).map(|_| TrackSample::read(payload)).collect::<Result<_, _>>()?;
        let count = payload.r.count("visibilities of a track", VISIBILITY)?;
        payload.r.bytes("visibilities of a track", VISIBILITY * count)?;
        let codec = payload.property("Codec").unwrap_or_default();
        Ok(Self { codec, materials, chunks, samples })
    }

    pub(crate) fn summary(&self, _: &Scope<'_>, _: &Object) -> GeometryTrackSummary {
        let most = |number: fn(&TrackSample) -> u32| self.samples.iter().map(number).max().unwrap_or(0);
        GeometryTrackSummary {
            frames: self.samples.len(),
            vertices: most(|sample| sample.vertices),
            triangles: most(|sample| sample.indices / 3),
        }
    }
}

impl<'a> TrackChunk<'a> {
    fn read(payload: &mut Payload<'_, 'a>) -> Result<Self, Fault> {
        Ok(Self {
            data: payload.bulk()?,
            len: payload.r.size("length of a chunk of a track")?,
            frames: payload.floats("frames of a chunk of a track")?,
        })
    }
}

impl TrackSample {
    fn read(payload: &mut Payload<'_, '_>) -> Result<Self, Fault> {
        let second = payload.r.f32("second of a sample")?;
        payload.reals::<6>("box of a sample")?;
        payload.r.u8("box of a sample is valid")?;
        let vertices = payload.r.size("vertices of a sample")?;
        Ok(Self { second, vertices, indices: payload.r.size("indices of a sample")? })
    }
}

/// Summary of a track.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct GeometryTrackSummary {
    /// Number of frames.
    pub frames: usize,
    /// Vertices of the largest frame.
    pub vertices: u32,
    /// Triangles of the largest frame.
    pub triangles: u32,
}

impl fmt::Display for GeometryTrackSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let frames = counted(self.frames as u64, "frame", "frames");
        let vertices = counted(self.vertices.into(), "vertex", "vertices");
        write!(f, "track: {frames}, {vertices}")
    }
}
