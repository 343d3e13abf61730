//! `UTexture` and its classes.
//!
//! ```text
//! 2 × strip flags │ bool32 cooked │ (5.3, two dimensions) bool32 has mip data
//! │ { format, skip offset, platform data } … None
//!
//! platform data   (5.0) 16 bytes │ i32 width, height │ u32 slices and flags │ format │ (flags) … │ i32 first mip
//!                 │ mips │ (4.23) bool32 virtual, virtual data
//! mip             (UE4) bool32 cooked │ bulk data │ i32 width, height, (4.20) depth
//! ```
//!
//! The skip offset marks the end of its block: counted from itself since 5.0, from the start of the package
//! before.
//!
//! A mip holds slices one after the other: the faces of a cube in the order +X −X +Y −Y +Z −Z, the cubes or
//! images of an array, or the layers of a volume.

mod assemble;
mod best;
mod error;
mod look;
mod payload;
mod picture;
mod replace;
mod settings;
mod shape;
mod summary;
mod virtual_data;

pub use assemble::AssembleError;
pub use error::ReplaceError;
pub use payload::{Block, Body, PlatformData, StoredMip, TexturePayload};
pub use picture::{NewMip, NewPicture};
pub use replace::{FileKey, Replacement};
pub use settings::{Compression, Settings};
pub use shape::Shape;
pub use summary::{MipSummary, TextureSummary};
pub use virtual_data::{Tile, VirtualChunk, VirtualLayer, VirtualMip, VirtualTexture};

use super::bulk::Bulk;
use super::payload::Payload as Cursor;
use crate::image::PixelFormat;
use crate::wire::{Fault, FaultKind};

/// `FTexturePlatformData`, with the properties that describe its pixels.
#[doc(alias = "FTexturePlatformData")]
#[derive(Debug, Clone, PartialEq)]
pub struct Texture<'a> {
    /// Meaning of its slices.
    pub shape: Shape,
    /// Pixel format.
    pub format: PixelFormat,
    /// Width of the largest mip, in pixels.
    pub width: u32,
    /// Height of the largest mip, in pixels.
    pub height: u32,
    /// Number of slices of the largest mip.
    pub slices: u32,
    /// Mips, the largest first. Empty if it is virtual, or if its mips are in another object.
    pub mips: Vec<Mip<'a>>,
    /// Tiles, which replace the mips of a virtual texture.
    pub virtual_texture: Option<Box<VirtualTexture<'a>>>,
    /// Properties that describe the pixels.
    pub settings: Settings,
    /// All fields of the payload, for writing it again.
    pub payload: TexturePayload<'a>,
}

/// `FTexture2DMipMap`: one resolution of all slices.
#[doc(alias = "FTexture2DMipMap")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mip<'a> {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Number of slices.
    pub slices: u32,
    /// Pixels.
    pub data: Bulk<'a>,
}

impl<'a> Texture<'a> {
    /// Reads a texture of any class but light maps.
    pub(super) fn read(p: &mut Cursor<'_, 'a>, shape: Shape) -> Result<Self, Fault> {
        read_payload(p, shape, false)
    }

    /// Reads a light map, which has flags after everything else.
    pub(super) fn read_light_map(p: &mut Cursor<'_, 'a>) -> Result<Self, Fault> {
        read_payload(p, Shape::Flat, true)
    }
}

fn read_payload<'a>(p: &mut Cursor<'_, 'a>, shape: Shape, is_light_map: bool) -> Result<Texture<'a>, Fault> {
    let at = p.r.clone();
    let (payload, tiles) = TexturePayload::read(p, shape, is_light_map)?;
    let kind = FaultKind::TooSmall { found: 0, limit: 1 };
    let data = payload.platform().ok_or_else(|| at.fault("texture: pixel formats", kind))?;
    let mips = used_mips(data, shape);
    let largest = mips.first().map(|mip| (mip.width, mip.height, mip.slices));
    let whole = tiles.as_ref().map(|found| (found.width, found.height, 1));
    // The recorded size of the platform data is not reliable: the largest mip's is.
    let [width, height] = data.size;
    let (width, height, slices) = largest.or(whole).unwrap_or((width, height, data.packed & SLICES));
    let (format, settings) = (data.format, Settings::new(p));
    Ok(Texture { shape, format, width, height, slices, mips, virtual_texture: tiles, settings, payload })
}

/// Mask of the number of slices; the other bits are flags.
const SLICES: u32 = (1 << 29) - 1;

fn used_mips<'a>(data: &PlatformData<'a>, shape: Shape) -> Vec<Mip<'a>> {
    let packed = data.packed & SLICES;
    let mut mips: Vec<Mip<'a>> = Vec::new();
    for (level, mip) in data.mips.iter().enumerate() {
        let [width, height, depth] = mip.size;
        // Only some classes record slices as the depth of a mip; a cube has depth 1.
        let slices = if depth == 1 && shape != Shape::Volume { packed.max(1) } else { depth };
        // Old releases record sides of small mips in whole blocks: the real side is halved per level.
        let halved = mips.first().map_or([width, height], |first| {
            [(first.width, width), (first.height, height)]
                .map(|(first, own)| own.min((first >> level).max(1)))
        });
        let [width, height] = halved;
        mips.extend(mip.data.map(|data| Mip { width, height, slices, data }));
    }
    mips
}

impl Mip<'_> {
    /// Returns the size of its pixels in a format, in bytes.
    #[must_use]
    pub fn byte_len(&self, format: PixelFormat) -> u64 {
        format.byte_len(self.width, self.height).saturating_mul(self.slices.into())
    }
}
