//! Conversion of an image into the mips of a texture.

use super::error::ReplaceError;
use super::shape::Shape;
use super::{Mip, Texture};
use crate::image::dds_file::{Dds, DdsKind};
use crate::image::{
    Image, Layout, Meaning, Mips, NormalMap, RunTasks, check_encodable, complete_normals, run_here,
};

/// Image for a texture.
#[derive(Debug, Clone, PartialEq)]
pub enum NewPicture<'p> {
    /// Pixels, to be encoded, with mips generated from them.
    Image(&'p Image),
    /// Encoded blocks for graphics cards, taken unchanged.
    Dds(Dds<'p>),
    /// Mips of another version of the same texture, taken unchanged.
    Mips(Vec<NewMip>),
}

/// Mip for a texture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewMip {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Number of slices.
    pub slices: u32,
    /// Pixels in the format of the texture.
    pub bytes: Vec<u8>,
}

/// Longest side that the engine supports.
const MAX_SIDE: u32 = 16_384;

impl Texture<'_> {
    /// Returns the bytes of memory that a new picture takes at most while it becomes the texture: its pixels, the chain of
    /// mips as floats, and the encoded mips in the package, in the files beside it, and in the two on their way out.
    #[must_use]
    pub fn price(&self, picture: &NewPicture<'_>) -> u64 {
        /// Copies of the encoded mips.
        const COPIES: u64 = 4;
        // All smaller mips take a third of the largest.
        let with_mips = |bytes: u64| bytes.saturating_add(bytes / 3);
        match picture {
            NewPicture::Image(image) => {
                let pixels = u64::from(image.width) * u64::from(image.height);
                let floats = pixels * image.channels.count() as u64 * size_of::<f32>() as u64;
                let encoded = self.format.byte_len(image.width, image.height);
                image.byte_len() + floats / 3 + with_mips(encoded).saturating_mul(COPIES)
            }
            NewPicture::Dds(dds) => dds.byte_len().saturating_mul(1 + COPIES),
            NewPicture::Mips(mips) => {
                let bytes: usize = mips.iter().map(|mip| mip.bytes.len()).sum();
                (bytes as u64).saturating_mul(1 + COPIES)
            }
        }
    }

    /// Converts an image into mips: as many as the texture has for this size.
    ///
    /// Mips are halved by averaging light where values are sRGB, and directions in a normal map.
    pub fn new_mips(&self, picture: &NewPicture<'_>) -> Result<Vec<NewMip>, ReplaceError> {
        self.new_mips_by(picture, &run_here)
    }

    /// Converts an image into mips, in bands of rows: see [`Image::encode_by`].
    pub fn new_mips_by(
        &self,
        picture: &NewPicture<'_>,
        run: &RunTasks<'_>,
    ) -> Result<Vec<NewMip>, ReplaceError> {
        if self.virtual_texture.is_some() {
            return Err(ReplaceError::Virtual);
        }
        if self.mips.is_empty() {
            return Err(ReplaceError::NoMips);
        }
        match picture {
            NewPicture::Image(image) => self.of_image(image, run),
            NewPicture::Dds(dds) => self.of_dds(dds),
            NewPicture::Mips(mips) => self.of_mips(mips),
        }
    }

    fn of_image(&self, image: &Image, run: &RunTasks<'_>) -> Result<Vec<NewMip>, ReplaceError> {
        if self.shape != Shape::Flat {
            return Err(ReplaceError::Slices { slices: self.slices });
        }
        let is_normal_map = self.is_normal_map(self.format);
        // Old normal maps keep X in alpha and Y in green, which no encoder here produces.
        if is_normal_map && self.format.layout() == Layout::Bc3 {
            return Err(ReplaceError::OldNormalMap);
        }
        check_encodable(self.format, image.is_float())?;
        let count = self.check_size(image.width, image.height)?;
        let meaning = match (is_normal_map, self.is_srgb(self.format)) {
            (true, _) => Meaning::Normal,
            (false, true) => Meaning::Srgb,
            (false, false) => Meaning::Linear,
        };
        let mut completed = None;
        // The format drops Z, but averaging directions needs it.
        if is_normal_map && matches!(self.format.layout(), Layout::Bc5 | Layout::Rg8) {
            complete_normals(completed.insert(image.clone()), NormalMap::RedGreen);
        }
        let image = completed.as_ref().unwrap_or(image);
        let mip = |image: &Image| -> Result<NewMip, ReplaceError> {
            let bytes = image.encode_by(self.format, run)?;
            Ok(NewMip { width: image.width, height: image.height, slices: 1, bytes })
        };
        let mut made = vec![mip(image)?];
        // Each mip is made from the unrounded one before, not from encoded pixels.
        let mut chain = None;
        while made.len() < count {
            let next: Mips = chain
                .as_ref()
                .map_or_else(|| Mips::new_by(image, meaning, run), |chain: &Mips| chain.next_by(run));
            made.push(mip(&next.image_by(run))?);
            chain = Some(next);
        }
        Ok(made)
    }

    fn of_mips(&self, mips: &[NewMip]) -> Result<Vec<NewMip>, ReplaceError> {
        let fits = |(old, new): (&Mip<'_>, &NewMip)| {
            (old.width, old.height, old.slices) == (new.width, new.height, new.slices)
                && old.byte_len(self.format) == new.bytes.len() as u64
        };
        if mips.len() == self.mips.len() && self.mips.iter().zip(mips).all(fits) {
            Ok(mips.to_vec())
        } else {
            Err(ReplaceError::OtherMips)
        }
    }

    fn of_dds(&self, dds: &Dds<'_>) -> Result<Vec<NewMip>, ReplaceError> {
        let header = &dds.header;
        if !self.format.is_dxgi(header.format) {
            let expected = self.format.dxgi(self.settings.srgb);
            return Err(ReplaceError::DdsFormat { found: header.format, expected, format: self.format });
        }
        let has_shape = match (self.shape, header.kind) {
            (Shape::Flat, DdsKind::Pictures(1)) => true,
            (Shape::Array, DdsKind::Pictures(count)) | (Shape::Volume, DdsKind::Volume(count)) => {
                count == self.slices
            }
            (Shape::Cube | Shape::CubeArray, DdsKind::Cubes(count)) => {
                count.checked_mul(6) == Some(self.slices)
            }
            _ => false,
        };
        if !has_shape {
            return Err(ReplaceError::DdsShape { shape: self.shape, slices: self.slices });
        }
        let count = self.check_size(header.width, header.height)?;
        let found = dds.mips(self.format)?;
        // The texture keeps its number of mips, and a file with fewer cannot fill them.
        if found.len() < count {
            return Err(ReplaceError::DdsMips { found: found.len(), expected: count });
        }
        let slices =
            // A volume's depth halves with its sides; arrays and cubes keep their slices.
            |level: usize| if self.shape == Shape::Volume { halved(self.slices, level) } else { self.slices };
        let mips = found.into_iter().take(count).enumerate().map(|(level, bytes)| NewMip {
            width: halved(header.width, level),
            height: halved(header.height, level),
            slices: slices(level),
            bytes,
        });
        Ok(mips.collect())
    }

    /// Returns the number of mips for an image of this size.
    fn check_size(&self, width: u32, height: u32) -> Result<usize, ReplaceError> {
        let too_large = width > MAX_SIDE || height > MAX_SIDE;
        if too_large || width == 0 || height == 0 {
            return Err(ReplaceError::Size { width, height, limit: MAX_SIDE });
        }
        // The same size is always possible, even if it is no multiple of blocks.
        if [width, height] == [self.width, self.height] {
            return Ok(self.mips.len());
        }
        let block = self.format.layout().block();
        let is_whole = [width, height].iter().zip(block).all(|(side, unit)| side.is_multiple_of(unit));
        if !is_whole {
            let [across, down] = block;
            return Err(ReplaceError::Blocks { width, height, format: self.format, across, down });
        }
        // The engine streams only textures whose sides are powers of two.
        let is_streamed = self.mips.iter().any(|mip| mip.data.inline.is_none());
        if is_streamed && !(width.is_power_of_two() && height.is_power_of_two()) {
            return Err(ReplaceError::Streamed { width, height });
        }
        if self.mips.len() == 1 {
            return Ok(1);
        }
        // Some chains end before one pixel: a new one ends at the same distance.
        let left_out = levels(self.width, self.height).saturating_sub(self.mips.len());
        Ok(levels(width, height).saturating_sub(left_out).max(1))
    }
}

/// Returns the number of mips down to one pixel.
fn levels(width: u32, height: u32) -> usize {
    width.max(height).max(1).ilog2() as usize + 1
}

fn halved(side: u32, level: usize) -> u32 {
    let shift = u32::try_from(level).unwrap_or(u32::MAX);
    side.checked_shr(shift).unwrap_or(0).max(1)
}
