//! Textures.
//!
//! ```text
//! 2 × strip flags │ bool32 cooked │ (5.3, two dimensions) bool32 has mip data │ { format, skip offset, platform data } … None
//!
//! platform data   (5.0) 16 bytes │ i32 width, height │ u32 slices and flags │ format │ (flags) … │ i32 first mip
//!                 │ mips │ (4.23) bool32 virtual, virtual data
//! mip             (UE4) bool32 cooked │ bulk data │ i32 width, height, (4.20) depth
//! ```
//!
//! The skip offset leads to the end of its block: since 5.0 from where it is, before from the start of the package.
//!
//! A mip holds slices one after the other: faces of a cube in the order +X −X +Y −Y +Z −Z, cubes or pictures of an array, or
//! layers of a volume.

mod assemble;
mod settings;
mod virtual_data;

pub use assemble::AssembleError;
pub use settings::{Compression, Settings};
pub use virtual_data::{Tile, VirtualChunk, VirtualLayer, VirtualMip, VirtualTexture};

use super::bulk::Bulk;
use super::payload::Payload;
use crate::image::PixelFormat;
use crate::wire::{Fault, FaultKind};

/// `FTexturePlatformData`, with what the properties say about it.
#[doc(alias = "FTexturePlatformData")]
#[derive(Debug, Clone, PartialEq)]
pub struct Texture<'a> {
    /// What its slices are.
    pub shape: Shape,
    /// How its pixels are written.
    pub format: PixelFormat,
    /// Pixels in a row of the largest mip.
    pub width: u32,
    /// Rows of the largest mip.
    pub height: u32,
    /// Slices of the largest mip.
    pub slices: u32,
    /// Mips, the largest first. None if it is virtual, or if its mips are elsewhere.
    pub mips: Vec<Mip<'a>>,
    /// Tiles instead of mips.
    pub virtual_texture: Option<Box<VirtualTexture<'a>>>,
    /// What the properties say.
    pub settings: Settings,
}

/// What the slices of a texture are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// There is only one.
    Flat,
    /// Pictures.
    Array,
    /// The six faces of a cube.
    Cube,
    /// The faces of several cubes.
    CubeArray,
    /// Layers of a space.
    Volume,
}

/// `FTexture2DMipMap`: a picture, or several.
#[doc(alias = "FTexture2DMipMap")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mip<'a> {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Slices.
    pub slices: u32,
    /// The pixels.
    pub data: Bulk<'a>,
}

/// Largest numbers that are believed.
const MAX_MIPS: u32 = 20;
const MAX_SIDE: u32 = 65_536;
const SLICES: u32 = (1 << 29) - 1;
const HAS_CPU_COPY: u32 = 1 << 29;
const HAS_TAIL: u32 = 1 << 30;

/// A light map has flags after everything else.
pub(super) fn read_light_map<'a>(p: &mut Payload<'_, 'a>) -> Result<Texture<'a>, Fault> {
    let found = read(p, Shape::Flat)?;
    p.r.u32("flags of a light map")?;
    Ok(found)
}

/// Reads a texture of any class but light maps.
pub(super) fn read<'a>(p: &mut Payload<'_, 'a>, shape: Shape) -> Result<Texture<'a>, Fault> {
    p.strip_flags()?;
    p.strip_flags()?;
    p.expect("texture: cooked", 1)?;
    let has_flag = shape == Shape::Flat && p.versions.has_mip_data_flag();
    let has_mips = !has_flag || p.r.bool32("texture: has mip data")?;
    let mut texture = None;
    loop {
        let at = p.r.clone();
        let name = p.name("texture: pixel format")?;
        if p.scope.is_none(name) {
            return texture.ok_or_else(|| {
                at.fault("texture: pixel format", FaultKind::TooSmall { found: 0, limit: 1 })
            });
        }
        let end = skip_offset(p)?;
        // What a name says that is not known would be gone over, but then the block in front has what is wanted.
        match PixelFormat::from_name(&p.scope.shared(name)) {
            Some(format) if texture.is_none() => {
                texture = Some(platform_data(p, shape, format, has_mips)?);
                if let Some(end) = end.filter(|end| *end != p.r.offset()) {
                    let kind = FaultKind::Unexpected { found: end, expected: p.r.offset() };
                    return Err(at.fault("texture: skip offset", kind));
                }
            }
            _ => {
                let Some(end) = end else {
                    return Err(at.fault("texture: pixel format", FaultKind::Unknown));
                };
                let len = end.saturating_sub(p.r.offset());
                p.r.bytes("texture: skipped block", usize::try_from(len).unwrap_or(usize::MAX))?;
            }
        }
    }
}

/// Where a block ends in the export; `None` where that counts from the start of a package whose header is not known.
fn skip_offset(p: &mut Payload<'_, '_>) -> Result<Option<u64>, Fault> {
    let at = p.r.offset();
    if p.versions.has_relative_skip_offsets() {
        return p.r.long_size("texture: skip offset").map(|len| at.checked_add(len));
    }
    if p.versions.has_mip_depth() {
        p.r.long_size("texture: skip offset")?;
    } else {
        p.r.size("texture: skip offset")?;
    }
    Ok(None)
}

fn platform_data<'a>(
    p: &mut Payload<'_, 'a>,
    shape: Shape,
    format: PixelFormat,
    has_mips: bool,
) -> Result<Texture<'a>, Fault> {
    if p.versions.has_relative_skip_offsets() {
        for _ in 0..4 {
            p.expect("texture: derived data", 0)?;
        }
    }
    let [width, height] = [side(p, "texture: width")?, side(p, "texture: height")?];
    let packed = p.r.u32("texture: slices")?;
    let at = p.r.clone();
    if PixelFormat::from_name(&p.r.string("texture: format")?) != Some(format) {
        return Err(at.fault("texture: format", FaultKind::Unknown));
    }
    if packed & HAS_TAIL != 0 {
        p.r.array::<8>("texture: tail of mips")?;
    }
    if packed & HAS_CPU_COPY != 0 && p.versions.has_cpu_copy() {
        cpu_copy(p)?;
    }
    let at = p.r.clone();
    let first = p.r.size("texture: first mip")?;
    if first > MAX_MIPS {
        let kind = FaultKind::TooLarge { found: first.into(), limit: MAX_MIPS.into() };
        return Err(at.fault("texture: first mip", kind));
    }
    let mips = mips(p, shape, packed & SLICES, has_mips)?;
    let is_virtual = p.versions.has_virtual_textures() && p.r.bool32("texture: virtual")?;
    let virtual_texture = if is_virtual { Some(Box::new(virtual_data::read(p)?)) } else { None };
    let largest = mips.first().map(|mip| (mip.width, mip.height, mip.slices));
    let whole = virtual_texture.as_ref().map(|found| (found.width, found.height, 1));
    let (width, height, slices) = largest.or(whole).unwrap_or((width, height, packed & SLICES));
    let settings = Settings::new(p);
    Ok(Texture { shape, format, width, height, slices, mips, virtual_texture, settings })
}

fn cpu_copy(p: &mut Payload<'_, '_>) -> Result<(), Fault> {
    p.r.array::<14>("texture: copy for the processor")?;
    let len = p.r.long_size("texture: copy for the processor")?;
    p.r.bytes("texture: copy for the processor", usize::try_from(len).unwrap_or(usize::MAX)).map(drop)
}

fn side(p: &mut Payload<'_, '_>, field: &'static str) -> Result<u32, Fault> {
    let at = p.r.clone();
    match p.r.size(field)? {
        found if found <= MAX_SIDE => Ok(found),
        found => Err(at.fault(field, FaultKind::TooLarge { found: found.into(), limit: MAX_SIDE.into() })),
    }
}

fn mips<'a>(
    p: &mut Payload<'_, 'a>,
    shape: Shape,
    packed: u32,
    has_data: bool,
) -> Result<Vec<Mip<'a>>, Fault> {
    let at = p.r.clone();
    let count = p.r.size("texture: mips")?;
    if count > MAX_MIPS {
        let kind = FaultKind::TooLarge { found: count.into(), limit: MAX_MIPS.into() };
        return Err(at.fault("texture: mips", kind));
    }
    let mut mips: Vec<Mip<'a>> = Vec::new();
    for level in 0..count {
        if !p.versions.has_relative_skip_offsets() {
            p.expect("mip: cooked", 1)?;
        }
        let data = if has_data { Some(p.bulk()?) } else { None };
        let [width, height] = [side(p, "mip: width")?, side(p, "mip: height")?];
        let depth = if p.versions.has_mip_depth() { side(p, "mip: depth")? } else { 1 };
        let slices = if depth == 1 && shape != Shape::Volume { packed.max(1) } else { depth };
        // Old releases record the sides of small mips in whole blocks.
        let halved = mips.first().map_or([width, height], |first| {
            [(first.width, width), (first.height, height)]
                .map(|(first, own)| own.min((first >> level).max(1)))
        });
        let [width, height] = halved;
        mips.extend(data.map(|data| Mip { width, height, slices, data }));
    }
    Ok(mips)
}

impl Mip<'_> {
    /// Bytes of its pixels in a format.
    #[must_use]
    pub fn byte_len(&self, format: PixelFormat) -> u64 {
        format.byte_len(self.width, self.height).saturating_mul(self.slices.into())
    }
}
