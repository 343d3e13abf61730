//! Choice of the decoder for each format, and decoding in parallel bands.

use super::format::Layout;
use super::picture::{ImageError, Picture};
use super::pixels::{Image, Pixels};
use super::{astc, etc, plain, pvrtc};
use astc_decode::{Footprint, astc_decode_block};

/// Rows of a picture, with the destination of their pixels.
#[derive(Debug)]
pub struct Band<'a, 'p> {
    picture: Picture<'a>,
    pixels: Part<'p>,
}

/// Pixels of the rows of a band.
#[derive(Debug)]
enum Part<'p> {
    U8(&'p mut [u8]),
    U16(&'p mut [u16]),
    F16(&'p mut [u16]),
    F32(&'p mut [f32]),
}

/// Pixels of a band that is worth a thread of its own: to decode it takes about a millisecond.
pub const BAND: u64 = 1 << 18;

impl Picture<'_> {
    /// Decodes all pixels.
    pub fn decode(&self) -> Result<Image, ImageError> {
        self.decode_by(u64::MAX, |bands| bands.into_iter().for_each(Band::decode))
    }

    /// Decodes all pixels in bands of about `pixels` pixels: `run` decodes the bands, in any order and on any
    /// threads. Bands that it omits stay zero.
    ///
    /// ```
    /// use uncask_formats::image::{Band, Picture, PixelFormat};
    ///
    /// let format = PixelFormat::from_name("PF_DXT1").expect("a format");
    /// let picture = Picture::new(format, 256, 256, &[0; 32768])?;
    /// let image = picture.decode_by(1 << 14, |bands| {
    ///     std::thread::scope(|scope| {
    ///         bands.into_iter().for_each(|band| drop(scope.spawn(move || band.decode())));
    ///     });
    /// })?;
    /// assert_eq!(image, picture.decode()?);
    /// # Ok::<(), uncask_formats::image::ImageError>(())
    /// ```
    pub fn decode_by(&self, pixels: u64, run: impl FnOnce(Vec<Band<'_, '_>>)) -> Result<Image, ImageError> {
        let (format, width, height) = (self.format, self.width, self.height);
        // Found before memory is taken.
        if matches!(format.layout(), Layout::Pvrtc2 | Layout::Pvrtc4) && !pvrtc::has_order(self) {
            return Err(ImageError::PowerOfTwo { format, width, height });
        }
        let (channels, sample) = format.layout().decoded();
        let row = width as usize * channels.count();
        let len = row.checked_mul(height as usize).ok_or(ImageError::TooLarge { width, height })?;
        let mut image = Image { width, height, channels, pixels: sample.zeros(len) };
        // A picture without pixels has no bands.
        if len > 0 {
            let pictures = self.bands(pixels).map(|(_, picture)| picture);
            run(match &mut image.pixels {
                Pixels::U8(values) => bands(pictures, row, values, Part::U8),
                Pixels::U16(values) => bands(pictures, row, values, Part::U16),
                Pixels::F16(values) => bands(pictures, row, values, Part::F16),
                Pixels::F32(values) => bands(pictures, row, values, Part::F32),
            });
        }
        Ok(image)
    }
}

/// Assigns each band its rows.
fn bands<'a, 'p, T>(
    pictures: impl Iterator<Item = Picture<'a>>,
    row: usize,
    mut values: &'p mut [T],
    part: impl Fn(&'p mut [T]) -> Part<'p>,
) -> Vec<Band<'a, 'p>> {
    let band = |picture: Picture<'a>| {
        // The rows of a band are split off the rest, so that threads can write without locks.
        let len = (row * picture.height as usize).min(values.len());
        let (own, rest) = std::mem::take(&mut values).split_at_mut(len);
        values = rest;
        Band { picture, pixels: part(own) }
    };
    pictures.map(band).collect()
}

impl Band<'_, '_> {
    /// Decodes the rows.
    pub fn decode(self) {
        let (picture, bytes, layout) = (&self.picture, self.picture.bytes, self.picture.format.layout());
        // `decode_by` made the pixels of the kind that the layout decodes to, so each layout meets only its
        // own.
        match (layout, self.pixels) {
            (Layout::Astc(width, height) | Layout::AstcNormal(width, height), Part::U8(pixels)) => {
                decode_astc(picture, width, height, pixels);
            }
            (Layout::AstcHdr(width, height), Part::F16(pixels)) => {
                let footprint = [width, height].map(u32::from);
                picture.blocks(pixels, |block: &[u8; 16], tile: &mut [u16]| {
                    astc::decode_block(block, footprint, tile.as_chunks_mut().0);
                });
            }
            (
                Layout::Bc1 | Layout::Bc2 | Layout::Bc3 | Layout::Bc4 | Layout::Bc5 | Layout::Bc7,
                Part::U8(pixels),
            ) => decode_bc(picture, layout, pixels),
            (Layout::Bc6, Part::F16(pixels)) => decode_bc6(picture, pixels),
            (
                Layout::Etc1 | Layout::Etc2Rgb | Layout::Etc2Rgba | Layout::EacR | Layout::EacRg,
                Part::U8(pixels),
            ) => etc::decode(picture, layout, pixels),
            (Layout::Pvrtc2 | Layout::Pvrtc4, Part::U8(pixels)) => pvrtc::decode(picture, pixels),
            (_, Part::U8(pixels)) => plain::eight(bytes, layout, pixels),
            (_, Part::U16(pixels) | Part::F16(pixels)) => plain::sixteen(bytes, layout, pixels),
            (_, Part::F32(pixels)) => plain::floats(bytes, layout, pixels),
        }
    }
}

/// Decodes ASTC, low dynamic range.
fn decode_astc(picture: &Picture<'_>, width: u8, height: u8, pixels: &mut [u8]) {
    let (width, height) = (u32::from(width), u32::from(height));
    picture.blocks(pixels, |block: &[u8; 16], tile: &mut [u8]| {
        let pixels = tile.as_chunks_mut::<4>().0;
        // The decoder writes an invalid block as magenta, as hardware shows it.
        astc_decode_block(block, Footprint::new(width, height), |x, y, color| {
            // The tile is always a whole block; `blocks` cuts it at the edges of the picture.
            if let Some(pixel) = pixels.get_mut((y * width + x) as usize) {
                *pixel = color;
            }
        });
    });
}

/// Decodes BC1 to BC5, and BC7.
fn decode_bc(picture: &Picture<'_>, layout: Layout, pixels: &mut [u8]) {
    match layout {
        // The number is the length of a tile row: 4 pixels times the values of a pixel.
        Layout::Bc1 => picture.blocks(pixels, |block: &[u8; 8], tile| bcdec_rs::bc1(block, tile, 16)),
        Layout::Bc2 => picture.blocks(pixels, |block: &[u8; 16], tile| bcdec_rs::bc2(block, tile, 16)),
        Layout::Bc3 => picture.blocks(pixels, |block: &[u8; 16], tile| bcdec_rs::bc3(block, tile, 16)),
        // The flag chooses signed values.
        Layout::Bc4 => picture.blocks(pixels, |block: &[u8; 8], tile| bcdec_rs::bc4(block, tile, 4, false)),
        Layout::Bc5 => picture.blocks(pixels, |block: &[u8; 16], tile: &mut [u8]| {
            // The decoder writes pairs, but the tile has three values per pixel; blue is 0 here, and Z is
            // computed for normal maps only.
            let mut pairs = [0; 32];
            bcdec_rs::bc5(block, &mut pairs, 8, false);
            for (to, [r, g]) in tile.as_chunks_mut::<3>().0.iter_mut().zip(pairs.as_chunks::<2>().0) {
                *to = [*r, *g, 0];
            }
        }),
        _ => picture.blocks(pixels, |block: &[u8; 16], tile| bcdec_rs::bc7(block, tile, 16)),
    }
}

/// Decodes BC6H to half floats.
fn decode_bc6(picture: &Picture<'_>, pixels: &mut [u16]) {
    picture.blocks(pixels, |block: &[u8; 16], tile| bcdec_rs::bc6h_half(block, tile, 12, false));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::{Channels, PixelFormat};

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
        let other = Picture::new(format("PF_PVRTC4"), 12, 8, &[0; 64]).unwrap().decode().unwrap_err();
        assert_eq!(
            other.to_string(),
            "picture of 12 by 8 in PF_PVRTC4, expected sides that are powers of two"
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

    /// Every format has a decoder, and the bands add up to the whole.
    #[test]
    fn bands_are_the_picture() {
        for format in (0..=u8::MAX).filter_map(PixelFormat::from_number) {
            // Neither side is a number of whole blocks, except for formats whose block order requires it.
            let (width, height) =
                if matches!(format.layout(), Layout::Pvrtc2 | Layout::Pvrtc4) { (64, 32) } else { (61, 35) };
            let len = usize::try_from(format.byte_len(width, height)).unwrap();
            let number = |at: usize| (at as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15).to_be_bytes()[2];
            let bytes: Vec<u8> = (0..len).map(number).collect();
            let picture = Picture::new(format, width, height, &bytes).unwrap();
            let backwards = |bands: Vec<Band<'_, '_>>| bands.into_iter().rev().for_each(Band::decode);
            let (whole, parts) = (picture.decode().unwrap(), picture.decode_by(1, backwards).unwrap());
            let count = (width * height) as usize * whole.channels.count();
            assert_eq!(bits(&whole).len(), count, "{format}");
            assert_eq!(bits(&whole), bits(&parts), "{format}");
            assert!(bits(&whole).iter().any(|value| *value != 0), "{format}");
        }
    }

    fn bits(image: &Image) -> Vec<u32> {
        match &image.pixels {
            Pixels::U8(values) => values.iter().map(|value| (*value).into()).collect(),
            Pixels::U16(values) | Pixels::F16(values) => values.iter().map(|value| (*value).into()).collect(),
            Pixels::F32(values) => values.iter().map(|value| value.to_bits()).collect(),
        }
    }
}
