//! Influence of bones on each vertex.
//!
//! ```text
//! since 4.25  strip flags │ bool32 variable │ u32 most │ u32 bytes │ u32 n │ bool32 16 bits per bone
//!             │ bool32 16 bits per weight (5.2)
//! 4.24        strip flags │ bool32 8 per vertex │ u32 stride │ u32 n
//! both        array of bytes: of each vertex its bones, then their weights
//! since 4.25  strip flags │ u32 n │ array of u32: with a variable number, place << 8 | number of each vertex
//! ```

use super::super::super::Payload;
use crate::wire::{Fault, FaultKind};
use zerocopy::FromBytes;
use zerocopy::little_endian::U32;

/// `FSkinWeightVertexBuffer`: bones and weights of each vertex.
#[doc(alias = "FSkinWeightVertexBuffer")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SkinWeights<'a> {
    /// Number of vertices.
    pub vertices: usize,
    /// Largest number of bones that move one vertex.
    pub max_influences: usize,
    /// True if bones take two bytes instead of one.
    pub has_wide_bones: bool,
    /// True if weights take two bytes instead of one.
    pub has_wide_weights: bool,
    /// Bones and weights, vertex after vertex.
    pub bytes: &'a [u8],
    /// Position and number of the influences of each vertex, if the number varies.
    lookup: Option<&'a [U32]>,
}

/// Bone that moves a vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Influence {
    /// Index in the bone map of the vertex's section.
    pub bone: u16,
    /// Share of the movement; those of a vertex add up to 255, or to 65,535 if weights are wide.
    pub weight: u16,
}

/// Limit of influences per vertex: the lookup counts them in eight bits.
const MAX_INFLUENCES: u32 = 255;
/// Limit of vertices that share the same weights, on average. Every engine writes each vertex its own.
const MAX_SHARING: u64 = 4;

impl<'a> SkinWeights<'a> {
    pub(super) fn read(payload: &mut Payload<'_, 'a>, vertices: usize) -> Result<Self, Fault> {
        let strip = payload.strip_flags()?;
        let is_unlimited = payload.versions.has_unlimited_influences();
        let (mut weights, is_variable) =
            if is_unlimited { Self::head(payload)? } else { Self::early_head(payload)? };
        if weights.vertices != vertices {
            let kind = FaultKind::Unexpected { found: weights.vertices as u64, expected: vertices as u64 };
            return Err(payload.r.fault("vertices with weights", kind));
        }
        if !strip.is_audio_visual_data_stripped() {
            weights.bytes = payload.bulk_array("weights", 1)?;
        }
        // The lookup is always written, but only means something if the number varies.
        if is_unlimited {
            weights.lookup = lookup(payload)?.filter(|_| is_variable);
        }
        weights.check(payload, is_variable)?;
        Ok(weights)
    }

    fn head(payload: &mut Payload<'_, 'a>) -> Result<(Self, bool), Fault> {
        let versions = payload.versions;
        let is_variable = payload.r.bool32("variable number of influences")?;
        let at = payload.r.clone();
        let most = payload.r.u32("influences of a vertex")?;
        if most > MAX_INFLUENCES {
            let kind = FaultKind::TooLarge { found: most.into(), limit: MAX_INFLUENCES.into() };
            return Err(at.fault("influences of a vertex", kind));
        }
        // The size follows from the array below.
        payload.r.u32("bytes of weights")?;
        let vertices = payload.r.u32("vertices with weights")? as usize;
        let has_wide_bones = payload.r.bool32("width of bones")?;
        let has_wide_weights = payload
            .r
            .when(versions.has_weight_precision(), |r| r.bool32("width of weights"))?
            .unwrap_or(false);
        let weights = Self {
            vertices,
            max_influences: most as usize,
            has_wide_bones,
            has_wide_weights,
            bytes: &[],
            lookup: None,
        };
        Ok((weights, is_variable))
    }

    fn early_head(payload: &mut Payload<'_, 'a>) -> Result<(Self, bool), Fault> {
        let has_extra = payload.r.bool32("extra influences")?;
        payload.r.u32("size of weights")?;
        let vertices = payload.r.u32("vertices with weights")? as usize;
        // Until 4.24 there were only these two numbers.
        let max_influences = if has_extra { 8 } else { 4 };
        let weights = Self {
            vertices,
            max_influences,
            has_wide_bones: false,
            has_wide_weights: false,
            bytes: &[],
            lookup: None,
        };
        Ok((weights, false))
    }

    /// Rejects weights that do not cover all vertices.
    fn check(&self, payload: &Payload<'_, 'a>, is_variable: bool) -> Result<(), Fault> {
        if self.bytes.is_empty() {
            return Ok(());
        }
        let limit = self.bytes.len();
        let end = match self.lookup {
            Some(places) if places.len() == self.vertices => {
                let count = |place: &U32| place.get() & 0xFF;
                // Vertices may share weights, but the sum must stay linear in the bytes.
                let found = places.iter().map(|place| u64::from(count(place))).sum::<u64>();
                let most = MAX_SHARING * (limit / self.stride()) as u64;
                if found > most {
                    let kind = FaultKind::TooLarge { found, limit: most };
                    return Err(payload.r.fault("influences of all vertices", kind));
                }
                let end = |place: &U32| (place.get() >> 8) as usize + count(place) as usize * self.stride();
                places.iter().map(end).max().unwrap_or_default()
            }
            None if !is_variable => self.vertices.saturating_mul(self.max_influences * self.stride()),
            // A variable number without a lookup for every vertex cannot be read.
            _ => usize::MAX,
        };
        if end > limit {
            return Err(payload.r.fault("weights", FaultKind::out_of_range(end as u64, limit)));
        }
        Ok(())
    }

    /// Bytes of a bone and its weight.
    const fn stride(&self) -> usize {
        2 + self.has_wide_bones as usize + self.has_wide_weights as usize
    }

    /// Returns the sum of the weights of a vertex.
    #[must_use]
    pub const fn whole(&self) -> u16 {
        if self.has_wide_weights { u16::MAX } else { 0xFF }
    }

    /// Iterates over the influences of a vertex in file order; some may have no weight.
    pub fn of(&self, vertex: usize) -> impl Iterator<Item = Influence> {
        let (start, count) = match self.lookup.and_then(|places| places.get(vertex)) {
            Some(place) => ((place.get() >> 8) as usize, (place.get() & 0xFF) as usize),
            None => (vertex * self.max_influences * self.stride(), self.max_influences),
        };
        // All bones of a vertex come before all of its weights.
        let bones = numbers(self.bytes.get(start..).unwrap_or_default(), self.has_wide_bones);
        let weights = start + count * (1 + usize::from(self.has_wide_bones));
        let weights = numbers(self.bytes.get(weights..).unwrap_or_default(), self.has_wide_weights);
        bones.zip(weights).take(count).map(|(bone, weight)| Influence { bone, weight })
    }
}

/// Iterates over numbers of one or two bytes.
fn numbers(bytes: &[u8], is_wide: bool) -> impl Iterator<Item = u16> {
    let number = move |number: &[u8]| match number {
        [low, high] => u16::from_le_bytes([*low, *high]),
        [one] => u16::from(*one),
        _ => 0,
    };
    bytes.chunks(if is_wide { 2 } else { 1 }).map(number)
}

fn lookup<'a>(payload: &mut Payload<'_, 'a>) -> Result<Option<&'a [U32]>, Fault> {
    let strip = payload.strip_flags()?;
    payload.r.u32("vertices with places of weights")?;
    if strip.is_audio_visual_data_stripped() {
        return Ok(None);
    }
    let at = payload.r.clone();
    let bytes = payload.bulk_array("places of weights", 4)?;
    let places = <[U32]>::ref_from_bytes(bytes);
    places.map(Some).map_err(|_| at.fault("places of weights", FaultKind::Unknown))
}
