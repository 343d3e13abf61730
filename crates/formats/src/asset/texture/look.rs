//! How textures look: what their pixels stand for.

use super::best::best_for;
use super::settings::Compression;
use super::{Mip, Texture};
use crate::image::{Band, Image, ImageError, Layout, NormalMap, Picture, PixelFormat, complete_normals};

impl Texture<'_> {
    /// Whether pixels in a format are directions. Two channels are, where the properties do not say anything else.
    #[must_use]
    pub fn is_normal_map(&self, format: PixelFormat) -> bool {
        match self.settings.compression {
            Some(Compression::NormalMap) => true,
            Some(Compression::Other) => false,
            None => matches!(format.layout(), Layout::Bc5 | Layout::EacRg | Layout::AstcNormal(..)),
        }
    }

    /// Whether the values of pixels in a format are encoded as sRGB.
    #[must_use]
    pub fn is_srgb(&self, format: PixelFormat) -> bool {
        self.settings.srgb && !self.is_normal_map(format)
    }

    /// A slice of a mip as it is stored. `bytes` are those of the mip.
    pub fn picture<'p>(&self, mip: &Mip<'_>, slice: u32, bytes: &'p [u8]) -> Result<Picture<'p>, ImageError> {
        let len = self.format.byte_len(mip.width, mip.height);
        let start = usize::try_from(len.saturating_mul(slice.into())).unwrap_or(usize::MAX);
        let rest = bytes.get(start.min(bytes.len())..).unwrap_or_default();
        Picture::new(self.format, mip.width, mip.height, rest)
    }

    /// A slice of a mip as it looks: all three numbers of directions are there. `bytes` are those of the mip.
    pub fn look(&self, mip: &Mip<'_>, slice: u32, bytes: &[u8]) -> Result<Image, ImageError> {
        self.look_by(mip, slice, bytes, (u64::MAX, |bands| bands.into_iter().for_each(Band::decode)))
    }

    /// A slice of a mip as it looks, decoded in bands of about as many pixels: see [`Picture::decode_by`].
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

    /// The mips, the best one first for a picture whose longest side is `limit`: the smallest that is as large, then the smaller
    /// ones, and the larger ones, which take the longest, at the end.
    #[must_use]
    pub fn mips_for(&self, limit: u32) -> Vec<&Mip<'_>> {
        best_for(self.mips.iter(), |mip| mip.width.max(mip.height) >= limit)
    }

    /// The first slice of a mip as it looks, with eight bits a channel and no side longer than `limit`. `bytes` are those of the
    /// mip.
    pub fn thumbnail(&self, mip: &Mip<'_>, bytes: &[u8], limit: u32) -> Result<Image, ImageError> {
        let mut image = Picture::new(self.format, mip.width, mip.height, bytes)?.thumbnail(limit)?;
        self.complete(&mut image, self.format);
        Ok(image)
    }

    /// Adds what pixels in a format leave out.
    pub fn complete(&self, image: &mut Image, format: PixelFormat) {
        if self.is_normal_map(format)
            && let Some(map) = NormalMap::of(format.layout(), image)
        {
            complete_normals(image, map);
        }
    }
}
