//! Textures and palettes of Unreal Engine 1 and 2.
//!
//! ```text
//! texture  properties │ (< 84, bHasComp) count, mips │ count, mips
//! mip      (≥ 63) u32 offset of the byte after the image │ size │ image │ u32 width, height │ u8 log2 of both
//! palette  properties │ count │ count × R G B A
//! ```
//!
//! Counts and sizes are compact indices. Source: Unreal-Library, the UnrealWiki. Not verified on a real texture; the
//! order of channels in the formats without palette (blue first) is an assumption.

mod all;
mod blocks;
mod pixels;

pub use all::{Picture, Textures};
pub use pixels::TextureError;

use super::{
    package::Package,
    properties::{Property, Value},
    tables::{Cursor, Export, ObjectIndex},
};
use crate::wire::{Fault, FaultKind};
use std::ops::Range;

/// A texture. Its images stay in the file.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Texture {
    /// Pixel format.
    pub format: TextureFormat,
    /// Pixel format of the compressed mips, if there are any.
    pub compressed_format: Option<TextureFormat>,
    /// The palette of a P8 texture.
    pub palette: Option<ObjectIndex>,
    /// Images, the largest first.
    pub mips: Vec<Mip>,
    /// Compressed versions of the images (below 84).
    pub compressed_mips: Vec<Mip>,
}

/// One image.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Mip {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Byte range of the image, from the start of the file.
    pub bytes: Range<u64>,
}

/// Pixel formats of Unreal Engine 2 (`ETextureFormat`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[expect(missing_docs, reason = "the names are the engine's own")]
pub enum TextureFormat {
    P8,
    Rgba7,
    Rgb16,
    Dxt1,
    Rgb8,
    Rgba8,
    NoData,
    Dxt3,
    Dxt5,
    L8,
    G16,
    Unknown(u8),
}

impl TextureFormat {
    const fn from_wire(raw: u8) -> Self {
        match raw {
            0 => Self::P8,
            1 => Self::Rgba7,
            2 => Self::Rgb16,
            3 => Self::Dxt1,
            4 => Self::Rgb8,
            5 => Self::Rgba8,
            6 => Self::NoData,
            7 => Self::Dxt3,
            8 => Self::Dxt5,
            9 => Self::L8,
            10 => Self::G16,
            raw => Self::Unknown(raw),
        }
    }
}

impl Package {
    /// Reads a texture object: its format, palette and the ranges of its images.
    pub fn texture(&self, bytes: &[u8], export: &Export) -> Result<Texture, Fault> {
        let (properties, end) = self.properties(bytes, export)?;
        let mut c = self.after(bytes, export, end)?;
        let find = |name: &str| self.find(&properties, name);
        let format = |name: &str| match find(name).map(|property| &property.value) {
            Some(Value::Byte(raw)) => Some(TextureFormat::from_wire(*raw)),
            _ => None,
        };
        let compressed = matches!(find("bHasComp").map(|p| &p.value), Some(Value::Bool(true)));
        // Later versions keep the property but store no second list of mips.
        let compressed = compressed && self.summary.version.has_compressed_mips();
        let palette = match find("Palette").map(|property| &property.value) {
            Some(Value::Object(index)) => Some(*index),
            _ => None,
        };
        Ok(Texture {
            // A property with its default value is not written, and P8 is the default.
            format: format("Format").unwrap_or(TextureFormat::P8),
            compressed_format: format("CompFormat"),
            palette,
            compressed_mips: if compressed { mips(&mut c)? } else { Vec::new() },
            mips: mips(&mut c)?,
        })
    }

    /// Reads the colors of a palette object: red, green, blue, alpha.
    pub fn palette(&self, bytes: &[u8], export: &Export) -> Result<Vec<[u8; 4]>, Fault> {
        let (_, end) = self.properties(bytes, export)?;
        let mut c = self.after(bytes, export, end)?;
        let at = c.r.clone();
        let count = c.size("palette: count")? as usize;
        // Checked against the bytes that follow, before the list is allocated.
        let limit = c.r.remaining() / 4;
        if count > limit {
            let kind = FaultKind::TooLarge { found: count as u64, limit: limit as u64 };
            return Err(at.fault("palette: count", kind));
        }
        c.r.repeat(count, |r| r.array("palette: color"))
    }

    fn find<'a>(&self, properties: &'a [Property], name: &str) -> Option<&'a Property> {
        properties.iter().find(|property| self.text(property.name).base.eq_ignore_ascii_case(name))
    }

    fn after<'a>(&self, bytes: &'a [u8], export: &Export, at: u64) -> Result<Cursor<'a>, Fault> {
        let mut c = self.cursor(bytes, export)?;
        // Texture data starts after the properties, which have no recorded length.
        let skipped = usize::try_from(at.saturating_sub(c.r.offset())).unwrap_or(usize::MAX);
        c.r.bytes("object data", skipped)?;
        Ok(c)
    }
}

fn mips(c: &mut Cursor<'_>) -> Result<Vec<Mip>, Fault> {
    let count = c.size("texture: mip count")? as usize;
    // 11 is the least length of a mip: an empty image, its size and the dimensions.
    let limit = c.r.remaining() / 11;
    if count > limit {
        let kind = FaultKind::TooLarge { found: count as u64, limit: limit as u64 };
        return Err(c.r.fault("texture: mip count", kind));
    }
    let mut mips = Vec::with_capacity(count);
    for _ in 0..count {
        mips.push(mip(c)?);
    }
    Ok(mips)
}

fn mip(c: &mut Cursor<'_>) -> Result<Mip, Fault> {
    let at = c.r.clone();
    let end = c.r.when(c.version.has_skip_offsets(), |r| r.u32("mip: end of image"))?;
    let len = c.size("mip: size")?;
    let start = c.r.offset();
    c.r.bytes("mip: image", len as usize)?;
    // The skip offset is redundant, so a mismatch shows that the data was misread.
    if let Some(end) = end.filter(|end| u64::from(*end) != c.r.offset()) {
        let kind = FaultKind::Unexpected { found: end.into(), expected: c.r.offset() };
        return Err(at.fault("mip: end of image", kind));
    }
    let bytes = start..c.r.offset();
    let (width, height) = (c.r.u32("mip: width")?, c.r.u32("mip: height")?);
    // Base-2 logarithms of width and height.
    c.r.array::<2>("mip: logarithms")?;
    Ok(Mip { width, height, bytes })
}

#[cfg(test)]
mod tests;
