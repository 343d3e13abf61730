//! Pictures with the opacity of another texture as alpha: glTF has both in one picture, the engine in two.

use crate::asset::{self, Asset};
use crate::export::other;
use crate::export::source::Source;
use crate::image::{Channels, Image, Pixels};
use crate::package::ObjectPath;
use crate::package::legacy::Export;
use crate::property::Object;

/// The most bytes of a pixel in any format.
const MAX_PIXEL: u64 = 16;

/// Opacity as a picture.
pub(super) struct Opacity {
    width: u32,
    height: u32,
    values: Vec<u8>,
}

impl Opacity {
    /// The opacity in a picture, which is in its first channel. Colours are as monitors show them, opacity is a number.
    pub(super) fn new(image: &Image, is_srgb: bool) -> Option<Self> {
        let channels = image.channels.count();
        let mut values: Vec<u8> = match &image.pixels {
            Pixels::U8(values) => values.iter().copied().step_by(channels).collect(),
            Pixels::U16(values) => {
                values.iter().step_by(channels).map(|value| value.to_be_bytes()[0]).collect()
            }
            Pixels::F16(_) | Pixels::F32(_) => return None,
        };
        if is_srgb {
            let numbers: Vec<u8> = (0..=u8::MAX).map(number_of).collect();
            for value in &mut values {
                *value = numbers.get(usize::from(*value)).copied().unwrap_or(*value);
            }
        }
        Some(Self { width: image.width, height: image.height, values })
    }

    /// The opacity in a texture of another package, about as large as a picture; `None` if it cannot be read.
    pub(super) fn of_texture(source: &Source<'_, '_>, path: &ObjectPath, image: &Image) -> Option<Self> {
        let job = source.job;
        let (item, _) = other::input(job, path)?;
        let loaded = job.library.other(path.package())?;
        let scope = job.scope(&loaded);
        let is_called =
            |export: &&Export| loaded.package.text(export.name).to_string().eq_ignore_ascii_case(path.name());
        let side = image.width.max(image.height);
        // Only the picture itself was paid for, so its opacity may not take much more.
        let longest = u64::from(image.width) * u64::from(image.height) * MAX_PIXEL + (1 << 16);
        loaded.package.exports.iter().filter(is_called).find_map(|export| {
            let fields = Object::read(&scope, export);
            let Asset::Texture(texture) = asset::read(&scope, export, &fields)?.ok()?.asset else {
                return None;
            };
            let mips = texture.mips_for(side).into_iter().filter(|mip| mip.data.record.len <= longest);
            { mips }.find_map(|mip| {
                let bytes = job.library.bulk_alone(&item, &loaded, &mip.data).ok()??;
                let image = texture.thumbnail(mip, &bytes, side).ok()?;
                Self::new(&image, texture.settings.srgb)
            })
        })
    }

    /// A picture with this as its alpha. A picture of floats, which is no PNG, stays as it is.
    pub(super) fn over(&self, image: &Image) -> Image {
        let channels = image.channels.count();
        let pixels = match &image.pixels {
            Pixels::U8(values) => Pixels::U8(joined(values, channels, self.scaled(image))),
            Pixels::U16(values) => {
                let alpha = self.scaled(image).map(|value| u16::from_be_bytes([value; 2]));
                Pixels::U16(joined(values, channels, alpha))
            }
            Pixels::F16(_) | Pixels::F32(_) => return image.clone(),
        };
        Image { channels: Channels::Rgba, pixels, ..*image }
    }

    /// A white picture with this as its alpha.
    pub(super) fn alone(&self) -> Image {
        let pixels = self.values.iter().flat_map(|alpha| [u8::MAX, u8::MAX, u8::MAX, *alpha]).collect();
        Image { width: self.width, height: self.height, channels: Channels::Rgba, pixels: Pixels::U8(pixels) }
    }

    /// The values for the pixels of a picture of any size, each that of the nearest one.
    fn scaled(&self, image: &Image) -> impl Iterator<Item = u8> {
        let nearest = |at: u32, of: u32, whole: u32| {
            usize::try_from(u64::from(at) * u64::from(of) / u64::from(whole.max(1))).unwrap_or(usize::MAX)
        };
        let (width, height) = (image.width, image.height);
        (0..height).flat_map(move |y| {
            let row = nearest(y, self.height, height)
                .saturating_mul(usize::try_from(self.width).unwrap_or(usize::MAX));
            (0..width).map(move |x| {
                let at = row.saturating_add(nearest(x, self.width, width));
                self.values.get(at).copied().unwrap_or(u8::MAX)
            })
        })
    }
}

/// Colours with an alpha.
fn joined<T: Copy>(values: &[T], channels: usize, alpha: impl Iterator<Item = T>) -> Vec<T> {
    let pixel = |(pixel, alpha): (&[T], T)| match *pixel {
        [red, green, blue, ..] => [red, green, blue, alpha],
        // Gray is red, green and blue.
        [gray, ..] => [gray, gray, gray, alpha],
        [] => [alpha; 4],
    };
    values.chunks_exact(channels).zip(alpha).flat_map(pixel).collect()
}

/// The number that an sRGB value stands for, both in bytes.
fn number_of(value: u8) -> u8 {
    let part = f32::from(value) / 255.0;
    let linear = if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) };
    // Rounded to one of 256 values without a cast: the first that is not below.
    (0..=u8::MAX).find(|byte| f32::from(*byte) + 0.5 >= linear * 255.0).unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(width: u32, channels: Channels, values: &[u8]) -> Image {
        Image { width, height: 1, channels, pixels: Pixels::U8(values.to_vec()) }
    }

    #[test]
    fn opacity_becomes_alpha() {
        let opacity = Opacity::new(&image(2, Channels::Rgb, &[7, 0, 0, 9, 0, 0]), false).unwrap();
        let color =
            opacity.over(&image(4, Channels::Rgba, &[1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0, 9, 9, 9, 9]));
        assert_eq!(color.pixels, Pixels::U8(vec![1, 2, 3, 7, 5, 6, 7, 7, 0, 0, 0, 9, 9, 9, 9, 9]));
        let gray = Image { pixels: Pixels::U16(vec![0x1234, 1]), ..image(2, Channels::Gray, &[]) };
        let expected = vec![0x1234, 0x1234, 0x1234, 0x0707, 1, 1, 1, 0x0909];
        assert_eq!(opacity.over(&gray).pixels, Pixels::U16(expected));
        assert_eq!(opacity.alone().pixels, Pixels::U8(vec![255, 255, 255, 7, 255, 255, 255, 9]));
    }

    #[test]
    fn opacity_is_a_number() {
        assert_eq!([0, 10, 128, 188, 255].map(number_of), [0, 1, 55, 128, 255]);
        let opacity = Opacity::new(&image(1, Channels::Gray, &[188]), true).unwrap();
        assert_eq!(opacity.values, [128]);
    }
}
