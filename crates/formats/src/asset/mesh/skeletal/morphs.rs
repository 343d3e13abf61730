//! Morph targets in the graphics card's form: packed into bits, for all targets of a level of detail
//! together.
//!
//! ```text
//! i32 n │ n × u32 words │ i32 n │ n × 4 f32 minimum │ i32 n │ n × 4 f32 maximum │ i32 n │ n × u32 first batch
//! │ i32 n │ n × u32 batches │ i32 all batches │ f32 step of positions │ f32 step of tangents
//!
//! words  per batch 10 words: u32 place of its bits │ widths of positions │ u32 first vertex │ 3 × i32 minimum
//!                            │ widths of tangents │ 3 × i32 minimum
//! widths of positions   5 bits index │ 5 x │ 5 y │ 5 z │ 1 has tangents │ 11 number of vertices
//! widths of tangents    5 bits x │ 5 y │ 5 z
//! bits   of each vertex: index │ x │ y │ z │ tangent x │ y │ z; the lowest bit of each byte comes first
//! ```
//!
//! Verified on 5.8.

use super::super::super::Payload;
use super::super::common::{list, skip_list};
use crate::wire::{Fault, FaultKind};
use zerocopy::FromBytes;
use zerocopy::little_endian::U32;

/// `FMorphTargetVertexInfoBuffers`: deltas of all morph targets of a level of detail.
#[doc(alias = "FMorphTargetVertexInfoBuffers")]
#[derive(Debug, Clone, PartialEq)]
pub struct MorphData<'a> {
    words: &'a [U32],
    /// First batch and number of batches of each morph target, in the order of the property `MorphTargets`.
    batches: Vec<(u32, u32)>,
    position_step: f32,
    tangent_step: f32,
}

/// `FMorphTargetDelta`: change of one vertex by a morph target.
#[doc(alias = "FMorphTargetDelta")]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MorphDelta {
    /// Index of the vertex in the level of detail.
    pub vertex: u32,
    /// Change of position, in centimetres.
    pub position: [f32; 3],
    /// Change of the normal.
    pub normal: [f32; 3],
}

/// Limit of morph targets: more than any mesh has. Empty ones take hardly any bytes here, but some in every
/// exported file.
const MAX_TARGETS: usize = 1 << 14;
/// Words in the head of a batch.
const BATCH: usize = 10;
/// Limit of moved vertices per word: the engine's batches have 10 words and at most 128 vertices. With fields
/// of zero width, a small file could otherwise claim far more.
const MAX_PER_WORD: u64 = 16;

impl<'a> MorphData<'a> {
    pub(super) fn read(payload: &mut Payload<'_, 'a>, vertices: usize) -> Result<Self, Fault> {
        let count = payload.r.count("words of morph targets", 4)?;
        let at = payload.r.clone();
        let bytes = payload.r.bytes("words of morph targets", 4 * count)?;
        let words = <[U32]>::ref_from_bytes(bytes)
            .map_err(|_| at.fault("words of morph targets", FaultKind::Unknown))?;
        // The range of deltas is for the graphics card; each batch has its own minimum.
        skip_list(payload, "lowest deltas", 16)?;
        skip_list(payload, "highest deltas", 16)?;
        let first = list(payload, "first batches", 4, |payload| payload.r.u32("first batch"))?;
        if first.len() > MAX_TARGETS {
            let kind = FaultKind::TooLarge { found: first.len() as u64, limit: MAX_TARGETS as u64 };
            return Err(at.fault("morph targets", kind));
        }
        let counts = list(payload, "numbers of batches", 4, |payload| payload.r.u32("number of batches"))?;
        // The total follows from the list.
        payload.r.size("all batches")?;
        let (position_step, tangent_step) =
            (payload.r.f32("step of positions")?, payload.r.f32("step of tangents")?);
        let data =
            Self { words, batches: first.into_iter().zip(counts).collect(), position_step, tangent_step };
        data.check(&at, vertices)?;
        Ok(data)
    }

    /// Number of morph targets.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.batches.len()
    }

    /// True if there are no morph targets.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.batches.is_empty()
    }

    /// Iterates over the vertices that a morph target moves.
    pub fn target(&self, index: usize) -> impl Iterator<Item = MorphDelta> {
        self.batches_of(index).flat_map(|batch| self.deltas(batch))
    }

    fn batches_of(&self, index: usize) -> impl Iterator<Item = &'a [U32; BATCH]> {
        let (first, count) = self.batches.get(index).copied().unwrap_or_default();
        let all = self.words.as_chunks::<BATCH>().0;
        all.iter().skip(first as usize).take(count as usize)
    }

    fn deltas(&self, batch: &'a [U32; BATCH]) -> impl Iterator<Item = MorphDelta> {
        let [place, widths, first, x, y, z, tangent_widths, tx, ty, tz] = batch.map(U32::get);
        // The offset of the bits is in bytes, and counts from the start of all words.
        let mut bits = Bits { words: self.words, at: place as usize * 8 };
        let widths = Widths(widths);
        // Shifted so that widths of tangents have the same fields as those of positions, whose first is the
        // index.
        let tangent_widths = if widths.has_tangents() { tangent_widths << 5 } else { 0 };
        let has_tangents = widths.has_tangents();
        (0..widths.count()).map(move |element| {
            // Vertices of a batch ascend, so their distance from the first one takes few bits.
            let vertex = first.wrapping_add(element).wrapping_add(bits.take(widths.width(0)));
            let mut vector = |widths: Widths, minimum: [u32; 3], step: f32| {
                let mut part = |axis: u32, minimum: u32| scaled(bits.take(widths.width(axis)), minimum, step);
                let [x, y, z] = minimum;
                [part(1, x), part(2, y), part(3, z)]
            };
            let position = vector(widths, [x, y, z], self.position_step);
            let normal = if has_tangents {
                vector(Widths(tangent_widths), [tx, ty, tz], self.tangent_step)
            } else {
                [0.0; 3]
            };
            MorphDelta { vertex, position, normal }
        })
    }

    /// Rejects batches beyond the words, more vertices than the words can hold, and vertices that the mesh
    /// lacks.
    fn check(&self, at: &crate::wire::Reader<'_>, vertices: usize) -> Result<(), Fault> {
        let known = (self.words.len() / BATCH) as u64;
        let limit = self.words.len() as u64 * MAX_PER_WORD;
        let mut total = 0;
        for index in 0..self.batches.len() {
            let (first, count) = self.batches.get(index).copied().unwrap_or_default();
            let end = u64::from(first) + u64::from(count);
            if end > known {
                return Err(
                    at.fault("batches of morph targets", FaultKind::OutOfRange { index: end, count: known })
                );
            }
            // Each batch counts as one vertex at least: targets may share batches, and empty ones cost time
            // as well.
            let vertices_of = |[_, widths, ..]: &[U32; BATCH]| u64::from(Widths(widths.get()).count()).max(1);
            total += self.batches_of(index).map(vertices_of).sum::<u64>();
            if total > limit {
                let kind = FaultKind::TooLarge { found: total, limit };
                return Err(at.fault("vertices of morph targets", kind));
            }
            if let Some(delta) = self.target(index).find(|delta| delta.vertex as usize >= vertices) {
                let kind = FaultKind::out_of_range(delta.vertex, vertices);
                return Err(at.fault("vertex of a morph target", kind));
            }
        }
        Ok(())
    }
}

/// Widths of the fields of a batch, five bits each.
#[derive(Clone, Copy)]
struct Widths(u32);

impl Widths {
    const fn width(self, part: u32) -> u32 {
        self.0 >> (5 * part) & 0x1F
    }

    const fn has_tangents(self) -> bool {
        self.0 >> 20 & 1 == 1
    }

    const fn count(self) -> u32 {
        self.0 >> 21
    }
}

#[expect(clippy::cast_precision_loss, reason = "the engine calculates with floats")]
#[expect(clippy::cast_possible_wrap, reason = "minima are signed")]
fn scaled(bits: u32, minimum: u32, step: f32) -> f32 {
    (i64::from(bits) + i64::from(minimum as i32)) as f32 * step
}

/// Stream of bits, the lowest of each word first; zero after the end.
struct Bits<'a> {
    words: &'a [U32],
    at: usize,
}

impl Bits<'_> {
    fn take(&mut self, count: u32) -> u32 {
        let word = |index: usize| self.words.get(index).map_or(0, |word| u64::from(word.get()));
        // A field has at most 31 bits, so two words always contain it.
        let (index, shift) = (self.at / 32, self.at % 32);
        let both = word(index) | word(index + 1) << 32;
        self.at += count as usize;
        u32::try_from(both >> shift & ((1 << count) - 1)).unwrap_or_default()
    }
}
