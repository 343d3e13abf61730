//! How textures look: what their pixels stand for.

use super::settings::Compression;
use super::{Mip, Texture};
use crate::image::{Image, ImageError, Layout, NormalMap, Picture, PixelFormat, complete_normals};

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

    /// A slice of a mip as it looks: all three numbers of directions are there. `bytes` are those of the mip.
    pub fn look(&self, mip: &Mip<'_>, slice: u32, bytes: &[u8]) -> Result<Image, ImageError> {
        let len = self.format.byte_len(mip.width, mip.height);
        let start = usize::try_from(len.saturating_mul(slice.into())).unwrap_or(usize::MAX);
        let rest = bytes.get(start.min(bytes.len())..).unwrap_or_default();
        let mut image = Picture::new(self.format, mip.width, mip.height, rest)?.decode()?;
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
