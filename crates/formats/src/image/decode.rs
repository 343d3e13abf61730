use super::pixels::{Channels, Image};
use super::{Layout, PixelFormat, astc, bc, etc, plain};
use crate::wire::counted;

/// A picture as it is in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Picture<'a> {
    /// How its pixels are written.
    pub format: PixelFormat,
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    bytes: &'a [u8],
}

/// Why a picture cannot be decoded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ImageError {
    /// The format has no decoder here.
    #[error("pixel format {0} cannot be decoded; it can be exported as it is")]
    Format(PixelFormat),
    /// The picture is shorter than its width and height say.
    #[error(
        "picture of {width} by {height} in {format} has {}, expected {expected}",
        counted(*found, "byte", "bytes")
    )]
    Short {
        /// How its pixels are written.
        format: PixelFormat,
        /// Pixels in a row.
        width: u32,
        /// Rows.
        height: u32,
        /// Bytes that there are.
        found: u64,
        /// Bytes that it takes.
        expected: u64,
    },
    /// The picture is larger than any that the engine has.
    #[error("picture of {width} by {height}, expected at most {MAX_SIDE} by {MAX_SIDE}")]
    TooLarge {
        /// Pixels in a row.
        width: u32,
        /// Rows.
        height: u32,
    },
}

/// Longest side of a picture.
pub(crate) const MAX_SIDE: u32 = 65_536;

impl<'a> Picture<'a> {
    /// A picture whose bytes start here; there may be more of them.
    pub fn new(format: PixelFormat, width: u32, height: u32, bytes: &'a [u8]) -> Result<Self, ImageError> {
        if width > MAX_SIDE || height > MAX_SIDE {
            return Err(ImageError::TooLarge { width, height });
        }
        let (expected, found) = (format.byte_len(width, height), bytes.len() as u64);
        let own = usize::try_from(expected).ok().and_then(|len| bytes.get(..len));
        match own {
            Some(bytes) => Ok(Self { format, width, height, bytes }),
            None => Err(ImageError::Short { format, width, height, found, expected }),
        }
    }

    /// Its bytes.
    #[must_use]
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Its pixels.
    pub fn decode(&self) -> Result<Image, ImageError> {
        let (channels, pixels) = match self.format.layout() {
            Layout::Pvrtc2 | Layout::Pvrtc4 | Layout::AstcHdr(..) => {
                return Err(ImageError::Format(self.format));
            }
            Layout::Astc(width, height) | Layout::AstcNormal(width, height) => {
                astc::decode(self, width, height)
            }
            layout @ (Layout::Bc1
            | Layout::Bc2
            | Layout::Bc3
            | Layout::Bc4
            | Layout::Bc5
            | Layout::Bc6
            | Layout::Bc7) => bc::decode(self, layout),
            layout @ (Layout::Etc1 | Layout::Etc2Rgb | Layout::Etc2Rgba | Layout::EacR | Layout::EacRg) => {
                etc::decode(self, layout)
            }
            layout => plain::decode(self.bytes, layout),
        };
        Ok(Image { width: self.width, height: self.height, channels, pixels })
    }

    /// Decodes block after block: `block` gets the bytes of one and a tile for its values, row by row.
    pub(super) fn blocks<T: Copy + Default, const LEN: usize>(
        &self,
        channels: Channels,
        mut block: impl FnMut(&[u8; LEN], &mut [T]),
    ) -> Vec<T> {
        let [w, h] = self.format.layout().block().map(|side| side as usize);
        let (width, values) = (self.width as usize, channels.count());
        let row_len = width * values;
        let mut pixels = vec![T::default(); row_len * self.height as usize];
        let mut tile = vec![T::default(); w * h * values];
        if pixels.is_empty() {
            return pixels;
        }
        let rows_of_blocks = self.bytes.as_chunks::<LEN>().0.chunks_exact(width.div_ceil(w));
        for (band, blocks) in pixels.chunks_mut(row_len * h).zip(rows_of_blocks) {
            for (at, bytes) in blocks.iter().enumerate() {
                block(bytes, &mut tile);
                let (start, end) = (at * w * values, ((at + 1) * w * values).min(row_len));
                for (row, from) in band.chunks_mut(row_len).zip(tile.chunks_exact(w * values)) {
                    if let (Some(to), Some(from)) = (row.get_mut(start..end), from.get(..end - start)) {
                        to.copy_from_slice(from);
                    }
                }
            }
        }
        pixels
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::Pixels;

    fn format(name: &str) -> PixelFormat {
        PixelFormat::from_name(name).unwrap()
    }

    /// The first block of T_BC1: color 0 is 0xF001, color 1 is 0xF800 (of 5, 6 and 5 bits), every index 01.
    #[test]
    fn blocks_may_reach_over_the_edge() {
        let block = [0x01, 0xF0, 0x00, 0xF8, 0x55, 0x55, 0x55, 0x55];
        let image = Picture::new(format("PF_DXT1"), 3, 2, &block).unwrap().decode().unwrap();
        assert_eq!((image.width, image.height, image.channels), (3, 2, Channels::Rgba));
        assert_eq!(image.pixels, Pixels::U8([255, 0, 0, 255].repeat(6)));
    }

    #[test]
    fn what_is_missing_is_named() {
        let short = Picture::new(format("PF_DXT5"), 64, 64, &[0; 4095]).unwrap_err();
        assert_eq!(short.to_string(), "picture of 64 by 64 in PF_DXT5 has 4,095 bytes, expected 4096");
        let large = Picture::new(format("PF_G8"), 65_537, 1, &[]).unwrap_err();
        assert_eq!(large.to_string(), "picture of 65537 by 1, expected at most 65536 by 65536");
        let other = Picture::new(format("PF_PVRTC4"), 4, 4, &[0; 32]).unwrap().decode().unwrap_err();
        assert_eq!(
            other.to_string(),
            "pixel format PF_PVRTC4 cannot be decoded; it can be exported as it is"
        );
    }

    #[test]
    fn pictures_without_pixels_are_empty() {
        for name in ["PF_DXT1", "PF_G8", "PF_BC6H", "PF_ASTC_12x12", "PF_ETC2_RGBA"] {
            for [width, height] in [[0, 0], [0, 7], [7, 0]] {
                let image = Picture::new(format(name), width, height, &[]).unwrap().decode().unwrap();
                assert_eq!((image.width, image.height), (width, height));
            }
        }
    }
}
