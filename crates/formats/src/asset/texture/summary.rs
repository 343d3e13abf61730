use super::Texture;
use crate::image::PixelFormat;
use crate::package::bulk::BulkPlace;
use crate::property::{Object, Scope};
use crate::wire::counted;
use std::fmt;

/// Summary of a texture.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct TextureSummary {
    /// Pixel format.
    pub format: PixelFormat,
    /// Width of the largest mip, in pixels.
    pub width: u32,
    /// Height of the largest mip, in pixels.
    pub height: u32,
    /// Number of slices of the largest mip.
    pub slices: u32,
    /// True if it has tiles instead of mips.
    pub is_virtual: bool,
    /// True if its values are encoded as sRGB.
    pub srgb: bool,
    /// Mips, the largest first.
    pub mips: Vec<MipSummary>,
}

/// Summary of a mip.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct MipSummary {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Size in bytes.
    pub bytes: u64,
    /// Location.
    pub place: BulkPlace,
}

impl Texture<'_> {
    pub(crate) fn summary(&self, _: &Scope<'_>, _: &Object) -> TextureSummary {
        let mips = self.mips.iter().map(|mip| MipSummary {
            width: mip.width,
            height: mip.height,
            bytes: mip.data.record.len,
            place: mip.data.record.place,
        });
        TextureSummary {
            format: self.format,
            width: self.width,
            height: self.height,
            slices: self.slices,
            is_virtual: self.virtual_texture.is_some(),
            srgb: self.is_srgb(self.format),
            mips: mips.collect(),
        }
    }
}

impl fmt::Display for TextureSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { format, width, height, slices, mips, .. } = self;
        let kind = if self.is_virtual { "virtual texture" } else { "texture" };
        write!(f, "{kind}: {format} {width} x {height}")?;
        if *slices > 1 {
            write!(f, " x {slices}")?;
        }
        f.write_str(if self.srgb { ", sRGB" } else { "" })?;
        if mips.is_empty() {
            return Ok(());
        }
        write!(f, ", {}", counted(mips.len() as u64, "mip", "mips"))?;
        let in_files = mips.iter().filter_map(|mip| mip.place.extension(0)).collect::<Vec<_>>();
        match in_files.first() {
            Some(extension) => write!(f, ", {} of them in .{extension}", in_files.len()),
            None => Ok(()),
        }
    }
}
