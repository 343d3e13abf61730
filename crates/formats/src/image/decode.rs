//! Which decoder each format has.

use super::format::Layout;
use super::picture::{ImageError, Picture};
use super::pixels::Image;
use super::{astc, bc, etc, plain};

impl Picture<'_> {
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::{Channels, PixelFormat, Pixels};

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
