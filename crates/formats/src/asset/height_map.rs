//! `ULandscapeTextureStorageProviderFactory`: heights of a landscape, which take the place of the mips of its texture.
//!
//! ```text
//! i32 mips that are always there │ i32 mips that are not streamed │ 3 reals scale of the grid
//! │ i32 n │ n × { i32 width, height │ bool32 compressed │ bulk data } │ texture
//!
//! compressed   w h big-endian differences of heights, from 32768 │ differences of pairs of bytes: normals of the border
//! ```
//!
//! Verified on 5.8. Source: the geometry sheet.

use super::bulk::Bulk;
use super::payload::Payload;
use crate::property::{Object, Scope};
use crate::wire::{Fault, FaultKind};
use std::fmt;

/// Heights of a landscape.
#[derive(Debug, Clone, PartialEq)]
pub struct HeightMap<'a> {
    /// Resolutions, the largest first.
    pub mips: Vec<HeightMip<'a>>,
    /// Distance of boundaries in texels, at which a row or column is there twice.
    pub boundary_offset: u32,
    /// Number of boundaries along X and Y.
    pub boundaries: [u32; 2],
}

/// A resolution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeightMip<'a> {
    /// Width and height, in texels.
    pub size: [u32; 2],
    /// True if it has differences of heights; false if it has texels.
    pub is_compressed: bool,
    /// The data.
    pub data: Bulk<'a>,
}

/// The largest side, in texels.
const MAX_SIDE: u32 = 1 << 14;

impl<'a> HeightMap<'a> {
    pub(super) fn read(p: &mut Payload<'_, 'a>) -> Result<Self, Fault> {
        p.r.i32("mips that are always there")?;
        p.r.i32("mips that are not streamed")?;
        p.reals::<3>("scale of the grid")?;
        let count = p.r.count("mips", 16)?;
        let mut mips = Vec::with_capacity(count);
        for _ in 0..count {
            let at = p.r.clone();
            let size = [p.r.u32("width of a mip")?, p.r.u32("height of a mip")?];
            if let Some(found) = size.into_iter().find(|side| *side > MAX_SIDE) {
                let kind = FaultKind::TooLarge { found: found.into(), limit: MAX_SIDE.into() };
                return Err(at.fault("side of a mip", kind));
            }
            let is_compressed = p.r.bool32("compressed mip")?;
            mips.push(HeightMip { size, is_compressed, data: p.bulk()? });
        }
        p.object("texture of heights")?;
        let number = |name| p.property::<u32>(name).unwrap_or_default();
        Ok(Self {
            mips,
            boundary_offset: number("BoundaryOffset"),
            boundaries: [number("BoundaryCountX"), number("BoundaryCountY")],
        })
    }

    pub(super) fn summary(&self, _: &Scope<'_>, _: &Object) -> HeightMapSummary {
        let [width, height] = self.mips.first().map_or([0; 2], |mip| mip.size);
        HeightMapSummary { width, height }
    }

    /// Heights of a resolution, row by row, out of its data.
    pub fn heights(&self, level: usize, bytes: &[u8]) -> Result<Vec<u16>, Fault> {
        let Some(mip) = self.mips.get(level) else { return Ok(Vec::new()) };
        let [width, height] = mip.size;
        let all = (width as usize).saturating_mul(height as usize);
        let fault = |needed: usize| {
            let kind = FaultKind::Truncated { needed: needed as u64, left: bytes.len() as u64 };
            Fault { offset: 0, field: "heights of a landscape", kind }
        };
        if !mip.is_compressed {
            let texels = bytes.as_chunks::<4>().0.get(..all).ok_or_else(|| fault(all.saturating_mul(4)))?;
            return Ok(texels.iter().map(|[_, green, red, _]| u16::from_be_bytes([*red, *green])).collect());
        }
        let [doubled_x, doubled_y] = self.boundaries;
        let [inner_width, inner_height] = [width.saturating_sub(doubled_x), height.saturating_sub(doubled_y)];
        let count = (inner_width as usize).saturating_mul(inner_height as usize);
        let stored = bytes.as_chunks::<2>().0.get(..count).ok_or_else(|| fault(count.saturating_mul(2)))?;
        let mut before = 32768_u16;
        let heights: Vec<u16> = stored
            .iter()
            .map(|difference| {
                before = before.wrapping_add(u16::from_be_bytes(*difference));
                before
            })
            .collect();
        if self.boundaries == [0, 0] {
            return Ok(heights);
        }
        // A texel at a boundary is there twice.
        let step = self.boundary_offset.checked_shr(u32::try_from(level).unwrap_or(u32::MAX)).unwrap_or(0);
        let source = |at: u32| if step > 1 { at - at / step } else { at };
        let texel = |x: u32, y: u32| {
            let (x, y) =
                (source(x).min(inner_width.saturating_sub(1)), source(y).min(inner_height.saturating_sub(1)));
            heights.get(y as usize * inner_width as usize + x as usize).copied().unwrap_or(32768)
        };
        Ok((0..height).flat_map(|y| (0..width).map(move |x| (x, y))).map(|(x, y)| texel(x, y)).collect())
    }
}

/// Summary of a height map.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct HeightMapSummary {
    /// Width in texels.
    pub width: u32,
    /// Height in texels.
    pub height: u32,
}

impl fmt::Display for HeightMapSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "height map: {} x {}", self.width, self.height)
    }
}
