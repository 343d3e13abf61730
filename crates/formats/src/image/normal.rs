//! Normal maps, whose textures store two of the three numbers of a direction.

use super::format::Layout;
use super::pixels::{Channels, Image, Pixels};

/// Channels of the two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NormalMap {
    /// X in red, Y in green.
    RedGreen,
    /// X in red, Y in alpha.
    RedAlpha,
    /// X in alpha, Y in green.
    AlphaGreen,
}

impl NormalMap {
    /// Returns the channels in a picture that is a normal map.
    #[must_use]
    pub fn of(layout: Layout, image: &Image) -> Option<Self> {
        match layout {
            // An alpha that varies must carry a number; a constant one carries nothing.
            Layout::Bc3 if !has_one_alpha(image) => Some(Self::AlphaGreen),
            Layout::AstcNormal(..) => Some(Self::RedAlpha),
            // ASTC does not record its use: gray with varying alpha shows X in all colors and Y in alpha.
            Layout::Astc(..) if is_gray(image) && !has_one_alpha(image) => Some(Self::RedAlpha),
            Layout::Bc5 | Layout::EacRg | Layout::Astc(..) => Some(Self::RedGreen),
            _ => None,
        }
    }
}

/// Puts X, Y and Z into red, green and blue. A picture without eight bits per channel stays unchanged.
pub fn complete_normals(image: &mut Image, map: NormalMap) {
    let Pixels::U8(values) = &mut image.pixels else { return };
    match image.channels {
        // One channel cannot have two numbers.
        Channels::Gray => {}
        Channels::Rgb => {
            for [r, g, b] in values.as_chunks_mut::<3>().0 {
                *b = z(*r, *g);
            }
        }
        Channels::Rgba => {
            for pixel in values.as_chunks_mut::<4>().0 {
                let [r, g, _, a] = *pixel;
                let (x, y) = match map {
                    NormalMap::RedGreen => (r, g),
                    NormalMap::RedAlpha => (r, a),
                    NormalMap::AlphaGreen => (a, g),
                };
                *pixel = [x, y, z(x, y), 255];
            }
        }
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 127.5 to 255")]
fn z(x: u8, y: u8) -> u8 {
    let [x, y] = [x, y].map(|value| f32::from(value) / 127.5 - 1.0);
    // The length of a direction is 1. Rounding may leave a little less than nothing for Z.
    let z = (1.0 - x * x - y * y).max(0.0).sqrt();
    ((z + 1.0) * 127.5).round() as u8
}

fn rgba(image: &Image) -> &[[u8; 4]] {
    match (&image.pixels, image.channels) {
        (Pixels::U8(values), Channels::Rgba) => values.as_chunks().0,
        _ => &[],
    }
}

fn has_one_alpha(image: &Image) -> bool {
    let mut alphas = rgba(image).iter().map(|[.., a]| *a);
    let first = alphas.next();
    alphas.all(|alpha| Some(alpha) == first)
}

/// Returns true if nearly all pixels are gray.
fn is_gray(image: &Image) -> bool {
    let pixels = rgba(image);
    let gray = pixels.iter().filter(|[r, g, b, _]| r == g && g == b).count();
    // One pixel in 20 may differ.
    gray >= pixels.len() - pixels.len() / 20
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_third_number_follows_from_the_others() {
        // Straight up, and along X: no room is left for Z.
        assert_eq!([z(127, 128), z(255, 128), z(255, 255)], [255, 128, 128]);
        let mut image =
            Image { width: 1, height: 1, channels: Channels::Rgba, pixels: Pixels::U8(vec![9, 9, 9, 128]) };
        complete_normals(&mut image, NormalMap::RedAlpha);
        assert_eq!(image.pixels, Pixels::U8(vec![9, 128, z(9, 128), 255]));
    }
}
