//! Images of textures as pixels, and as PNG files.

use super::{Mip, Texture, TextureFormat, blocks};
use crate::package::classic::Package;
use crate::wire::{Fault, counted};

/// Errors from decoding an image.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TextureError {
    /// The file is damaged.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// The requested mip does not exist.
    #[error("the texture has no mip {index}, expected less than {count}")]
    NoMip {
        /// Requested mip.
        index: usize,
        /// Number of mips.
        count: usize,
    },
    /// The palette is missing, or in another package.
    #[error("the palette is not in this package")]
    NoPalette,
    /// The format has no pixels, or is unknown.
    #[error("texture format {0:?} cannot be decoded")]
    Format(TextureFormat),
    /// The image is shorter than its width and height require.
    #[error("image of {width} by {height} has {}, expected {expected}", counted(*found, "byte", "bytes"))]
    Short {
        /// Pixels in a row.
        width: u32,
        /// Rows.
        height: u32,
        /// Bytes in the file.
        found: u64,
        /// Bytes that the dimensions require.
        expected: u64,
    },
    /// The objects of the package, taken together, are longer than the package.
    #[error("its data overlaps that of other objects")]
    Overlap,
    /// The PNG encoder refused.
    #[error("cannot encode: {0}")]
    Png(String),
}

impl Package {
    /// Encodes one image of a texture as a PNG file.
    pub fn texture_png(&self, bytes: &[u8], texture: &Texture, mip: usize) -> Result<Vec<u8>, TextureError> {
        let count = texture.mips.len();
        let mip = texture.mips.get(mip).ok_or(TextureError::NoMip { index: mip, count })?;
        png(mip, &self.pixels(bytes, texture, mip)?)
    }

    /// Decodes one image to rows of red, green, blue, alpha.
    pub fn pixels(&self, bytes: &[u8], texture: &Texture, mip: &Mip) -> Result<Vec<u8>, TextureError> {
        pixels(bytes, texture, mip, || self.palette_of(bytes, texture))
    }

    fn palette_of(&self, bytes: &[u8], texture: &Texture) -> Result<Vec<[u8; 4]>, TextureError> {
        let export = texture.palette.and_then(|index| self.export(index)).ok_or(TextureError::NoPalette)?;
        Ok(self.palette(bytes, export)?)
    }
}

/// Decodes one image to rows of red, green, blue, alpha. Calls `palette` only if the format needs one.
pub(super) fn pixels(
    bytes: &[u8],
    texture: &Texture,
    mip: &Mip,
    palette: impl FnOnce() -> Result<Vec<[u8; 4]>, TextureError>,
) -> Result<Vec<u8>, TextureError> {
    let range = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
    let image = bytes.get(range(mip.bytes.start)..range(mip.bytes.end)).unwrap_or_default();
    let expected = byte_len(texture.format, mip).ok_or(TextureError::Format(texture.format))?;
    let found = image.len() as u64;
    let short = TextureError::Short { width: mip.width, height: mip.height, found, expected };
    // Also keeps the memory for pixels in proportion to the file.
    if found < expected {
        return Err(short);
    }
    // Bytes after the pixels are ignored.
    let image = image.get(..range(expected)).ok_or(short)?;
    Ok(match texture.format {
        TextureFormat::P8 => {
            let palette = palette()?;
            let color = |index: &u8| opaque(palette.get(usize::from(*index)).copied().unwrap_or_default());
            image.iter().flat_map(color).collect()
        }
        TextureFormat::L8 => image.iter().flat_map(|&l| [l, l, l, 255]).collect(),
        TextureFormat::G16 => image.as_chunks::<2>().0.iter().flat_map(|&[_, l]| [l, l, l, 255]).collect(),
        TextureFormat::Rgb8 => {
            image.as_chunks::<3>().0.iter().flat_map(|&[b, g, r]| [r, g, b, 255]).collect()
        }
        TextureFormat::Rgba8 => {
            image.as_chunks::<4>().0.iter().flat_map(|&[b, g, r, a]| [r, g, b, a]).collect()
        }
        // Seven bits per channel, so that sums do not overflow.
        TextureFormat::Rgba7 => {
            let twice = |&[b, g, r, a]: &[u8; 4]| [r, g, b, a].map(|c| c.saturating_mul(2));
            image.as_chunks::<4>().0.iter().flat_map(twice).collect()
        }
        TextureFormat::Rgb16 => {
            let color = |pixel: &[u8; 2]| blocks::color_565(u16::from_le_bytes(*pixel));
            image.as_chunks::<2>().0.iter().flat_map(color).collect()
        }
        TextureFormat::Dxt1 => blocks::decode::<8>(image, mip.width, mip.height, blocks::dxt1),
        TextureFormat::Dxt3 => blocks::decode::<16>(image, mip.width, mip.height, blocks::dxt3),
        TextureFormat::Dxt5 => blocks::decode::<16>(image, mip.width, mip.height, blocks::dxt5),
        TextureFormat::NoData | TextureFormat::Unknown(_) => {
            return Err(TextureError::Format(texture.format));
        }
    })
}

/// Replaces the alpha of a palette entry, which carries no meaning.
const fn opaque([r, g, b, _]: [u8; 4]) -> [u8; 4] {
    [r, g, b, 255]
}

fn byte_len(format: TextureFormat, mip: &Mip) -> Option<u64> {
    let (width, height) = (u64::from(mip.width), u64::from(mip.height));
    let blocks = |len: u64| width.div_ceil(4).saturating_mul(height.div_ceil(4)).saturating_mul(len);
    let pixels = |len: u64| width.saturating_mul(height).saturating_mul(len);
    Some(match format {
        TextureFormat::P8 | TextureFormat::L8 => pixels(1),
        TextureFormat::Rgb16 | TextureFormat::G16 => pixels(2),
        TextureFormat::Rgb8 => pixels(3),
        TextureFormat::Rgba7 | TextureFormat::Rgba8 => pixels(4),
        TextureFormat::Dxt1 => blocks(8),
        TextureFormat::Dxt3 | TextureFormat::Dxt5 => blocks(16),
        TextureFormat::NoData | TextureFormat::Unknown(_) => return None,
    })
}

pub(super) fn png(mip: &Mip, pixels: &[u8]) -> Result<Vec<u8>, TextureError> {
    encode(mip, pixels).map_err(|error| TextureError::Png(error.to_string()))
}

fn encode(mip: &Mip, pixels: &[u8]) -> Result<Vec<u8>, png::EncodingError> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, mip.width, mip.height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(file)
}
