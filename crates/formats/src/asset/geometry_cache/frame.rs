//! A frame of a track that is not compressed: `FGeometryCacheMeshData`, as `GeometryCacheCodecRaw` stores it.
//!
//! ```text
//! box: 2 × 3 × f32, u8 valid │ n × batch: u32 first index, u32 triangles, u32 material
//! 9 × bool32: has X axes of tangents, Z axes, texture coordinates, colours, motion, numbers of imported vertices,
//!             and has the same coordinates, colours and triangles as the frame before
//! u32 vertices │ 3 × f32 positions │ what else there is, one array after the other │ u32 indices │ u32 each
//! ```
//!
//! Verified on 5.8, whose file has positions and triangles; the order of all else is from its description, and a frame of
//! another length is an error.

use crate::wire::{Fault, FaultKind, Reader};
use zerocopy::little_endian::{F32, U32};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

/// `FGeometryCacheMeshData`: a frame of a track.
#[doc(alias = "FGeometryCacheMeshData")]
#[derive(Debug, Clone, PartialEq)]
pub struct CacheMesh<'a> {
    /// Triangles by material.
    pub batches: Vec<CacheBatch>,
    /// Positions in centimetres.
    pub positions: &'a [[F32; 3]],
    /// Texture coordinates of vertices; empty if there are none.
    pub coordinates: &'a [[F32; 2]],
    /// Three vertices for each triangle.
    pub indices: &'a [U32],
}

/// `FGeometryCacheMeshBatchInfo`: triangles of one material.
#[doc(alias = "FGeometryCacheMeshBatchInfo")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CacheBatch {
    /// Place of its first index.
    pub first: u32,
    /// Number of triangles.
    pub triangles: u32,
    /// Place of its material.
    pub material: u32,
}

/// Bytes of a batch, and of a box.
const BATCH: usize = 12;
const BOX: usize = 25;

impl<'a> CacheMesh<'a> {
    /// Reads a frame, which is all of some bytes.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Fault> {
        let r = &mut Reader::new(bytes);
        r.bytes("box of a frame", BOX)?;
        let batches = r.list("batches of a frame", BATCH, |r| {
            let first = r.size("first index of a batch")?;
            Ok(CacheBatch {
                first,
                triangles: r.size("triangles of a batch")?,
                material: r.size("material of a batch")?,
            })
        })?;
        let mut has = [false; 9];
        for flag in &mut has {
            *flag = r.bool32("kinds of data of a frame")?;
        }
        let [has_x, has_z, has_coordinates, has_colors, has_motion, has_numbers, ..] = has;
        let vertices = r.count("vertices of a frame", size_of::<[F32; 3]>())?;
        let positions = array(r, "positions of a frame", vertices)?;
        skip(r, "X axes of tangents", if has_x { 4 * vertices } else { 0 })?;
        skip(r, "Z axes of tangents", if has_z { 4 * vertices } else { 0 })?;
        let coordinates = array(r, "coordinates of a frame", if has_coordinates { vertices } else { 0 })?;
        skip(r, "colours of a frame", if has_colors { 4 * vertices } else { 0 })?;
        skip(r, "motion of vertices", if has_motion { 12 * vertices } else { 0 })?;
        skip(r, "numbers of imported vertices", if has_numbers { 4 * vertices } else { 0 })?;
        let count = r.count("indices of a frame", size_of::<U32>())?;
        let indices: &[U32] = array(r, "indices of a frame", count)?;
        r.finish("frame of a geometry cache")?;
        if let Some(index) =
            indices.iter().map(|index| u64::from(index.get())).find(|index| *index >= vertices as u64)
        {
            let kind = FaultKind::OutOfRange { index, count: vertices as u64 };
            return Err(r.fault("indices of a frame", kind));
        }
        Ok(Self { batches, positions, coordinates, indices })
    }
}

fn skip(r: &mut Reader<'_>, field: &'static str, len: usize) -> Result<(), Fault> {
    r.bytes(field, len).map(drop)
}

fn array<'a, T>(r: &mut Reader<'a>, field: &'static str, count: usize) -> Result<&'a [T], Fault>
where
    T: FromBytes + Immutable + KnownLayout + Unaligned,
{
    let bytes = r.bytes(field, count.saturating_mul(size_of::<T>()))?;
    Ok(<[T]>::ref_from_bytes(bytes).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::Writer;

    /// Two triangles of four vertices with texture coordinates.
    fn frame(last_index: u32) -> Vec<u8> {
        let mut w = Writer::new();
        w.bytes(&[0; BOX]).u32(1).u32(0).u32(2).u32(7);
        for flag in [0, 0, 1, 0, 0, 0, 0, 0, 0] {
            w.u32(flag);
        }
        w.u32(4);
        for at in 0..4_u8 {
            w.bytes(&[[f32::from(at), 0.0, 1.0].map(f32::to_le_bytes).concat()].concat());
        }
        w.bytes(&[0; 32]).u32(6);
        for index in [0, 1, 2, 2, 1, last_index] {
            w.u32(index);
        }
        w.into_bytes()
    }

    #[test]
    fn frames_are_read_to_their_end() {
        let bytes = frame(3);
        let mesh = CacheMesh::parse(&bytes).unwrap();
        assert_eq!(mesh.batches, [CacheBatch { first: 0, triangles: 2, material: 7 }]);
        assert_eq!((mesh.positions.len(), mesh.coordinates.len(), mesh.indices.len()), (4, 4, 6));
        assert_eq!(mesh.positions[3], [3.0, 0.0, 1.0].map(F32::new));
        for len in 0..bytes.len() {
            assert!(CacheMesh::parse(&bytes[..len]).is_err(), "{len}");
        }
        assert!(CacheMesh::parse(&[&*bytes, &[0]].concat()).is_err());
        let fault = CacheMesh::parse(&frame(4)).unwrap_err();
        assert_eq!(fault.kind, FaultKind::OutOfRange { index: 4, count: 4 });
    }
}
