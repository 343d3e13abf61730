//! Buffers of vertices and indices, shared by both kinds of meshes.
//!
//! ```text
//! positions    i32 12 │ i32 n │ array of 3 × f32
//! tangents, UV strip flags │ i32 channels │ i32 n │ bool32 full precision │ bool32 high precision
//!              │ array of tangents │ array of UVs
//! colours      strip flags │ i32 4 or 0 │ i32 n │ if there are any: array of B G R A
//! indices      bool32 32 bits │ array of bytes │ bool32 (since 4.25)
//! tangents     of each vertex: X x y z w, Z x y z w; i8 / 127, or i16 / 32767 with high precision
//! UVs          of each vertex, one per channel: two halves, or two floats with full precision
//! ```

use super::super::Payload;
use crate::wire::{Fault, FaultKind};
use zerocopy::FromBytes;
use zerocopy::little_endian::{F32, I16, U16, U32};

/// Vertices of a level of detail.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Vertices<'a> {
    /// Positions, in centimetres.
    pub positions: &'a [[F32; 3]],
    /// Tangents and normals.
    pub tangents: Tangents<'a>,
    /// Texture coordinates.
    pub uvs: TextureCoordinates<'a>,
    /// Colours, blue first; empty if the mesh has none.
    pub colors: &'a [[u8; 4]],
}

/// Tangents and normals of vertices, in one of two precisions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Tangents<'a> {
    /// One byte per component.
    Low(&'a [[[i8; 4]; 2]]),
    /// One 16-bit word per component.
    High(&'a [[[I16; 4]; 2]]),
}

/// Tangent space of a vertex.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Basis {
    /// Direction of U of the first texture coordinates; of length 1, or zero if undefined.
    pub tangent: [f32; 3],
    /// Direction away from the surface; of length 1, or zero if undefined.
    pub normal: [f32; 3],
    /// Handedness, 1 or −1: the bitangent is normal × tangent, times this.
    pub sign: f32,
}

/// Texture coordinates of vertices, in one of two precisions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TextureCoordinates<'a> {
    /// Number of channels.
    pub channels: usize,
    values: Pairs<'a>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Pairs<'a> {
    Half(&'a [[U16; 2]]),
    Full(&'a [[F32; 2]]),
}

/// Indices of vertices, three per triangle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Indices<'a> {
    /// 16 bits each.
    Short(&'a [U16]),
    /// 32 bits each.
    Long(&'a [U32]),
}

/// Limit of sections per index, on average. Every engine writes each index once.
const MAX_SHARING: u64 = 4;
/// Limit of channels: more than any shader takes.
const MAX_CHANNELS: u32 = 8;

impl<'a> Vertices<'a> {
    /// Reads positions, tangents and texture coordinates; colours are a separate buffer.
    pub(super) fn read(payload: &mut Payload<'_, 'a>) -> Result<Self, Fault> {
        let positions = positions(payload)?;
        let (tangents, uvs) = surface(payload, positions.len())?;
        Ok(Self { positions, tangents, uvs, colors: &[] })
    }

    /// Number of vertices.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.positions.len()
    }

    /// True if there are no vertices.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }
}

fn positions<'a>(payload: &mut Payload<'_, 'a>) -> Result<&'a [[F32; 3]], Fault> {
    payload.expect("size of a position", 12)?;
    let count = payload.r.size("vertices")?;
    overlay(payload, "positions", count as usize)
}

fn surface<'a>(
    payload: &mut Payload<'_, 'a>,
    vertices: usize,
) -> Result<(Tangents<'a>, TextureCoordinates<'a>), Fault> {
    let strip = payload.strip_flags()?;
    // Checked before the product with the number of vertices is formed.
    let at = payload.r.clone();
    let channels = payload.r.size("channels of texture coordinates")?;
    if channels > MAX_CHANNELS {
        let kind = FaultKind::TooLarge { found: channels.into(), limit: MAX_CHANNELS.into() };
        return Err(at.fault("channels of texture coordinates", kind));
    }
    let channels = channels as usize;
    same(payload, "vertices with tangents", vertices)?;
    let is_full = payload.r.bool32("full precision of texture coordinates")?;
    let is_high = payload.r.bool32("high precision of tangents")?;
    // Servers keep the header but none of the arrays.
    if strip.is_audio_visual_data_stripped() {
        let none = TextureCoordinates { channels: 0, values: Pairs::Half(&[]) };
        return Ok((Tangents::Low(&[]), none));
    }
    let tangents = if is_high {
        overlay(payload, "tangents", vertices).map(Tangents::High)?
    } else {
        overlay(payload, "tangents", vertices).map(Tangents::Low)?
    };
    // With an odd number of channels, the array may hold one vertex more than the mesh.
    let count = vertices.saturating_mul(channels);
    let values = if is_full {
        at_least(payload, "texture coordinates", count).map(Pairs::Full)?
    } else {
        at_least(payload, "texture coordinates", count).map(Pairs::Half)?
    };
    Ok((tangents, TextureCoordinates { channels, values }))
}

/// Reads the colours of vertices.
pub(super) fn colors<'a>(payload: &mut Payload<'_, 'a>, vertices: usize) -> Result<&'a [[u8; 4]], Fault> {
    let strip = payload.strip_flags()?;
    let at = payload.r.clone();
    let stride = payload.r.size("size of a colour")?;
    // A mesh without colours records a stride of 0.
    if ![0, 4].contains(&stride) {
        return Err(at.fault("size of a colour", FaultKind::Unsupported { found: stride.into() }));
    }
    let at = payload.r.clone();
    let count = payload.r.size("vertices with colours")? as usize;
    if count == 0 || strip.is_audio_visual_data_stripped() {
        return Ok(&[]);
    }
    if count != vertices {
        let kind = FaultKind::Unexpected { found: count as u64, expected: vertices as u64 };
        return Err(at.fault("vertices with colours", kind));
    }
    overlay(payload, "colours", count)
}

impl<'a> Indices<'a> {
    /// Reads the indices of a static mesh.
    pub(super) fn read(payload: &mut Payload<'_, 'a>) -> Result<Self, Fault> {
        let is_long = payload.r.bool32("width of indices")?;
        let at = payload.r.clone();
        let bytes = payload.bulk_array("indices", 1)?;
        if payload.versions.has_index_expansion() {
            payload.r.bool32("indices are to be expanded")?;
        }
        Self::of(bytes, if is_long { 4 } else { 2 }).ok_or_else(|| {
            let unit = if is_long { 4 } else { 2 };
            at.fault("indices", FaultKind::NotMultiple { found: bytes.len() as u64, unit })
        })
    }

    /// Views bytes as indices of a width in bytes; `None` if the last one is incomplete.
    pub(super) fn of(bytes: &'a [u8], width: usize) -> Option<Self> {
        match width {
            2 => <[U16]>::ref_from_bytes(bytes).ok().map(Self::Short),
            _ => <[U32]>::ref_from_bytes(bytes).ok().map(Self::Long),
        }
    }

    /// Rejects sections beyond the last index, excessive overlap, and indices without a vertex.
    pub(super) fn check(
        &self,
        payload: &Payload<'_, '_>,
        vertices: usize,
        sections: impl Iterator<Item = (u32, u32)>,
    ) -> Result<(), Fault> {
        // Sections may overlap, but their sum bounds the time and size of every export.
        let mut left = MAX_SHARING * self.len() as u64;
        for (first_index, triangles) in sections {
            let count = 3 * u64::from(triangles);
            let kind = FaultKind::TooLarge { found: count, limit: left };
            left = left.checked_sub(count).ok_or_else(|| payload.r.fault("indices of all sections", kind))?;
            let end = u64::from(first_index) + count;
            if end > self.len() as u64 {
                let kind = FaultKind::out_of_range(end, self.len());
                return Err(payload.r.fault("indices of a section", kind));
            }
        }
        // Checked once here, so that later code can rely on every index.
        match self.iter().find(|index| *index as usize >= vertices) {
            Some(index) => {
                Err(payload.r.fault("index of a vertex", FaultKind::out_of_range(index, vertices)))
            }
            None => Ok(()),
        }
    }

    /// Number of indices.
    #[must_use]
    pub const fn len(&self) -> usize {
        match self {
            Self::Short(indices) => indices.len(),
            Self::Long(indices) => indices.len(),
        }
    }

    /// True if there are no indices.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns one index.
    #[must_use]
    pub fn get(&self, at: usize) -> Option<u32> {
        match self {
            Self::Short(indices) => indices.get(at).map(|index| u32::from(index.get())),
            Self::Long(indices) => indices.get(at).map(|index| index.get()),
        }
    }

    /// Iterates over all indices.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        let indices = *self;
        (0..indices.len()).filter_map(move |at| indices.get(at))
    }
}

impl Tangents<'_> {
    /// Number of vertices.
    #[must_use]
    pub const fn len(&self) -> usize {
        match self {
            Self::Low(tangents) => tangents.len(),
            Self::High(tangents) => tangents.len(),
        }
    }

    /// True if there are no tangents.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the tangent space of a vertex.
    #[must_use]
    pub fn get(&self, vertex: usize) -> Option<Basis> {
        // The scale of the integers does not matter: both vectors are normalised.
        let [x, z] = match self {
            Self::Low(tangents) => tangents.get(vertex)?.map(|axis| axis.map(f32::from)),
            Self::High(tangents) => tangents.get(vertex)?.map(|axis| axis.map(|part| f32::from(part.get()))),
        };
        let [x0, x1, x2, _] = x;
        let [z0, z1, z2, sign] = z;
        Some(Basis {
            tangent: unit([x0, x1, x2]),
            normal: unit([z0, z1, z2]),
            // Only the sign of w counts: its magnitude is that of the integer type.
            sign: if sign < 0.0 { -1.0 } else { 1.0 },
        })
    }
}

/// Normalises a vector; zero stays zero.
fn unit(vector: [f32; 3]) -> [f32; 3] {
    let length = vector.iter().map(|part| part * part).sum::<f32>().sqrt();
    if length > 0.0 { vector.map(|part| part / length) } else { vector }
}

impl TextureCoordinates<'_> {
    /// Returns the coordinates of a vertex in a channel.
    #[must_use]
    pub fn get(&self, vertex: usize, channel: usize) -> Option<[f32; 2]> {
        let at =
            vertex.checked_mul(self.channels)?.checked_add(channel).filter(|_| channel < self.channels)?;
        match self.values {
            Pairs::Half(values) => values.get(at).map(|pair| pair.map(|half| self::half(half.get()))),
            Pairs::Full(values) => values.get(at).map(|pair| pair.map(F32::get)),
        }
    }

    /// True if they are floats in the file, not halves.
    #[must_use]
    pub const fn is_full_precision(&self) -> bool {
        matches!(self.values, Pairs::Full(_))
    }
}

/// Converts a number of half precision.
pub(super) fn half(bits: u16) -> f32 {
    const HIDDEN: f32 = 5.960_464_5e-8;
    let (exponent, mantissa) = (u32::from(bits >> 10 & 0x1F), u32::from(bits & 0x3FF));
    let size = match exponent {
        // Subnormal halves count in units of 2^-24; as floats they are normal.
        0 => f32::from(bits & 0x3FF) * HIDDEN,
        // Infinity and NaN keep their payload.
        31 => f32::from_bits(0x7F80_0000 | mantissa << 13),
        // The exponents are biased by 15 and 127.
        _ => f32::from_bits(((exponent + 112) << 23) | mantissa << 13),
    };
    if bits >> 15 == 1 { -size } else { size }
}

/// Reads a count that must equal the number of vertices.
fn same(payload: &mut Payload<'_, '_>, field: &'static str, vertices: usize) -> Result<(), Fault> {
    let at = payload.r.clone();
    let found = payload.r.size(field)?;
    if found as usize == vertices {
        return Ok(());
    }
    let kind = FaultKind::Unexpected { found: found.into(), expected: vertices as u64 };
    Err(at.fault(field, kind))
}

/// Reads an array with exactly one element per vertex.
fn overlay<'a, T>(payload: &mut Payload<'_, 'a>, field: &'static str, count: usize) -> Result<&'a [T], Fault>
where
    T: FromBytes + zerocopy::Immutable + zerocopy::KnownLayout + zerocopy::Unaligned,
{
    let at = payload.r.clone();
    let found: &[T] = array(payload, field)?;
    if found.len() == count {
        return Ok(found);
    }
    let kind = FaultKind::Unexpected { found: found.len() as u64, expected: count as u64 };
    Err(at.fault(field, kind))
}

/// Reads an array that has at least this many elements, and ignores the rest.
fn at_least<'a, T>(payload: &mut Payload<'_, 'a>, field: &'static str, count: usize) -> Result<&'a [T], Fault>
where
    T: FromBytes + zerocopy::Immutable + zerocopy::KnownLayout + zerocopy::Unaligned,
{
    let at = payload.r.clone();
    let found: &[T] = array(payload, field)?;
    let kind = FaultKind::TooSmall { found: found.len() as u64, limit: count as u64 };
    found.get(..count).ok_or_else(|| at.fault(field, kind))
}

fn array<'a, T>(payload: &mut Payload<'_, 'a>, field: &'static str) -> Result<&'a [T], Fault>
where
    T: FromBytes + zerocopy::Immutable + zerocopy::KnownLayout + zerocopy::Unaligned,
{
    let at = payload.r.clone();
    let bytes = payload.bulk_array(field, size_of::<T>())?;
    <[T]>::ref_from_bytes(bytes).map_err(|_| at.fault(field, FaultKind::Unknown))
}
