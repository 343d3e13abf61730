//! Small pictures of large ones, in constant memory.
//!
//! A picture is decoded band by band, and each pixel is added to the mean of its small pixel. Sixteen bits
//! become eight, and floats become light that a screen can show.

use super::encode::half;
use super::picture::{ImageError, Picture};
use super::pixels::{Channels, Image, Pixels};

/// Number of pixels decoded at once.
const BAND: u64 = 1 << 16;

impl Picture<'_> {
    /// Decodes the picture with eight bits per channel, and no side longer than `limit`.
    ///
    /// ```
    /// use uncask_formats::image::{Picture, PixelFormat};
    ///
    /// let gray = PixelFormat::from_name("PF_G8").expect("a format");
    /// let small = Picture::new(gray, 512, 256, &[7; 512 * 256])?.thumbnail(128)?;
    /// assert_eq!((small.width, small.height), (128, 64));
    /// # Ok::<(), uncask_formats::image::ImageError>(())
    /// ```
    pub fn thumbnail(&self, limit: u32) -> Result<Image, ImageError> {
        let mut small = None;
        for (top, band) in self.bands(BAND) {
            let image = band.decode()?;
            let size = [self.width, self.height];
            // The channels are known only from a decoded band.
            small.get_or_insert_with(|| Means::new(size, limit, image.channels)).add(&image, top);
        }
        match small {
            Some(small) => Ok(small.image()),
            // No bands, so no pixels; but the format may have no decoder, which is an error.
            None => {
                let Image { width, height, channels, .. } = self.decode()?;
                let [width, height] = [width, height].map(|side| side.min(limit));
                Ok(Image { width, height, channels, pixels: Pixels::U8(Vec::new()) })
            }
        }
    }
}

impl Image {
    /// Returns the picture with eight bits per channel, and no side longer than `limit`.
    #[must_use]
    pub fn thumbnail(&self, limit: u32) -> Self {
        let mut small = Means::new([self.width, self.height], limit, self.channels);
        small.add(self, 0);
        small.image()
    }
}

/// Means that become the pixels of a small picture.
struct Means {
    from: [u32; 2],
    to: [u32; 2],
    channels: Channels,
    /// Sum of the large pixels, for each value.
    sums: Vec<f32>,
    /// Number of large pixels, for each pixel.
    counts: Vec<f32>,
}

impl Means {
    fn new(from: [u32; 2], limit: u32, channels: Channels) -> Self {
        let longest = from.into_iter().max().unwrap_or(0).max(1);
        // Never enlarged. A very narrow picture keeps at least one pixel each way.
        let to = from.map(|side| if longest <= limit { side } else { scaled(side, limit, longest).max(1) });
        let pixels = to.iter().map(|side| *side as usize).product::<usize>();
        Self { from, to, channels, sums: vec![0.0; pixels * channels.count()], counts: vec![0.0; pixels] }
    }

    /// Adds rows of the large picture.
    fn add(&mut self, band: &Image, top: u32) {
        match &band.pixels {
            Pixels::U8(values) => self.add_values(values, top, |value| f32::from(*value)),
            // 257 maps 65,535 to 255.
            Pixels::U16(values) => self.add_values(values, top, |value| f32::from(*value) / 257.0),
            Pixels::F16(values) => self.add_values(values, top, |value| shown(half(*value))),
            Pixels::F32(values) => self.add_values(values, top, |value| shown(*value)),
        }
    }

    fn add_values<T>(&mut self, values: &[T], top: u32, shade: impl Fn(&T) -> f32) {
        let ([width, height], [columns, rows], count) = (self.from, self.to, self.channels.count());
        // Computed once for all rows.
        let column_of: Vec<usize> = (0..width).map(|x| scaled(x, columns, width) as usize).collect();
        for (y, row) in (top..height).zip(values.chunks_exact((width as usize * count).max(1))) {
            let start = scaled(y, rows, height) as usize * columns as usize;
            for (pixel, column) in row.chunks_exact(count).zip(&column_of) {
                let at = start + column;
                let sums = self.sums.get_mut(at * count..(at + 1) * count).unwrap_or_default();
                for (sum, value) in sums.iter_mut().zip(pixel) {
                    *sum += shade(value);
                }
                if let Some(number) = self.counts.get_mut(at) {
                    *number += 1.0;
                }
            }
        }
    }

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
    fn image(&self) -> Image {
        let [width, height] = self.to;
        let pixels = self.sums.chunks_exact(self.channels.count()).zip(&self.counts);
        let means = pixels.flat_map(|(sums, count)| sums.iter().map(|sum| sum / count.max(1.0)));
        let values = means.map(|mean| mean.clamp(0.0, 255.0).round() as u8).collect();
        Image { width, height, channels: self.channels, pixels: Pixels::U8(values) }
    }
}

/// Scales `part` from a length of `one` to a length of `whole`; below `whole` if `part` is below `one`.
fn scaled(part: u32, whole: u32, one: u32) -> u32 {
    u32::try_from(u64::from(part) * u64::from(whole) / u64::from(one.max(1))).unwrap_or(u32::MAX)
}

/// Maps light of any strength to a value of sRGB: brightness above white approaches 255 without reaching it.
fn shown(light: f32) -> f32 {
    let light = if light.is_nan() { 0.0 } else { light.clamp(0.0, 65_504.0) };
    (light / (1.0 + light)).powf(1.0 / 2.2) * 255.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::PixelFormat;

    fn format(name: &str) -> PixelFormat {
        PixelFormat::from_name(name).unwrap()
    }

    #[test]
    fn pixels_are_means() {
        let row = |left: u8, right: u8| [vec![left; 100], vec![right; 100]].concat();
        let bytes = [row(0, 100).repeat(50), row(200, 255).repeat(50)].concat();
        let small = Picture::new(format("PF_G8"), 200, 100, &bytes).unwrap().thumbnail(2).unwrap();
        assert_eq!((small.width, small.height, small.pixels), (2, 1, Pixels::U8(vec![100, 178])));
    }

    /// A band has 65,536 pixels: this picture has several, the last one shorter.
    #[test]
    fn bands_are_put_together() {
        let bytes: Vec<u8> = (0..70_u8).flat_map(|row| [row; 4096]).collect();
        let picture = Picture::new(format("PF_G8"), 4096, 70, &bytes).unwrap();
        let tops: Vec<u32> = picture.bands(BAND).map(|(top, _)| top).collect();
        assert_eq!(tops, [0, 16, 32, 48, 64]);
        let whole = picture.decode().unwrap();
        assert_eq!(picture.thumbnail(128).unwrap(), whole.thumbnail(128));
        assert_eq!(picture.thumbnail(4096).unwrap(), whole, "it is small enough as it is");
    }

    #[test]
    fn a_picture_without_pixels_is_small_too() {
        for [width, height] in [[5000, 0], [0, 5000]] {
            let small =
                Picture::new(format("PF_FloatRGBA"), width, height, &[]).unwrap().thumbnail(16).unwrap();
            assert!(small.width.max(small.height) <= 16, "{} x {}", small.width, small.height);
        }
    }

    #[test]
    fn bands_of_blocks_are_whole_blocks() {
        let blocks: Vec<u8> = (0..=255).cycle().take(4096 / 4 * 9 * 8).collect();
        let picture = Picture::new(format("PF_DXT1"), 4095, 35, &blocks).unwrap();
        let heights: Vec<u32> = picture.bands(1).map(|(_, band)| band.height).collect();
        assert_eq!(heights, [4, 4, 4, 4, 4, 4, 4, 4, 3]);
        let parts = picture.bands(1).map(|(_, band)| match band.decode().unwrap().pixels {
            Pixels::U8(values) => values,
            other => panic!("{other:?}"),
        });
        assert_eq!(picture.decode().unwrap().pixels, Pixels::U8(parts.collect::<Vec<_>>().concat()));
    }

    #[test]
    fn floats_are_shown_as_light() {
        let values = Pixels::F32(vec![0.0, 1.0, -1.0, f32::NAN, 65_504.0, f32::INFINITY]);
        let image = Image { width: 6, height: 1, channels: Channels::Gray, pixels: values };
        assert_eq!(image.thumbnail(6).pixels, Pixels::U8(vec![0, 186, 0, 0, 255, 255]));
    }

    #[test]
    fn there_may_be_no_pixels() {
        let none = Picture::new(format("PF_DXT1"), 0, 7, &[]).unwrap().thumbnail(128).unwrap();
        assert_eq!((none.width, none.height), (0, 7));
    }
}
