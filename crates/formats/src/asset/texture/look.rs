//! Interpretation of the pixels of textures.

use super::best::best_for;
use super::settings::Compression;
use super::{Mip, Texture};
use crate::image::{Band, Image, ImageError, Layout, NormalMap, Picture, PixelFormat, complete_normals};

impl Texture<'_> {
    /// True if pixels of a format are directions. Two channels are, unless properties say otherwise.
    #[must_use]
    pub fn is_normal_map(&self, format: PixelFormat) -> bool {
        match self.settings.compression {
            Some(Compression::NormalMap) => true,
            Some(Compression::Other) => false,
            None => matches!(format.layout(), Layout::Bc5 | Layout::EacRg | Layout::AstcNormal(..)),
        }
    }

    /// True if pixels of a format are encoded as sRGB.
    #[must_use]
    pub fn is_srgb(&self, format: PixelFormat) -> bool {
        self.settings.srgb && !self.is_normal_map(format)
    }

    /// Returns a slice of a mip, encoded. `bytes` are those of the mip.
    pub fn picture<'p>(&self, mip: &Mip<'_>, slice: u32, bytes: &'p [u8]) -> Result<Picture<'p>, ImageError> {
        let len = self.format.byte_len(mip.width, mip.height);
        let start = usize::try_from(len.saturating_mul(slice.into())).unwrap_or(usize::MAX);
        let rest = bytes.get(start.min(bytes.len())..).unwrap_or_default();
        Picture::new(self.format, mip.width, mip.height, rest)
    }

    /// Decodes a slice of a mip, with all three components of directions. `bytes` are those of the mip.
    pub fn look(&self, mip: &Mip<'_>, slice: u32, bytes: &[u8]) -> Result<Image, ImageError> {
        self.look_by(mip, slice, bytes, (u64::MAX, |bands| bands.into_iter().for_each(Band::decode)))
    }

    /// Decodes a slice of a mip in bands of about `pixels` pixels: see [`Picture::decode_by`].
    pub fn look_by(
        &self,
        mip: &Mip<'_>,
        slice: u32,
        bytes: &[u8],
        (pixels, run): (u64, impl FnOnce(Vec<Band<'_, '_>>)),
    ) -> Result<Image, ImageError> {
        let mut image = self.picture(mip, slice, bytes)?.decode_by(pixels, run)?;
        self.complete(&mut image, self.format);
        Ok(image)
    }

    /// Orders the mips for an image whose longest side is `limit`: the smallest one that is large enough,
    /// then the smaller ones, and at the end the larger ones, which take the longest.
    #[must_use]
    pub fn mips_for(&self, limit: u32) -> Vec<&Mip<'_>> {
        best_for(self.mips.iter(), |mip| mip.width.max(mip.height) >= limit)
    }

    /// Decodes the first slice of a mip with eight bits per channel and no side longer than `limit`. `bytes`
    /// are those of the mip.
    pub fn thumbnail(&self, mip: &Mip<'_>, bytes: &[u8], limit: u32) -> Result<Image, ImageError> {
        let mut image = Picture::new(self.format, mip.width, mip.height, bytes)?.thumbnail(limit)?;
        self.complete(&mut image, self.format);
        Ok(image)
    }

    /// Restores the component that normal maps leave out.
    pub fn complete(&self, image: &mut Image, format: PixelFormat) {
        if self.is_normal_map(format)
            && let Some(map) = NormalMap::of(format.layout(), image)
        {
            complete_normals(image, map);
        }
    }
}
