//! Packed clusters.

use super::super::buffers::half;
use super::bits::{Page, field};
use super::form::PageForm;
use crate::wire::{Fault, FaultKind};

/// `FPackedCluster`: facts about a cluster.
#[derive(Debug, Clone, Default)]
pub(super) struct Cluster {
    pub(super) vertices: u32,
    pub(super) triangles: u32,
    /// Lowest colour, and bits of each channel above it.
    pub(super) color_min: [u8; 4],
    pub(super) color_bits: [u32; 4],
    pub(super) colors: ColorMode,
    /// Lowest position, and bits of each axis above it.
    pub(super) start: [i32; 3],
    pub(super) position_bits: [u32; 3],
    pub(super) precision: Precision,
    pub(super) has_tangents: bool,
    /// Number of channels of texture coordinates.
    pub(super) channels: usize,
    /// Bits of texture coordinates, as nibbles (before 5.4).
    pub(super) uv_bits: u32,
    /// Bits of the attributes of a vertex (before 5.4).
    pub(super) attribute_bits: u32,
    /// Offset of the ranges of texture coordinates from the clusters' header.
    pub(super) ranges_at: usize,
    /// Centre and half size of its box.
    pub(super) bounds: [[f32; 3]; 2],
    pub(super) is_leaf: bool,
    /// Farthest that its surface is from that of the leaves, in centimetres.
    pub(super) error: f32,
    materials: u32,
}

/// Kind of the colours of a cluster.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum ColorMode {
    #[default]
    White,
    /// All vertices have the lowest colour.
    Constant,
    /// Each vertex has its own.
    Variable,
}

/// Precisions that vertices are stored with.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Precision {
    /// Positions are in units of 2 to the power of minus this, in centimetres.
    pub(super) position: i32,
    pub(super) normal_bits: u32,
    pub(super) tangent_bits: u32,
}

/// Number of vertices and triangles that a cluster can have.
const MAX_VERTICES: u32 = 256;
const MAX_TRIANGLES: u32 = 128;
/// Longest numbers of positions, in bits: three planes of bytes.
const MAX_POSITION_BITS: u32 = 24;
/// Materials from here on are a table.
const TABLE: u32 = 0xFE00_0000;

impl Cluster {
    /// Reads the rows; `word` returns a word of a row.
    pub(super) fn read(
        form: &PageForm,
        word: impl Fn(usize, usize) -> Result<u32, Fault>,
    ) -> Result<Self, Fault> {
        let (counts, triangles) = (word(0, 0)?, field(word(0, 1)?, 0, 8));
        let vertices = field(counts, 0, if form.has_assemblies { 14 } else { 9 });
        limit("vertices of a cluster", vertices, MAX_VERTICES)?;
        limit("triangles of a cluster", triangles, MAX_TRIANGLES)?;
        let (shape, kinds) = (word(1, 3)?, word(5, 1)?);
        let position_bits = [9, 14, 19].map(|at| field(shape, at, 5));
        for bits in position_bits {
            limit("bits of positions", bits, MAX_POSITION_BITS)?;
        }
        let precision = Precision {
            position: if form.has_planes {
                signed(field(shape, 3, 6)) - 20
            } else {
                signed(field(shape, 4, 5)) - 8
            },
            normal_bits: if form.has_normal_bits { field(shape, 24, 4) } else { 9 },
            tangent_bits: if form.has_tangents { field(shape, 28, 4) } else { 0 },
        };
        let real = |row, column| word(row, column).map(f32::from_bits);
        // Of half precision: leaves have a negative one.
        let edge = field(word(3, 3)?, 16, 16);
        let color_bits = word(0, 3)?;
        let mut cluster = Self {
            vertices,
            triangles,
            color_min: word(0, 2)?.to_le_bytes(),
            color_bits: [0, 4, 8, 12].map(|at| field(color_bits, at, 4)),
            start: [signed(word(1, 0)?), signed(word(1, 1)?), signed(word(1, 2)?)],
            position_bits,
            precision,
            attribute_bits: field(word(5, 0)?, 22, 10),
            ranges_at: field(kinds, 0, 22) as usize,
            uv_bits: word(5, 2)?,
            bounds: [[real(3, 0)?, real(3, 1)?, real(3, 2)?], [real(4, 0)?, real(4, 1)?, real(4, 2)?]],
            is_leaf: edge > 0x8000,
            error: low_half(word(3, 3)?),
            materials: word(5, 3)?,
            ..Self::default()
        };
        cluster.kinds(form, kinds)?;
        Ok(cluster)
    }

    /// Reads which attributes its vertices have.
    fn kinds(&mut self, form: &PageForm, word: u32) -> Result<(), Fault> {
        /// Number of channels that a cluster can have.
        const MAX_CHANNELS: u32 = 4;
        let mut at = 22;
        let mut take = |width| {
            let found = field(word, at, width);
            at += width;
            found
        };
        self.has_tangents = form.has_tangents && take(1) != 0;
        if form.has_bones {
            take(1);
        }
        let channels = take(3);
        limit("texture coordinates of a cluster", channels, MAX_CHANNELS)?;
        self.channels = channels as usize;
        self.colors = if form.has_planes {
            if take(1) == 0 { ColorMode::Constant } else { ColorMode::Variable }
        } else {
            match take(2) {
                0 => ColorMode::White,
                1 => ColorMode::Constant,
                _ => ColorMode::Variable,
            }
        };
        Ok(())
    }

    /// Returns the material of each triangle: an index into the slots of the mesh. `page` and `at` are where tables of materials
    /// count from.
    pub(super) fn materials(&self, page: Page<'_>, at: usize) -> Result<Vec<u8>, Fault> {
        let (word, count) = (self.materials, self.triangles as usize);
        let slot = |found: u32| u8::try_from(found).unwrap_or_default();
        if word < TABLE {
            let [first, second, third] = [0, 6, 12].map(|at| slot(field(word, at, 6)));
            let (of_first, of_second) = (field(word, 18, 7) as usize + 1, field(word, 25, 7) as usize);
            let all = std::iter::repeat_n(first, of_first).chain(std::iter::repeat_n(second, of_second));
            return Ok(all.chain(std::iter::repeat(third)).take(count).collect());
        }
        let mut materials = vec![0; count];
        let start = at.saturating_add(4 * field(word, 0, 19) as usize);
        for entry in 0..=field(word, 19, 6) as usize {
            let entry = page.word(start.saturating_add(4 * entry), "materials of a cluster")?;
            let (first, len) = (field(entry, 0, 8) as usize, field(entry, 8, 8) as usize);
            let range = first..first + len;
            let kind = FaultKind::TooLarge { found: range.end as u64, limit: count as u64 };
            let fault = Fault { offset: start as u64, field: "materials of a cluster", kind };
            materials.get_mut(range).ok_or(fault)?.fill(slot(field(entry, 16, 6)));
        }
        Ok(materials)
    }
}

fn limit(field: &'static str, found: u32, limit: u32) -> Result<(), Fault> {
    let kind = FaultKind::TooLarge { found: found.into(), limit: limit.into() };
    if found <= limit { Ok(()) } else { Err(Fault { offset: 0, field, kind }) }
}

/// The number of half precision in the low bits of a word.
pub(super) fn low_half(word: u32) -> f32 {
    half(u16::try_from(field(word, 0, 16)).unwrap_or_default())
}

const fn signed(word: u32) -> i32 {
    i32::from_le_bytes(word.to_le_bytes())
}
