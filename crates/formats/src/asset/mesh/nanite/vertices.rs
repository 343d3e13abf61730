//! Vertices that a cluster has of its own.
//!
//! ```text
//! since 5.4   planes of low, middle and high bytes: each number is the difference from the one before, its sign in the lowest bit
//!             positions, normals, tangents, colours, each channel of texture coordinates
//! before      bits of all positions │ bits of all attributes; no differences
//! ```

use super::bits::{Page, field};
use super::cluster::{Cluster, ColorMode};
use super::page::ClusterPlaces;
use super::page_vertices::{PageVertices, SlotsMut};
use crate::wire::{Fault, FaultKind};

/// Reads the vertices that a cluster has of its own into their places. `ranges` is the start of the ranges of texture coordinates.
pub(super) fn own_vertices(
    page: Page<'_>,
    (cluster, places): (&Cluster, &ClusterPlaces),
    (ranges, has_planes): (usize, bool),
    own: &[u8],
    to: &mut PageVertices,
) -> Result<(), Fault> {
    let to = to.add(cluster.vertices as usize, cluster.channels, cluster.plain_color());
    if has_planes {
        Planes { page, at: places.planes }.read(to, own, (cluster, ranges))
    } else {
        bits(page, (to, own), (cluster, places), ranges)
    }
}

impl Cluster {
    const fn plain_color(&self) -> [u8; 4] {
        match self.colors {
            ColorMode::White => [255; 4],
            ColorMode::Constant | ColorMode::Variable => self.color_min,
        }
    }
}

/// Cursors in the planes of bytes.
struct Planes<'a> {
    page: Page<'a>,
    at: [usize; 3],
}

impl Planes<'_> {
    fn read(
        mut self,
        SlotsMut { vertices, uvs }: SlotsMut<'_>,
        own: &[u8],
        (cluster, ranges): (&Cluster, usize),
    ) -> Result<(), Fault> {
        let (bits, precision) = (cluster.position_bits, cluster.precision);
        self.take(own, bits.map(|bits| (1_u32 << bits) >> 1), bits, |at, position| {
            if let Some(vertex) = vertices.get_mut(at) {
                vertex.position = added(position, cluster.start);
            }
        })?;
        self.take(own, [0; 2], [precision.normal_bits; 2], |at, normal| {
            if let Some(vertex) = vertices.get_mut(at) {
                vertex.normal = normal.map(low);
            }
        })?;
        if cluster.has_tangents {
            self.take(own, [0], [precision.tangent_bits + 1], |at, [tangent]| {
                if let Some(vertex) = vertices.get_mut(at) {
                    vertex.tangent = low(tangent);
                }
            })?;
        }
        if cluster.colors == ColorMode::Variable {
            self.take(own, [0; 4], cluster.color_bits, |at, color| {
                if let Some(vertex) = vertices.get_mut(at) {
                    vertex.color = color_above(cluster.color_min, color);
                }
            })?;
        }
        for channel in 0..cluster.channels {
            let word = |at| self.page.word(ranges + 8 * channel + at, "range of texture coordinates");
            let range = [word(0)?, word(4)?];
            let [low_u, low_v] = range.map(|word| word >> 5);
            let uvs = uvs.get_mut(channel * vertices.len()..).unwrap_or_default();
            self.take(own, [0; 2], range.map(|word| field(word, 0, 5)), |at, [u, v]| {
                if let Some(uv) = uvs.get_mut(at) {
                    *uv = [uv_of_code(u.wrapping_add(low_u)), uv_of_code(v.wrapping_add(low_v))];
                }
            })?;
        }
        Ok(())
    }

    /// Takes a group of numbers of the given bits for each place; the first ones are differences from `start`.
    #[inline]
    fn take<const N: usize>(
        &mut self,
        own: &[u8],
        start: [u32; N],
        bits: [u32; N],
        mut put: impl FnMut(usize, [u32; N]),
    ) -> Result<(), Fault> {
        let count = own.len();
        let planes = bits.iter().max().copied().unwrap_or_default().div_ceil(8) as usize;
        let mut parts: [&[[u8; N]]; 3] = [&[]; 3];
        if planes > parts.len() {
            let kind = FaultKind::TooLarge { found: planes as u64, limit: parts.len() as u64 };
            return Err(Fault { offset: 0, field: "bytes of a number", kind });
        }
        for (part, at) in parts.iter_mut().zip(&mut self.at).take(planes) {
            (*part, _) = self.page.bytes(*at, N * count, "plane of bytes")?.as_chunks();
            *at += N * count;
        }
        let (mut before, masks) = (start, bits.map(|bits| (1_u32 << bits) - 1));
        let mut next = |at: u8, difference: [u32; N]| {
            let mut values = [0; N];
            let numbers = before.iter_mut().zip(difference).zip(values.iter_mut().zip(masks));
            for ((before, difference), (value, mask)) in numbers {
                *before = before.wrapping_add(unfolded(difference));
                // Only what is returned is cut: the next difference is from the whole number.
                *value = *before & mask;
            }
            put(at.into(), values);
        };
        let [low, middle, high] = parts;
        let own = own.iter().copied();
        match planes {
            0 => own.for_each(|at| next(at, [0; N])),
            1 => own.zip(low).for_each(|(at, low)| next(at, low.map(u32::from))),
            2 => own
                .zip(low.iter().zip(middle))
                .for_each(|(at, (low, middle))| next(at, joined([low, middle, &[0; N]]))),
            _ => own
                .zip(low.iter().zip(middle).zip(high))
                .for_each(|(at, ((low, middle), high))| next(at, joined([low, middle, high]))),
        }
        Ok(())
    }
}

/// Numbers of three bytes each.
#[inline]
fn joined<const N: usize>([low, middle, high]: [&[u8; N]; 3]) -> [u32; N] {
    let mut numbers = low.map(u32::from);
    for (number, (middle, high)) in numbers.iter_mut().zip(middle.iter().zip(high)) {
        *number |= u32::from(*middle) << 8 | u32::from(*high) << 16;
    }
    numbers
}

/// Reads positions and attributes of before 5.4.
fn bits(
    page: Page<'_>,
    (SlotsMut { vertices, uvs }, own): (SlotsMut<'_>, &[u8]),
    (cluster, places): (&Cluster, &ClusterPlaces),
    ranges: usize,
) -> Result<(), Fault> {
    let [positions_at, attributes_at, _] = places.planes;
    let in_bytes = |bits: u32| (bits as usize).next_multiple_of(8);
    let position_len = in_bytes(cluster.position_bits.iter().sum());
    let attribute_len = in_bytes(cluster.attribute_bits);
    page.bytes(positions_at, own.len() * position_len / 8, "positions of a cluster")?;
    page.bytes(attributes_at, own.len() * attribute_len / 8, "attributes of a cluster")?;
    for (at, place) in own.iter().map(|place| usize::from(*place)).enumerate() {
        let Some(vertex) = vertices.get_mut(place) else { continue };
        let mut take = taker(page, positions_at, at * position_len);
        vertex.position = added(cluster.position_bits.map(&mut take), cluster.start);
        let mut take = taker(page, attributes_at, at * attribute_len);
        vertex.normal = [cluster.precision.normal_bits; 2].map(&mut take).map(low);
        if cluster.has_tangents {
            vertex.tangent = low(take(cluster.precision.tangent_bits + 1));
        }
        let color = cluster.color_bits.map(&mut take);
        if cluster.colors == ColorMode::Variable {
            vertex.color = color_above(cluster.color_min, color);
        }
        let uvs = uvs.iter_mut().skip(place).step_by(vertices.len());
        for (channel, uv) in uvs.take(cluster.channels).enumerate() {
            let shift = u32::try_from(8 * channel).unwrap_or_default();
            let codes = [shift, shift + 4].map(|at| field(cluster.uv_bits, at, 4)).map(&mut take);
            *uv = uv_of_range(page, ranges + 32 * channel, codes)?;
        }
    }
    Ok(())
}

/// Takes numbers of some bits one after the other.
fn taker(page: Page<'_>, start: usize, bit: usize) -> impl FnMut(u32) -> u32 {
    let mut bit = bit;
    move |width| {
        let found = page.bits(start, bit, width);
        bit += width as usize;
        found
    }
}

/// Texture coordinates of before 5.4: numbers above a lowest one, with a gap that none is in.
fn uv_of_range(page: Page<'_>, at: usize, codes: [u32; 2]) -> Result<[f32; 2], Fault> {
    let word = |index: usize| page.word(at + 4 * index, "range of texture coordinates");
    let signed = |word: u32| i32::from_le_bytes(word.to_le_bytes());
    let scale = f64::from(signed(word(6)?).clamp(-126, 126)).exp2().recip();
    let mut uv = [0.0; 2];
    for (axis, (part, code)) in uv.iter_mut().zip(codes).enumerate() {
        let (low, gap_at, gap) = (signed(word(axis)?), word(2 + axis)?, word(4 + axis)?);
        let code = i64::from(code) + if code > gap_at { i64::from(gap) } else { 0 } + i64::from(low);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_precision_loss,
            reason = "the sheet's formula"
        )]
        let value = (code as f64 * scale) as f32;
        *part = value;
    }
    Ok(uv)
}

/// A texture coordinate since 5.4: 5 bits of exponent and 14 of mantissa, with the sign above them.
fn uv_of_code(code: u32) -> f32 {
    const SIGN: u32 = 0x8_0000;
    /// First number that is normalised.
    const NORMAL: u32 = 1 << 14;
    // Masks, for branches would be mispredicted in every other vertex.
    let negative = u32::from(code < SIGN).wrapping_neg();
    let bits = (code ^ negative) & (SIGN - 1);
    let number = f32::from_bits(0x3F00_0000 + (bits << 9));
    // Numbers of the lowest exponent go down to zero: from 0.5 to 1 becomes from 0 to 1.
    let lowest = u32::from(bits < NORMAL).wrapping_neg();
    let number = number - f32::from_bits((1.0 - number).to_bits() & lowest);
    f32::from_bits(number.to_bits() | negative & 0x8000_0000)
}

fn added(above: [u32; 3], start: [i32; 3]) -> [i32; 3] {
    let mut sum = start;
    for (sum, above) in sum.iter_mut().zip(above) {
        *sum = sum.wrapping_add(i32::from_le_bytes(above.to_le_bytes()));
    }
    sum
}

fn color_above(lowest: [u8; 4], above: [u32; 4]) -> [u8; 4] {
    let mut color = lowest;
    for (color, above) in color.iter_mut().zip(above) {
        *color = color.wrapping_add(low(above).to_le_bytes()[0]);
    }
    color
}

/// Low half of a number that has no other.
fn low(of: u32) -> u16 {
    u16::try_from(of & 0xFFFF).unwrap_or_default()
}

/// Difference whose sign is its lowest bit.
const fn unfolded(of: u32) -> u32 {
    (of >> 1) ^ (of & 1).wrapping_neg()
}
