//! DDS: textures as they are stored, with all mips and slices.
//!
//! ```text
//! "DDS " │ u32 124, flags, height, width, pitch or size, depth, mips │ 11 × u32 0
//! │ u32 32, 4 (FourCC), "DX10", 5 × u32 0 │ u32 caps, caps 2, 3 × u32 0
//! │ u32 DXGI format, dimension, 4 for cubes, array size, 0 │ slice by slice, mip by mip
//! ```
//!
//! A volume has its layers mip by mip instead. Source: Microsoft's documentation of the format.

use crate::asset::texture::{Mip, Shape, Texture};
use crate::wire::Writer;
use std::borrow::Cow;

/// What DirectX calls a texture.
pub(super) struct Form {
    format: u32,
    /// 3 for pictures, 4 for volumes.
    dimension: u32,
    is_cube: bool,
    /// Pictures, or cubes.
    array: u32,
}

impl Form {
    /// `None` if DirectX does not have its pixel format.
    pub(super) fn of(texture: &Texture<'_>) -> Option<Self> {
        let format = texture.format.dxgi(texture.settings.srgb)?;
        let is_cube = matches!(texture.shape, Shape::Cube | Shape::CubeArray);
        let is_volume = texture.shape == Shape::Volume;
        let array = match texture.shape {
            Shape::Flat | Shape::Volume => 1,
            Shape::Array => texture.slices,
            Shape::Cube | Shape::CubeArray => texture.slices / 6,
        };
        Some(Self { format, dimension: if is_volume { 4 } else { 3 }, is_cube, array })
    }

    const fn is_volume(&self) -> bool {
        self.dimension == 4
    }
}

/// A texture as a file. All slices of a mip are there.
pub(super) fn encode(form: &Form, texture: &Texture<'_>, mips: &[(&Mip<'_>, Cow<'_, [u8]>)]) -> Vec<u8> {
    let mut w = Writer::new();
    header(&mut w, form, mips);
    if form.is_volume() {
        for (_, bytes) in mips {
            w.bytes(bytes);
        }
        return w.into_bytes();
    }
    for slice in 0..texture.slices as usize {
        for (mip, bytes) in mips {
            let len = bytes.len() / (mip.slices as usize).max(1);
            w.bytes(bytes.chunks_exact(len.max(1)).nth(slice).unwrap_or_default());
        }
    }
    w.into_bytes()
}

fn header(w: &mut Writer, form: &Form, mips: &[(&Mip<'_>, Cow<'_, [u8]>)]) {
    /// Caps, height, width, pixel format; number of mips; size; depth.
    const FLAGS: u32 = 0x1007 | 0x2_0000 | 0x8_0000;
    const DEPTH: u32 = 0x80_0000;
    /// Texture, more than one surface, mips.
    const CAPS: u32 = 0x1000 | 0x8 | 0x40_0000;
    /// A cube with all its faces; a volume.
    const CUBE: u32 = 0xFE00;
    const VOLUME: u32 = 0x20_0000;
    let Some((first, bytes)) = mips.first() else { return };
    let size = bytes.len() / (first.slices as usize).max(1);
    let depth = if form.is_volume() { first.slices } else { 0 };
    w.bytes(b"DDS ");
    let numbers = [
        124,
        if form.is_volume() { FLAGS | DEPTH } else { FLAGS },
        first.height,
        first.width,
        u32::try_from(size).unwrap_or(u32::MAX),
        depth,
        u32::try_from(mips.len()).unwrap_or(1),
    ];
    let caps = match (form.is_cube, form.is_volume()) {
        (true, _) => CUBE,
        (_, true) => VOLUME,
        _ => 0,
    };
    let more = [form.format, form.dimension, if form.is_cube { 4 } else { 0 }, form.array.max(1), 0];
    let four_cc = [32, 4, u32::from_le_bytes(*b"DX10"), 0, 0, 0, 0, 0];
    let caps = [CAPS, caps, 0, 0, 0];
    for number in numbers.iter().chain(&[0; 11]).chain(&four_cc).chain(&caps).chain(&more) {
        w.u32(*number);
    }
}
