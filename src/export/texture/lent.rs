//! Texture pictures for glTF materials.

use super::opacity::Opacity;
use super::{Writer, png};
use crate::asset::Asset;
use crate::asset::material::Packing;
use crate::error::Result;
use crate::export::files::Files;
use crate::export::source::Source;
use crate::export::wanted::{Purpose, Wanted};
use crate::image::{Channels, Image, Pixels};

/// Writes the requested pictures of a texture. The text says what was not written, and why.
pub(crate) fn write(
    source: &Source<'_, '_>,
    wanted: &[&Wanted],
    files: &mut Files<'_>,
) -> Result<Option<String>> {
    let Asset::Texture(texture) = &source.found.asset else { return Ok(None) };
    let writer = Writer { source, texture };
    let Some(image) = writer.best()? else {
        return Ok(Some("the data of its mips was not found".to_owned()));
    };
    let (mut note, mut pixels) = (None, 0);
    for wanted in wanted {
        let mut purpose = wanted.purpose.clone();
        if let Purpose::Sprite(at, size) = &mut purpose {
            // A smaller mip may stand in for the largest one.
            for pair in [&mut *at, &mut *size] {
                let sides = [(image.width, texture.width), (image.height, texture.height)];
                for (length, (there, whole)) in pair.iter_mut().zip(sides) {
                    *length = scaled(*length, there, whole);
                }
            }
            // Sprites hardly overlap. Crafted ones may all be as large as their texture, in any number.
            pixels += size.map(u64::from).iter().product::<u64>();
        }
        let most = u64::from(image.width) * u64::from(image.height) * MAX_SPRITES;
        let found = match &purpose {
            Purpose::Masked(path) => {
                let opacity = Opacity::of_texture(source, path, &image);
                if opacity.is_none() {
                    note = Some(format!("it is opaque, since its opacity in {path} cannot be read"));
                }
                Some(opacity.map_or_else(|| image.clone(), |opacity| opacity.over(&image)))
            }
            Purpose::Opacity => Opacity::new(&image, texture.settings.srgb).map(|opacity| opacity.alone()),
            _ => (pixels <= most).then(|| suited(&image, &purpose)).flatten(),
        };
        let Some(image) = found else {
            note = Some("some sprites are not inside their texture, or overlap too often".to_owned());
            continue;
        };
        // Only colours get a profile: glTF reads all other channels as plain numbers, which no viewer may convert.
        let encoding = match wanted.purpose {
            Purpose::Color | Purpose::Masked(_) | Purpose::Sprite(..) if texture.settings.srgb => {
                png::Encoding::Srgb
            }
            _ => png::Encoding::Unsaid,
        };
        let file = png::encode(&image, encoding, source.cpu).map_err(writer.encode_error())?;
        files.put_at(&wanted.path, &file)?;
    }
    Ok(note)
}

impl Writer<'_, '_, '_> {
    /// The largest available picture.
    fn best(&self) -> Result<Option<Image>> {
        if let Some(tiles) = &self.texture.virtual_texture {
            let mut image = self.first_layer(tiles)?;
            if let (Some(image), Some(layer)) = (&mut image, tiles.layers.first()) {
                self.texture.complete(image, layer.format);
            }
            return Ok(image);
        }
        for mip in &self.texture.mips {
            if let Some(bytes) = self.bulk(&mip.data)? {
                return self.look(mip, 0, &bytes).map(Some);
            }
        }
        Ok(None)
    }
}

/// A length in a picture that has `there` of `whole` pixels.
fn scaled(length: u32, there: u32, whole: u32) -> u32 {
    let scaled = u64::from(length) * u64::from(there) / u64::from(whole.max(1));
    u32::try_from(scaled).unwrap_or(u32::MAX)
}

/// Area of all sprites of a texture, in areas of the texture.
const MAX_SPRITES: u64 = 16;

/// Cuts a sprite out of a picture, or converts it to the channels that glTF expects; `None` if the sprite is not inside.
fn suited(image: &Image, purpose: &Purpose) -> Option<Image> {
    let packing = match purpose {
        Purpose::Surface(packing) => *packing,
        Purpose::Sprite(at, size) => {
            return image.crop(*at, *size).filter(|image| image.width > 0 && image.height > 0);
        }
        // Opacity comes from elsewhere.
        Purpose::Color | Purpose::Masked(_) | Purpose::Opacity => return Some(image.clone()),
        Purpose::Normal => {
            let mut image = image.clone();
            flip_green(&mut image);
            return Some(image);
        }
    };
    let channels = image.channels.count();
    let pixels = match &image.pixels {
        Pixels::U8(values) => Pixels::U8(surface(values, channels, packing, u8::MAX)),
        Pixels::U16(values) => Pixels::U16(surface(values, channels, packing, u16::MAX)),
        // PNG has no floats; the encoder reports them.
        other => other.clone(),
    };
    Some(Image { channels: Channels::Rgb, pixels, ..*image })
}

/// Reorders each pixel to occlusion, roughness and metallic.
fn surface<T: Copy>(values: &[T], channels: usize, packing: Packing, one: T) -> Vec<T> {
    let pixel = |values: &[T]| {
        // A texture with fewer channels repeats its last one.
        let at = |channel: usize| values.get(channel.min(channels - 1)).copied().unwrap_or(one);
        match packing {
            Packing::Orm => [at(0), at(1), at(2)],
            Packing::Mra => [at(2), at(1), at(0)],
            Packing::Rma => [at(2), at(0), at(1)],
            // glTF multiplies by the material's factors, so missing channels are one.
            Packing::Roughness => [one, at(0), one],
        }
    };
    values.chunks_exact(channels).flat_map(pixel).collect()
}

/// Inverts green: normal maps point it down in the engine, and up in glTF.
fn flip_green(image: &mut Image) {
    let channels = image.channels.count();
    match &mut image.pixels {
        Pixels::U8(values) if channels > 1 => {
            values.iter_mut().skip(1).step_by(channels).for_each(|green| *green = u8::MAX - *green);
        }
        Pixels::U16(values) if channels > 1 => {
            values.iter_mut().skip(1).step_by(channels).for_each(|green| *green = u16::MAX - *green);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(channels: Channels, values: &[u8]) -> Image {
        Image { width: 2, height: 1, channels, pixels: Pixels::U8(values.to_vec()) }
    }

    #[test]
    fn channels_are_those_of_gltf() {
        let rgba = image(Channels::Rgba, &[1, 2, 3, 4, 5, 6, 7, 8]);
        let made = |packing| suited(&rgba, &Purpose::Surface(packing)).unwrap().pixels;
        assert_eq!(made(Packing::Orm), Pixels::U8(vec![1, 2, 3, 5, 6, 7]));
        assert_eq!(made(Packing::Mra), Pixels::U8(vec![3, 2, 1, 7, 6, 5]));
        assert_eq!(made(Packing::Rma), Pixels::U8(vec![3, 1, 2, 7, 5, 6]));
        let gray = suited(&image(Channels::Gray, &[9, 10]), &Purpose::Surface(Packing::Roughness)).unwrap();
        assert_eq!(
            (gray.channels, gray.pixels),
            (Channels::Rgb, Pixels::U8(vec![255, 9, 255, 255, 10, 255]))
        );
        let normal = suited(&image(Channels::Rgb, &[1, 0, 3, 4, 200, 6]), &Purpose::Normal).unwrap();
        assert_eq!(normal.pixels, Pixels::U8(vec![1, 255, 3, 4, 55, 6]));
    }

    #[test]
    fn sprites_are_cut_from_what_there_is_of_the_texture() {
        let gray = image(Channels::Gray, &[9, 10]);
        let cut = |at, size| suited(&gray, &Purpose::Sprite(at, size)).map(|image| image.pixels);
        assert_eq!(cut([1, 0], [1, 1]), Some(Pixels::U8(vec![10])));
        assert_eq!((cut([1, 0], [2, 1]), cut([0, 0], [0, 1])), (None, None), "not inside, and nothing");
        assert_eq!((scaled(32, 64, 256), scaled(7, 0, 0)), (8, 0));
    }
}
